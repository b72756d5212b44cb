import { listTravelers } from '@tour-ops/contract/travelers/travelers'
import { workbook, xml } from '../../../apps/server/testing/workbooks.ts'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`

/** A header of two rows, a birth date without a format, the same amount on each line of a party. */
function bookings(family: string, departureCode: string): Buffer {
  const guest = (name: string, born: number) =>
    row(
      ...[`${family}-1`, departureCode, `${name} ${family}`].map(text),
      `<c><v>${born}</v></c>`,
      '<c><v>90</v></c>',
      text('10 %'),
    )
  const sheet = `<worksheet><sheetData>${row(...['Sale', '', 'Guest', '', 'Money', ''].map(text))}
    ${row(...['Order no', 'Departure code', 'Name', 'Born', 'Total', 'Commission'].map(text))}
    ${guest('Amara', 27_852)}${guest('Jonas', 33_000)}</sheetData>
    <mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="C1:D1"/><mergeCell ref="E1:F1"/></mergeCells></worksheet>`
  return Buffer.from(workbook('', { 'xl/worksheets/sheet1.xml': xml(sheet) }))
}

test('what a file does not say for certain is told and asked: rows of the header, numbers as dates, and amounts', async ({
  page,
}) => {
  const departure = await makeDeparture(await makeTour('Kayak tour'), { hours: 44 })
  const family = `Q${Date.now().toString(36)}`.replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
  await page.goto('/travelers/import')
  await page.locator('input[type=file]').setInputFiles({
    name: `${family}.xlsx`,
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: bookings(family, departure.code),
  })
  await expect(page.getByRole('combobox', { name: 'Guest Name goes to' })).toHaveValue('full_name', { timeout: 20_000 })
  await expect(page.getByRole('combobox', { name: 'Rows of the header' })).toHaveValue('2')
  await expect(page.getByText('In the booking’s note')).toBeVisible()

  await expect(page.getByText('Dates and times as numbers')).toBeVisible()
  const born = page.getByRole('group', { name: '27852 is read as' })
  await expect(born.getByRole('button', { name: '2 Apr 1976' })).toHaveAttribute('aria-pressed', 'true')
  await born.getByRole('button', { name: 'Not read' }).click()
  await expect(page.getByText('Dates and times as numbers')).toHaveCount(0)
  await born.getByRole('button', { name: '2 Apr 1976' }).click()

  await expect(page.getByText('Amounts in “Money Total”: per booking or per guest?')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Amounts are' }).selectOption('guest')
  await expect(page.getByText('per booking or per guest?')).toHaveCount(0)

  await page.getByRole('button', { name: 'Check 2 rows' }).click()
  await page.getByRole('button', { name: 'Import 2 rows' }).click({ timeout: 20_000 })
  await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible({ timeout: 20_000 })
  const { rows } = await (await apiAs('admin')).call(listTravelers, { q: family, size: 10 })
  expect(rows).toHaveLength(2)
})
