import { issueInvoice, issueReceipt } from '@tour-ops/contract/bookings/billing'
import { createBooking } from '@tour-ops/contract/bookings/bookings'
import { recordPayment } from '@tour-ops/contract/bookings/payments'
import { createLink } from '@tour-ops/contract/links/links'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, expectAccessibleEverywhere, sessionFile, settled, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('admin'), contextOptions: { reducedMotion: 'reduce' } })

/** A party that reads German, with an invoice and the receipt of what it has paid. */
async function billedParty() {
  const api = await apiAs('admin')
  const word = `D${Math.random().toString(36).slice(2, 9)}`
  const departure = await makeDeparture(await makeTour(`Coast ${word}`), { hours: 51 })
  const booking = await api.call(createBooking, {
    departureId: departure.id,
    mode: 'confirm',
    tellGuest: false,
    contact: { name: `Okafor ${word}`, email: `${word.toLowerCase()}@example.com`, locale: 'de' },
    units: [{ unitType: 'adult', quantity: 2 }],
    amountTotalMinor: 20_000,
    priceReason: 'Agreed by phone',
  })
  const invoice = await api.call(issueInvoice, { bookingId: booking.id, buyer: { name: `Okafor ${word}` } })
  const { payment } = await api.call(recordPayment, { bookingId: booking.id, method: 'cash', amountMinor: 5_000 })
  const receipt = await api.call(issueReceipt, { paymentId: payment.id })
  return { api, booking, invoice, receipt, email: `${word.toLowerCase()}@example.com` }
}

test('a guest opens the invoice and the receipt of their booking on the page of their link', async ({
  browser,
}, info) => {
  const { api, booking, invoice, receipt } = await billedParty()
  const { path } = await api.call(createLink, {
    kind: 'booking_guest',
    subjectId: booking.id,
    label: invoice.number,
    language: 'en',
    scopes: { documents: true },
  })
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const phone = await context.newPage()
  await phone.goto(path)
  const documents = phone.getByRole('region', { name: 'Invoices and receipts' })
  await expect(documents.getByRole('button', { name: receipt.number })).toBeVisible()
  await expectAccessible(phone)
  await documents.scrollIntoViewIfNeeded()
  await phone.screenshot({ path: info.outputPath('page.png') })
  await documents.getByRole('button', { name: invoice.number }).click()
  const paper = phone.getByRole('dialog', { name: invoice.number })
  await expect(paper.getByRole('heading', { name: 'Rechnung' })).toBeVisible()
  await expect(paper).toContainText('200,00')
  await expect(phone.locator('body > .print-document')).toHaveCount(1)
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('paper.png') })
  await paper.getByRole('button', { name: 'Close' }).first().click()
  await expect(paper).toHaveCount(0)
  await context.close()
})

test('a link is sent from its row to whom it belongs, with own words, and says so the next time', async ({
  page,
}, info) => {
  const { api, booking, invoice, email } = await billedParty()
  const label = `Page ${invoice.number}`
  await api.call(createLink, { kind: 'booking_guest', subjectId: booking.id, label })
  await page.goto(`/tools/shared-links?q=${encodeURIComponent(label)}`)
  await settled(page)
  const open = async () => {
    await page.getByRole('button', { name: `Actions for ${label}` }).click()
    await page.getByRole('menuitem', { name: 'Send by message' }).click()
  }
  await open()
  const dialog = page.getByRole('dialog', { name: `Send ${label}` })
  await expect(dialog.getByRole('checkbox', { name: email })).toBeChecked()
  await dialog.getByLabel('Own words').fill('Bis bald in den Bergen')
  await expect(dialog.getByRole('region', { name: 'What they read' })).toContainText('Bis bald in den Bergen')
  await expectAccessibleEverywhere(page)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Sent to 1 person')).toBeVisible()
  await open()
  await expect(dialog).toContainText('Sent before:')
  await page.screenshot({ path: info.outputPath('send.png') })
  await expectAccessible(page)
})

test('the office sends an invoice to the guest, and reads when it went where', async ({ page }, info) => {
  const { booking, invoice, email } = await billedParty()
  await page.goto(`/travelers/list?booking=${booking.id}`)
  await settled(page)
  await page
    .getByRole('region', { name: 'Invoices' })
    .getByRole('button', { name: invoice.number, exact: true })
    .click()
  const paper = page.getByRole('dialog', { name: invoice.number })
  await paper.getByRole('button', { name: 'Send to the guest' }).click()
  const writing = page.getByRole('dialog', { name: 'Message guests' })
  await expect(writing).toContainText(`Ihre Rechnung ${invoice.number}`)
  await expect(writing).toContainText(email)
  await expectAccessibleEverywhere(page)
  await writing.getByRole('button', { name: 'Send 1 e-mail' }).click()
  await page.screenshot({ path: info.outputPath('sent.png') })
  await expect(paper).toContainText(`Waiting to be sent to ${email}`)
  await expect(paper.getByRole('button', { name: 'Send again' })).toHaveAttribute('aria-disabled', 'true')
  await expectAccessibleEverywhere(page)
})
