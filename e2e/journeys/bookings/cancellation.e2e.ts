import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { getTour } from '@tour-ops/contract/tours/tours'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, expectAccessibleEverywhere, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

test('what a tour keeps of guests who cancel is set by days and percent, and steps that rise are refused', async ({
  page,
}) => {
  const tour = await makeTour('Whale watching')
  await page.goto(`/tours/edit/${tour.id}`)
  const steps = page.getByRole('group', { name: 'What goes back to guests who cancel' })
  await expect(steps.getByText('Without steps all goes back')).toBeVisible()
  await steps.getByRole('button', { name: 'Add step' }).click()
  await expect(steps.getByLabel('Days before, at least')).toHaveCount(3)
  await steps.getByLabel('Goes back').nth(1).fill('120')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(steps.getByRole('alert')).toBeVisible()
  await steps.getByLabel('Goes back').nth(1).fill('60')
  await steps.getByRole('button', { name: 'Remove step 3' }).click()
  await expectAccessibleEverywhere(page)
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('Not saved')).toHaveCount(0)
  const { cancellationSteps } = await (await apiAs('admin')).call(getTour, { id: tour.id })
  expect(cancellationSteps).toEqual([
    { daysBefore: 14, refundPercent: 100 },
    { daysBefore: 7, refundPercent: 60 },
  ])
})

test('one of a party cancels, then all: the fee follows the tour, another one says why, and the rest goes back', async ({
  page,
}) => {
  const tour = await makeTour('Ice cave', apiAs('admin'), { cancellationSteps: [{ daysBefore: 1, refundPercent: 50 }] })
  const departure = await makeDeparture(tour, { hours: 80 })
  const contact = { name: 'Ada Berg', email: 'ada@example.org' }
  const { id, bookingRef } = await book(departure.id, ['Ada Berg', 'Bo Berg'], {
    contact,
    amountPaidMinor: 17_800,
    paidBy: 'card_terminal',
    tellGuest: false,
  })
  await page.goto(`/travelers/list?booking=${id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${bookingRef}` })
  await drawer.getByRole('button', { name: 'Change party' }).click()
  const party = page.getByRole('dialog', { name: `Change the party of ${bookingRef}` })
  await party.getByRole('checkbox', { name: /^Bo Berg/ }).uncheck()
  await expect(party.getByText(/By the rule of the tour 50 % goes back, \d days before the start\./)).toBeVisible()
  await expect(party.getByLabel('Cancellation fee')).toHaveValue('44.50')
  await expect(party.getByText('Price: €178.00, then €133.50')).toBeVisible()
  await expectAccessible(page)
  await party.getByRole('button', { name: 'Change to 1 seat' }).click()
  await expect(drawer.getByText('€44.50 to refund').first()).toBeVisible()

  await drawer.getByRole('button', { name: 'Cancel booking' }).click()
  const dialog = page.getByRole('dialog', { name: `Cancel ${bookingRef}?` })
  await dialog.getByLabel('Why?').selectOption({ label: 'Duplicate booking' })
  await expect(dialog.getByText('This is not the guest’s doing: all goes back.')).toBeVisible()
  await dialog.getByLabel('Why?').selectOption({ label: 'Guest request' })
  await expect(dialog.getByText('€89.00 goes back to the guest.')).toBeVisible()
  await dialog.getByLabel('Cancellation fee').fill('200')
  await expect(dialog.getByText('The fee is more than the seats cost.').first()).toBeVisible()
  await dialog.getByLabel('Cancellation fee').fill('20')
  const cancel = dialog.getByRole('button', { name: 'Cancel booking' })
  await expect(cancel).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByLabel('Why another fee?').fill('Broken leg')
  await expect(dialog.getByText('€158.00 goes back to the guest.')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await cancel.click()
  await expect(page.getByText(`${bookingRef} is cancelled`)).toBeVisible()
  await expect(drawer.getByText('€20.00 · Broken leg')).toBeVisible()
  await expect(drawer.getByText('To refund', { exact: true })).toBeVisible()
  // what is billed by now is the fee
  await drawer.getByRole('button', { name: 'Issue invoice' }).click()
  const invoice = page.getByRole('dialog', { name: 'Issue invoice' })
  await expect(invoice.getByText('€20.00')).toBeVisible()
  await invoice.getByRole('button', { name: 'Cancel' }).click()
  await drawer.getByRole('button', { name: 'Refund' }).click()
  await expect(page.getByRole('dialog', { name: 'Refund' }).getByLabel('Amount')).toHaveValue('158.00')
  const booking = await (await apiAs('admin')).call(getBooking, { id })
  expect(booking).toMatchObject({
    status: 'cancelled',
    cancellationFeeMinor: 2_000,
    cancellationFeeReason: 'Broken leg',
  })
})

test('a cancellation is undone from its message or the drawer, as long as nobody else has the seats', async ({
  page,
}) => {
  const tour = await makeTour('Puffin island')
  const departure = await makeDeparture(tour, { hours: 81 })
  const { id, bookingRef } = await book(departure.id, ['Ivo Novak', 'Eva Novak'])
  await page.goto(`/travelers/list?booking=${id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${bookingRef}` })
  const cancel = async () => {
    await drawer.getByRole('button', { name: 'Cancel booking' }).click()
    const dialog = page.getByRole('dialog', { name: `Cancel ${bookingRef}?` })
    await dialog.getByLabel('Why?').selectOption({ label: 'Guest request' })
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
  }
  await cancel()
  await page.getByText(`${bookingRef} is cancelled`).locator('..').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${bookingRef} is booked as before`)).toBeVisible()
  await expect(drawer.getByText('Ivo Novak').first()).toBeVisible()
  expect((await (await apiAs('admin')).call(getBooking, { id })).status).toBe('confirmed')

  await cancel()
  const undo = drawer.getByRole('button', { name: 'Undo cancellation' })
  await expect(undo).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await undo.click()
  await expect(drawer.getByRole('button', { name: 'Cancel booking' })).toBeVisible()
  const { status, guests } = await (await apiAs('admin')).call(getBooking, { id })
  expect([status, guests.map((guest) => guest.status)]).toEqual(['confirmed', ['expected', 'expected']])
})
