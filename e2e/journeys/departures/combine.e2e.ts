import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('two departures that are close are combined: seats are shown, the guests move, and the empty one is cancelled, until it is undone', async ({
  page,
}, info) => {
  const api = await apiAs('admin')
  const tour = await makeTour(`Moss walk ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour, { hours: 30 })
  const small = await makeDeparture(tour, { capacity: 2, hours: 31 })
  const other = await makeDeparture(tour, { capacity: 8, hours: 33 })
  await makeDeparture(tour, { hours: 60 })
  const party = await book(departure.id, ['Nora Lind', 'Max Lind'])
  await book(departure.id, ['Ines Vogel'])

  await page.goto(`/dashboard/overview?departure=${departure.id}&tab=bookings`)
  const drawer = page.getByRole('dialog', { name: new RegExp(tour.name) })
  await drawer.getByRole('button', { name: /^Status:/ }).click()
  await page.getByRole('menuitem', { name: /Combine with/ }).click()
  const combine = page.getByRole('dialog', { name: `Combine ${departure.code} with another departure` })
  await expect(combine.getByRole('radio')).toHaveCount(2)
  await expect(combine.getByRole('radio', { name: new RegExp(small.code) })).toBeDisabled()
  await expect(combine.getByText('Seats left: 2/2')).toContainText('Needed: 3')
  await expect(combine.getByRole('region', { name: '3 guests move' })).toContainText('Nora Lind')
  await combine.getByRole('radio', { name: new RegExp(other.code) }).check()
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('combine.png') })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: info.outputPath('combine-phone-dark.png') })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  await combine.getByRole('button', { name: 'Move 3 seats and cancel' }).click()
  await expect(page.getByText(`Guests are on ${other.code}; ${departure.code} is cancelled`)).toBeVisible()
  await expect(drawer.getByText('still booked')).toHaveCount(0)
  expect(await api.call(getBooking, { id: party.id })).toMatchObject({ departureId: other.id, status: 'confirmed' })

  const undo = drawer.getByRole('status').filter({ hasText: 'Combined with another departure' })
  await expect(undo).toContainText('guests, crew, vehicles and services are back')
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('separate.png') })
  await undo.getByRole('button', { name: 'Separate again' }).click()
  await expect(page.getByText(`${departure.code} runs again, with its guests`)).toBeVisible()
  await expect(undo).toHaveCount(0)
  expect(await api.call(getBooking, { id: party.id })).toMatchObject({ departureId: departure.id, status: 'confirmed' })
})
