import { getCalendarFeed, revokeCalendarFeed } from '@tour-ops/contract/calendar-feeds/calendar-feeds'
import { getSession } from '@tour-ops/contract/identity/session'
import { vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import type { Locator, Page } from '@playwright/test'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, settled, test } from '../../fixtures.ts'

test.use({ storageState: sessionFile('operations_manager') })

/** Makes the address of a feed and takes it from the dialog. @returns Its path. */
async function makeAddress(page: Page, card: Locator): Promise<string> {
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

test('the calendar of a vehicle is subscribed to without signing in, gets a new address, and ends', async ({
  page,
  playwright,
  baseURL,
}) => {
  const office = await apiAs('operations_manager')
  const { id } = await office.call(vehicleRecord.create, {
    label: `Feed ${Math.random().toString(36).slice(2, 7)}`,
    plate: Math.random().toString(36).slice(2, 10).toUpperCase(),
    class: 'van',
    seats: 8,
  })
  const stranger = await playwright.request.newContext({ ...(baseURL && { baseURL }) })
  await page.goto(`/vehicles/details/${id}`)
  const card = page.getByRole('region', { name: 'Calendar feed' })
  const first = await makeAddress(page, card)
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
  await stranger.dispose()
})

test('guides make the address of their own calendar; a viewer sees that there is none', async ({ page, browser }) => {
  const own = await apiAs('guide')
  const { staffId } = await own.call(getSession, {})
  // what an earlier run that failed has left
  const { feed: left } = await own.call(getCalendarFeed, { subject: 'staff', subjectId: staffId })
  if (left) await own.call(revokeCalendarFeed, { id: left.id, version: left.version })
  const context = await browser.newContext({ storageState: sessionFile('guide') })
  const guide = await context.newPage()
  await guide.goto(`/field-staff/details/${staffId}`)
  const card = guide.getByRole('region', { name: 'Calendar feed' })
  const address = await makeAddress(guide, card)
  const feed = await guide.request.get(address)
  expect(await feed.text()).toContain('BEGIN:VEVENT')
  await card.getByRole('button', { name: 'Revoke feed' }).click()
  await guide.getByRole('dialog').getByRole('button', { name: 'Revoke feed' }).click()
  await expect(card.getByRole('button', { name: 'Create URL' })).toBeVisible()
  await context.close()

  const watching = await browser.newContext({ storageState: sessionFile('viewer') })
  const viewer = await watching.newPage()
  await viewer.goto(`/field-staff/details/${staffId}`)
  await expect(viewer.getByRole('region', { name: 'Calendar feed' })).toContainText('There is no feed yet.')
  await expect(viewer.getByRole('button', { name: 'Create URL' })).toHaveCount(0)
  await watching.close()

  await page.goto('/settings/general')
  await settled(page)
  await expect(page.getByText('Calendar feed of all departures')).toBeVisible()
})
