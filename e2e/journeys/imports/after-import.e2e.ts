import { readFile } from 'node:fs/promises'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { type JourneyTour, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Seal bay')
})

/** Letters only: no name has digits. */
const ownWord = (): string =>
  `Q${Math.random()
    .toString(36)
    .slice(2, 9)
    .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`

test('rejected rows are downloaded after the import, corrected and imported, then deleted', async ({ page }) => {
  const departure = await makeDeparture(tour, { hours: 71 })
  const family = ownWord()
  const upload = async (name: string, buffer: Buffer, rows: string) => {
    await page.goto('/travelers/import')
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: `Check ${rows}` }).click({ timeout: 20_000 })
  }
  const rows = [`A-${family};${departure.code};Amara;${family}`, `B-${family};NONE-${family};Jonas;${family}`]
  const file = Buffer.from(['Order no;Departure code;First name;Last name', ...rows].join('\r\n'))
  await upload(`${family}.csv`, file, '2 rows')
  await page.getByRole('button', { name: 'Import 1 row' }).click({ timeout: 20_000 })
  await expect(page.getByText('Rejected rows are kept until')).toBeVisible({ timeout: 20_000 })
  await expectAccessible(page)
  const address = page.url()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '1 rejected row' }).click(),
  ])
  const content = await readFile(await download.path(), 'utf8')
  expect(content).toContain(`Jonas,${family}`)
  expect(content).not.toContain('Amara')
  await upload(
    `${family} fixed.csv`,
    Buffer.from(
      content.replaceAll(`NONE-${family.toUpperCase()}`, departure.code).replaceAll(`NONE-${family}`, departure.code),
    ),
    '1 row',
  )
  await page.getByRole('button', { name: 'Import 1 row' }).click({ timeout: 20_000 })
  await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible({ timeout: 20_000 })

  await page.goto(address)
  await page.getByRole('button', { name: 'Delete rejected rows' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete rejected rows' }).click()
  await expect(page.getByText('Rejected rows are kept until')).toHaveCount(0)
})

test('a status that means something else here is given that meaning with the columns; a correction that is not checked is asked about', async ({
  page,
}) => {
  const departure = await makeDeparture(tour, { hours: 73 })
  const family = ownWord()
  const rows = [
    `A-${family};OK;${departure.code};Amara;${family};planty`,
    `B-${family};Confirmed;NONE-1;Jonas;${family};vegan`,
  ]
  const buffer = Buffer.from(['Order no;Status;Departure code;First name;Last name;Diet', ...rows].join('\r\n'))
  await page.goto('/travelers/import')
  await page.locator('input[type=file]').setInputFiles({ name: `${family}.csv`, mimeType: 'text/csv', buffer })
  // slower than whoever chooses: each decision waits for the one before
  await page.route('**/api/imports-map', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await route.continue()
  })
  await page.getByRole('button', { name: 'Change meanings in Status' }).click({ timeout: 20_000 })
  await page.getByRole('combobox', { name: 'OK =' }).selectOption('pending')
  await page.getByRole('button', { name: 'Change meanings in Diet' }).click()
  await page.getByRole('combobox', { name: 'planty =' }).selectOption('vegan')
  await expect(page.getByRole('combobox', { name: 'OK =' })).toHaveValue('pending')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Check 2 rows' }).click()
  await expect(page.getByText('Not confirmed yet').first()).toBeVisible({ timeout: 20_000 })

  await page.getByRole('button', { name: 'Correct Departure code in line 3' }).click()
  await page.getByRole('textbox', { name: 'Departure code, line 3' }).fill(departure.code)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Overview' }).first().click()
  const question = page.getByRole('dialog')
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button').first().click()
  await expect(page).toHaveURL(/\/travelers\/import\//)
  await expect(page.getByRole('button', { name: 'Check again with 1 correction' })).toBeVisible()
})
