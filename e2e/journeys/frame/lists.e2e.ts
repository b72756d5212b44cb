import { locales } from '@tour-ops/contract/locales'
import { apiAs } from '../../api.ts'
import { cutTexts } from '../../cut-texts.ts'
import { expect, goWithin, sessionFile, settled, test } from '../../fixtures.ts'
import { giveLead, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('admin'), contextOptions: { reducedMotion: 'reduce' } })

/** One after the other, each at another address than the one before. */
const lists = [
  '/tours/all',
  '/travelers/list',
  '/tours/all?show=departures',
  '/tools/full-monitoring-list',
  '/tools/monitoring',
  '/field-staff/list',
  '/tools/shared-links',
  '/tools/notifications',
  '/dashboard/overview',
  '/user-management/list',
  '/field-staff/tracking?f.state=off_duty',
  '/reports/tour-performance',
  '/reports/staff-performance',
  '/reports/traveler-insights',
  '/reports/feedback',
  '/tools/monitoring?show=incidents',
]

let bookingForm: string
test.beforeAll(async () => {
  const tour = await makeTour('Prices and times', undefined, { timeZone: 'Asia/Kathmandu' })
  const departure = await makeDeparture(tour, { hours: 30 })
  // the monitoring list has it, with a guide whose name is as long as most
  await giveLead(await apiAs('admin'), (await makeDeparture(tour, { hours: 3 })).id)
  bookingForm = `/travelers/book?bookOn=${departure.id}`
})

for (const [place, width] of [
  ['a desk', 1440],
  ['a phone', 390],
] as const) {
  for (const locale of locales) {
    test(`no price and no time is cut in the lists on ${place}, ${locale}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.addInitScript((chosen) => localStorage.setItem('PARAGLIDE_LOCALE', chosen), locale)
      await page.goto('/')
      await settled(page)
      for (const list of [...lists, bookingForm]) {
        await goWithin(page, list)
        expect.soft(await cutTexts(page), list).toEqual([])
      }
    })
  }
}

test('the month says which day it is of a tour of several days', async ({ page }) => {
  await page.goto('/tours/all?show=departures&as=month')
  await settled(page)
  await expect(page.getByRole('link', { name: /^Day \d+ Annapurna Circuit/ }).first()).toBeVisible()
})

test.describe('somebody who may select nothing', () => {
  test.use({ storageState: sessionFile('guide') })

  test('sees the first column at the edge, and no column over another', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/travelers/list')
    await settled(page)
    const heads = await page.getByRole('columnheader').evaluateAll((cells) =>
      cells.map((cell) => {
        const { left, right } = cell.getBoundingClientRect()
        return { name: cell.textContent, left, right, edge: cell.closest('table')?.getBoundingClientRect().left ?? 0 }
      }),
    )
    expect(heads[0]?.left).toBeCloseTo(heads[0]?.edge ?? -1, 0)
    const covered = heads.filter((head, index) => head.left < (heads[index - 1]?.right ?? 0) - 1)
    expect(covered.map(({ name }) => name)).toEqual([])
  })
})
