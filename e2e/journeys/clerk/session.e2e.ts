import type { Page } from '@playwright/test'
import { createTour } from '@tour-ops/contract/tours/tours'
import {
  expect,
  expectRetryPauses,
  fillSignIn,
  openClerkWorld,
  servicePassword,
  test,
  type ClerkWorld,
} from '../../clerk-world.ts'
import { settled, takeAnswers } from '../../fixtures.ts'
import { onePixel } from '../../one-pixel.ts'
import { injectWallet, newWalletKey } from '../../test-wallet.ts'
import { breachesOf } from '../../stand-ins/clerk/openapi.ts'
import { newId } from '../../stand-ins/clerk/state.ts'

// The hosted identity service with our own server, in one world: its real script and widgets against a stand-in of its API.

let world: ClerkWorld

test.beforeAll(async () => {
  world = await openClerkWorld(18_090)
})
test.afterEach(() => {
  Object.assign(world.service.instance, { signUpMode: 'public', forceOrganization: false })
  world.service.isDown = false
})
test.afterAll(() => world?.stop())

const organization = (name: string): string => world.service.state.addOrganization({ name }).id

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${world.url}/sign-in`)
  await fillSignIn(page, email)
  await expect(page).toHaveURL(/\/dashboard\/overview/)
}

const switcher = (page: Page) => page.getByRole('button', { name: /Switch organization/ })

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
}

test('sign-in leads to the overview, sign-out to the configured place, and nobody else is asked', async ({
  page,
  foreignAddresses,
}) => {
  const ann = world.person('Ann', [{ orgId: organization('Alps Tours'), role: 'org:admin' }])
  await page.goto(`${world.url}/sign-in`)
  await expect(page.getByText('Development instance')).toBeVisible()
  await fillSignIn(page, ann.email)
  await expect(page).toHaveURL(/\/dashboard\/overview/)
  await expect(switcher(page)).toContainText('Alps Tours')
  await signOut(page)
  await expect(page.getByLabel('Email address')).toBeVisible()
  expect([...foreignAddresses]).toEqual(['img.clerk.com/static/metamask.svg'])
})

test('the keyboard alone signs in: the next step of the form takes it to its field', async ({ page }) => {
  const kim = world.person('Kim', [{ orgId: organization('Kattegat Tours'), role: 'org:dispatcher' }])
  await page.goto(`${world.url}/sign-in`)
  await page.getByLabel('Email address').focus()
  await page.keyboard.type(kim.email)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(servicePassword)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/overview/)
})

test('a page that was requested before signing in is there afterwards', async ({ page }) => {
  const bea = world.person('Bea', [{ orgId: organization('Baltic Tours'), role: 'org:dispatcher' }])
  await page.goto(`${world.url}/travelers/list`)
  await expect(page).toHaveURL(/\/sign-in\?redirect_url=/)
  await fillSignIn(page, bea.email)
  await expect(page).toHaveURL(/\/travelers\/list/)
})

test('a wrong password is shown in the form, and the session stays closed', async ({ page, complaints }) => {
  const cid = world.person('Cid', [{ orgId: organization('Carpathian Tours'), role: 'org:admin' }])
  await page.goto(`${world.url}/sign-in`)
  await fillSignIn(page, cid.email, 'something else')
  await expect(page.getByText('Password is incorrect').first()).toBeVisible()
  await expect(page).toHaveURL(/\/sign-in/)
  takeAnswers(complaints, 422)
})

test('another organization is another world: role, records and caches', async ({ page }) => {
  const [danube, ebro] = [organization('Danube Tours'), organization('Ebro Tours')]
  const dan = world.person('Dan', [
    { orgId: danube, role: 'org:admin' },
    { orgId: ebro, role: 'org:viewer' },
  ])
  const name = 'Only on the Danube'
  const tour = { name, code: 'DAN1', kind: 'day', timeZone: 'Europe/Vienna', durationMin: 120 } as const
  await world.call(dan.id, danube, createTour, tour)
  await signIn(page, dan.email)
  await page.getByRole('link', { name: 'Tours', exact: true }).click()
  await expect(page.getByText(name)).toBeVisible()
  await switcher(page).click()
  await page.getByRole('menuitemcheckbox', { name: /Ebro Tours/ }).click()
  await expect(switcher(page)).toContainText('Ebro Tours')
  await page.getByRole('link', { name: 'Tours', exact: true }).click()
  await expect(page).toHaveURL(/\/tours\/all/)
  await settled(page)
  await expect(page.getByText(name)).toHaveCount(0)
  await page.goto(`${world.url}/tours/constructor`)
  await expect(page.locator('[data-missing-permission="tours:manage"]')).toBeVisible()
})

test('a logo that an administrator uploads at the service is the one that the application shows', async ({ page }) => {
  const fjord = organization('Fjord & Sons')
  const ida = world.person('Ida', [{ orgId: fjord, role: 'org:admin' }])
  await signIn(page, ida.email)
  await switcher(page).click()
  await page.getByRole('menuitem', { name: 'Organization profile' }).click()
  await page.getByRole('button', { name: 'Update profile' }).click()
  await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: onePixel })
  await expect.poll(() => world.service.state.organizations.get(fjord)?.logo?.size).toBe(onePixel.length)
  const logo = page.getByRole('button', { name: /Switch organization/, includeHidden: true }).locator('img')
  await expect(logo).toHaveAttribute('src', new RegExp(`${fjord}-logo`))
})

test('somebody new signs up with a code, makes an organization and is its administrator', async ({ page }) => {
  await page.goto(`${world.url}/sign-up`)
  await page.getByLabel('Email address').fill('new-person@example.com')
  await page.getByLabel('Password', { exact: true }).fill(servicePassword)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Enter verification code').first().fill('424242')
  await expect(page).toHaveURL(/\/organizations/)
  await page.goto(`${world.url}/create-organization`)
  await page.getByLabel('Name', { exact: true }).fill('Fjord Tours')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page).toHaveURL(/\/dashboard\/overview/)
  await expect(switcher(page)).toContainText('Fjord Tours')
})

test('a session that waits for an organization leads to the choice, and counts once it is made', async ({ page }) => {
  world.service.instance.forceOrganization = true
  const eve = world.person('Eve')
  await page.goto(`${world.url}/sign-in`)
  await fillSignIn(page, eve.email)
  await expect(page).toHaveURL(/\/organizations/)
  await page.getByLabel('Name', { exact: true }).fill('Garda Tours')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\/overview/)
  await expect(switcher(page)).toContainText('Garda Tours')
})

test('while sign-up is closed, people ask to be let in', async ({ page }) => {
  world.service.instance.signUpMode = 'waitlist'
  await page.goto(`${world.url}/sign-in`)
  await page.getByRole('link', { name: 'Join waitlist' }).click()
  await expect(page).toHaveURL(/\/waitlist/)
  await expect(page.getByRole('heading', { name: 'Join the waitlist' })).toBeVisible()
  await page.getByLabel('Email address').fill('patient@example.com')
  await page.getByRole('button', { name: /Join/ }).click()
  await expect.poll(() => world.service.state.waitlist.map(({ email }) => email)).toContain('patient@example.com')
})

test('a session that ends in another tab ends here', async ({ page, context }) => {
  const fay = world.person('Fay', [{ orgId: organization('Harz Tours'), role: 'org:admin' }])
  await signIn(page, fay.email)
  const other = await context.newPage()
  await other.goto(`${world.url}/dashboard/overview`)
  await signOut(other)
  await expect(page).toHaveURL(/\/sign-in/)
})

test('a session that is revoked at the service ends in the page that is open', async ({ page, complaints }) => {
  const ida = world.person('Ida', [{ orgId: organization('Isar Tours'), role: 'org:admin' }])
  await signIn(page, ida.email)
  for (const session of world.service.state.sessions()) if (session.userId === ida.id) session.status = 'revoked'
  // the session is checked again when the window gets focus
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page).toHaveURL(/\/sign-in/, { timeout: 60_000 })
  takeAnswers(complaints, 401)
})

test('a wallet signs the service’s message, and its owner is in', async ({ page }) => {
  await injectWallet(page, newWalletKey())
  await page.goto(`${world.url}/sign-in`)
  const [wallet = ''] = await page.evaluate<string[]>("window.ethereum.request({ method: 'eth_requestAccounts' })")
  const { state } = world.service
  const hal = state.addUser({ wallet, firstName: 'Hal' })
  state.addMember(hal.id, organization('Jura Tours'), 'org:guide')
  await page.getByRole('button', { name: 'Wallet', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\/overview/)
  await expect(switcher(page)).toContainText('Jura Tours')
})

test('an administrator invites through the service', async ({ page }) => {
  const orgId = organization('Iberia Tours')
  const gus = world.person('Gus', [{ orgId, role: 'org:admin' }])
  await signIn(page, gus.email)
  await page.goto(`${world.url}/user-management/create`)
  await page.getByLabel(/E-mail addresses/).fill('invited@example.com')
  await page.getByRole('radio', { name: /^Guide/ }).check()
  await page.getByRole('button', { name: /^Invite/ }).click()
  await expect
    .poll(() => world.service.state.invitations.filter((each) => each.orgId === orgId))
    .toMatchObject([{ email: 'invited@example.com', role: 'org:guide', status: 'pending' }])
})

test('the e-mail of an invitation brings a person with an account into the organization, once', async ({ page }) => {
  const orgId = organization('Karst Tours')
  const kim = world.person('Kim')
  const invitation = { id: newId('orginv'), orgId, email: kim.email, role: 'org:dispatcher', createdAt: Date.now() }
  world.service.state.invitations.push({ ...invitation, status: 'pending' })
  await page.goto(`${world.url}/accept-invitation?__clerk_ticket=${invitation.id}&__clerk_status=sign_in`)
  await expect(page).toHaveURL(/\/dashboard\/overview/)
  await expect(switcher(page)).toContainText('Karst Tours')
  expect(world.service.state.membershipOf(kim.id, orgId)).toMatchObject({ role: 'org:dispatcher' })
  expect(world.service.state.invitations.find(({ id }) => id === invitation.id)?.status).toBe('accepted')
})

test('twenty loads of the sign-in, and never a blank page', async ({ page }) => {
  for (let load = 0; load < 20; load += 1) {
    await page.goto(`${world.url}/sign-in`)
    await expect(page.getByLabel('Email address'), `load ${load + 1}`).toBeVisible()
  }
})

test("a script that does not load is reported ('Failed to load'), with a button that tries again", async ({
  page,
  complaints,
}) => {
  const script = '**/npm/@clerk/clerk-js@*/dist/clerk.browser.js'
  const attempts: number[] = []
  await page.route(script, (route) => {
    attempts.push(performance.now())
    return route.abort()
  })
  await page.goto(`${world.url}/sign-in`)
  await expect(page.getByText('The sign-in service could not be loaded')).toBeVisible({ timeout: 30_000 })
  expect(complaints.join('\n')).toContain('Failed to load')
  expect(attempts, 'its own loader tries once and five times again').toHaveLength(6)
  expectRetryPauses(attempts)
  await page.unroute(script)
  await page.getByRole('button', { name: /Try again/ }).click()
  await expect(page.getByLabel('Email address')).toBeVisible()
  complaints.splice(0)
})

test('a service that answers in part is no sign-out', async ({ page, complaints }) => {
  world.service.isDown = true
  await page.goto(`${world.url}/dashboard/overview`)
  await expect(page.getByText('The sign-in service answers in part only')).toBeVisible({ timeout: 30_000 })
  await expect(page).toHaveURL(/\/dashboard\/overview/)
  // the service's script keeps requesting, and the browser keeps logging errors, until the page is left
  await page.goto('about:blank')
  complaints.splice(0)
})

test('every answer of the stand-in matches the description of the service', () => {
  const file = process.env['CLERK_OPENAPI']
  test.skip(!file, "CLERK_OPENAPI names no copy of the service's description")
  expect(breachesOf(world.service.answers, file ?? '')).toEqual([])
})
