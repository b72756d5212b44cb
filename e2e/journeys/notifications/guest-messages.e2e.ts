import { getBooking, moveBookings } from '@tour-ops/contract/bookings/bookings'
import { listBookingMessages } from '@tour-ops/contract/notifications/guest-rules'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, type JourneyTour, makeDeparture, makeTour, makeTraveler } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Basalt columns')
})

const soraya = { name: 'Soraya Karimi', email: 'soraya@example.org' }

/** Kinds and states of what was written about a booking, the newest first. */
async function written(bookingId: string): Promise<string[]> {
  const api = await apiAs('admin')
  const { messages } = await api.call(listBookingMessages, { id: bookingId })
  return messages.map(({ kind, status }) => `${kind} ${status}`)
}

test('a guest who is booked and confirmed is told by e-mail, which the booking and the log show', async ({ page }) => {
  const departure = await makeDeparture(tour, { hours: 31 })
  const traveler = await makeTraveler('Soraya', 'Karimi')
  await page.goto(`/travelers/book/${traveler}?bookOn=${departure.id}`)
  await page.getByRole('radio', { name: /^Confirm/ }).check()
  await expect(page.getByRole('checkbox', { name: 'Tell Soraya Karimi by e-mail (soraya@example.org)' })).toBeChecked()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirm 1 seat' }).first().click()
  await expect(page).toHaveURL(new RegExp(`/travelers/details/${traveler}`))
  await page.goto(`/dashboard/overview?departure=${departure.id}&tab=bookings`)
  await page.getByRole('link', { name: 'Soraya Karimi' }).click()
  const drawer = page.getByRole('dialog', { name: /^Booking / })
  const emails = drawer.getByRole('region', { name: 'E-mails' })
  await expect(emails.getByText('Sent', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await emails.getByRole('link', { name: 'Booking confirmed' }).click()
  const email = page.getByRole('dialog', { name: `Your booking is confirmed: ${tour.name}` })
  await expect(email).toContainText('Hello Soraya Karimi,')
  // the address opens the guest's page, so nobody else reads it
  await expect(email).toContainText('URL of the guest’s page, created when it is sent')
  await expectAccessible(page)
})

test('a party is not told of a move that is undone, nor of a cancellation where the office says so', async ({
  page,
}) => {
  const departure = await makeDeparture(tour, { hours: 32 })
  const target = await makeDeparture(tour, { hours: 32.5 })
  const booking = await book(departure.id, ['Soraya Karimi'], { contact: soraya })
  const api = await apiAs('admin')
  const { parties } = await api.call(moveBookings, {
    parties: [{ id: booking.id, version: booking.version }],
    toDepartureId: target.id,
  })
  expect(await written(booking.id)).toContain('booking_changed queued')
  await api.call(moveBookings, { parties, toDepartureId: departure.id })
  expect(await written(booking.id)).toContain('booking_changed suppressed')

  await page.goto(`/travelers/list?booking=${booking.id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${booking.bookingRef}` })
  await drawer.getByRole('button', { name: 'Cancel booking' }).click()
  const cancel = page.getByRole('dialog', { name: `Cancel ${booking.bookingRef}?` })
  await cancel.getByLabel('Why?').selectOption({ label: 'Guest request' })
  await cancel.getByRole('checkbox', { name: /^Tell Soraya Karimi by e-mail/ }).uncheck()
  await expectAccessible(page)
  await cancel.getByRole('button', { name: 'Cancel booking' }).click()
  await expect(page.getByText(`${booking.bookingRef} is cancelled`)).toBeVisible()
  expect((await api.call(getBooking, { id: booking.id })).status).toBe('cancelled')
  expect((await written(booking.id)).join(' ')).not.toContain('booking_cancelled')
})

test('what guests read is shown in each language, and a rule is switched by those who may', async ({
  page,
  browser,
}) => {
  const departure = await makeDeparture(tour, { hours: 33 })
  await book(departure.id, ['Soraya Karimi'], { contact: soraya })
  await page.goto('/tools/notifications')
  await page.getByRole('button', { name: 'Rules' }).click()
  await page.getByRole('button', { name: /^Booking changed/ }).click()
  await expect(page.getByText(/^Your booking has changed: /)).toBeVisible()
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await expect(page.getByText(/^Ihre Buchung hat sich geändert: /)).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  const rule = page.getByRole('switch', { name: 'Booking changed' })
  await rule.press('Space')
  await expect(page.getByText('Guests are no longer told')).toBeVisible()
  await expect(rule).not.toBeChecked()
  await rule.press('Space')
  await expect(page.getByText('Guests are told from now on')).toBeVisible()
  const dispatch = await browser.newContext({ storageState: sessionFile('dispatcher') })
  const reading = await dispatch.newPage()
  await reading.goto('/tools/notifications?show=rules')
  await expect(reading.getByRole('switch', { name: 'Booking changed' })).toBeDisabled()
  await dispatch.close()
})

test('when guests are reminded and told of delays is set next to what they read', async ({ page, browser }) => {
  const departure = await makeDeparture(tour, { hours: 34 })
  await book(departure.id, ['Soraya Karimi'], { contact: soraya })
  await page.goto('/tools/notifications?show=rules')
  await page.getByRole('button', { name: /^Reminder of the tour By e-mail, the day before at 18:00/ }).click()
  await expect(page.getByText(/^Reminder: /)).toBeVisible()
  await page.getByRole('button', { name: 'Español' }).click()
  await expect(page.getByText(/^Recordatorio: /)).toBeVisible()
  const hour = page.getByLabel('The day before at')
  await hour.selectOption('20:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The rule is changed')).toBeVisible()
  await expect(
    page.getByRole('button', { name: /^Reminder of the tour By e-mail, the day before at 20:00/ }),
  ).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await page.reload()
  await page.getByRole('button', { name: /^Reminder of the tour/ }).click()
  await expect(hour).toHaveValue('20')
  await hour.selectOption('18:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(
    page.getByRole('button', { name: /^Reminder of the tour By e-mail, the day before at 18:00/ }),
  ).toBeVisible()
  await page.getByRole('button', { name: /^Delay By e-mail, from 15 minutes of delay/ }).click()
  await expect(page.getByText(/^Running late: /)).toBeVisible()
  const delay = page.getByLabel('From a delay of')
  await delay.selectOption('30 minutes')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: /^Delay By e-mail, from 30 minutes of delay/ })).toBeVisible()
  await expectAccessible(page)
  await delay.selectOption('15 minutes')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: /^Delay By e-mail, from 15 minutes of delay/ })).toBeVisible()
  const dispatch = await browser.newContext({ storageState: sessionFile('dispatcher') })
  const reading = await dispatch.newPage()
  await reading.goto('/tools/notifications?show=rules')
  await reading.getByRole('button', { name: /^Reminder of the tour/ }).click()
  await expect(reading.getByLabel('The day before at')).toBeDisabled()
  await dispatch.close()
})
