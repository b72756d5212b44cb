import type { getAvailability } from '@tour-ops/contract/bookings/availability'
import { getBooking, listBookings, type Booking } from '@tour-ops/contract/bookings/bookings'
import type { Out } from '@tour-ops/contract/callable'
import { createPlace } from '@tour-ops/contract/places/places'
import type { Locator, Page } from '@playwright/test'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { type Api, apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'
import { expectFitsPhone } from '../../phone-fit.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** What a tour in Reykjavik with three pickups before its start has; two of them are at the same corner. */
async function pickupPlan(office: Api) {
  const places = [
    { name: 'Hotel Borg', lat: 64.1472, lng: -21.9397, kind: 'pickup', offsetMin: -40 },
    { name: 'Hallgrimskirkja', lat: 64.1417, lng: -21.9266, kind: 'pickup', offsetMin: -30 },
    { name: 'Hotel Leifur', lat: 64.1417, lng: -21.9265, kind: 'pickup', offsetMin: -20 },
    { name: 'Bus terminal', lat: 64.1375, lng: -21.935, kind: 'start', offsetMin: 0 },
    { name: 'Geysir', lat: 64.3104, lng: -20.3024, kind: 'end', offsetMin: 120 },
  ] as const
  const stops = []
  for (const [index, { kind, offsetMin, ...place }] of places.entries()) {
    const { id } = await office.call(createPlace, { ...place, kind: 'sight', timeZone: 'Atlantic/Reykjavik' })
    stops.push({ dayIndex: 1, order: index + 1, placeId: id, kind, offsetMin })
  }
  return { stops, units: [{ currency: 'EUR', paxCount: 1, unitType: 'adult' as const, priceMinor: 8900 }] }
}

/** A new organization with a tour of three pickups, and two departures of it. */
async function makeDesk(page: Page) {
  await enterWithWallet(page)
  await createOrganization(page, 'Near Hotels')
  const office = await apiOfBrowser(page.context())
  const tour = await makeTour('Golden Circle', office, { content: await pickupPlan(office) })
  const departure = await makeDeparture(tour, { hours: 50 }, office)
  const later = await makeDeparture(tour, { hours: 74 }, office)
  return { office, departure, later }
}

const pickupOf = (page: Page | Locator): Locator => page.getByLabel('Pickup', { exact: true })
const chosenText = (select: Locator): Promise<string> =>
  select.evaluate((list: HTMLSelectElement) => list.selectedOptions[0]?.text ?? '')

const map = (page: Page): Locator => page.getByRole('dialog', { name: 'Choose the pickup' })
const mark = (page: Page, number: number): Locator =>
  map(page)
    .locator('[data-choice-mark]')
    .filter({ hasText: new RegExp(`^${number}`) })

/** Opens the map with its button, and waits until it is drawn. */
async function openMap(page: Page, within: Page | Locator): Promise<void> {
  await within.getByRole('button', { name: 'Choose on map' }).click()
  await expect(map(page).getByRole('region', { name: 'Map of the pickups' })).toBeVisible()
  await expect(mark(page, 4)).toBeVisible()
}

test('whoever books chooses the pickup on a map, with the keyboard or by pressing a mark, and the booking has it', async ({
  page,
}, info) => {
  const { office, departure } = await makeDesk(page)
  const mapScripts: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\/(?:choice-map|map-worker|pickup-map-dialog)-[^/]+\.js$/.test(pathname)) mapScripts.push(pathname)
  })
  await page.goto(`/travelers/book?bookOn=${departure.id}`)
  await page.getByRole('combobox', { name: 'Who books' }).fill('Amara Okafor')
  await page.getByRole('option', { name: 'New guest: Amara Okafor' }).click()
  await expect(page.getByRole('button', { name: 'Choose on map' })).toBeVisible()
  expect(mapScripts, 'the map comes with the press').toEqual([])

  // with the keyboard
  const button = page.getByRole('button', { name: 'Choose on map' })
  await button.press('Enter')
  const none = map(page).getByRole('radio', { name: 'Meets at start point' })
  await expect(none).toBeFocused()
  await expect(mark(page, 4)).toBeVisible()
  expect(mapScripts.length).toBeGreaterThan(2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(map(page).getByRole('radio', { name: /^\d\d:\d\d Hallgrimskirkja$/ })).toBeChecked()
  await expect(mark(page, 2)).toHaveAttribute('data-chosen')
  await expect(map(page).locator('[data-chosen]')).toHaveCount(1)
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('light-1440.png') })
  await page.keyboard.press('Escape')
  await expect(map(page)).toBeHidden()
  await expect(button).toBeFocused()
  expect(await chosenText(pickupOf(page))).toMatch(/^\d\d:\d\d Hallgrimskirkja$/)

  // by pressing a mark; the two of the same corner do not cover each other
  await openMap(page, page)
  await expect(map(page).getByRole('radio', { name: /Hallgrimskirkja$/ })).toBeFocused()
  const [second, third] = [await mark(page, 2).boundingBox(), await mark(page, 3).boundingBox()]
  expect(Math.abs((third?.x ?? 0) - (second?.x ?? 0)), 'px between two of the same corner').toBeGreaterThan(27)
  await mark(page, 3).click()
  await expect(map(page).getByRole('radio', { name: /^\d\d:\d\d Hotel Leifur$/ })).toBeChecked()
  await expect(mark(page, 3)).toHaveAttribute('data-chosen')
  await mark(page, 1).hover()
  await expect(mark(page, 1).getByText(/^\d\d:\d\d Hotel Borg$/)).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(mark(page, 4)).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('dark-1440.png') })
  await page.emulateMedia({ colorScheme: 'light' })
  await map(page).getByRole('button', { name: 'Done' }).click()
  expect(await chosenText(pickupOf(page))).toMatch(/Hotel Leifur$/)

  await page.getByRole('button', { name: 'Hold 1 seat' }).first().click()
  await expect(page.getByText(/1 seat held until/)).toBeVisible()
  const { rows } = await office.call(listBookings, { filters: { departureId: [departure.id] } })
  await page.goto(`/travelers/list?booking=${rows[0]?.id}`)
  await expect(page.getByRole('dialog').getByText('Hotel Leifur')).toBeVisible()
})

