import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { listPlaces } from '@tour-ops/contract/places/places'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, expectAccessibleEverywhere, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour, planBetween } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

test('one guest of a party is cancelled and a child comes along: seats, price, manifest and the contact follow', async ({
  page,
}) => {
  const departure = await makeDeparture(await makeTour('Sea cliffs'), { capacity: 4, hours: 34 })
  const contact = { name: 'Ilse Brandt', email: 'ilse@example.org' }
  const booking = await book(departure.id, ['Ilse Brandt', 'Karl Brandt', 'Jonas Weiß'], { contact })
  const waiting = await book(departure.id, ['Rosa Díaz', 'Pablo Díaz'], { mode: 'waitlist' })
  await page.goto(`/travelers/list?booking=${booking.id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${booking.bookingRef}` })
  await drawer.getByRole('button', { name: 'Change party' }).click()
  const dialog = page.getByRole('dialog', { name: `Change the party of ${booking.bookingRef}` })
  const save = dialog.getByRole('button', { name: /^Change to/ })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('button', { name: 'Child: one more' }).click()
  await dialog.getByRole('button', { name: 'Child: one more' }).click()
  // one seat is left
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Child: one fewer' }).click()
  await dialog.getByRole('checkbox', { name: /^Jonas Weiß/ }).uncheck()
  await expect(dialog.getByText('Price: €267.00, then €223.00')).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: 'Tell Ilse Brandt by e-mail (ilse@example.org)' })).toBeChecked()
  await expectAccessibleEverywhere(page)
  await dialog.getByRole('button', { name: 'Change to 3 seats' }).click()
  await expect(page.getByText(`${booking.bookingRef} now has 3 seats`)).toBeVisible()
  await expect(drawer.getByText('Jonas Weiß')).toHaveCount(0)
  await expect(drawer.getByText('1 seat without a name')).toBeVisible()
  await expect(drawer.getByRole('region', { name: 'E-mails' }).getByText('Booking changed')).toBeVisible()

  // two who leave make room for the two who wait
  await drawer.getByRole('button', { name: 'Change party' }).click()
  await dialog.getByRole('button', { name: 'Child: one fewer' }).click()
  await dialog.getByRole('button', { name: 'Change to 2 seats' }).click()
  await expect(page.getByText(`Offered to ${waiting.bookingRef}`)).toBeVisible()
  const api = await apiAs('admin')
  expect(await api.call(getBooking, { id: booking.id })).toMatchObject({ pax: 2, amountTotalMinor: 17_800 })
  expect(await api.call(getDeparture, { id: departure.id })).toMatchObject({ seatsLeft: 0 })
})

test('a party that moves to another tour is charged what it costs there, and moving it back gives its price back', async ({
  page,
}) => {
  const admin = await apiAs('admin')
  const here = await makeDeparture(await makeTour('Lava field'), { capacity: 4, hours: 35 })
  const [place] = (await admin.call(listPlaces, { size: 1 })).rows
  const content = planBetween(place?.id ?? '', place?.id ?? '')
  const units = [{ currency: 'EUR', paxCount: 1, unitType: 'adult' as const, priceMinor: 15_000 }]
  // by a name that no earlier run on the same data has left
  const dear = await makeTour(`Glacier flight ${Math.random().toString(36).slice(2, 7)}`, admin, {
    content: { ...content, units },
  })
  const there = await makeDeparture(dear, { capacity: 4, hours: 36 })
  const { id, bookingRef } = await book(here.id, ['Eva Lind', 'Nils Lind'], { tellGuest: false })
  await page.goto(`/travelers/list?booking=${id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${bookingRef}` })
  await drawer.getByRole('button', { name: 'Move', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Move ${bookingRef}` })
  await dialog.getByLabel('Tour').selectOption({ label: dear.name })
  await dialog.getByRole('radio', { name: new RegExp(there.startTimeLocal) }).check()
  await expect(dialog.getByText('The price stays as it was booked. It costs €300.00 there.')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Charge what it costs there' }).check()
  await expect(dialog.getByText('Price: €178.00, then €300.00')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await dialog.getByRole('button', { name: 'Move 2 seats' }).click()
  await expect(drawer.getByText('€300.00').first()).toBeVisible()
  const toast = page.getByText(/^Moved to /)
  await toast.locator('..').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await admin.call(getBooking, { id })).amountTotalMinor).toBe(17_800)
  expect(await admin.call(getBooking, { id })).toMatchObject({ departureId: here.id })
})
