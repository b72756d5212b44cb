import type { Locator, Page } from '@playwright/test'
import { createDeparture } from '@tour-ops/contract/departures/departure-schedule'
import { getDeparture, setDepartureStatus, type Departure } from '@tour-ops/contract/departures/departures'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { createLink } from '@tour-ops/contract/links/links'
import { noteIncident, reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { getTour, saveTourDraft } from '@tour-ops/contract/tours/tours'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { type Api, apiAs, apiOfBrowser } from '../../api.ts'
import { expect, sessionFile, settled, test } from '../../fixtures.ts'
import { giveLead, book, type JourneyTour, makeGuide, makePlaces, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('admin'), contextOptions: { reducedMotion: 'reduce' } })

/** The office of the demonstration is in Reykjavik. */
const kathmanduMin = 345

/** A civil date and time of Kathmandu this many minutes from now. */
function inKathmandu(minutes: number): { localDate: string; startTimeLocal: string } {
  const wall = new Date(Date.now() + (kathmanduMin + minutes) * 60_000).toISOString()
  return { localDate: wall.slice(0, 10), startTimeLocal: wall.slice(11, 16) }
}

/** A day that no other departure has, so that its screens show this one alone. */
function quietDay(): string {
  const far = 100 + Math.floor(Math.random() * 250)
  return new Date(Date.now() + far * 86_400_000).toISOString().slice(0, 10)
}

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

async function addDeparture(
  tour: JourneyTour,
  when: { localDate: string; startTimeLocal: string },
  by: Api | Promise<Api> = apiAs('admin'),
) {
  const api = await by
  const { id } = await api.call(createDeparture, { tourId: tour.id, capacity: 10, language: null, ...when })
  return api.call(getDeparture, { id })
}

let tour: JourneyTour
let day: string
/** On a day of its own, 06:15 to 08:15. */
let quiet: Departure
test.beforeAll(async () => {
  tour = await makeTour(`Dawn ${Date.now().toString(36)}`, undefined, { timeZone: 'Asia/Kathmandu' })
  day = quietDay()
  quiet = await addDeparture(tour, { localDate: day, startTimeLocal: '06:15' })
})

/** With a day between them where a column has one. */
const marked = (time: string): RegExp => new RegExp(String.raw`${time}( \w{3}( \d+ \w{3,4})?)?\s*(GMT\+5:45|Kathmandu)`)

/** Every time of the row has its mark, and the start is there. */
async function expectMarked(row: Locator, time: string | RegExp, where: string): Promise<void> {
  await expect(row.first(), where).toBeVisible()
  const text = (await row.first().innerText()).replaceAll(/\s+/g, ' ')
  const times = text.match(/\d\d:\d\d/g) ?? []
  expect.soft(times, where).toContainEqual(expect.stringMatching(time))
  for (const one of times) expect.soft(text, where).toMatch(marked(one))
}

const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(path)
  await settled(page)
}

test('a departure of another zone carries it on the boards and lists of the office, and on the printed day sheet', async ({
  page,
}) => {
  await open(page, `/dashboard/overview?day=${day}`)
  const own = { hasText: tour.name }
  await expectMarked(page.getByRole('row').filter(own), '06:15', 'board')
  await page.emulateMedia({ media: 'print' })
  const [starts, ends] = [0, 1].map((cell) => page.locator('.day-sheet tbody tr').filter(own).locator('td').nth(cell))
  await expectMarked(starts as Locator, '06:15', 'day sheet, start')
  await expectMarked(ends as Locator, '08:15', 'day sheet, end')
  await page.emulateMedia({ media: 'screen' })

  await open(page, `/dashboard/overview?day=${dayBefore(day)}`)
  await expectMarked(page.getByRole('region', { name: /\w/ }).getByRole('listitem').filter(own), '06:15', 'next day')
  await expectMarked(page.getByText(`next: ${tour.name}`), '06:15', 'figure of the next start')

  const ofTour = `/tours/all?show=departures&f.tourId=${tour.id}&f.dates=${day},${day}`
  await open(page, ofTour)
  await expectMarked(page.getByRole('row').filter({ hasText: '06:15' }), '06:15', 'departures')
  await open(page, `${ofTour}&as=month&on=${day}`)
  const cell = page.getByRole('link', { name: `06:15 Kathmandu ${tour.name}` })
  // The mark is below, where it does not cover the code of the tour.
  await expect.soft(cell, 'month').toHaveText(/^06:15.*GMT\+5:45$/)
  await open(page, `${ofTour}&as=week&on=${day}`)
  await expectMarked(page.getByRole('link').filter(own), '06:15', 'week')
  await open(page, `/tours/edit/${tour.id}`)
  await page.getByRole('tab', { name: /Departures/ }).click()
  await expectMarked(page.getByRole('link', { name: /06:15/ }), '06:15', 'departures of a tour')
})

