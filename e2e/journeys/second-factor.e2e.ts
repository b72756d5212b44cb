import type { Browser, Page } from '@playwright/test'
import { createOrganization, newAddress, ownPassword, signIn, signUpThroughLetter } from '../accounts.ts'
import { expect, expectAccessible, holdBack, sessionFile, settled, takeAnswers, test } from '../fixtures.ts'
import { totp } from '../totp.ts'

/** Passkeys belong to names; on this computer that is this one. */
const named = 'http://localhost:18080'

/** Somebody new with a password, signed in on `page`. */
async function newPerson(page: Page, browser: Browser, name: string): Promise<string> {
  const admin = await browser.newContext({ storageState: sessionFile('admin') })
  const email = newAddress(name.toLowerCase())
  await signUpThroughLetter(page, await admin.newPage(), email, name)
  await expect(page.getByRole('heading', { name: 'You belong to no organization yet' })).toBeVisible()
  await admin.close()
  return email
}

async function openSecurity(page: Page): Promise<void> {
  await settled(page)
  await page.getByRole('button', { name: /Account/ }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await page.getByRole('button', { name: 'Password and security' }).click()
  await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Sessions' })).toBeVisible()
}

async function signOut(page: Page): Promise<void> {
  await settled(page)
  await page.getByRole('button', { name: /Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
}

/** Sets up the authenticator app on the open security page. */
async function setUpApp(page: Page): Promise<{ key: string; codes: string[] }> {
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
  await expect(page.getByText('10 recovery codes left')).toBeVisible()
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

/** A device that agrees at once to whatever it is asked. `suggests` says whether the browser offers its passkeys in the form as well. */
async function addDevice(page: Page, { suggests }: { suggests: boolean }): Promise<void> {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  if (suggests) return
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
}

/** Signs in at the address that passkeys belong to, and adds one on the security page. */
async function addPasskey(page: Page, email: string): Promise<void> {
  await page.goto(`${named}/sign-in`)
  await signIn(page, email, ownPassword)
  await expect(page).toHaveURL(`${named}/organizations`)
  await openSecurity(page)
  await expect(page.getByText('No passkeys yet')).toBeVisible()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByText('Name the passkey.')).toBeVisible()
  await dialog.getByLabel('Name').fill('Work laptop')
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('list', { name: 'Passkeys' }).getByText('Work laptop')).toBeVisible()
}

test('a passkey is added and named, signs in by itself, and is removed', async ({ page, browser, complaints }) => {
  const email = await newPerson(page, browser, 'Passkeys')
  await openSecurity(page)
  await expect(page.getByText(`Passkeys work at ${named}/account/security. Open this page there.`)).toBeVisible()

  await addDevice(page, { suggests: false })
  await addPasskey(page, email)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Actions for Work laptop' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await dialog.getByLabel('Name').fill('Old laptop')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('list', { name: 'Passkeys' }).getByText('Old laptop')).toBeVisible()
  await expectAccessible(page)

  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(`${named}/organizations`)

  await openSecurity(page)
  await page.getByRole('button', { name: 'Actions for Old laptop' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No passkeys yet')).toBeVisible()
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('The passkey was not accepted.')
  takeAnswers(complaints, 401)
})

test('a passkey among the suggestions of the form signs in once, also beside the button', async ({ page, browser }) => {
  const email = await newPerson(page, browser, 'Suggestions')
  await addDevice(page, { suggests: true })
  await addPasskey(page, email)

  const answered = page.waitForResponse('**/passkey/verify-authentication')
  await page.getByRole('button', { name: /Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  expect((await answered).status()).toBe(200)
  await expect(page.getByRole('heading', { name: 'You belong to no organization yet' })).toBeVisible()

  await settled(page)
  const release = await holdBack([page], '**/passkey/generate-authenticate-options')
  const answers: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/passkey/verify-authentication')) answers.push(response.status())
  })
  await page.getByRole('button', { name: /Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await release()
  await expect(page.getByRole('heading', { name: 'You belong to no organization yet' })).toBeVisible()
  await settled(page)
  expect(answers).toEqual([200])
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
