import fs from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, sessionFile, settled, test } from '../../fixtures.ts'

test.use({ storageState: sessionFile('operations_manager') })

const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
/** `2026-11-20` as the fields show it. */
const written = (date: string): string => date.split('-').toReversed().join('/')
/** Days that are over: no other journey changes what happened then. */
const past = `from=${dayAgo(22)}&to=${dayAgo(2)}`

/** The names of the table of tours, in their order. */
const toursShown = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Tours' }).getByRole('rowheader').locator('bdi').allTextContents()

test('a report counts its period, says what its figures mean, and exports the departures behind them', async ({
  page,
}) => {
  await page.goto(`/reports/tour-performance?${past}`)
  await settled(page)
  const tours = await toursShown(page)
  expect(tours.length).toBeGreaterThan(2)
  await expect(page.getByText('What the figures mean')).toBeVisible()
  await expect(page.getByText(/^As of .* \(Reykjavik\)$/)).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`tour-performance-${dayAgo(22)}-${dayAgo(2)}.csv`)
  const [head = '', ...lines] = (await fs.readFile(await file.path(), 'utf8')).trim().split(/\r?\n/)
  expect(head.replace('\uFEFF', '')).toMatch(/^departure_code,tour,local_date,status,capacity,pax_carried/)
  expect(new Set(lines.map((line) => line.split(',')[1]))).toEqual(new Set(tours))
})

test('hours on duty are next to the hours that were planned, and in the file', async ({ page }) => {
  await page.goto(`/reports/staff-performance?${past}&compare=none`)
  await settled(page)
  const heads = await page.getByRole('region', { name: 'People' }).getByRole('columnheader').allTextContents()
  const at = heads.indexOf('Hours on duty')
  expect(heads[at - 1]).toBe('Hours planned')
  const shown = page.locator('dl').first().locator('div').filter({ hasText: 'Hours on duty' }).locator('dd').first()
  await expect(shown).toHaveText(/^[\d,]+ h$/)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const [head = '', ...lines] = (await fs.readFile(await (await download).path(), 'utf8')).trim().split(/\r?\n/)
  const column = head.split(',').indexOf('hours_on_duty')
  const hours = lines.reduce((total, line) => total + Number(line.split(',')[column]), 0)
  expect(hours).toBeGreaterThan(0)
  expect((await shown.textContent())?.replace(/\D/g, '')).toBe(String(Math.round(hours)))
})

test('a period is chosen with one press and is in the URL', async ({ page }) => {
  await page.goto(`/reports/staff-performance?${past}`)
  await settled(page)
  await page.getByRole('group', { name: 'Period' }).getByRole('button').first().click()
  await expect(page).toHaveURL(new RegExp(`from=${dayAgo(6)}&to=${dayAgo(0)}`))
  await page.getByLabel('Compare with').selectOption({ label: 'A year earlier' })
  await expect(page).toHaveURL(/compare=last_year/)
  await page.reload()
  await expect(page.getByLabel('From')).toHaveValue(written(dayAgo(6)))
  await expect(page.getByLabel('Compare with')).toHaveValue('last_year')
})

