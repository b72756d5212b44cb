import { listDepartures } from '@tour-ops/contract/departures/departures'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

/** Letters only: no name has digits. */
const ownWord = (): string =>
  `Q${Math.random()
    .toString(36)
    .slice(2, 9)
    .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`

test('departures that do not exist are shown, created with the import by choice, and removed by its undo', async ({
  page,
}) => {
  const family = ownWord()
  const name = `Lava tunnel ${family}`
  await makeTour(name)
  const stored = async () => (await (await apiAs('admin')).call(listDepartures, { q: name })).rows
  const rows = [
    `A-${family};${name};2031-11-21;09:00;Amara;${family}`,
    `B-${family};${name};2031-11-21;09:00;Jonas;${family}`,
    `C-${family};${name};2031-11-22;14:00;Mia;${family}`,
  ]
  const buffer = Buffer.from(['Order no;Tour;Date;Time;First name;Last name', ...rows].join('\r\n'))
  await page.goto('/travelers/import')
  await page.locator('input[type=file]').setInputFiles({ name: `${family}.csv`, mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Check 3 rows' }).click({ timeout: 20_000 })

  const missing = page.getByRole('region', { name: 'Departures that do not exist' })
  await expect(missing.getByRole('listitem').first()).toContainText('10 seats · 2 rows', { timeout: 20_000 })
  await expect(missing.getByRole('listitem').first()).toContainText(name)
  await expect(page.getByText('No departure yet. You can create it with the import').first()).toBeVisible()
  expect(await stored()).toEqual([])
  await expectAccessible(page)

  await missing.getByRole('button', { name: 'Create 2 departures that do not exist yet' }).click()
  await expect(missing.getByText('They are created when you import.')).toBeVisible({ timeout: 20_000 })
  await expect(missing.getByRole('listitem').first()).toContainText('2 of 10 seats taken by the file')
  expect(await stored()).toEqual([])
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  const made = page.getByRole('region', { name: 'Departures created' })
  await expect(made.getByRole('listitem')).toHaveCount(2, { timeout: 20_000 })
  await expectAccessible(page)
  expect((await stored()).map(({ status, salesStatus }) => [status, salesStatus])).toEqual([
    ['scheduled', 'open'],
    ['scheduled', 'open'],
  ])

  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('heading', { name: 'Undone' })).toBeVisible({ timeout: 20_000 })
  expect(await stored()).toEqual([])
})
