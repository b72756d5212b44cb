import { getManifest } from '@tour-ops/contract/bookings/manifest'
import { listTravelers } from '@tour-ops/contract/travelers/travelers'
import type { Page } from '@playwright/test'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, takeAnswers, test } from '../../fixtures.ts'
import { type JourneyTour, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Fjord cruise')
})

const ownWord = (): string => `Q${Math.random().toString(36).slice(2, 9)}`

/** As an agency sends it: semicolons, Windows-1252, a line break inside quotation marks, one date that does not exist, one departure that does not. */
function agencyFile(code: string, family: string, language = 'de'): Buffer {
  const rows = [
    ['Booking no', 'Departure code', 'First name', 'Last name', 'Date of birth', 'Language', 'Notes'],
    [`${family}-1`, code, 'Jürgen', family, '1980-05-17', language, '"Window seat;\nslow walker"'],
    [`${family}-1`, code, 'Zoë', family, '1982-02-31', language, ''],
    [`${family}-2`, `${code}-NO`, 'Renée', family, '1991-02-03', language, ''],
  ]
  return Buffer.from(rows.map((cells) => cells.join(';')).join('\r\n'), 'latin1')
}

async function upload(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer })
  await expect(page.getByRole('table', { name: 'Columns of the file' })).toBeVisible({ timeout: 20_000 })
}

const travelersOf = async (family: string) => (await (await apiAs('admin')).call(listTravelers, { q: family })).rows

test('a person who sends a file while many are being read is asked to try again later, and not told that the file is faulty', async ({
  page,
  complaints,
}) => {
  const error = {
    status: 'RESOURCE_EXHAUSTED',
    message: 'Several of these are under way.',
    details: { reason: 'too_many_at_work' },
  }
  await page.route('**/api/imports-create', (route) => route.fulfill({ status: 429, json: { error } }))
  await page.goto('/travelers/import')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('Name\nAna\n') })
  const banner = page.getByRole('alert').filter({ hasText: 'Several files of your organization are being read.' })
  await expect(banner).toContainText('Nothing was written')
  await expectAccessible(page)
  takeAnswers(complaints, 429)
})

test('a file is read, checked, imported and undone; the same file twice changes nothing', async ({ page }) => {
  const departure = await makeDeparture(tour, { hours: 40 })
  const family = ownWord()
  const file = agencyFile(departure.code, family)

  await page.goto('/travelers/list')
  await page.getByRole('link', { name: 'Import' }).click()
  await expectAccessible(page)
  await upload(page, `${family}.csv`, file)
  await expect(page.getByText('Windows-1252, semicolons')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Check 3 rows' }).click()

  // Nothing is written by the check, and what cannot be read is named by line and reason.
  await expect(page.getByText('Nothing is written yet.')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('line 5')).toBeVisible()
  await expect(page.getByText('No departure with this code')).toBeVisible()
  await expect(page.getByRole('button', { name: '1 rejected row' })).toBeVisible()
  await page.getByRole('group', { name: 'Rows shown' }).getByRole('button', { name: 'Warnings' }).click()
  await expect(page.getByText('The date 1982-02-31 does not exist Not imported.')).toBeVisible()
  await expectAccessible(page)
  expect(await travelersOf(family)).toEqual([])

  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible({ timeout: 20_000 })
  await expectAccessible(page)
  const manifest = await (await apiAs('admin')).call(getManifest, { departureId: departure.id })
  expect(manifest.counts.total).toBe(2)
  expect((await travelersOf(family)).map(({ name }) => name).toSorted()).toEqual([`Jürgen ${family}`, `Zoë ${family}`])

  await page.getByRole('link', { name: 'Import another file' }).click()
  await upload(page, 'once more.csv', file)
  await page.getByRole('button', { name: 'Check 3 rows' }).click()
  await expect(page.getByText('There is nothing to import: the file says what is there already.')).toBeVisible({
    timeout: 20_000,
  })
  await expect(page.getByRole('button', { name: /^Import \d/ })).toHaveCount(0)

  await page.goto('/travelers/import')
  await page
    .getByRole('link')
    .filter({ hasText: `${family}.csv` })
    .click()
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText('What the import added is gone, what it changed is as before.')).toBeVisible({
    timeout: 20_000,
  })
  expect(await travelersOf(family)).toEqual([])
})

