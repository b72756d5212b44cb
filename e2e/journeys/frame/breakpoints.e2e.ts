import type { Locator, Page } from '@playwright/test'
import { expect, sessionFile, settled, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

// Figures of the specification, section 9, measured on the screens: written here once more, so that style sheets cannot change with them.

test.use({ storageState: sessionFile('admin'), contextOptions: { reducedMotion: 'reduce' } })

const sm = 600
const md = 960
const lg = 1280

const atWidth = (page: Page, width: number): Promise<void> => page.setViewportSize({ width, height: 900 })

/** Where an element begins and how wide it is, whole pixels. */
async function spanOf(element: Locator): Promise<[left: number, width: number]> {
  const { x, width } = (await element.boundingBox()) ?? { x: Number.NaN, width: Number.NaN }
  return [Math.round(x), Math.round(width)]
}

test('from 1280 on the navigation is a drawer of 280 next to the page and rows are a table; below that the drawer is hidden and rows are cards', async ({
  page,
}) => {
  const drawer = page.locator('#navigation')
  await atWidth(page, lg)
  await page.goto('/field-staff/list')
  await settled(page)
  expect(await spanOf(drawer)).toEqual([0, 280])
  expect((await spanOf(page.getByRole('heading', { level: 1 })))[0]).toBeGreaterThan(280)
  await expect(page.getByRole('table')).toBeVisible()

  await atWidth(page, lg - 1)
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('list').getByRole('listitem').first()).toBeVisible()
  expect((await spanOf(page.getByRole('heading', { level: 1 })))[0]).toBeLessThan(280)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(drawer).toBeVisible()
  expect(await spanOf(drawer), 'over the page').toEqual([0, 280])
})

test('a dialog is 500 wide where there is room, and as wide as the window below 600', async ({ page }) => {
  await atWidth(page, lg)
  await page.goto('/settings/tour')
  await settled(page)
  await page.getByRole('button', { name: 'Reset to defaults…' }).click()
  const dialog = page.getByRole('dialog')
  for (const [width, span] of [
    [lg, [390, 500]],
    [sm, [50, 500]],
    [sm - 1, [0, sm - 1]],
  ] as const) {
    await atWidth(page, width)
    await expect.poll(() => spanOf(dialog), `${width} px`).toEqual(span)
  }
})

test('a departure is a separate page below 960, a sheet of 600 from there, and of 688 from 1280 on', async ({
  page,
}) => {
  await atWidth(page, lg)
  await page.goto('/dashboard/overview')
  await page.locator('main table tbody tr').first().click()
  const drawer = page.locator('.drawer')
  for (const [width, span] of [
    [lg, [lg - 688, 688]],
    [lg - 1, [lg - 1 - 600, 600]],
    [md, [md - 600, 600]],
    [md - 1, [0, md - 1]],
  ] as const) {
    await atWidth(page, width)
    await expect.poll(() => spanOf(drawer), `${width} px`).toEqual(span)
  }
})

test('what sends a form is at the end of its row on a phone, also where the reason why it cannot takes a row of its own', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const departure = await makeDeparture(await makeTour('Rows at their ends'), { hours: 30 })
  await page.goto(`/travelers/book?bookOn=${departure.id}`)
  const footer = page.locator('.form-footer')
  await expect(footer).toContainText('Say who books first.')
  const send = footer.getByRole('button', { name: /^Hold/ })
  await expect
    .poll(() => send.evaluate((button) => innerWidth - button.getBoundingClientRect().right))
    .toBeCloseTo(16, 0)
})
