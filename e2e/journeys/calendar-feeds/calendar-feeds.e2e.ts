import { getCalendarFeed, revokeCalendarFeed } from '@tour-ops/contract/calendar-feeds/calendar-feeds'
import { getSession } from '@tour-ops/contract/identity/session'
import { vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { apiAs } from '../../api.ts'
import { makeFeedAddress, subscribeReplaceAndEnd } from '../../calendar-steps.ts'
import { expect, sessionFile, settled, test } from '../../fixtures.ts'

test.use({ storageState: sessionFile('operations_manager') })

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
  await subscribeReplaceAndEnd(page, stranger)
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
  const address = await makeFeedAddress(guide, card)
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
