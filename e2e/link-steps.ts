import type { Browser, BrowserContext, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Somebody with a phone and no account. @param width CSS pixels. */
export async function withoutAccount(browser: Browser, width = 390): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  return { page: await context.newPage(), context }
}

/** Presses "Create link" in the dialog for a new link and gives the address, which is shown this once. */
export async function createdAddress(page: Page): Promise<string> {
  await page.getByRole('dialog', { name: 'New link' }).getByRole('button', { name: 'Create link' }).click()
  const ready = page.getByRole('dialog', { name: 'The link is ready' })
  const address = await ready.getByLabel('URL', { exact: true }).inputValue()
  await ready.getByRole('button', { name: 'Close' }).click()
  return address
}

/** Revokes a link in the list; whoever has its page open loses it within five seconds. */
export async function revokeAndSeeItEnd(page: Page, label: string, open: Page): Promise<void> {
  await page.getByPlaceholder('Label, tour, booking').fill(label)
  await page.getByRole('button', { name: `Actions for ${label}` }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
  await expect(open.getByRole('heading', { name: 'This link has expired' })).toBeVisible({ timeout: 6_000 })
}

/** Nothing is wider than the screen. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
