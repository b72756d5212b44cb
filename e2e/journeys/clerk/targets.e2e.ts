import type { Page } from '@playwright/test'
import { expect, fillSignIn, openClerkWorld, servicePassword, test, type ClerkWorld } from '../../clerk-world.ts'

// Where the hosted identity service's widgets lead.

/** One place for each of the seven, so that nobody arrives there by chance. Source: spec, section 2, "Configurable redirect targets". */
const targets = {
  REDIRECT_AFTER_SIGN_IN: '/dashboard/map',
  REDIRECT_AFTER_SIGN_UP: '/create-organization',
  REDIRECT_AFTER_SIGN_OUT: '/waitlist',
  REDIRECT_AFTER_CREATE_ORGANIZATION: '/user-management/list',
  REDIRECT_AFTER_SELECT_ORGANIZATION: '/tours/all',
  REDIRECT_AFTER_LEAVE_ORGANIZATION: '/accept-invitation',
  REDIRECT_AFTER_JOIN_WAITLIST: '/sign-up',
}

let world: ClerkWorld
test.beforeAll(async () => {
  world = await openClerkWorld(18_110, {}, targets)
})
test.afterEach(() => Object.assign(world.service.instance, { signUpMode: 'public' }))
test.afterAll(() => world?.stop())

const at = (page: Page, path: string) => expect(page).toHaveURL((url) => url.pathname === path)

test('signing up, making an organization and signing out lead where the installation says', async ({ page }) => {
  await page.goto(`${world.url}/sign-up`)
  await page.getByLabel('Email address').fill('new-person@example.com')
  await page.getByLabel('Password', { exact: true }).fill(servicePassword)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Enter verification code').first().fill('424242')
  await at(page, targets.REDIRECT_AFTER_SIGN_UP)
  await page.getByLabel('Name', { exact: true }).fill('Fjord Tours')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await at(page, targets.REDIRECT_AFTER_CREATE_ORGANIZATION)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await at(page, targets.REDIRECT_AFTER_SIGN_OUT)
})

test('signing in, choosing an organization and leaving it lead where the installation says', async ({ page }) => {
  const [alps, baltic] = ['Alps Tours', 'Baltic Tours'].map((name) => world.service.state.addOrganization({ name }).id)
  const ann = world.person('Ann', [
    { orgId: alps ?? '', role: 'org:dispatcher' },
    { orgId: baltic ?? '', role: 'org:dispatcher' },
  ])
  await page.goto(`${world.url}/sign-in`)
  await fillSignIn(page, ann.email)
  await at(page, targets.REDIRECT_AFTER_SIGN_IN)
  const switcher = page.getByRole('button', { name: /Switch organization/ })
  const shown = (await switcher.textContent()) ?? ''
  await switcher.click()
  const [other = ''] = ['Alps Tours', 'Baltic Tours'].filter((name) => !shown.includes(name))
  await page.getByRole('menuitemcheckbox', { name: new RegExp(other) }).click()
  await at(page, targets.REDIRECT_AFTER_SELECT_ORGANIZATION)
  await switcher.click()
  await page.getByRole('menuitem', { name: 'Organization profile' }).click()
  await page.getByRole('button', { name: 'Leave organization' }).click()
  const confirmation = page.getByPlaceholder(other)
  if (await confirmation.isVisible()) await confirmation.fill(other)
  await page.getByRole('button', { name: 'Leave organization' }).last().click()
  await at(page, targets.REDIRECT_AFTER_LEAVE_ORGANIZATION)
})

test('joining the waitlist leads where the installation says', async ({ page }) => {
  world.service.instance.signUpMode = 'waitlist'
  await page.goto(`${world.url}/waitlist`)
  await page.getByLabel('Email address').fill('patient@example.com')
  await page.getByRole('button', { name: /Join/ }).click()
  await at(page, targets.REDIRECT_AFTER_JOIN_WAITLIST)
  expect(world.service.state.waitlist.map(({ email }) => email)).toContain('patient@example.com')
})

test('somebody who is invited signs in over the page, or goes to sign-up and knows the way back', async ({ page }) => {
  const orgId = world.service.state.addOrganization({ name: 'Danube Tours' }).id
  const dan = world.person('Dan', [{ orgId, role: 'org:dispatcher' }])
  await page.goto(`${world.url}/accept-invitation`)
  await page.getByRole('link', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/sign-up\?redirect_url=%2Faccept-invitation/)
  await page.goBack()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('dialog').getByLabel('Email address')).toBeVisible()
  await at(page, '/accept-invitation')
  await fillSignIn(page, dan.email)
  await at(page, '/organizations')
  await expect(page.getByText('Danube Tours').first()).toBeVisible()
})
