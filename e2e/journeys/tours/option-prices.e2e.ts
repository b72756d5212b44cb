import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { createDeparture } from '@tour-ops/contract/departures/departure-schedule'
import { getTour } from '@tour-ops/contract/tours/tours'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

test('an option gets a price of its own, and a party that moves to it is charged the difference', async ({
  page,
}, info) => {
  const api = await apiAs('admin')
  const own = await makeTour('Whale watching')
  await page.goto(`/tours/edit/${own.id}`)
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.getByRole('button', { name: 'Add an option' }).click()
  const option = page.getByRole('group', { name: 'Add an option' })
  await option.getByLabel('Name').fill('Speedboat')
  const named = page.getByRole('group', { name: 'Speedboat' })
  await named.getByLabel('Adult').fill('one hundred')
  const save = page.getByRole('button', { name: 'Save options' })
  await expect(named.getByText('This is not an amount.')).toBeVisible()
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await named.getByLabel('Adult').fill('119.50')
  await expectAccessible(page)
  await named.scrollIntoViewIfNeeded()
  await page.screenshot({ path: info.outputPath('option.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await named.scrollIntoViewIfNeeded()
  await page.screenshot({ path: info.outputPath('option-390-dark.png') })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await save.click()
  await expect(page.getByText('The options are saved')).toBeVisible()
  await page.reload()
  await page.getByRole('tab', { name: 'Rules' }).click()
  await expect(named.getByLabel('Adult')).toHaveValue('119.50')

  const [fast] = (await api.call(getTour, { id: own.id })).options
  const here = await makeDeparture(own, { hours: 33 })
  const { localDate, startTimeLocal } = await makeDeparture(own, { hours: 36 })
  const later = `${startTimeLocal.slice(0, 3)}${startTimeLocal.endsWith('59') ? '58' : '59'}`
  const there = await api.call(createDeparture, {
    tourId: own.id,
    optionId: fast?.id,
    capacity: 4,
    language: null,
    localDate,
    startTimeLocal: later,
  })
  const booking = await book(here.id, ['Eva Lind', 'Nils Lind'], { tellGuest: false })
  await page.goto(`/travelers/list?booking=${booking.id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${booking.bookingRef}` })
  await drawer.getByRole('button', { name: 'Move', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Move ${booking.bookingRef}` })
  if (localDate !== here.localDate) await dialog.getByRole('button', { name: dayOf(localDate) }).click()
  await dialog.getByRole('radio', { name: new RegExp(`${later}.*Speedboat`) }).check()
  await expect(dialog.getByText('The price stays as it was booked. It costs €239.00 there.')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Charge what it costs there' }).check()
  await dialog.getByRole('button', { name: 'Move 2 seats' }).click()
  await expect(drawer.getByText('€239.00').first()).toBeVisible()
  expect(await api.call(getBooking, { id: booking.id })).toMatchObject({ departureId: there.id })
})

/** A day of the strip of days, as `Wed 2`. */
function dayOf(localDate: string): RegExp {
  return new RegExp(`\\b${Number(localDate.slice(8))}\\b`)
}
