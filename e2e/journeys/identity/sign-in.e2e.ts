import { enterWithWallet, linkInEmail, newAddress, signIn, signUpThroughEmail } from '../../accounts.ts'
import { demoPassword, expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { injectWallet, newWalletKey } from '../../test-wallet.ts'

test('one click on a demo account signs in as that person', async ({ page }) => {
  await page.goto('/sign-in')
  await expectAccessible(page)
  await page.getByRole('button', { name: /Dispatcher/ }).click()
  await expect(page).toHaveURL(/\/dashboard\/overview$/)
  await expect(page.getByRole('button', { name: /Account, Tomás Ferreira/ })).toBeVisible()
})

test('the way back leads to the page that was wanted, and never to another site', async ({ page }) => {
  await page.goto('/settings/general?from=test')
  await expect(page).toHaveURL(/\/sign-in\?redirect_url=/)
  await signIn(page, 'admin@example.com', demoPassword)
  await expect(page).toHaveURL(/\/settings\/general\?from=test$/)
  await page.goto('/sign-in?redirect_url=https://evil.example/')
  await expect(page).toHaveURL(/127\.0\.0\.1:\d+\/dashboard\/overview$/)
})

test('a wrong password is reported at the field, and what was typed stays', async ({ page, complaints }) => {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('This does not look like an e-mail address.')).toBeVisible()
  await signIn(page, 'viewer@example.com', 'not the password')
  await expect(page.getByText('Wrong e-mail or password.')).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue('viewer@example.com')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('not the password')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Show the password' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await expectAccessible(page)
  expect(complaints.splice(0).filter((line) => !line.includes('401'))).toEqual([])
})

test('sign-up, confirmation, and a forgotten password go through the e-mails in the outbox', async ({
  page,
  browser,
}) => {
  const admin = await browser.newContext({ storageState: sessionFile('admin') })
  const reader = await admin.newPage()
  const email = newAddress('forgetful')
  await signUpThroughEmail(page, reader, email, 'Ada Lovelace')
  await expect(page.getByRole('heading', { name: 'You are not in an organization yet' })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByLabel('E-mail')).toHaveValue(email)
  await page.getByRole('button', { name: 'Send the e-mail' }).click()
  await expect(page.getByText(`If ${email} has an account, an e-mail is on its way.`)).toBeVisible()

  const link = await linkInEmail(reader, email, 'Choose a new password')
  await page.goto(link)
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Use at least 8 characters.')).toBeVisible()
  await page.getByLabel('New password').fill('another horse 2')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, email, 'another horse 2')
  await expect(page.getByRole('heading', { name: 'You are not in an organization yet' })).toBeVisible()
  await admin.close()
})

test('a link that was used says so and offers another e-mail', async ({ page, complaints }) => {
  await page.goto('/reset-password?token=spent')
  await page.getByLabel('New password').fill('another horse 2')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('alert')).toContainText('This link has expired or was already used.')
  await page.getByRole('link', { name: 'Ask for a new e-mail' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  expect(complaints.splice(0).filter((line) => !line.includes('400'))).toEqual([])
})

test('without a wallet the button says what to do', async ({ page }) => {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Wallet' }).click()
  await expect(page.getByRole('alert')).toContainText('No wallet was found in this browser.')
})

test('a wallet signs in, and the same wallet is the same person again', async ({ page }) => {
  await injectWallet(page, newWalletKey())
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Wallet' }).click()
  await expect(page.getByRole('heading', { name: 'You are not in an organization yet' })).toBeVisible()
  const name = await page.getByRole('button', { name: /Account, 0x/ }).textContent()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await page.getByRole('button', { name: 'Wallet' }).click()
  await expect(page.getByRole('button', { name: /Account, 0x/ })).toHaveText(name ?? '')
})

test('a sign-out in another tab ends the session here', async ({ context, page }) => {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: /Viewer/ }).click()
  await expect(page).toHaveURL(/\/dashboard\/overview$/)
  const other = await context.newPage()
  await other.goto('/travelers/list')
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: /Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect(other).toHaveURL(/\/sign-in\?redirect_url=%2Ftravelers%2Flist/)
  await expect(other.getByRole('table')).toHaveCount(0)
})

test('the profile changes the own name, in this tab and in the menu', async ({ page }) => {
  await enterWithWallet(page)
  await page.getByRole('button', { name: /Account/ }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Account, Grace Hopper', includeHidden: true })).toBeVisible()
  await expectAccessible(page)
})
