import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { listPlaces } from '@tour-ops/contract/places/places'
import { endDuty } from '@tour-ops/contract/tracking/duty'
import { getTour, publishTour, saveTourDraft } from '@tour-ops/contract/tours/tours'
import { type Api, apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'
import { newWalker, type Walker } from '../../walk.ts'

test.use({ storageState: sessionFile('operations_manager') })

let walker: Walker
test.beforeAll(async ({ browser }) => {
  walker = await newWalker(browser)
})

/** At sea, far from the way that is drawn and from every stop. */
const aside = { lat: 64.4, lng: -23.2 }

/** A tour with a way drawn for its only day. @returns the names of its stops, in their order. */
async function drawWay(office: Api, tourId: string): Promise<string[]> {
  const { version, revision } = await office.call(getTour, { id: tourId })
  if (!revision) throw new Error('A tour of a journey is published.')
  const line: [number, number][] = [
    [-21.9, 64.1],
    [-21.8, 64.12],
  ]
  const content = {
    ...revision.content,
    routes: [{ dayIndex: 1, line, source: 'drawn' as const, lengthM: 5_000 }],
  }
  const saved = await office.call(saveTourDraft, { id: tourId, version, content })
  await office.call(publishTour, { id: tourId, version: saved.version })
  const places = (await office.call(listPlaces, { size: 200 })).rows
  return content.stops.map(({ placeId }) => places.find(({ id }) => id === placeId)?.name ?? '')
}

test('an alert from positions shows a plan of where it was seen, with the stops and the way around it', async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000)
  const office = await apiAs('admin')
  const tour = await makeTour(`Detour ${Math.random().toString(36).slice(2, 7)}`, office)
  const stops = await drawWay(office, tour.id)
  const { id } = await makeDeparture(tour, {}, office)
  await office.call(createAssignment, { departureId: id, staffId: walker.staffId, role: 'lead_guide' })
  for (const to of ['boarding', 'in_progress'] as const) {
    const { version } = await office.call(getDeparture, { id })
    await office.call(setDepartureStatus, { id, version, to, reason: 'Journey' })
  }
  // Boarding began the duty of the crew. Three minutes off the way are an alert: what a phone saw up to five minutes before its duty counts.
  for (let secondsAgo = 280; secondsAgo >= 0; secondsAgo -= 20) {
    const at = Date.now() - secondsAgo * 1_000
    const sent = await page.request.get(`${walker.url}?lat=${aside.lat}&lon=${aside.lng}&accuracy=10&timestamp=${at}`)
    expect(sent.status()).toBe(200)
  }
  const asked = { filters: { departureId: [id], kind: ['off_route' as const] } }
  // positions are compared with the plan once a minute
  await expect
    .poll(async () => (await office.call(listAlerts, asked)).total, { timeout: 150_000, intervals: [2_000] })
    .toBe(1)

  await page.goto('/tools/monitoring')
  const card = page.locator('[data-alert]').filter({ hasText: tour.name }).filter({ hasText: 'off the route' })
  await card.getByRole('button', { name: /^\d+ km off the route/ }).click()
  const panel = page.getByRole('dialog', { name: /^\d+ km off the route/ })
  const plan = panel.getByRole('img', { name: /^Plan of where it was seen at / })
  await expect(plan).toHaveAccessibleName(new RegExp(`, with the stops ${stops.join(', ')}$`))
  await expect(panel.getByText(/^Seen here at /)).toBeVisible()
  await expect(plan.locator('circle.alert-place-stop')).toHaveCount(stops.length)
  await expect(plan.locator('circle.alert-place-seen')).toBeVisible()
  await expect(plan.locator('polyline.alert-place-way')).toHaveCount(1)
  await expect(plan.getByText(stops[0] ?? '', { exact: true })).toBeVisible()
  await expectAccessible(page)

  // dispatchers see the alert without its place: where people were is track history
  const context = await browser.newContext({ storageState: sessionFile('dispatcher') })
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByRole('dialog', { name: /^\d+ km off the route/ }).getByText('Alert opened')).toBeVisible()
  await expect(other.getByRole('img', { name: /^Plan of where/ })).toBeHidden()
  await context.close()
  await walker.api.call(endDuty, {})
})
