import { listBillingDocuments } from '@tour-ops/contract/bookings/billing'
import { createBooking, getBooking, updateBooking } from '@tour-ops/contract/bookings/bookings'
import { recordPayment } from '@tour-ops/contract/bookings/payments'
import type { Page } from '@playwright/test'
import { type Api, apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, settled, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

/** A confirmed party of two that reads German, costs 200 and has paid 50. */
async function soldParty(api: Api) {
  const word = `R${Math.random().toString(36).slice(2, 9)}`
  const tour = await makeTour(`Coast ${word}`)
  const departure = await makeDeparture(tour, { hours: 51 })
  const booking = await api.call(createBooking, {
    departureId: departure.id,
    mode: 'confirm',
    contact: { name: `Ōkafor <b>${word}</b>`, locale: 'de' },
    units: [{ unitType: 'adult', quantity: 2 }],
    amountTotalMinor: 20_000,
    priceReason: 'Agreed by phone',
  })
  await api.call(recordPayment, { bookingId: booking.id, method: 'cash', amountMinor: 5_000 })
  return { ...booking, word }
}

const section = (page: Page) => page.getByRole('region', { name: 'Invoices' })
const numberIn = (text: string | null): string => /[A-Z]+-\d+/.exec(text ?? '')?.[0] ?? ''

/** What the printer gets. */
const sheet = (page: Page) => page.locator('body > .print-document')

test('an invoice is issued, printed in the language of the guest, replaced after a change and cancelled', async ({
  page,
}) => {
  const api = await apiAs('admin')
  const { id, word } = await soldParty(api)
  await page.goto(`/travelers/list?booking=${id}`)
  await settled(page)
  const invoices = section(page)
  await expect(invoices.getByText('No invoice is issued yet.')).toBeVisible()

  await invoices.getByRole('button', { name: 'Issue invoice' }).click()
  const form = page.getByRole('dialog', { name: 'Issue invoice' })
  await expect(form).toContainText('€200.00')
  await form.getByLabel('Customer').fill('')
  await form.getByRole('button', { name: 'Issue invoice' }).click()
  await expect(form.getByLabel('Customer')).toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel('Customer').fill(`Ōkafor & Söhne <b>${word}</b>`)
  await form.getByLabel('Address').fill('Große Straße 1\n10115 Berlin')
  await form.getByLabel('Tax number').fill('DE123456789')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Issue invoice' }).click()

  const paper = page.getByRole('dialog', { name: /^INV-/ })
  await expect(paper.getByRole('heading', { name: 'Rechnung' })).toBeVisible()
  for (const text of [
    `Ōkafor & Söhne <b>${word}</b>`,
    'Große Straße 1',
    'Steuernummer: DE123456789',
    'Erwachsene',
    'Agreed by phone',
    '150,00',
    // the demo organization is a travel agent under the margin scheme
    'Sonderregelung für Reisebüros',
  ])
    await expect(paper).toContainText(text)
  const first = numberIn(await paper.getByRole('heading', { name: /^INV-/ }).textContent())
  await expectAccessible(page)
  await page.emulateMedia({ media: 'print' })
  await expect(sheet(page)).toBeVisible()
  await expect(sheet(page)).toContainText(first)
  await expect(page.getByRole('dialog', { name: /^INV-/ })).toBeHidden()
  expect((await page.pdf()).subarray(0, 4).toString()).toBe('%PDF')
  await page.emulateMedia({ media: 'screen' })
  const asked = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        window.print = () => resolve(document.title)
      }),
  )
  await paper.getByRole('button', { name: 'Print or save as PDF' }).click()
  expect(await asked).toBe(first)
  await paper.getByRole('button', { name: 'Close' }).last().click()
  await expect(invoices.getByRole('button', { name: 'Replace invoice' })).toBeVisible()

  const { version, contact } = await api.call(getBooking, { id })
  await api.call(updateBooking, { id, version, contact, amountTotalMinor: 22_000, priceReason: 'With lunch' })
  await expect(invoices.getByText('The invoice no longer matches the booking')).toBeVisible()
  await invoices.getByRole('button', { name: 'Replace invoice' }).click()
  const replacing = page.getByRole('dialog', { name: 'Replace invoice' })
  await expect(replacing.getByLabel('Address')).toHaveValue('Große Straße 1\n10115 Berlin')
  await expect(replacing.getByLabel('Reason')).toHaveValue('The booking changed')
  await replacing.getByRole('button', { name: 'Replace invoice' }).click()
  await expect(paper.getByRole('heading', { name: 'Rechnung' })).toBeVisible()
  await expect(paper).toContainText('220,00')
  await page.keyboard.press('Escape')
  await expect(invoices.getByText('The invoice no longer matches the booking')).toBeHidden()
  await expect(invoices.getByText(/^Cancelled by CN-/)).toHaveCount(1)

  await invoices.getByRole('button', { name: /^Cancel invoice INV-/ }).click()
  const cancelling = page.getByRole('dialog', { name: /^Cancel invoice INV-/ })
  await expect(cancelling.getByRole('button', { name: 'Cancel invoice' })).toHaveAttribute('aria-disabled', 'true')
  await cancelling.getByLabel('Reason').fill('Another company pays')
  await expectAccessible(page)
  await cancelling.getByRole('button', { name: 'Cancel invoice' }).click()
  await expect(invoices.getByText(/^Cancelled by CN-/)).toHaveCount(2)
  await expect(invoices.getByRole('button', { name: 'Issue invoice' })).toBeVisible()
  const { documents } = await api.call(listBillingDocuments, { bookingId: id })
  expect(documents.map(({ totalMinor }) => totalMinor).toSorted((a, b) => a - b)).toEqual([
    -22_000, -20_000, 20_000, 22_000,
  ])
})

test('a payment has a receipt, the same each time', async ({ page }) => {
  const api = await apiAs('admin')
  const { id } = await soldParty(api)
  await page.goto(`/travelers/list?booking=${id}`)
  const open = page.getByRole('button', { name: 'Receipt: Payment €50.00' })
  await open.click()
  const paper = page.getByRole('dialog', { name: /^REC-/ })
  await expect(paper.getByRole('heading', { name: 'Quittung' })).toBeVisible()
  await expect(paper).toContainText('Bar')
  const number = numberIn(await paper.getByRole('heading', { name: /^REC-/ }).textContent())
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await open.click()
  await expect(paper.getByRole('heading', { name: number })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`an invoice is issued and read, ${colorScheme}`, async ({ page }, info) => {
      await page.emulateMedia({ colorScheme })
      const api = await apiAs('admin')
      const { id } = await soldParty(api)
      await page.goto(`/travelers/list?booking=${id}`)
      const invoices = section(page)
      await invoices.getByRole('button', { name: 'Issue invoice' }).click()
      const form = page.getByRole('dialog', { name: 'Issue invoice' })
      await page.screenshot({ path: info.outputPath('form.png') })
      await form.getByRole('button', { name: 'Issue invoice' }).click()
      const paper = page.getByRole('dialog', { name: /^INV-/ })
      await expect(paper.getByRole('heading', { name: 'Rechnung' })).toBeVisible()
      await expectAccessible(page)
      await page.screenshot({ path: info.outputPath('paper.png') })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      await page.keyboard.press('Escape')
      await invoices.scrollIntoViewIfNeeded()
      await page.screenshot({ path: info.outputPath('section.png') })
    })
  }
})
