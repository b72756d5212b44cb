import { cancelBooking, getBooking, updateBooking, type Booking } from '@tour-ops/contract/bookings/bookings'
import { discountRecord } from '@tour-ops/contract/bookings/discount-codes'
import { checkIn } from '@tour-ops/contract/bookings/manifest'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import type { Page } from '@playwright/test'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, takeAnswers, test } from '../../fixtures.ts'
import { book, makeBoarding, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

const ownWord = (): string => `Q${Math.random().toString(36).slice(2, 9)}`

/** A party of two on the first of two days of a tour of its own. */
async function makeParty(change: Parameters<typeof book>[2] = {}) {
  const tour = await makeTour(`Coast ${ownWord()}`)
  const here = await makeDeparture(tour, { capacity: 4, hours: 50 })
  const there = await makeDeparture(tour, { capacity: 4, hours: 74 })
  const booking = await book(here.id, ['Ilse Brandt', 'Karl Brandt'], {
    contact: { name: 'Ilse Brandt', email: 'ilse@example.org' },
    ...change,
  })
  return { here, there, booking }
}

/** The only other day with a departure. */
const otherDay = (page: Page) =>
  page.getByRole('group', { name: 'Day and seats left' }).getByRole('button', { pressed: false, disabled: false })

const same = ({ version: _version, guests, ...booking }: Booking) => ({
  ...booking,
  guests: guests.map(({ travelerId, unitType }) => ({ travelerId, unitType })),
})

test('from its drawer a booking gets another day, a seat, a guest and a price with one press, and one press takes all back', async ({
  page,
}, info) => {
  const api = await apiAs('admin')
  const { here, there, booking } = await makeParty()
  const before = await api.call(getBooking, { id: booking.id })
  await page.goto(`/travelers/list?booking=${booking.id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${booking.bookingRef}` })
  await drawer.getByRole('link', { name: 'Edit' }).press('Enter')
  await expect(page.getByRole('heading', { name: `Edit ${booking.bookingRef}` })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^Edit ${booking.bookingRef}`))
  const save = page.getByRole('button', { name: 'Save' }).first()
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('textbox', { name: /^Name/ })).toHaveValue('Ilse Brandt')

  await page.getByRole('button', { name: 'Adult: one more' }).click()
  await otherDay(page).click()
  const second = page.getByRole('combobox', { name: 'Name of guest 2' })
  await expect(second).toHaveValue('Karl Brandt')
  const name = ownWord()
  await second.fill(`Jonas ${name}`)
  await page.getByRole('option', { name: `New guest: Jonas ${name}` }).click()
  await page.getByLabel('Total', { exact: true }).fill('200')
  await expect(page.getByText('Say why the price is another one.').first()).toBeVisible()
  await page.getByLabel('Reason for the price').fill('Came twice before')
  const sums = page.locator('dl')
  await expect(sums).toContainText('Total so far')
  await expect(sums).toContainText('€178.00')
  await expect(sums).toContainText('Balance due')
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('edit-1440.png'), fullPage: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: info.outputPath('edit-1440-dark.png'), fullPage: true })
  await page.emulateMedia({ colorScheme: 'light' })
  await save.click()

  await expect(page.getByText(`${booking.bookingRef} saved`)).toBeVisible()
  await expect(drawer.getByText('3 adults')).toBeVisible()
  await expect(drawer.getByRole('link', { name: `Jonas ${name}` })).toBeVisible()
  await expect(drawer.getByText('€200.00').first()).toBeVisible()
  await expect(drawer.getByRole('region', { name: 'E-mails' }).getByText('Booking changed')).toHaveCount(1)
  expect(await api.call(getBooking, { id: booking.id })).toMatchObject({
    departureId: there.id,
    pax: 3,
    amountTotalMinor: 20_000,
    priceReason: 'Came twice before',
  })
  expect(await api.call(getDeparture, { id: here.id })).toMatchObject({ seatsLeft: 4 })

  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(drawer.getByText('2 adults')).toBeVisible()
  await expect(drawer.getByRole('link', { name: 'Karl Brandt' })).toBeVisible()
  expect(same(await api.call(getBooking, { id: booking.id }))).toEqual(same(before))
})

test('what was typed stays where somebody else was faster, and is saved over what they changed', async ({
  page,
  complaints,
}, info) => {
  const api = await apiAs('admin')
  const { booking } = await makeParty({ notes: 'Quiet' })
  await page.goto(`/travelers/book?edit=${booking.id}`)
  const note = page.getByLabel('Notes', { exact: true })
  await expect(note).toHaveValue('Quiet')
  await note.fill('Birthday on board')
  const { id, contact, pickupStopId, amountTotalMinor } = booking
  const theirs = { id, contact, pickupStopId, amountTotalMinor, notes: 'Theirs', sellerName: 'North Travel' }
  await api.call(updateBooking, { ...theirs, version: booking.version })
  await expect(page.getByText('Someone else has changed this booking')).toBeVisible()
  const save = page.getByRole('button', { name: 'Save' }).first()
  await save.click()
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: /changed/ })
      .first(),
  ).toBeVisible()
  await expect(note).toHaveValue('Birthday on board')
  await page.screenshot({ path: info.outputPath('other-version.png') })
  takeAnswers(complaints, 409)
  await page.getByRole('button', { name: 'Show their changes, keep mine' }).click()
  await expect(page.getByLabel('Seller')).toHaveValue('North Travel')
  await expect(note).toHaveValue('Birthday on board')
  await save.click()
  await expect(page.getByText(`${booking.bookingRef} saved`)).toBeVisible()
  expect(await api.call(getBooking, { id })).toMatchObject({ notes: 'Birthday on board', sellerName: 'North Travel' })
})

test('seats that are not there are said before saving, those of the booking count as free, and a part that stays says why', async ({
  page,
}) => {
  const { here, booking } = await makeParty()
  await page.goto(`/travelers/book?edit=${booking.id}`)
  const more = page.getByRole('button', { name: 'Adult: one more' })
  await more.click()
  await more.click()
  await expect(page.getByRole('button', { name: 'Save' }).first()).not.toHaveAttribute('aria-disabled', 'true')
  await more.click()
  await expect(page.getByRole('button', { name: 'Save' }).first()).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText('The seats of this booking are counted as free.')).toBeVisible()

  const held = await book(here.id, ['Rosa Díaz'], { mode: 'hold' })
  const api = await apiAs('admin')
  await api.call(cancelBooking, { id: held.id, version: held.version, reason: 'other' })
  await page.goto(`/travelers/book?edit=${held.id}`)
  await expect(page.getByText('This booking cannot be changed any more: Cancelled')).toBeVisible()
  await expectAccessible(page)
})

test('who is aboard keeps the departure, and their line says why; a party of a cancelled departure goes to another day', async ({
  page,
}) => {
  const api = await apiAs('admin')
  const boarding = await makeBoarding(await makeTour(`Coast ${ownWord()}`))
  const aboard = await book(boarding.id, ['Ilse Brandt', 'Karl Brandt'])
  const entries = [{ entryId: aboard.guests[0]?.entryId ?? '', clientEventId: crypto.randomUUID() }]
  await api.call(checkIn, { departureId: boarding.id, entries })
  await page.goto(`/travelers/book?edit=${aboard.id}`)
  await expect(page.getByText('1 guest is aboard: the departure stays as it is.')).toBeVisible()
  await expect(page.getByText('was aboard or did not come')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove Karl Brandt' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove Ilse Brandt' })).toHaveCount(0)

  const { here, there, booking } = await makeParty()
  const { version } = await api.call(getDeparture, { id: here.id })
  await api.call(setDepartureStatus, { id: here.id, version, to: 'cancelled', cancelReason: 'weather' })
  await page.goto(`/travelers/book?edit=${booking.id}`)
  await page.getByLabel('Notes', { exact: true }).fill('Called back')
  await otherDay(page).click()
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByText(`${booking.bookingRef} saved`)).toBeVisible()
  expect(await api.call(getBooking, { id: booking.id })).toMatchObject({ departureId: there.id, notes: 'Called back' })
})

test('the screen holds the seats that a change takes, and changes channel and discount code', async ({
  page,
  complaints,
}, info) => {
  const api = await apiAs('admin')
  const { here, booking } = await makeParty()
  const code = ownWord().toUpperCase()
  await api.call(discountRecord.create, { code, kind: 'percent', value: 10 })
  await page.goto(`/travelers/book?edit=${booking.id}`)
  await page.getByRole('button', { name: 'Adult: one more' }).click()
  await expect(page.getByText('1 seat is held while this form is open')).toBeVisible()
  expect(await api.call(getDeparture, { id: here.id })).toMatchObject({ seatsHeld: 1, seatsLeft: 1 })

  await page.getByLabel('Channel').selectOption('Partner')
  const field = page.getByLabel('Discount code')
  await field.fill('nobody-has-this')
  await field.blur()
  await expect(page.getByText('This discount code does not exist, or is no longer taken.')).toBeVisible()
  await field.fill(code.toLowerCase())
  await field.blur()
  await expect(page.getByLabel('Total', { exact: true })).toHaveValue('240.30')
  // by now the console has said so as well
  takeAnswers(complaints, 400)
  await expect(page.locator('dl')).toContainText(`Discount ${code}`)
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('edit-terms.png'), fullPage: true })
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByText(`${booking.bookingRef} saved`)).toBeVisible()
  expect(await api.call(getBooking, { id: booking.id })).toMatchObject({
    channel: 'partner',
    pax: 3,
    discount: { code, amountMinor: 2670 },
    amountTotalMinor: 24_030,
    priceReason: null,
  })
  expect(await api.call(getDeparture, { id: here.id })).toMatchObject({ seatsHeld: 0, seatsLeft: 1 })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the same screen changes seats and day', async ({ page }, info) => {
    const api = await apiAs('admin')
    const { there, booking } = await makeParty()
    await page.goto(`/travelers/list?booking=${booking.id}`)
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Adult: one more' }).click()
    await otherDay(page).click()
    await page.screenshot({ path: info.outputPath('edit-390.png'), fullPage: true })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: info.outputPath('edit-390-dark.png') })
    await page.emulateMedia({ colorScheme: 'light' })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByRole('button', { name: 'Save' }).last().click()
    await expect(page.getByText(`${booking.bookingRef} saved`)).toBeVisible()
    expect(await api.call(getBooking, { id: booking.id })).toMatchObject({ departureId: there.id, pax: 3 })
  })
})
