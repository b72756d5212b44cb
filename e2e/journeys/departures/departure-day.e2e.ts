import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import type { Page } from '@playwright/test'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, takeAnswers, test } from '../../fixtures.ts'
import { giveLead, book, type JourneyTour, makeBoarding, makeDeparture, makeGuide, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Lava fields')
})

const drawer = (page: Page) => page.getByRole('dialog', { name: /Lava fields/ })
const statusButton = (page: Page, word: string) => drawer(page).getByRole('button', { name: `Status: ${word}` })

test('the status button offers legal next states with what blocks them; cancelling needs a reason', async ({
  page,
}) => {
  const departure = await makeDeparture(tour, { hours: 30 })
  await book(departure.id, ['Freja Kjær', 'Mads Kjær'])
  await page.goto(`/tours/all?departure=${departure.id}`)
  await statusButton(page, 'Scheduled').click()
  const boarding = page.getByRole('menuitem', { name: /Open boarding/ })
  await expect(boarding).toContainText('Boarding is not open yet.')
  await expect(boarding).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('menuitem', { name: /Complete/ })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: /Cancel departure/ }).click()
  const dialog = page.getByRole('dialog', { name: /Cancel departure/ })
  await expect(dialog).toContainText('2 guests must be moved or refunded')
  await expect(dialog.getByRole('button', { name: 'Cancel departure' })).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByLabel('Why?').selectOption({ label: 'Weather' })
  await dialog.getByRole('button', { name: 'Cancel departure' }).click()
  await expect(page.getByText('Now: Cancelled')).toBeVisible()
  const offers = page.getByRole('dialog', { name: /what parties are offered/ })
  await offers.getByRole('button', { name: 'Close' }).click()
  await expect(drawer(page)).toContainText('Cancelled. Weather')
  await drawer(page).getByRole('tab', { name: 'History' }).click()
  await expect(drawer(page).getByRole('listitem').filter({ hasText: 'Status changed' }).first()).toContainText(
    'Scheduled',
  )
})

test('a day: boarding, count, start, arrive, count before leaving, skip with a reason', async ({ page }) => {
  const departure = await makeBoarding(tour)
  await book(departure.id, ['Lucía Gómez'])
  await page.goto(`/dashboard/overview?departure=${departure.id}&tab=manifest`)
  await page.getByRole('button', { name: 'Check in Lucía Gómez' }).click()
  await expect(drawer(page).getByText('1 of 1 aboard').first()).toBeVisible()
  await drawer(page).getByRole('button', { name: 'Start tour' }).click()
  const count = page.getByRole('dialog', { name: 'How many are there?' })
  await count.getByLabel('Counted', { exact: true }).fill('1')
  await count.getByRole('button', { name: 'Start tour' }).click()
  const early = page.getByRole('dialog', { name: /^Start tour: / })
  await expect(early).toContainText('The start is still more than 15 minutes away.')
  await expect(early.getByRole('button', { name: 'Start tour' })).toHaveAttribute('aria-disabled', 'true')
  await early.getByLabel('Reason').fill('Everyone is here')
  await early.getByRole('button', { name: 'Start tour' }).click()
  await expect(statusButton(page, 'In progress')).toBeVisible()

  await drawer(page).getByRole('tab', { name: 'Run sheet' }).click()
  const rows = drawer(page).locator('tbody tr')
  const footer = drawer(page).locator('footer')
  // Setting out leaves the pickup and the start, though nobody marked them.
  await expect(footer).toContainText(departure.stops[2]?.placeName ?? '')
  await rows.nth(0).getByRole('button', { name: /^Act/ }).click()
  await page.getByRole('menuitem', { name: 'Skip stop' }).click()
  const skip = page.getByRole('dialog', { name: /^Skip / })
  await expect(skip.getByRole('button', { name: 'Skip stop' })).toHaveAttribute('aria-disabled', 'true')
  await skip.getByLabel('Reason').fill('Nobody to collect')
  await skip.getByRole('button', { name: 'Skip stop' }).click()
  await expect(rows.nth(0)).toContainText('skipped: Nobody to collect')

  await footer.getByRole('button', { name: 'Mark arrived' }).click()
  await expect(rows.nth(2)).toContainText('Office')
  await footer.getByRole('button', { name: 'Mark departed' }).click()
  // This stop wants a head count before leaving.
  await count.getByLabel('Counted', { exact: true }).fill('1')
  await count.getByRole('button', { name: 'Mark departed' }).click()
  await expect(rows.nth(2)).toContainText('1 counted')
  await expect(footer.getByRole('button', { name: 'Mark arrived' })).toBeVisible()
  await footer.getByRole('button', { name: 'Mark arrived' }).click()
  await footer.getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByText('Now: Completed')).toBeVisible()
})

