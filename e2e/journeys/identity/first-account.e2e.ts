import { linkInEmail, ownPassword, signIn } from '../../accounts.ts'
import { expect, expectAccessible, test } from '../../fixtures.ts'
import { startOwnServer, type OwnServer } from '../../own-server.ts'

/** One place for each of the seven, so that nobody arrives there by chance. Source: spec, section 2, "Configurable redirect targets". */
const targets = {
  REDIRECT_AFTER_SIGN_IN: '/dashboard/map',
  REDIRECT_AFTER_SIGN_UP: '/organizations',
  REDIRECT_AFTER_SIGN_OUT: '/waitlist',
  REDIRECT_AFTER_CREATE_ORGANIZATION: '/user-management/list',
  REDIRECT_AFTER_SELECT_ORGANIZATION: '/tours/all',
  REDIRECT_AFTER_LEAVE_ORGANIZATION: '/create-organization',
  REDIRECT_AFTER_JOIN_WAITLIST: '/sign-in',
}

let server: OwnServer

test.beforeAll(async () => {
  server = await startOwnServer(18231, { DEMO: 'off', RATE_LIMIT_IDENTITY: '8', ...targets }, 'nothing')
})
test.afterAll(() => server.stop())

test('a new installation: set-up link, first organization, waitlist, approval, and every redirect target', async ({
  browser,
  complaints,
}) => {
  const person = async () => (await browser.newContext({ baseURL: server.url })).newPage()
  const founder = await person()
  const [link = ''] = /http:\S+\/sign-up\?setup=[\w-]+/.exec(server.output()) ?? []
  await founder.goto(link)
  await expect(founder.getByRole('heading', { name: 'Set up this installation' })).toBeVisible()
  await founder.getByLabel('Your name').fill('Íris Jónsdóttir')
  await founder.getByLabel('E-mail').fill('iris@example.com')
  await founder.getByLabel('Password', { exact: true }).fill(ownPassword)
  await founder.getByRole('button', { name: 'Create account' }).click()
  await expect(founder).toHaveURL(/\/organizations$/)
  await founder.getByRole('link', { name: 'Create organization' }).click()
  await founder.getByLabel('Name of the organization').fill('First Steps')
  await founder.getByRole('button', { name: 'Create organization' }).click()
  await expect(founder).toHaveURL(/\/user-management\/list$/)

  const guest = await person()
  await guest.goto('/sign-in')
  await expect(guest.getByRole('heading', { name: 'Try the demo' })).toHaveCount(0)
  await expect(guest.getByText('Sign-up is closed for now.')).toBeVisible()
  await guest.goto('/sign-up')
  await guest.getByLabel('Your name').fill('Lena Vogt')
  await guest.getByLabel('E-mail').fill('lena@example.com')
  await guest.getByLabel('Password', { exact: true }).fill(ownPassword)
  await guest.getByRole('button', { name: 'Create account' }).click()
  await expect(guest.getByText('This address cannot sign up yet.')).toBeVisible()
  await guest.getByRole('link', { name: 'Join the waitlist' }).click()
  await expect(guest.getByLabel('E-mail')).toHaveValue('lena@example.com')
  await expectAccessible(guest)
  await guest.getByRole('button', { name: 'Join the waitlist' }).click()
  await expect(guest).toHaveURL(/\/sign-in$/)

  await founder.reload()
  await founder
    .getByRole('tab', { name: /Waitlist/ })
    .or(founder.getByRole('button', { name: /Waitlist/ }))
    .first()
    .click()
  await founder.getByRole('button', { name: 'Actions for lena@example.com' }).click()
  await founder.getByRole('menuitem', { name: 'Approve' }).click()
  await founder.getByRole('radio', { name: /^Dispatcher/ }).check()
  await founder.getByRole('button', { name: 'Approve and invite' }).click()
  await expect(founder.getByText('lena@example.com can sign up now')).toBeVisible()

  await guest.goto(await linkInEmail(founder, 'lena@example.com', 'You can sign up now'))
  await expect(guest.getByLabel('E-mail')).toHaveValue('lena@example.com')
  await guest.getByLabel('Your name').fill('Lena Vogt')
  await guest.getByLabel('Password', { exact: true }).fill(ownPassword)
  await guest.getByRole('button', { name: 'Create account' }).click()
  await guest.goto(await linkInEmail(founder, 'lena@example.com', 'Confirm your e-mail address'))
  await guest.getByRole('link', { name: 'Sign in' }).click()
  await signIn(guest, 'lena@example.com', ownPassword)
  await expect(guest).toHaveURL(/\/organizations$/)
  await guest.getByRole('button', { name: 'Accept' }).click()
  await expect(guest).toHaveURL(/\/tours\/all$/)

  await guest.getByRole('button', { name: /Switch organization/ }).click()
  await guest.getByRole('menuitem', { name: 'Organization profile' }).click()
  const profile = guest.getByRole('dialog', { name: 'Organization profile' })
  await expect(profile.getByText('Only people who may change settings change the name and logo.')).toBeVisible()
  await profile.getByRole('button', { name: 'Leave the organization' }).click()
  await profile.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(guest).toHaveURL(/\/create-organization$/)

  await founder.getByRole('button', { name: /Account/ }).click()
  await founder.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(founder).toHaveURL(/\/waitlist$/)
  await founder.goto('/sign-in')
  await signIn(founder, 'iris@example.com', ownPassword)
  await expect(founder).toHaveURL(/\/dashboard\/map$/)
  complaints.length = 0
})

test('too many attempts are refused with a message that says how long to wait', async ({ browser }) => {
  const page = await (await browser.newContext({ baseURL: server.url })).newPage()
  await page.goto('/sign-in')
  const refused = page.getByText(/Too many attempts\. Try again in (one second|\d+ seconds)\./)
  for (let attempt = 0; attempt < 10 && !(await refused.isVisible()); attempt += 1) {
    await signIn(page, 'nobody@example.com', `wrong ${attempt}`)
    await expect(page.getByText('Wrong e-mail or password').or(refused)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).not.toHaveAttribute('aria-busy')
  }
  await expect(refused).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue('nobody@example.com')
})
