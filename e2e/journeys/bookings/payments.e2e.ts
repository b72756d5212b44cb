import { createBooking, getBooking } from '@tour-ops/contract/bookings/bookings'
import { listPayments } from '@tour-ops/contract/bookings/payments'
import type { Page } from '@playwright/test'
import { type Api, apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, settled, takeAnswers, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

/** A confirmed party of two that costs 200 and has paid nothing. */
async function soldParty(api: Api) {
  const word = `Q${Math.random().toString(36).slice(2, 9)}`
  const tour = await makeTour(`Coast ${word}`)
  const departure = await makeDeparture(tour, { hours: 49 })
  return api.call(createBooking, {
    departureId: departure.id,
    mode: 'confirm',
    contact: { name: `Amara ${word}` },
    units: [{ unitType: 'adult', quantity: 2 }],
    amountTotalMinor: 20_000,
    priceReason: 'Agreed by phone',
  })
}

/** The section of the drawer. */
const section = (page: Page) => page.getByRole('region', { name: 'Payments' })

test('money is recorded, undone, paid back and voided, and the drawer says what is due', async ({
  page,
  complaints,
}) => {
  const api = await apiAs('admin')
  const { id, bookingRef, version } = await soldParty(api)
  await page.goto(`/travelers/list?booking=${id}`)
  await settled(page)
  const payments = section(page)
  await expect(payments.getByText('Nothing is paid yet.')).toBeVisible()
  await expect(payments).toContainText('Due€200.00')

  await payments.getByRole('button', { name: 'Record payment' }).click()
  const form = page.getByRole('dialog', { name: 'Record payment' })
  await expect(form.getByLabel('Amount')).toHaveValue('200.00')
  await form.getByLabel('Amount').fill('50')
  await form.getByRole('button', { name: 'Record payment' }).click()
  await expect(form.getByLabel('Method')).toHaveAttribute('aria-invalid', 'true')
  // As a person does: choosing alone leaves the focus on the list of errors, and when that goes away the dialog takes it a frame later.
  await form.getByLabel('Method').focus()
  await form.getByLabel('Method').selectOption({ label: 'Bank transfer' })
  await form.getByLabel('Reference').fill('SEPA 4711')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Payment of €50.00 recorded.')).toBeVisible()
  await expect(payments).toContainText('Due€150.00')
  await expect(payments).toContainText('SEPA 4711')
  expect(await api.call(getBooking, { id })).toMatchObject({ amountPaidMinor: 5_000, paymentStatus: 'deposit' })

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(payments).toContainText('Due€200.00')
  await expect(payments.getByText(/Recorded by mistake/)).toBeVisible()

  await payments.getByRole('button', { name: 'Record payment' }).click()
  await form.getByLabel('Method').selectOption({ label: 'Cash' })
  await form.getByRole('button', { name: 'Record payment' }).click()
  await expect(payments).toContainText('Due€0.00')
  await expect(payments).toContainText('€200.00 of €200.00 paid')

  await payments.getByRole('button', { name: 'Refund' }).click()
  const back = page.getByRole('dialog', { name: 'Refund' })
  await back.getByLabel('Amount').fill('201')
  await back.getByLabel('Method').selectOption({ label: 'Cash' })
  await back.getByRole('button', { name: 'Refund' }).click()
  await expect(back.getByText('No more can be refunded than was paid.').first()).toBeVisible()
  await expect(back.getByLabel('Amount')).toHaveValue('201.00')
  takeAnswers(complaints, 400)
  await back.getByLabel('Amount').fill('30')
  await back.getByRole('button', { name: 'Refund' }).click()
  await expect(payments).toContainText('Due€30.00')

  await payments.getByRole('button', { name: 'Void: Refund -€30.00' }).click()
  const voiding = page.getByRole('dialog', { name: 'Void €30.00?' })
  await expect(voiding.getByRole('button', { name: 'Void' })).toHaveAttribute('aria-disabled', 'true')
  await voiding.getByLabel('Reason').fill('The guest takes a voucher')
  await expectAccessible(page)
  await voiding.getByRole('button', { name: 'Void' }).click()
  await expect(payments).toContainText('Due€0.00')
  const { payments: rows } = await api.call(listPayments, { bookingId: id })
  expect(
    rows.map(({ kind, amountMinor, voidedAt }) => `${kind} ${amountMinor} ${voidedAt !== null}`).toSorted(),
  ).toEqual(['payment 20000 false', 'payment 5000 true', 'refund 3000 true'])
  expect((await api.call(getBooking, { id })).version).toBeGreaterThan(version)
  await expect(page.getByRole('dialog', { name: new RegExp(bookingRef) })).toContainText('Paid')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`payments are read and recorded, ${colorScheme}`, async ({ page }, info) => {
      await page.emulateMedia({ colorScheme })
      const api = await apiAs('admin')
      const { id } = await soldParty(api)
      await page.goto(`/travelers/list?booking=${id}`)
      const payments = section(page)
      await payments.getByRole('button', { name: 'Record payment' }).click()
      const form = page.getByRole('dialog', { name: 'Record payment' })
      await form.getByLabel('Method').selectOption({ label: 'Card terminal' })
      await page.screenshot({ path: info.outputPath('form.png') })
      await form.getByRole('button', { name: 'Record payment' }).click()
      await expect(payments).toContainText('€200.00 of €200.00 paid')
      await payments.scrollIntoViewIfNeeded()
      await expectAccessible(page)
      await page.screenshot({ path: info.outputPath('payments.png') })
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBe(390)
    })
  }
})
