import type { Page } from '@playwright/test'
import { createOrganization, linkInEmail, newAddress, ownPassword, signIn, signUpThroughEmail } from '../../accounts.ts'
import { countCalls, expect, expectAccessible, sessionFile, settled, takeAnswers, test } from '../../fixtures.ts'
import { newPerson, openSecurity, signOut } from '../../own-account.ts'
import { totp } from '../../totp.ts'

/** Sets up the authenticator app on the page that shows it. */
async function setUpApp(page: Page): Promise<{ key: string; codes: string[] }> {
  const made = await enterFirstCode(page)
  await expect(page.getByText('10 recovery codes left')).toBeVisible()
  return made
}

/** Up to the moment when the first code is accepted. */
async function enterFirstCode(page: Page): Promise<{ key: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(ownPassword)
  await dialog.getByRole('button', { name: 'Next' }).click()
  const list = dialog.getByRole('list', { name: 'Recovery codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  const codes = await list.getByRole('listitem').allTextContents()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('recovery-codes.txt')
  await expect(dialog.getByRole('button', { name: 'Next' })).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByLabel('I have stored the codes').check()
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const key = (await dialog.locator('code').textContent()) ?? ''
  await expectAccessible(page)
  await dialog.getByLabel('Code', { exact: true }).fill('12345')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('The code has six digits.')).toBeVisible()
  await dialog.getByLabel('Code', { exact: true }).fill(totp(key))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  return { key, codes }
}

test('an authenticator app is set up, asked for at sign-in, replaced by a recovery code, remembered, and turned off', async ({
  page,
  browser,
  complaints,
}) => {
  const email = await newPerson(page, browser, 'Codes')
  await openSecurity(page)
  await expectAccessible(page)
  const { key, codes } = await setUpApp(page)

  await signOut(page)
  await signIn(page, email, ownPassword)
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Code', { exact: true }).fill('000 000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('This code is wrong.')).toBeVisible()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill((codes[0] ?? '').toUpperCase().replace('-', ' '))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/organizations$/)

  await signOut(page)
  await signIn(page, email, ownPassword)
  await page.getByLabel('Remember this device for 30 days').check()
  await page.getByLabel('Code', { exact: true }).fill(totp(key, 1))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/organizations$/)
  await signOut(page)
  await signIn(page, email, ownPassword)
  await expect(page).toHaveURL(/\/organizations$/)

  await openSecurity(page)
  await expect(page.getByText('9 recovery codes left')).toBeVisible()
  await page.getByRole('button', { name: 'Turn off' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(dialog.getByText('This is not your current password.')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill(ownPassword)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
  await signOut(page)
  await signIn(page, email, ownPassword)
  await expect(page).toHaveURL(/\/organizations$/)
  takeAnswers(complaints, 400, 401)
})

test('sessions are listed with their devices, and the others end at once, open pages included', async ({
  page,
  browser,
}) => {
  const email = await newPerson(page, browser, 'Sessions')
  await createOrganization(page, 'Sessions')
  const elsewhere = await browser.newContext({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
  })
  const phone = await elsewhere.newPage()
  const enterOnPhone = async () => {
    await phone.goto('/sign-in')
    await signIn(phone, email, ownPassword)
    await expect(phone).toHaveURL(/\/dashboard\/overview$/)
    await expect(phone.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await enterOnPhone()
  await openSecurity(page)
  const list = page.getByRole('list', { name: 'Sessions' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(list.getByRole('listitem').first()).toContainText('This device')
  await expectAccessible(page)
  await list.getByRole('button', { name: 'Sign out: Safari on iPhone' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(phone).toHaveURL(/\/sign-in/)

  await enterOnPhone()
  await page.reload()
  await page.getByRole('button', { name: 'Sign out all others' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out all others' }).click()
  await expect(phone).toHaveURL(/\/sign-in/)
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await elsewhere.close()
})

test('an organization requires a second factor: a member is reminded, led to the set-up and on, and reset by an administrator', async ({
  page,
  browser,
  complaints,
}) => {
  await newPerson(page, browser, 'Boss')
  await createOrganization(page, 'Rule')
  const saveRule = async (from: string) => {
    await page.goto('/settings/general')
    const rule = page.getByRole('region', { name: 'Second factor' })
    await rule.getByRole('checkbox', { name: 'Viewer' }).setChecked(true)
    await rule.getByLabel('Required from').fill(from)
    await rule.getByRole('button', { name: 'Save rule' }).click()
    return rule
  }

  const boss = await saveRule('2100-01-01')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const told = page.getByRole('complementary', { name: 'Changes and history' })
  await expect(told.getByText('Second factor required for from empty to Viewer')).toBeVisible()
  await expect(told.getByText('Start of the second factor rule from empty to 1 Jan 2100')).toBeVisible()
  await boss.getByRole('checkbox', { name: 'Admin' }).check()
  await boss.getByRole('button', { name: 'Save rule' }).click()
  await expect(boss.getByRole('alert')).toContainText('Your own role is among them.')
  await expectAccessible(page)
  await boss.getByRole('link', { name: 'Set up now' }).click()
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await expectAccessible(page)
  await enterFirstCode(page)
  await expect(page).toHaveURL(/\/settings\/general#second-factor$/)
  await boss.getByRole('checkbox', { name: 'Admin' }).check()
  await boss.getByRole('button', { name: 'Save rule' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  const email = newAddress('member')
  await page.goto('/user-management/create')
  await page.getByLabel(/E-mail addresses/).fill(email)
  await page.getByRole('radio', { name: /^Viewer/ }).check()
  await page.getByRole('button', { name: /Invite/ }).click()
  await expect(page.getByText(/invited/i).first()).toBeVisible()
  const invitation = await linkInEmail(page, email, /invited you/)

  const memberContext = await browser.newContext()
  const member = await memberContext.newPage()
  const office = await browser.newContext({ storageState: sessionFile('admin') })
  await signUpThroughEmail(member, await office.newPage(), email, 'Mia Member')
  await office.close()
  await expect(member.getByRole('heading', { name: 'Invitations' })).toBeVisible()
  await member.goto(invitation)
  await member.getByRole('button', { name: 'Accept' }).click()
  await expect(member.getByText('your organization requires a second factor')).toBeVisible()
  await expectAccessible(member)

  // the day comes while the member works: what was asked before is answered, and what they do next is refused
  countCalls(member)
  // The stream, which would notify the member first, is held back.
  await member.route('**/api/live/**', () => undefined)
  await member.goto('/tours/all')
  await settled(member)
  await saveRule('2026-01-01')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await member.getByRole('link', { name: 'Travelers' }).first().click()
  await expect(member.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await expect(member.getByText(/^Rule .* requires a second factor/)).toBeVisible()
  await expectAccessible(member)
  await member.unroute('**/api/live/**')
  await member.goto('/tours/all?q=whale')
  await expect(member.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await enterFirstCode(member)
  await expect(member).toHaveURL(/\/tours\/all\?q=whale$/)
  await expect(member.getByRole('heading', { level: 1, name: 'Tours' })).toBeVisible()

  await page.goto('/user-management/list')
  const row = page.getByRole('row', { name: /Mia Member/ })
  await expect(row).toContainText('Set up')
  await row.getByRole('button', { name: /Actions for Mia Member/ }).click()
  await page.getByRole('menuitem', { name: 'Reset second factor' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click()
  await expect(page.getByText('The second factor of Mia Member is reset')).toBeVisible()
  await expect(row).toContainText('None')
  await row.click()
  const panel = page.getByRole('complementary', { name: 'Mia Member' })
  await expect(panel.locator('[data-answer="no"]')).toContainText(
    'requires a second factor of this role, and none is set up',
  )
  await expect(panel.locator('[data-answer="no"]')).toContainText('given by')
  await expectAccessible(page)
  await expect(member).toHaveURL(/\/sign-in/)
  await signIn(member, email, ownPassword)
  await expect(member.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await memberContext.close()
  takeAnswers(complaints, 400)
})
