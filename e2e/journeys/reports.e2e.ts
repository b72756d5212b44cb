import fs from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, sessionFile, settled, test } from '../fixtures.ts'

test.use({ storageState: sessionFile('operations_manager') })

const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
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

test('a period is chosen with one press and stands in the address', async ({ page }) => {
  await page.goto(`/reports/staff-performance?${past}`)
  await settled(page)
  await page.getByRole('group', { name: 'Period' }).getByRole('button').first().click()
  await expect(page).toHaveURL(new RegExp(`from=${dayAgo(6)}&to=${dayAgo(0)}`))
  await page.getByLabel('Compare with').selectOption({ label: 'A year earlier' })
  await expect(page).toHaveURL(/compare=last_year/)
  await page.reload()
  await expect(page.getByLabel('From')).toHaveValue(dayAgo(6))
  await expect(page.getByLabel('Compare with')).toHaveValue('last_year')
})

test.describe('a guide', () => {
  test.use({ storageState: sessionFile('guide') })

  test('reads what the role may read, and exports nothing', async ({ page }) => {
    await page.goto(`/reports/tour-performance?${past}`)
    await settled(page)
    await expect(page.getByRole('button', { name: 'Export CSV' })).toHaveCount(0)
  })
})
