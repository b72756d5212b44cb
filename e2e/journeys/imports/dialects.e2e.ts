import { listBookings } from '@tour-ops/contract/bookings/bookings'
import { getTour } from '@tour-ops/contract/tours/tours'
import { listTravelers } from '@tour-ops/contract/travelers/travelers'
import { workbook, xml } from '../../../apps/server/testing/workbooks.ts'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { type JourneyTour, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Whale watching')
})

/** Letters only: no name has digits. */
const ownWord = (): string =>
  `Q${Math.random()
    .toString(36)
    .slice(2, 9)
    .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`

/** As Bókun has it, with the product as a seller calls it. See apps/server/fixtures/imports. */
function bookings(family: string, startsAt: string): Buffer {
  const [date, time] = [startsAt.slice(0, 10), startsAt.slice(11, 16)]
  const rows = [
    'Booking ref,Ext. booking ref,Booking status,Booking channel,Product,Rate,Start date,Start time,Customer,Phone,Participants,Pick-up,Total,Paid,Currency',
    `${family}-1,,Confirmed,Website,P-${family},Standard,${date},${time},Amara ${family},+44 7700 900181,"2 Adults, 1 Child (8)",Grand Plaza Hotel,120.00,20.00,EUR`,
    `${family}-2,,Confirmed,Website,P-${family},Standard,${date},${time},Jonas & Eva ${family},later,2 Adults,,90.00,90.00,EUR`,
    `${family}-3,,Pending,Website,P-${family},Standard,${date},${time},Mia ${family},,1 Adult,,45.00,0.00,EUR`,
    `${family}-4,,Cancelled,Website,P-${family},Standard,${date},${time},Ole ${family},,2 Adults,,90.00,0.00,EUR`,
  ]
  return Buffer.from(rows.join('\r\n'))
}

test('bookings as Bókun exports them: what the product is, is asked; parties, warnings and sums go in, and are undone', async ({
  page,
}) => {
  const departure = await makeDeparture(tour, { hours: 43 })
  const family = ownWord()
  const api = await apiAs('admin')
  await page.goto('/travelers/import')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: `${family}.csv`, mimeType: 'text/csv', buffer: bookings(family, departure.startsAt) })
  const columns = page.getByRole('table', { name: 'Columns of the file' })
  await expect(columns).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('combobox', { name: 'Participants goes to' })).toHaveValue('party')

  const product = page.getByRole('combobox', { name: `“P-${family}” is` })
  await product.selectOption((await api.call(getTour, { id: tour.id })).code)
  await expect(product).toHaveCount(0)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Check 4 rows' }).click()
  await expect(page.getByText('Not confirmed yet: Pending')).toBeVisible({ timeout: 20_000 })
  await expect(
    page.getByText('Grand Plaza Hotel is not a pickup on this departure Kept in the booking’s note.'),
  ).toBeVisible()
  // each name of a cell is a guest
  const added = page.getByRole('region', { name: /^New / })
  await added.getByRole('button', { name: /^New / }).click()
  await expect(added.getByText(`Jonas ${family}, Eva ${family}`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible({ timeout: 20_000 })

  const made = (await api.call(listBookings, { q: `${family}-` })).rows
  expect(Object.fromEntries(made.map(({ bookingRef, pax }) => [bookingRef, pax]))).toEqual({
    [`${family}-1`.toUpperCase()]: 3,
    [`${family}-2`.toUpperCase()]: 2,
  })

  const guests = (await api.call(listTravelers, { q: family })).rows
  expect(new Set(guests.map(({ firstName }) => firstName))).toEqual(new Set(['Amara', 'Eva', 'Jonas']))

  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText('What the import added is gone, what it changed is as before.')).toBeVisible({
    timeout: 20_000,
  })
  expect((await api.call(listTravelers, { q: family })).rows).toEqual([])
  expect((await api.call(listBookings, { q: `${family}-` })).rows).toEqual([])
})

test('a party that looks like a booking under another reference is left out by a person, and nothing is merged', async ({
  page,
}) => {
  const departure = await makeDeparture(tour, { hours: 44 })
  const family = ownWord()
  const api = await apiAs('admin')
  const upload = async (...rows: string[]) => {
    const head = 'Order id,Departure,Name,Adults,Phone,Last change'
    await page.goto('/travelers/import')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: `${family}.csv`, mimeType: 'text/csv', buffer: Buffer.from([head, ...rows].join('\r\n')) })
    await page.getByRole('button', { name: /^Check \d+ rows?$/ }).click({ timeout: 20_000 })
  }
  const phone = '+44 7700 900181'
  await upload(`${family}-1,${departure.code},Amara ${family},2,${phone},2026-01-02 10:00`)
  await page.getByRole('button', { name: 'Import 1 row' }).click({ timeout: 20_000 })
  await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible({ timeout: 20_000 })

  await upload(
    `${family}-8,${departure.code},A. ${family},2,${phone},2026-01-02 10:00`,
    `${family}-9,${departure.code},Jonas ${family},3,,2026-01-03 10:00`,
    `${family}-9,${departure.code},Jonas ${family},1,,2026-01-02 10:00`,
  )
  const duplicates = page.getByRole('region', { name: 'Likely duplicates 1' })
  await expect(duplicates.getByText(/^Looks like booking /)).toBeVisible({ timeout: 20_000 })
  await expect(duplicates.getByText('Imported as a booking of its own.')).toBeVisible()
  await expect(page.getByText('Line 3 of the same booking is newer.')).toBeVisible()
  await expectAccessible(page)
  const box = duplicates.getByRole('checkbox', { name: `Leave out line 2, A. ${family}` })
  await box.check()
  await expect(page.getByText('Check again, so that your choice counts.')).toBeVisible()
  await expect(duplicates.getByText('Not imported.')).toBeVisible()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByRole('button', { name: 'Unchanged 2' }).first()).toBeVisible({ timeout: 20_000 })
  await expect(box).toBeChecked()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible({ timeout: 20_000 })

  const made = (await api.call(listBookings, { q: family })).rows
  expect(Object.fromEntries(made.map(({ pax, externalRef }) => [externalRef, pax]))).toEqual({
    [`${family}-1`]: 2,
    [`${family}-9`]: 3,
  })
})

test('a cell that a workbook has merged counts for each of its rows; that and formulas without a value are told', async ({
  page,
}) => {
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const book = workbook('', {
    'xl/worksheets/sheet1.xml': xml(
      `<worksheet><sheetData><row r="1">${text('Order id')}${text('Name')}${text('Total')}</row>
      <row r="2">${text('A-1')}${text('Ana Gil')}<c><f>2*49</f></c></row><row r="3">${text('')}${text('Bo Gil')}</row></sheetData>
      <mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>`,
    ),
  })
  await page.goto('/travelers/import')
  await page.locator('input[type=file]').setInputFiles({
    name: 'merged.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(book),
  })
  await expect(page.getByText(/^1 cell is merged over several rows, first in line 2:/)).toBeVisible({ timeout: 20_000 })
  const raw = page.getByRole('region', { name: 'First rows of the file' })
  await expect(raw.getByRole('row', { name: '3 Row A-1 Bo Gil' })).toBeVisible()
  await expect(page.getByText(/1 cell has a formula without a value, first in line 2:/)).toBeVisible()
  await expectAccessible(page)
})
