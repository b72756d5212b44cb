import { listTravelers } from '@tour-ops/contract/travelers/travelers'
import type { Page } from '@playwright/test'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { type JourneyTour, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Glacier walk')
})

/** Letters only: no name has digits. */
const ownWord = (): string =>
  `Q${Math.random()
    .toString(36)
    .slice(2, 9)
    .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`

/** A date that does not exist, a language "D" in five lines, a departure code with a typing error. */
function wrongFile(code: string, family: string): Buffer {
  const rows = [
    'Booking no;Departure code;First name;Last name;Date of birth;Language',
    `${family}-1;${code};Amara;${family};1989-02-30;D`,
    `${family}-2;${code};Jonas;${family};1990-01-30;D`,
    `${family}-3;${code};Mehmet;${family};1991-05-31;D`,
    `${family}-4;${code};Eva;${family};1992-05-31;D`,
    `${family}-5;${code};Ole;${family};1993-05-31;D`,
    `${family}-6;${code}X;Mia;${family};1994-05-31;en`,
  ]
  return Buffer.from(rows.join('\r\n'))
}

async function upload(page: Page, family: string, file: Buffer): Promise<void> {
  await page.goto('/travelers/import')
  await page.locator('input[type=file]').setInputFiles({ name: `${family}.csv`, mimeType: 'text/csv', buffer: file })
  await page.getByRole('button', { name: 'Check 6 rows' }).click({ timeout: 20_000 })
}

test('wrong cells are corrected by keyboard where they are shown, checked again, and imported', async ({ page }) => {
  const departure = await makeDeparture(tour, { hours: 45 })
  const family = ownWord()
  await upload(page, family, wrongFile(departure.code, family))

  await page.getByRole('button', { name: 'Correct Departure code in line 7' }).press('Enter', { timeout: 20_000 })
  const code = page.getByRole('textbox', { name: 'Departure code, line 7' })
  await expect(code).toBeFocused()
  await expect(code).toHaveValue(`${departure.code}X`)
  await expectAccessible(page)
  // Escape leaves it as it is, and the button has the focus again
  await code.press('Escape')
  await expect(page.getByRole('button', { name: 'Correct Departure code in line 7' })).toBeFocused()
  await page.keyboard.press('Enter')
  await code.fill(departure.code)
  await code.press('Enter')

  // the next wrong cell
  const born = page.getByRole('textbox', { name: 'Date of birth, line 2' })
  await expect(born).toBeFocused()
  await born.fill('1989-02-28')
  await born.press('Enter')
  const language = page.getByRole('combobox', { name: 'Language, line 2' })
  await expect(language).toBeFocused()
  await expect(page.getByRole('checkbox', { name: 'For all 5 cells with “D”' })).toBeChecked()
  await language.selectOption('German')
  await language.press('Enter')
  await expect(page.getByText('Will be German, not checked yet.')).toHaveCount(5)
  await expectAccessible(page)

  // behind the last one
  const again = page.getByRole('button', { name: 'Check again with 3 corrections' })
  await expect(again).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Import 6 rows' })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('button', { name: /^Correct / })).toHaveCount(0)

  await page.getByRole('button', { name: '3 corrections' }).click()
  const dialog = page.getByRole('dialog', { name: 'Corrections' })
  await expect(dialog.getByText('was 1989-02-30, now 1989-02-28')).toBeVisible()
  await expect(dialog.getByText('“D” means German')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Take back: Date of birth, line 2' }).click()
  await expect(dialog.getByText('was 1989-02-30')).toHaveCount(0, { timeout: 20_000 })
  await page.keyboard.press('Escape')
  await expect(page.getByText('The date 1989-02-30 does not exist')).toBeVisible({ timeout: 20_000 })

  await page.getByRole('button', { name: 'Import 6 rows' }).click()
  await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible({ timeout: 20_000 })
  const guests = (await (await apiAs('admin')).call(listTravelers, { q: family })).rows
  expect(guests).toHaveLength(6)
})

test('on a phone the filter stays in the address while a cell is corrected, and a correction is undone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const departure = await makeDeparture(tour, { hours: 46 })
  const family = ownWord()
  await upload(page, family, wrongFile(departure.code, family))
  const filter = page.getByRole('group', { name: 'Rows shown' })
  await filter.getByRole('button', { name: /^Warnings/ }).click({ timeout: 20_000 })
  await expect(page).toHaveURL(/show=warned/)

  await page.getByRole('button', { name: 'Correct Language in line 3' }).click()
  await page.getByRole('combobox', { name: 'Language, line 3' }).selectOption('Danish')
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Check again with 1 correction' }).click()
  await expect(page.getByRole('button', { name: 'Correct Language in line 3' })).toHaveCount(0, { timeout: 20_000 })
  await expect(page).toHaveURL(/show=warned/)
  await expect(filter.getByRole('button', { name: 'Warnings 1' })).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Correct Language in line 3' })).toBeVisible({ timeout: 20_000 })
  await expect(page).toHaveURL(/show=warned/)
})
