import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './fixtures.ts'

// Steps with calendar feeds, whatever the installation runs on.

/** Makes the address of a feed and takes it from the dialog. @returns Its path. */
export async function makeFeedAddress(page: Page, card: Locator): Promise<string> {
  await card.getByRole('button', { name: 'Create URL' }).click()
  const dialog = page.getByRole('dialog', { name: 'URL of the calendar feed' })
  const address = await dialog.getByRole('textbox', { name: 'URL' }).inputValue()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Copy URL' }).click()
  await expect(page.getByText('The URL was copied.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  return new URL(address).pathname
}

/**
 * On the page of a record that has no feed: its address is made, read by somebody who is not signed in, replaced, and ended.
 *
 * @param stranger Asks the installation without a session.
 */
export async function subscribeReplaceAndEnd(page: Page, stranger: APIRequestContext): Promise<void> {
  const card = page.getByRole('region', { name: 'Calendar feed' })
  const first = await makeFeedAddress(page, card)
  await expect(card).toContainText(`URL ending in ${first.slice(-8)}`)
  const answer = await stranger.get(first)
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(await answer.text()).toContain('BEGIN:VCALENDAR')
  const again = await stranger.get(first, { headers: { 'if-none-match': answer.headers()['etag'] ?? '' } })
  expect(again.status()).toBe(304)

  await card.getByRole('button', { name: 'Replace URL' }).click()
  await page.getByRole('dialog', { name: 'Replace the URL?' }).getByRole('button', { name: 'Replace URL' }).click()
  const shown = page.getByRole('dialog', { name: 'URL of the calendar feed' })
  const second = new URL(await shown.getByRole('textbox', { name: 'URL' }).inputValue()).pathname
  await shown.getByRole('button', { name: 'Close' }).click()
  expect(second).not.toBe(first)
  expect([(await stranger.get(first)).status(), (await stranger.get(second)).status()]).toEqual([404, 200])

  await card.getByRole('button', { name: 'Revoke feed' }).click()
  await page
    .getByRole('dialog', { name: 'Revoke this calendar feed?' })
    .getByRole('button', { name: 'Revoke feed' })
    .click()
  await expect(card.getByRole('button', { name: 'Create URL' })).toBeVisible()
  expect((await stranger.get(second)).status()).toBe(404)
}
