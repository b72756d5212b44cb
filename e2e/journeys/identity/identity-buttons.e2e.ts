import { inviteMembers } from '@tour-ops/contract/members/members'
import { linkInEmail, newAddress, ownPassword, signIn } from '../../accounts.ts'
import { apiAs, origin } from '../../api.ts'
import { expect, expectAccessible, sessionFile, takeAnswers, test } from '../../fixtures.ts'

test('somebody invited makes an account and is led back, and the next time signs in over the page, which stays', async ({
  page,
  browser,
  complaints,
}) => {
  const email = newAddress('invited')
  await (await apiAs('admin')).call(inviteMembers, { emails: [email], role: 'viewer' })
  const outbox = await (await browser.newContext({ storageState: sessionFile('admin') })).newPage()
  const link = await linkInEmail(outbox, email, 'invited you to join')
  const { pathname, search } = new URL(link, origin)
  const invitation = page.getByRole('button', { name: 'Accept' })

  await page.goto(link)
  await page.getByRole('link', { name: 'Create account' }).click()
  await expect(page).toHaveURL((url) => url.searchParams.get('redirect_url') === pathname + search)
  await page.getByLabel('Your name').fill('Inga Lund')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(ownPassword)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible()
  await outbox.goto(await linkInEmail(outbox, email, 'Confirm your e-mail address'))
  await expect(outbox.getByRole('heading', { name: 'Address confirmed' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, email, ownPassword)
  await expect(page).toHaveURL(pathname + search)
  await expect(invitation).toBeVisible()

  await page.getByRole('button', { name: /^Account, / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await page.goto(link)
  await expect(invitation, 'a stranger sees nothing of it').toHaveCount(0)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await signIn(page, email, 'something else')
  await expect(dialog.getByText('Wrong e-mail or password.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.mouse.click(20, 880)
  // takes longer than a dialog needs to go
  await expectAccessible(page)
  await expect(dialog.getByLabel('E-mail'), 'nothing typed is lost').toHaveValue(email)
  await expect(page).toHaveURL(pathname + search)
  await expect(page.getByRole('heading', { name: 'You are invited', includeHidden: true })).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill(ownPassword)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(pathname + search)
  await invitation.click()
  await expect(page.getByRole('button', { name: /Switch organization/ })).toBeVisible()
  takeAnswers(complaints, 401)
})