test('what is under way in another zone carries it on the monitors, on the map and where it is decided', async ({
  browser,
}) => {
  // The monitors show the first twelve that run, of which the demonstration has more at some hours.
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await enterWithWallet(page)
  await createOrganization(page, 'Dusk')
  const api = await apiOfBrowser(context)
  await makePlaces(api)
  const wanted = await makeTour('Dusk', api, { timeZone: 'Asia/Kathmandu', minPax: 4 })
  const soon = inKathmandu(25)
  const running = await addDeparture(wanted, soon, api)
  await book(running.id, ['Asha Rai', 'Bina Rai', 'Chandra Rai', 'Dipa Rai'], {}, api)
  await giveLead(api, running.id)
  const { version } = await api.call(getDeparture, { id: running.id })
  await api.call(setDepartureStatus, { id: running.id, version, to: 'boarding' })
  const own = { hasText: wanted.name }

  await open(page, '/tools/full-monitoring-list')
  await expectMarked(page.getByRole('row').filter(own), soon.startTimeLocal, 'monitoring list')
  await open(page, '/tools/monitoring')
  // a strip under the lanes, or the page of a quiet board: the organization has this one alone
  const strip = page.getByRole('region', { name: 'Running now' })
  await expectMarked(strip.filter(own), soon.startTimeLocal, 'running now')
  await open(page, '/dashboard/map')
  const panel = page.getByRole('region', { name: "Today's departures", exact: true })
  const item = panel.getByRole('button').filter(own)
  await expectMarked(item, soon.startTimeLocal, 'map')
  await item.click()
  await expectMarked(panel.getByRole('heading', { level: 1 }), soon.startTimeLocal, 'map, one departure')

  const later = inKathmandu(26 * 60)
  await addDeparture(wanted, later, api)
  await open(page, '/dashboard/overview')
  // Read once, right after the page was loaded: no clock has ticked yet.
  const decision = page.getByRole('listitem').filter(own).filter({ hasText: 'Run or cancel' })
  await expectMarked(decision, later.startTimeLocal, 'attention')
  await decision.getByRole('button', { name: 'Run or cancel' }).click()
  const dialog = page.getByRole('dialog', { name: `Run ${wanted.name}?` })
  await expectMarked(dialog.getByText(later.startTimeLocal), later.startTimeLocal, 'run or cancel')
  await context.close()
})

