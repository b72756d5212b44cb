import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createLink } from '@tour-ops/contract/links/links'
import type { Page } from '@playwright/test'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, holdBack, sessionFile, takeAnswers, test } from '../../fixtures.ts'
import { book, type JourneyTour, makeDeparture, makeTour, makeTraveler } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Glacier edge')
})

const formOf = (travelerId: string, departureId: string): string =>
  `/travelers/book/${travelerId}?bookOn=${departureId}`

/** Two adults for whom something was noted, ready to be confirmed. */
async function fillForTwo(page: Page, path: string, note: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('button', { name: 'Adult: one more' }).click()
  await page.getByLabel('Notes').fill(note)
  await page.getByRole('radio', { name: /^Confirm/ }).check()
  await expect(page.getByRole('button', { name: 'Confirm 2 seats' }).first()).toBeVisible()
}

/** A form whose hold is lost on the way, so that others can sell its seats. */
const loseHolds = (page: Page): Promise<unknown> =>
  page.route('**/api/seats-hold', (route) => route.fulfill({ json: { result: { until: new Date().toISOString() } } }))

test('of two who want the last seats one gets them; the other keeps every entry and can wait', async ({
  page,
  browser,
  complaints,
}) => {
  const departure = await makeDeparture(tour, { capacity: 4, hours: 5 })
  await book(departure.id, ['Felix Groß', 'Ida Groß'])
  const [amara, noor] = [await makeTraveler('Amara', 'Okafor'), await makeTraveler('Noor', 'Haddad')]
  const colleague = await browser.newContext({ storageState: sessionFile('operations_manager') })
  const other = await colleague.newPage()
  await Promise.all([loseHolds(page), loseHolds(other)])
  await fillForTwo(page, formOf(amara, departure.id), 'Window seats')
  await fillForTwo(other, formOf(noor, departure.id), 'Window seats')
  // Neither may be notified of the other's booking before its own is sent.
  const release = await holdBack([page, other], '**/api/bookings-create')
  const press = (each: Page) => each.getByRole('button', { name: 'Confirm 2 seats' }).first().click()
  await Promise.all([press(page), press(other)])
  await release()

  const refusedText = '0 seats left, you asked for 2'
  const isRefused = (each: Page) => each.getByRole('alert').filter({ hasText: refusedText })
  await expect(isRefused(page).or(page.getByText('2 seats confirmed'))).toBeVisible()
  await expect(isRefused(other).or(other.getByText('2 seats confirmed'))).toBeVisible()
  const loser = (await isRefused(page).count()) > 0 ? page : other
  const winner = loser === page ? other : page
  await expect(winner.getByText('2 seats confirmed')).toBeVisible()
  await expect(isRefused(loser)).toContainText('Nothing was booked and your entries are kept.')
  await expect(loser.getByLabel('Notes')).toHaveValue('Window seats')
  await expect(loser.getByRole('button', { name: 'Add 2 to waitlist' })).toBeFocused()
  await expectAccessible(loser)
  await loser.getByRole('button', { name: 'Add 2 to waitlist' }).click()
  await expect(loser.getByText(/is number 1 on the waitlist/)).toBeVisible()
  takeAnswers(complaints, 409)
  await colleague.close()
})