/** Opens the dialog that moves a booking from its drawer. */
async function openMove(page: Page, { id, bookingRef }: Booking): Promise<Locator> {
  await page.goto(`/travelers/list?booking=${id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${bookingRef}` })
  await drawer.getByRole('button', { name: 'Move', exact: true }).click()
  return page.getByRole('dialog', { name: `Move ${bookingRef}` })
}

/** Opens the screen that changes a booking. */
async function openEdit(page: Page, { id }: Booking): Promise<Locator> {
  await page.goto(`/travelers/book?edit=${id}`)
  await expect(page.getByLabel('Pickup')).toBeVisible()
  return page.getByRole('main')
}

test('editing and moving a booking offer the same map, and what is chosen there is saved', async ({ page }, info) => {
  const { office, departure, later } = await makeDesk(page)
  const booking = await book(departure.id, ['Amara Okafor'], {}, office)
  const edit = await openEdit(page, booking)
  await openMap(page, edit)
  await expectAccessible(page)
  await mark(page, 1).click()
  await page.screenshot({ path: info.outputPath('edit-map.png') })
  await page.keyboard.press('Escape')
  await expect(map(page)).toBeHidden()
  expect(await chosenText(pickupOf(edit))).toMatch(/Hotel Borg$/)
  await page.screenshot({ path: info.outputPath('edit.png') })
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${booking.bookingRef} saved`)).toBeVisible()
  const saved = await office.call(getBooking, { id: booking.id })
  expect(saved).toMatchObject({ pickupPlaceName: 'Hotel Borg' })

  // no pickup again, in the list
  const again = await openEdit(page, saved)
  await openMap(page, again)
  await map(page).getByRole('radio', { name: 'Meets at start point' }).check()
  await expect(map(page).locator('[data-chosen]')).toHaveCount(0)
  await map(page).getByRole('button', { name: 'Done' }).click()
  await again.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${booking.bookingRef} saved`)).toBeVisible()
  expect(await office.call(getBooking, { id: booking.id })).toMatchObject({ pickupPlaceName: null })

  const move = await openMove(page, booking)
  await move.getByRole('radio', { name: new RegExp(later.startTimeLocal) }).check()
  await openMap(page, move)
  await mark(page, 2).click()
  await map(page).getByRole('button', { name: 'Done' }).click()
  expect(await chosenText(pickupOf(move))).toMatch(/Hallgrimskirkja$/)
  await page.screenshot({ path: info.outputPath('move.png') })
  await move.getByRole('button', { name: 'Move 1 seat' }).click()
  await expect(move).toBeHidden()
  expect(await office.call(getBooking, { id: booking.id })).toMatchObject({
    departureId: later.id,
    pickupPlaceName: 'Hallgrimskirkja',
  })
})