test('a departure of another zone carries it where it is booked, moved and published', async ({ page }) => {
  const api = await apiAs('admin')
  const other = await addDeparture(tour, { localDate: day, startTimeLocal: '09:15' })
  const booking = await book(quiet.id, ['Esha Rai'])
  await open(page, `/travelers/book?bookOn=${quiet.id}`)
  const starts = page.getByRole('radiogroup', { name: 'Departure' }).locator('label')
  await expectMarked(starts.nth(0), '06:15', 'booking')
  await expectMarked(page.locator('.card b').filter({ hasText: tour.name }), '06:15', 'booking, summary')
  const pickups = page.getByLabel('Pickup')
  await expect.soft(pickups.locator('option').nth(1)).toHaveText(/^05:55 Kathmandu/)

  await open(page, `/travelers/list?booking=${booking.id}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
  const move = page.getByRole('dialog', { name: `Move ${booking.bookingRef}` })
  await expectMarked(move.locator('label').filter({ hasText: '09:15' }), '09:15', 'move')
  await move.getByRole('radio').nth(1).check()
  expect(other.localDate).toBe(day)

  const { version, draft, revision } = await api.call(getTour, { id: tour.id })
  const content = draft ?? revision?.content
  if (!content) throw new Error('The tour has no plan.')
  await api.call(saveTourDraft, { id: tour.id, version, content })
  await open(page, `/tours/edit/${tour.id}`)
  await page.getByRole('button', { name: 'Publish…' }).click()
  const publish = page.getByRole('dialog', { name: `Publish ${tour.name}` })
  await expectMarked(publish.getByRole('listitem').filter({ hasText: '06:15' }), '06:15', 'publish')
})

test('a tour of three days says its days: in the schedule of a person, in open work, in the crew and on the run sheet in print', async ({
  page,
}) => {
  const api = await apiAs('admin')
  const trek = await makeTour(`Trek ${Date.now().toString(36)}`, undefined, { kind: 'multi_day', durationDays: 3 })
  const soon = new Date(Date.now() + 20 * 86_400_000)
  const at = (days: number) => new Date(soon.getTime() + days * 86_400_000)
  const words = (date: Date) =>
    date
      .toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
      .replace(',', '')
  const departure = await addDeparture(trek, { localDate: soon.toISOString().slice(0, 10), startTimeLocal: '07:00' })
  const span = new RegExp(`${words(at(0))} 07:00 – ${words(at(2))} \\d\\d:\\d\\d`)
  await open(page, `/field-staff/list?show=planner&from=${departure.localDate}`)
  await expect(page.getByRole('listitem').filter({ hasText: trek.name })).toContainText(span)

  const guide = await makeGuide('Tara')
  await api.call(createAssignment, {
    departureId: departure.id,
    staffId: guide.id,
    role: 'lead_guide',
    overrideReason: 'Journey',
  })
  await open(page, `/field-staff/details/${guide.id}`)
  await page.getByRole('tab', { name: /Schedule/ }).click()
  const row = page.getByRole('listitem').filter({ hasText: trek.name })
  await expect(row).toContainText(words(at(0)))
  await expect(row).toContainText(words(at(2)))

  await open(page, `/dashboard/overview?departure=${departure.id}&tab=crew`)
  const crew = page.getByRole('dialog').getByRole('listitem').filter({ hasText: guide.name })
  await expect(crew).toContainText(words(at(2)))
  await page.emulateMedia({ media: 'print' })
  const sheet = page.locator('.print-sheet')
  await expect(sheet.locator('header')).toContainText(span)
  await expect(sheet.locator('.print-day')).toHaveText([`Day 1 · ${words(at(0))}`, `Day 3 · ${words(at(2))}`])
})

/** What a definition list says under a label. */
const fact = (page: Page, label: string): Locator =>
  page
    .getByRole('dialog')
    .locator('dt', { hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd[1]')

test.describe('somebody whose clock is not the office’s', () => {
  test.use({ timezoneId: 'Asia/Tokyo' })

  test('reads once which zone the times of e-mails, links, people, changes and imports are in', async ({ page }) => {
    const api = await apiAs('admin')
    await api.call(createLink, { kind: 'departure_guest', subjectId: quiet.id, label: 'Own clock', language: null })
    const lists = [
      '/tools/notifications',
      '/tools/shared-links',
      '/user-management/list',
      `/tours/edit/${tour.id}?show=activity`,
      '/travelers/import',
    ]
    for (const list of lists) {
      await open(page, list)
      await expect.soft(page.getByText('Times in your time zone, Tokyo'), list).toHaveCount(1)
    }
  })

  test('sees the zone next to a single time: their last sign-in, and when a booking was made', async ({ page }) => {
    const booking = await book(quiet.id, ['Farida Rai'])
    await open(page, `/travelers/list?booking=${booking.id}`)
    await expect.soft(fact(page, 'Booked')).toHaveText(/\d\d:\d\d Tokyo$/)
    await open(page, '/dashboard/overview')
    await page.getByRole('button', { name: /Account/ }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    await expect(fact(page, 'Last sign-in')).toHaveText(/\d\d:\d\d Tokyo$/)
  })

  test('reads once whose clock the log of an incident, the alerts and the history of a departure are in', async ({
    page,
  }) => {
    const api = await apiAs('admin')
    const subject = { departureId: quiet.id, placeId: null, alertId: null, note: null, affectedTravelerIds: [] }
    const title = `Puncture ${Date.now().toString(36)}`
    const { id } = await api.call(reportIncident, { category: 'other', severity: 4, title, ...subject })
    await api.call(noteIncident, { id, kind: 'note', text: 'The spare wheel is on.' })
    const ofOffice = page.getByText('Times in Reykjavik')
    for (const screen of ['/tools/monitoring', '/tools/monitoring?show=incidents']) {
      await open(page, screen)
      await expect.soft(ofOffice, screen).toHaveCount(1)
    }
    await open(page, `/dashboard/overview?incident=${id}`)
    await expect.soft(page.getByRole('dialog').getByText('The spare wheel is on.')).toBeVisible()
    await expect.soft(ofOffice, 'incident').toHaveCount(1)
    await open(page, `/dashboard/overview?departure=${quiet.id}&tab=history`)
    await expect(page.getByRole('dialog').getByText('Times in Kathmandu'), 'history').toHaveCount(1)
  })
})
