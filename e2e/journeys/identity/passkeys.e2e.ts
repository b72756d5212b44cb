import type { Page } from '@playwright/test'
import { ownPassword, signIn } from '../../accounts.ts'
import { expect, expectAccessible, holdBack, settled, takeAnswers, test } from '../../fixtures.ts'
import { newPerson, openSecurity, signOut } from '../../own-account.ts'

/** Passkeys belong to names; on this computer that is this one. */
const named = 'http://localhost:18080'

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

test('a passkey among the suggestions of the form signs in once, also next to the button', async ({
  page,
  browser,
}) => {
  const email = await newPerson(page, browser, 'Suggestions')
  await addDevice(page, { suggests: true })
  await addPasskey(page, email)

  const answered = page.waitForResponse('**/passkey/verify-authentication')
  await page.getByRole('button', { name: /Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  expect((await answered).status()).toBe(200)
  await expect(page.getByRole('heading', { name: 'You are not in an organization yet' })).toBeVisible()

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
  await expect(page.getByRole('heading', { name: 'You are not in an organization yet' })).toBeVisible()
  await settled(page)
  expect(answers).toEqual([200])
})