test('a picture that is called CSV is refused by its content', async ({ page, complaints }) => {
  await page.goto('/travelers/import')
  await page.locator('input[type=file]').setInputFiles({
    name: 'guests.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  })
  await expect(page.getByText(/neither a CSV file nor an Excel workbook/)).toBeVisible()
  takeAnswers(complaints, 400)
})

/** Polish names in Windows-1250, in which three letters differ from what Western Europe reads there. */
function polishFile(code: string, family: string): Buffer {
  const bytes: Record<string, number> = { ł: 0xb3, ą: 0xb9, ś: 0x9c }
  const text = [
    'Booking no|Departure code|First name|Last name',
    `${family}-1|${code}|Małgorzata|${family} Dąbrowska`,
    `${family}-1|${code}|Stanisław|${family} Wiśniewski`,
  ].join('\r\n')
  return Buffer.from([...text].map((letter) => bytes[letter] ?? letter.charCodeAt(0)))
}

test('a file is read as its characters and separator ask for, another choice shows at once, and what cannot be read is said', async ({
  page,
}) => {
  const departure = await makeDeparture(tour, { hours: 41 })
  const family = ownWord()
  await page.goto('/travelers/import')
  await upload(page, `${family}.csv`, polishFile(departure.code, family))
  await expect(page.getByText('Windows-1250, vertical bars')).toBeVisible()
  const characters = page.getByRole('combobox', { name: 'Characters' })
  await expect(characters).toHaveValue('windows-1250')
  await expect(page.getByText(/Line 2: .*Małgorzata/)).toBeVisible()

  await characters.selectOption('utf-8')
  await expect(page.getByText('Some characters cannot be read')).toBeVisible()
  await expect(page.getByText('4 cells have such characters, the first in line 2.')).toBeVisible()
  await expectAccessible(page)
  await characters.selectOption('windows-1251')
  await expect(page.getByText(/Line 2: .*Maіgorzata/)).toBeVisible()
  await expect(page.getByText('Some characters cannot be read')).toBeHidden()

  await characters.selectOption('windows-1250')
  await expect(page.getByText(/Line 2: .*Małgorzata/)).toBeVisible()
  const separator = page.getByRole('combobox', { name: 'Separator' })
  await separator.selectOption({ label: 'Semicolon ( ; )' })
  await expect(page.getByRole('table', { name: 'Columns of the file' }).getByRole('row')).toHaveCount(2)
  await separator.selectOption({ label: 'Vertical bar ( | )' })
  await expect(page.getByRole('table', { name: 'Columns of the file' }).getByRole('row')).toHaveCount(5)

  await page.getByRole('button', { name: 'Check 2 rows' }).click()
  await page.getByRole('button', { name: 'Import 2 rows' }).click({ timeout: 20_000 })
  await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible({ timeout: 20_000 })
  expect((await travelersOf(family)).map(({ name }) => name).toSorted()).toEqual([
    `Małgorzata ${family} Dąbrowska`,
    `Stanisław ${family} Wiśniewski`,
  ])
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText('What the import added is gone, what it changed is as before.')).toBeVisible({
    timeout: 20_000,
  })
  expect(await travelersOf(family)).toEqual([])
})

test('a report with titles, a repeated header and a total is read as its table; the header and the last row can be chosen', async ({
  page,
}) => {
  const departure = await makeDeparture(tour, { hours: 42 })
  const family = ownWord()
  const header = 'Booking no,Departure code,First name,Last name'
  const lines = [
    'Fjord cruise',
    'Printed on,12.11.2026',
    header,
    `${family}-1,${departure.code},Ana,${family}`,
    header,
    `${family}-2,${departure.code},Ben,${family}`,
    `${family}-3,${departure.code},Eva,${family}`,
    'Total,,,3',
  ]
  await page.goto('/travelers/import')
  await upload(page, `${family}.csv`, Buffer.from(lines.join('\n')))
  await expect(
    page.getByText('Left out: 2 lines above the header, 1 repeated header and totals in line 8.'),
  ).toBeVisible()
  const raw = page.getByRole('region', { name: 'First rows of the file' })
  await expect(raw.getByRole('row', { name: /^3 Header Booking no/ })).toBeVisible()
  await expect(raw.getByRole('row', { name: /^8 Totals Total/ })).toBeVisible()
  await expectAccessible(page)

  const columns = page.getByRole('table', { name: 'Columns of the file' }).getByRole('row')
  const headerRow = page.getByRole('combobox', { name: 'Header row' })
  await headerRow.selectOption('2')
  await expect(columns).toHaveCount(3)
  await headerRow.selectOption('3')
  await expect(columns).toHaveCount(5)

  const lastRow = page.getByRole('spinbutton', { name: 'Last row' })
  await lastRow.fill('2')
  await lastRow.blur()
  await expect(page.getByText('Enter a line below the header in line 3.')).toBeVisible()
  await lastRow.fill('6')
  await lastRow.press('Enter')
  await expect(raw.getByRole('row', { name: /^7 Below the table/ })).toBeVisible()

  await page.getByRole('button', { name: 'Check 2 rows' }).click()
  await page.getByRole('button', { name: 'Import 2 rows' }).click({ timeout: 20_000 })
  await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible({ timeout: 20_000 })
  expect((await travelersOf(family)).map(({ name }) => name).toSorted()).toEqual([`Ana ${family}`, `Ben ${family}`])
})

test('an old workbook and a web page under its name are refused with what to do', async ({ page, complaints }) => {
  await page.goto('/travelers/import')
  const input = page.locator('input[type=file]')
  await input.setInputFiles({
    name: 'guests.xls',
    mimeType: 'application/vnd.ms-excel',
    buffer: Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_000)]),
  })
  await expect(page.getByText(/old Excel workbook \(\.xls\).*“Save as \.xlsx”/)).toBeVisible()
  await input.setInputFiles({
    name: 'guests.xls',
    mimeType: 'application/vnd.ms-excel',
    buffer: Buffer.from('<html><table><tr><td>Name</td></tr><tr><td>Ana</td></tr></table></html>'),
  })
  await expect(page.getByText(/web page or an XML file.*“Save as \.xlsx”/)).toBeVisible()
  takeAnswers(complaints, 400)
  takeAnswers(complaints, 400)
})
