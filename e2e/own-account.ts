import type { Browser, Page } from '@playwright/test'
import { newAddress, signUpThroughEmail } from './accounts.ts'
import { expect, sessionFile, settled } from './fixtures.ts'

/** Somebody new with a password, signed in on `page`. */
export async function newPerson(page: Page, browser: Browser, name: string): Promise<string> {
  const admin = await browser.newContext({ storageState: sessionFile('admin') })
  const email = newAddress(name.toLowerCase())
  await signUpThroughEmail(page, await admin.newPage(), email, name)
  await expect(page.getByRole('heading', { name: 'You are not in an organization yet' })).toBeVisible()
  await admin.close()
  return email
}

export async function openSecurity(page: Page): Promise<void> {
  await settled(page)
  await page.getByRole('button', { name: /Account/ }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await page.getByRole('button', { name: 'Password and security' }).click()
  await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Sessions' })).toBeVisible()
}

export async function signOut(page: Page): Promise<void> {
  await settled(page)
  await page.getByRole('button', { name: /Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
}