test('a pickup without a position is in the list with a note, and without any position there is no map', async ({
  page,
}) => {
  const { office, departure } = await makeDesk(page)
  const booking = await book(departure.id, ['Amara Okafor'], {}, office)
  let unplaced = /Hotel Borg/
  await page.route('**/api/availability-get', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { result: Out<typeof getAvailability> }
    const pickups = answer.result.days.flatMap((day) => day.departures.flatMap((one) => one.pickups))
    for (const pickup of pickups) if (unplaced.test(pickup.placeName)) Object.assign(pickup, { lat: null, lng: null })
    await route.fulfill({ response, json: answer })
  })
  const edit = await openEdit(page, booking)
  await openMap(page, edit)
  await expect(mark(page, 1)).toHaveCount(0)
  await map(page)
    .getByRole('radio', { name: /Hotel Borg.*Not on the map: its place has no position\./ })
    .check()
  await expectAccessible(page)
  await map(page).getByRole('button', { name: 'Done' }).click()
  expect(await chosenText(pickupOf(edit))).toMatch(/Hotel Borg$/)

  unplaced = /./
  const without = await openEdit(page, booking)
  await expect(pickupOf(without).getByRole('option')).toHaveCount(5)
  await expect(without.getByRole('button', { name: 'Choose on map' })).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the map is as wide as the window, marks are pressed with a finger, and everything fits in all languages', async ({
    page,
  }, info) => {
    const { departure } = await makeDesk(page)
    await page.goto(`/travelers/book?bookOn=${departure.id}`)
    await page.getByRole('button', { name: 'Choose on map' }).scrollIntoViewIfNeeded()
    await page.screenshot({ path: info.outputPath('form-390.png') })
    await openMap(page, page)
    const box = await map(page).boundingBox()
    expect(box).toMatchObject({ x: 0, width: 390 })
    await mark(page, 1).tap()
    await expect(map(page).getByRole('radio', { name: /Hotel Borg$/ })).toBeChecked()
    await expectFitsPhone(page, 'choosing the pickup', '[role=dialog]')
    await expectAccessible(page)
    await page.screenshot({ path: info.outputPath('light-390.png') })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(mark(page, 4)).toBeVisible()
    await page.screenshot({ path: info.outputPath('dark-390.png') })
    for (const [locale, choose, title] of [
      ['de', 'Auf Karte wählen', 'Abholung wählen'],
      ['es', 'Elegir en el mapa', 'Elegir la recogida'],
    ] as const) {
      await page.evaluate((chosen) => localStorage.setItem('PARAGLIDE_LOCALE', chosen), locale)
      await page.goto(`/travelers/book?bookOn=${departure.id}`)
      await page.getByRole('button', { name: choose }).click()
      const dialog = page.getByRole('dialog', { name: title })
      await expect(dialog.locator('[data-choice-mark]')).toHaveCount(4)
      await expectFitsPhone(page, `choosing the pickup, ${locale}`, '[role=dialog]')
      await page.screenshot({ path: info.outputPath(`${locale}-390.png`) })
    }
  })
})