test('who did not come is listed in the question about the start, which then needs no reason', async ({ page }) => {
  // Ten minutes ahead, so that the pickup was ten minutes ago: guests who are not there by now may be no-shows.
  const planned = await makeDeparture(tour, { hours: 1 / 6 })
  const api = await apiAs('admin')
  await giveLead(api, planned.id)
  const pickupStopId = planned.stops.find(({ kind }) => kind === 'pickup')?.id ?? null
  await book(planned.id, ['Ida Strand', 'Ole Strand'], { pickupStopId })
  const { version } = await api.call(getDeparture, { id: planned.id })
  await api.call(setDepartureStatus, { id: planned.id, version, to: 'boarding' })
  await page.goto(`/dashboard/overview?departure=${planned.id}&tab=manifest`)
  await page.getByRole('button', { name: 'Check in Ida Strand' }).click()
  await expect(drawer(page).getByText('1 of 2 aboard').first()).toBeVisible()
  await statusButton(page, 'Boarding').click()
  await page.getByRole('menuitem', { name: /Start tour/ }).click()
  const count = page.getByRole('dialog', { name: 'How many are there?' })
  await count.getByLabel('Counted', { exact: true }).fill('1')
  await count.getByRole('button', { name: 'Start tour' }).click()
  const start = page.getByRole('dialog', { name: /^Start tour: / })
  await expect(start).toContainText('Someone is still expected or missing.')
  await expect(start.getByRole('region')).toContainText('Ole Strand')
  await expect(start.getByRole('region')).not.toContainText('Ida Strand')
  await expect(start.getByRole('button', { name: 'Start tour' })).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
  await start.getByRole('button', { name: /No-show.*Ole Strand|Ole Strand.*no-show/i }).click()
  await expect(start.getByRole('region')).toBeHidden()
  await expect(start).not.toContainText('Someone is still expected or missing.')
  await start.getByRole('button', { name: 'Start tour' }).click()
  await expect(statusButton(page, 'In progress')).toBeVisible()
  const { groups } = await api.call(getManifest, { departureId: planned.id })
  const entries = groups.flatMap(({ parties }) => parties.flatMap((party) => party.entries))
  expect(Object.fromEntries(entries.map(({ name, status }) => [name, status]))).toEqual({
    'Ida Strand': 'on_tour',
    'Ole Strand': 'no_show',
  })
})

test('"Guarantee" is the offered step only where somebody is booked; the status menu has it in any case', async ({
  page,
}) => {
  const departure = await makeDeparture(tour, { hours: 31 })
  await page.goto(`/tours/all?departure=${departure.id}&tab=run-sheet`)
  const step = drawer(page).locator('footer').getByRole('button', { name: 'Guarantee' })
  await statusButton(page, 'Scheduled').click()
  await expect(page.getByRole('menuitem', { name: /^Guarantee/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(step).toHaveCount(0)
  await book(departure.id, ['Mia Falk'])
  await expect(step).toBeVisible()
})

test('who is busy by now is refused by name of the other departure; somebody else is assigned', async ({
  page,
  complaints,
}) => {
  const departure = await makeDeparture(tour, { hours: 52 })
  const rival = await makeDeparture(tour, { hours: 52.5 })
  const api = await apiAs('admin')
  // people of this journey alone: everybody else may be asked by another journey at the same moment
  const [first, second] = [await makeGuide('Frost'), await makeGuide('Storm')]
  // Suggestions that are under way when the colleague assigns would take the person off the list: they are counted, and held back from then on.
  let underWay = 0
  let isHeldBack = false
  await page.route('**/api/assignments-suggest', async (route) => {
    if (isHeldBack) return
    underWay += 1
    await route.fulfill({ response: await route.fetch() })
    underWay -= 1
  })
  await page.goto(`/dashboard/overview?departure=${departure.id}&tab=crew`)
  await expect(drawer(page).getByText('No lead guide is assigned.')).toBeVisible()
  await drawer(page).getByRole('button', { name: 'Assign', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Assign crew' })
  const assign = dialog.getByRole('button', { name: `Assign ${first.name}` })
  await expect(assign).toBeVisible()
  // A colleague is faster, and the screen does not know.
  isHeldBack = true
  await expect.poll(() => underWay, 'no suggestion is under way').toBe(0)
  await api.call(createAssignment, { departureId: rival.id, staffId: first.id, role: 'lead_guide' })
  await assign.click()
  await expect(dialog.getByRole('alert')).toContainText(rival.code)
  await dialog.getByRole('button', { name: `Assign ${second.name}` }).click()
  await expect(drawer(page).getByRole('listitem').filter({ hasText: second.name })).toContainText('Accepted')
  takeAnswers(complaints, 409)
})