test('seats sold elsewhere change on the form without a reload, with three ways out', async ({ page }) => {
  const departure = await makeDeparture(tour, { capacity: 3, hours: 6 })
  const traveler = await makeTraveler('Zoe', 'Lindqvist')
  await loseHolds(page)
  await page.goto(formOf(traveler, departure.id))
  await expect(page.getByRole('radio', { name: /3 seats left/ })).toBeChecked()
  await page.getByRole('button', { name: 'Adult: one more' }).click()
  await page.getByRole('button', { name: 'Adult: one more' }).click()
  await book(departure.id, ['Ines Rocha'])
  const refusal = page.getByRole('alert').filter({ hasText: '2 seats left, you asked for 3' })
  await expect(refusal).toBeVisible()
  await expect(page.getByRole('button', { name: 'Hold 3 seats' }).first()).toHaveAttribute('aria-disabled', 'true')
  await expect(refusal.getByRole('button')).toHaveCount(3)
  await refusal.getByRole('button', { name: 'Hold the 2 seats' }).click()
  await expect(page.getByText(/2 seats held until/)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/travelers/details/${traveler}`))
})

test('a hold is extended, confirmed, moved with its guests and cancelled; who waits is offered the seats', async ({
  page,
}) => {
  // Of a tour with no other departures: the dialog begins with the first day that has room, and the two may be before and after midnight.
  const own = await makeTour('Crater rim')
  const departure = await makeDeparture(own, { capacity: 2, hours: 8 })
  const target = await makeDeparture(own, { capacity: 2, hours: 8.5 })
  const booking = await book(departure.id, ['Hugo Martín', 'Vera Martín'], { mode: 'hold' })
  const waiting = await book(departure.id, ['Mingma Tamang'], { mode: 'waitlist' })
  await page.goto(`/travelers/list?booking=${booking.id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${booking.bookingRef}` })
  await expect(drawer.getByText(/Held until/)).toBeVisible()
  await expectAccessible(page)

  await drawer.getByRole('button', { name: 'Extend hold' }).click()
  await page.getByRole('dialog', { name: 'Hold 2 seats longer?' }).getByRole('button', { name: 'Extend hold' }).click()
  await expect(page.getByRole('region', { name: 'Messages' }).getByText(/^Held until/)).toBeVisible()
  await drawer.getByRole('button', { name: 'Confirm 2 seats' }).click()
  await expect(page.getByText(`${booking.bookingRef} is confirmed`)).toBeVisible()

  await drawer.getByRole('button', { name: 'Move', exact: true }).click()
  const move = page.getByRole('dialog', { name: `Move ${booking.bookingRef}` })
  await expectAccessible(page)
  await move.getByRole('radio', { name: new RegExp(target.startTimeLocal) }).check()
  await move.getByRole('button', { name: 'Move 2 seats' }).click()
  await expect(page.getByText(`Moved to ${target.code}`)).toBeVisible()
  await expect(drawer).toContainText(target.code)
  const api = await apiAs('admin')
  expect((await api.call(getBooking, { id: waiting.id })).status).toBe('on_hold')

  await drawer.getByRole('button', { name: 'Cancel booking' }).click()
  const cancel = page.getByRole('dialog', { name: `Cancel ${booking.bookingRef}?` })
  await expect(cancel.getByRole('button', { name: 'Cancel booking' })).toHaveAttribute('aria-disabled', 'true')
  await cancel.getByLabel('Why?').selectOption({ label: 'Guest request' })
  await cancel.getByRole('button', { name: 'Cancel booking' }).click()
  await expect(page.getByText(`${booking.bookingRef} is cancelled`)).toBeVisible()
  await expect(drawer.getByText('Guest request')).toBeVisible()
})

test('guests are named, swapped and swapped back, and contact is edited; a wrong address is refused at its field', async ({
  page,
  complaints,
}, info) => {
  const departure = await makeDeparture(tour, { hours: 9 })
  const booking = await book(departure.id, ['Léo Béranger'], { units: [{ unitType: 'adult', quantity: 2 }] })
  await page.goto(`/dashboard/overview?departure=${departure.id}&tab=bookings`)
  await page.getByRole('link', { name: 'Léo Béranger' }).click()
  const drawer = page.getByRole('dialog', { name: `Booking ${booking.bookingRef}` })
  await expect(drawer.getByText('1 seat without a name')).toBeVisible()
  await drawer.getByRole('button', { name: 'Name guests' }).click()
  const naming = page.getByRole('dialog', { name: `Who travels with ${booking.bookingRef}?` })
  await naming.getByRole('button', { name: 'New name' }).click()
  await naming.getByLabel('First name').fill('Chloé')
  await naming.getByLabel(/^Last name/).fill('Béranger')
  await naming.getByRole('button', { name: 'Add guest' }).click()
  await expectAccessible(page)
  await naming.getByRole('button', { name: 'Save' }).click()
  await expect(drawer.getByRole('link', { name: 'Chloé Béranger' })).toBeVisible()

  await drawer.getByRole('button', { name: 'Name guests' }).click()
  await naming.getByRole('button', { name: 'Somebody else instead of Léo Béranger' }).click()
  await naming.getByRole('button', { name: 'New name' }).click()
  await naming.getByLabel('First name').fill('Anouk')
  await naming.getByLabel(/^Last name/).fill('Béranger')
  await page.screenshot({ path: info.outputPath('swap.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('swap-phone.png') })
  await page.setViewportSize({ width: 1440, height: 900 })
  await naming.getByRole('button', { name: 'Add guest' }).click()
  await naming.getByRole('button', { name: 'Save' }).click()
  await expect(drawer.getByRole('link', { name: 'Anouk Béranger' })).toBeVisible()
  await expect(drawer.getByRole('link', { name: 'Léo Béranger' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(drawer.getByRole('link', { name: 'Léo Béranger' })).toBeVisible()
  await expect(drawer.getByRole('link', { name: 'Anouk Béranger' })).toHaveCount(0)

  await drawer.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByRole('heading', { name: `Edit ${booking.bookingRef}` })).toBeVisible()
  const email = page.getByRole('textbox', { name: 'E-mail' })
  await email.fill('no address')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  takeAnswers(complaints, 400)
  await email.fill('leo@example.org')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(drawer.getByRole('link', { name: 'leo@example.org' })).toBeVisible()
  // Closing it shows the departure it was opened from.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: /Glacier edge/ })).toBeVisible()
})

test('parties of a cancelled departure say so and move together to another tour, back, and one by one', async ({
  page,
}) => {
  // by names that no earlier run on the same data has left
  const mark = Math.random().toString(36).slice(2, 7)
  const [own, other] = [await makeTour(`Moss valley ${mark}`), await makeTour(`Black beach ${mark}`)]
  const departure = await makeDeparture(own, { hours: 30 })
  const target = await makeDeparture(other, { capacity: 3, hours: 30.5 })
  const party = await book(departure.id, ['Signe Holm', 'Per Holm'])
  const single = await book(departure.id, [`Aiko Tanaka-${mark}`])
  const api = await apiAs('admin')
  const link = await api.call(createLink, { kind: 'booking_guest', subjectId: party.id, label: 'Signe' })
  const { version } = await api.call(getDeparture, { id: departure.id })
  await api.call(setDepartureStatus, { id: departure.id, version, to: 'cancelled', cancelReason: 'weather' })

  await page.goto(link.path)
  await expect(page.getByRole('status').filter({ hasText: 'This tour has been cancelled' })).toBeVisible()
  await page.goto(`/travelers/details/${single.guests[0]?.travelerId}?booking=${single.id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${single.bookingRef}` })
  await expect(drawer.getByText('This departure is cancelled')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('main').getByText('Departure cancelled')).toBeVisible()
  await page.goto(`/travelers/list?q=${mark}`)
  await expect(page.getByRole('row', { name: new RegExp(`Aiko Tanaka-${mark}.*Departure cancelled`) })).toBeVisible()

  await page.goto(`/dashboard/overview?departure=${departure.id}&tab=bookings`)
  const departureDrawer = page.getByRole('dialog', { name: /Moss valley/ })
  await expect(departureDrawer.getByText('3 guests are still booked on this cancelled departure')).toBeVisible()
  await expect(departureDrawer.getByText('Departure cancelled')).toHaveCount(2)
  await departureDrawer.getByRole('button', { name: 'Move guests' }).click()
  const move = page.getByRole('dialog', { name: 'Move guests' })
  await expect(move.getByRole('checkbox')).toHaveCount(2)
  await move.getByLabel('Tour').selectOption({ label: other.name })
  await move.getByRole('radio', { name: new RegExp(target.startTimeLocal) }).check()
  await expectAccessible(page)
  await move.getByRole('button', { name: 'Move 3 seats' }).click()
  await expect(page.getByText(`Moved to ${target.code}`)).toBeVisible()
  await expect(departureDrawer.getByText('still booked')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`Back on ${departure.code}`)).toBeVisible()
  await expect(departureDrawer.getByText('3 guests are still booked')).toBeVisible()

  await departureDrawer
    .getByRole('listitem')
    .filter({ hasText: 'Signe Holm' })
    .getByRole('button', { name: 'Move' })
    .click()
  const one = page.getByRole('dialog', { name: `Move ${party.bookingRef}` })
  await one.getByLabel('Tour').selectOption({ label: other.name })
  await one.getByRole('radio', { name: new RegExp(target.startTimeLocal) }).check()
  await one.getByRole('button', { name: 'Move 2 seats' }).click()
  await expect(departureDrawer.getByText('1 guest is still booked')).toBeVisible()
  expect(await api.call(getBooking, { id: party.id })).toMatchObject({ departureId: target.id, status: 'confirmed' })
})
