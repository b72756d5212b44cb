import { expect, type Page } from '@playwright/test'
import { injectWallet, newWalletKey } from './test-wallet.ts'

export const ownPassword = 'correct horse 1'

/** An address that no other test uses. */
export const newAddress = (name: string): string =>
  `${name}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}@example.com`

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs up as somebody new with a wallet: no e-mail to wait for, and no organization yet. */
export async function enterWithWallet(page: Page): Promise<void> {
  await injectWallet(page, newWalletKey())
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Wallet' }).click()
  await expect(page).toHaveURL(/\/organizations$/)
}

/** The name gets an ending of its own, since short names exist once. */
export async function createOrganization(page: Page, beginning: string): Promise<void> {
  const name = `${beginning} ${Date.now().toString(36)}`
  await page.goto('/create-organization')
  await page.getByLabel('Name of the organization').fill(name)
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page.getByRole('button', { name: /Switch organization/ })).toContainText(name)
}

/**
 * The link in the newest e-mail to somebody, read in the outbox by a member who may: the first organization sees the e-mails of people who
 * belong nowhere yet.
 */
export async function linkInEmail(reader: Page, to: string, subject: string | RegExp): Promise<string> {
  await reader.goto(`/tools/notifications?q=${encodeURIComponent(to)}`)
  await reader.getByRole('row').filter({ hasText: subject }).first().click()
  // the first one is what the e-mail is about
  const link = reader.getByRole('dialog').getByRole('link').first()
  const href = await link.getAttribute('href')
  return href ?? ''
}

/** A new account with a confirmed address, signed in on `page`; `reader` reads the e-mail. */
export async function signUpThroughEmail(page: Page, reader: Page, email: string, name: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(ownPassword)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible()
  await page.goto(await linkInEmail(reader, email, 'Confirm your e-mail address'))
  await expect(page.getByRole('heading', { name: 'Address confirmed' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, email, ownPassword)
}
