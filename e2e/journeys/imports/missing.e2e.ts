import { getManifest } from '@tour-ops/contract/bookings/manifest'
import { listTravelers } from '@tour-ops/contract/travelers/travelers'
import type { Page } from '@playwright/test'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { type JourneyTour, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Puffin watch')
})

/** Letters only: no name has digits. */
const ownWord = (): string =>
  `Q${Math.random()
    .toString(36)
    .slice(2, 9)
    .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`

function sellerFile(code: string, family: string, names: readonly string[]): Buffer {
  const rows = names.map((name) => `${name}-${family};${code};${name};${family}`)
  return Buffer.from(['Order no;Departure code;First name;Last name', ...rows].join('\r\n'))
}

async function check(page: Page, name: string, buffer: Buffer, rows: number): Promise<void> {
  await page.goto('/travelers/import')
  await page.locator('input[type=file]').setInputFiles({ name: `${name}.csv`, mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: `Check ${rows} row` }).click({ timeout: 20_000 })
}

async function importAll(page: Page, rows: number): Promise<void> {
  await page.getByRole('button', { name: `Import ${rows} row` }).click({ timeout: 20_000 })
  await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible({ timeout: 20_000 })
}

const expected = async (departureId: string): Promise<number> =>
  (await (await apiAs('admin')).call(getManifest, { departureId })).counts.total

test('who is on a departure and not in the later file is listed, cancelled by choice, and brought back', async ({
  page,
}) => {
  const departure = await makeDeparture(tour, { hours: 61 })
  const family = ownWord()
  await check(page, `${family} one`, sellerFile(departure.code, family, ['Amara', 'Jonas', 'Mia']), 3)
  await importAll(page, 3)
  expect(await expected(departure.id)).toBe(3)

  await check(page, `${family} two`, sellerFile(departure.code, family, ['Mia', 'Ole']), 2)
  const missing = page.getByRole('region', { name: 'Not in this file' })
  await expect(missing.getByText(`Amara ${family}`)).toBeVisible({ timeout: 20_000 })
  await expect(missing.getByText(`Jonas ${family}`)).toBeVisible()
  await expect(missing.getByText(`Mia ${family}`)).toHaveCount(0)
  await expectAccessible(page)
  await missing.getByRole('listitem').filter({ hasText: 'Amara' }).getByRole('checkbox').check()
  await missing.getByRole('button', { name: 'Cancel 1 booking' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel 1 booking?' })
  await dialog.getByRole('combobox', { name: 'Why?' }).selectOption('guest_request')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel 1 booking' }).click()
  await expect(page.getByText('1 booking cancelled')).toBeVisible()
  await expect(missing.getByText(`Amara ${family}`)).toHaveCount(0)
  expect(await expected(departure.id)).toBe(2)

  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('1 booking restored')).toBeVisible()
  await expect(missing.getByText(`Amara ${family}`)).toBeVisible()
  expect(await expected(departure.id)).toBe(3)

  // they are still listed once the file is in
  await importAll(page, 1)
  await expect(missing.getByText(`Jonas ${family}`)).toBeVisible()
})

test('of a party that is partly in the file, the others leave in the dialog of their booking', async ({ page }) => {
  const departure = await makeDeparture(tour, { hours: 64 })
  const family = ownWord()
  const party = (names: readonly string[]): Buffer =>
    Buffer.from(
      [
        'Order no;Departure code;First name;Last name',
        ...names.map((name) => `P-${family};${departure.code};${name};${family}`),
      ].join('\r\n'),
    )
  await check(page, `${family} one`, party(['Amara', 'Jonas']), 2)
  await importAll(page, 2)
  await check(page, `${family} two`, party(['Amara']), 1)
  const missing = page.getByRole('region', { name: 'Not in this file' })
  await missing.getByRole('button', { name: 'Cancel 1 guest' }).click({ timeout: 20_000 })
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('checkbox', { name: `Jonas ${family}` })).not.toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: `Amara ${family}` })).toBeChecked()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Change to 1 seat' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(missing).toHaveCount(0)
  expect(await expected(departure.id)).toBe(1)

  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(missing.getByText(`Jonas ${family}`)).toBeVisible()
  expect(await expected(departure.id)).toBe(2)
})

test('an import is given up, and nothing of its file is left', async ({ page }) => {
  const departure = await makeDeparture(tour, { hours: 62 })
  const family = ownWord()
  await check(page, family, sellerFile(departure.code, family, ['Amara']), 1)
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Delete import' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete import' }).click()
  await expect(page.getByText('Import deleted')).toBeVisible()
  await expect(page).toHaveURL(/\/travelers\/import$/)
  await expect(page.getByRole('link').filter({ hasText: `${family}.csv` })).toHaveCount(0)
})

test('two imports are undone one after the other; a guest whom somebody edited stays, with who and when', async ({
  page,
}) => {
  const departure = await makeDeparture(tour, { hours: 63 })
  const family = ownWord()
  const withPhone = (phone: string): Buffer =>
    Buffer.from(
      [
        'Order no;Departure code;First name;Last name;Phone',
        `A-${family};${departure.code};Amara;${family};${phone}`,
      ].join('\r\n'),
    )
  const undo = async () => {
    await page.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await expect(page.getByRole('heading', { name: 'Undone' })).toBeVisible({ timeout: 20_000 })
  }
  await check(page, `${family} one`, withPhone('+44 7700 900181'), 1)
  await importAll(page, 1)
  const first = page.url()
  await check(page, `${family} two`, withPhone('+44 7700 900182'), 1)
  await importAll(page, 1)
  await undo()
  await page.goto(first)
  await undo()
  await expect(page.getByText('kept')).toHaveCount(0)
  expect((await (await apiAs('admin')).call(listTravelers, { q: family })).total).toBe(0)

  await check(page, `${family} three`, withPhone('+44 7700 900183'), 1)
  await importAll(page, 1)
  const third = page.url()
  const [guest] = (await (await apiAs('admin')).call(listTravelers, { q: family })).rows
  await page.goto(`/travelers/edit/${guest?.id ?? ''}`)
  await page.locator('input[name=phone]').fill('+44 7700 900199')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL((url) => !url.pathname.includes('/edit/'))
  await page.goto(third)
  await page.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('dialog').getByRole('listitem')).toContainText(/Íris Jónsdóttir, .*\d\d:\d\d/)
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText('1 person was kept: someone had worked on the booking since')).toBeVisible({
    timeout: 20_000,
  })
  await expect(page.getByRole('listitem').filter({ hasText: `Amara ${family}` })).toContainText(
    /Íris Jónsdóttir, .*\d\d:\d\d/,
  )
  await expectAccessible(page)
})