test('a date is typed in the order of the reader, moved with the arrow keys and chosen in the calendar', async ({
  page,
}) => {
  await page.goto('/reports/staff-performance?from=2026-03-05&to=2026-03-31')
  await settled(page)
  const from = page.getByLabel('From')
  // The browser is American, the reader's language British.
  await expect(from).toHaveValue('05/03/2026')
  await from.fill('1.2.26')
  await from.press('Tab')
  await expect(from).toHaveValue('01/02/2026')
  await expect(page).toHaveURL(/from=2026-02-01/)
  await from.fill('2026-02-28')
  await from.press('Enter')
  await expect(from).toHaveValue('28/02/2026')
  await from.press('Home')
  await from.press('ArrowUp')
  await expect(from).toHaveValue('01/03/2026')
  await expect(page).toHaveURL(/from=2026-03-01/)
  // An entry that is not a date stays to be corrected, with an example next to it.
  await from.fill('31/02/2026')
  await from.press('Tab')
  await expect(from).toHaveValue('31/02/2026')
  await expect(page.getByText(/^Write the date like \d\d\/\d\d\/\d{4}\.$/)).toBeVisible()
  await expectAccessible(page)

  await page.goto('/reports/staff-performance?from=2026-03-05&to=2026-03-31')
  await from.press('Alt+ArrowDown')
  const calendar = page.getByRole('dialog', { name: 'Open the calendar' })
  await expect(calendar.getByRole('button', { name: 'Thursday 5 March 2026' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('PageUp')
  await page.keyboard.press('ArrowDown')
  await expect(calendar.getByRole('button', { name: 'Thursday 12 February 2026' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(calendar).toHaveCount(0)
  await expect(from).toHaveValue('12/02/2026')
  await expect(page).toHaveURL(/from=2026-02-12/)
  // Days after the end of the period are not for choosing.
  await page.getByRole('button', { name: 'Open the calendar' }).first().click()
  await calendar.getByRole('button', { name: 'Next month' }).click()
  await calendar.getByRole('button', { name: 'Next month' }).click()
  await expect(calendar.getByRole('button', { name: 'Wednesday 1 April 2026' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.keyboard.press('Escape')
  await expect(calendar).toHaveCount(0)

  // A period that ends before it starts is not sent to the server: the field says what to do, and the previous report stays.
  const people = page.getByRole('region', { name: 'People', exact: true })
  await expect(people).toBeVisible()
  await from.fill('01/04/2026')
  await from.press('Tab')
  const to = page.getByLabel('To', { exact: true })
  await expect(to).toHaveAccessibleDescription('Ends before it starts. Choose 1 Apr 2026 or later.')
  await expect(page.getByRole('button', { name: 'Export CSV' })).toHaveAttribute('aria-disabled', 'true')
  await expect(people).toBeVisible()
  await to.fill('01/04/2026')
  await to.press('Tab')
  await expect(to).not.toHaveAttribute('aria-invalid', 'true')
  await settled(page)
})

test('who travels: parts of a whole as bars of the secondary color, in one to three columns, and the guests as a file', async ({
  page,
}) => {
  await page.goto(`/reports/traveler-insights?${past}`)
  await settled(page)
  const ages = page.getByRole('region', { name: 'Age', exact: true })
  const parts = await ages.getByRole('listitem').allInnerTexts()
  const shares = parts.map((text) => Number(/(\d+)%/.exec(text)?.[1]))
  expect(shares.length).toBeGreaterThan(1)
  expect(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100), 'but for rounding').toBeLessThan(shares.length)
  const bars = ages.getByRole('listitem').locator('[aria-hidden] > span')
  const drawn = await bars.evaluateAll((all) =>
    all.map((bar) => ({ color: getComputedStyle(bar).backgroundColor, width: bar.getBoundingClientRect().width })),
  )
  // #F77602
  expect(new Set(drawn.map(({ color }) => color))).toEqual(new Set(['rgb(247, 118, 2)']))
  expect(Math.max(...drawn.map(({ width }) => width))).toBeGreaterThan(100)

  // The figures of the specification, section 9: sm 600, xl 1920.
  const columns = () => ages.evaluate((card) => getComputedStyle(card.parentElement ?? card).gridTemplateColumns)
  for (const [width, count] of [
    [599, 1],
    [600, 2],
    [1919, 2],
    [1920, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(async () => (await columns()).split(' ').length, `${width} px`).toBe(count)
  }

  const countries = await page.getByRole('region', { name: 'Nationalities' }).getByRole('rowheader').allInnerTexts()
  expect(countries.length).toBeGreaterThan(2)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toBe(`traveler-insights-${dayAgo(22)}-${dayAgo(2)}.csv`)
})

test.describe('a guide', () => {
  test.use({ storageState: sessionFile('guide') })

  test('reads what the role may read, and exports nothing', async ({ page }) => {
    await page.goto(`/reports/tour-performance?${past}`)
    await settled(page)
    await expect(page.getByRole('button', { name: 'Export CSV' })).toHaveCount(0)
  })
})
