import { getDeparture } from '@tour-ops/contract/departures/departures'
import { apiAs } from '../../api.ts'
import { expect, sessionFile, settled, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager') })

test('a menu that is opened while a page arrives stays open, with the keyboard in it', async ({ page }) => {
  await page.goto('/dashboard/overview')
  await settled(page)
  const { promise, resolve } = Promise.withResolvers<void>()
  // The code of the next page waits.
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue()
  })
  await page.getByRole('link', { name: 'Staff performance' }).first().click()
  const account = page.getByRole('button', { name: /^Account/ })
  await account.click()
  const menu = page.getByRole('menu')
  await expect(menu).toBeVisible()
  resolve()
  await expect(page.getByRole('heading', { level: 1, name: 'Staff performance' })).toBeVisible()
  await settled(page)
  await expect(menu).toBeVisible()
  await expect(menu.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(account).toBeFocused()
})

test('without a menu the page that arrives has the keyboard', async ({ page }) => {
  await page.goto('/dashboard/overview')
  await settled(page)
  await page.getByRole('link', { name: 'Staff performance' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Staff performance' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('the keyboard goes back where it came from: dialogs, drawers, drawers over drawers, the palette', async ({
  page,
}) => {
  const tour = await makeTour(`Focus ${Date.now().toString(36)}`)
  const departure = await makeDeparture(tour)
  const booking = await book(departure.id, ['Amara Okafor'])
  const { code } = await (await apiAs('admin')).call(getDeparture, { id: departure.id })
  await page.goto(`/tours/all?show=departures&q=${code}`)
  const row = page.getByRole('row').filter({ hasText: tour.name })
  await row.getByRole('cell').nth(2).click()
  const drawer = page.getByRole('dialog', { name: new RegExp(tour.name) })
  await expect(drawer).toBeVisible()

  await drawer.getByRole('tab', { name: 'Crew & vehicle' }).click()
  const assign = drawer.getByRole('button', { name: 'Assign', exact: true })
  // Twice: its code comes with the first time.
  for (const time of ['first', 'second']) {
    await assign.click()
    const dialog = page.getByRole('dialog', { name: 'Assign crew' })
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(assign, `the ${time} time`).toBeFocused()
  }

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(assign).toBeFocused()

  await drawer.getByRole('tab', { name: /Bookings/ }).click()
  const link = drawer.getByRole('link', { name: 'Amara Okafor' }).first()
  await link.click()
  const over = page.getByRole('dialog', { name: new RegExp(booking.bookingRef) })
  await expect(over).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(over).toHaveCount(0)
  await expect(link).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(row).toBeFocused()
})

test('on a phone the menu of pages gives the keyboard back to its button', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard/overview')
  await settled(page)
  const open = page.getByRole('button', { name: 'Open menu' })
  await open.click()
  await expect(page.locator('#navigation')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
})
