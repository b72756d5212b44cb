import { expect, expectAccessible, expectScreen, sessionFile, settled, test } from '../../fixtures.ts'
import { daysAhead, ownTour } from '../../own-tour.ts'

test.describe('selling', () => {
  test.use({ storageState: sessionFile('dispatcher') })

  test('sales of several departures are paused at once, and exactly the filtered rows are exported', async ({
    page,
  }) => {
    const { id, code } = await ownTour({ departures: 3 })
    await page.goto(`/tours/all?show=departures&f.tourId=${id}`)
    const rows = page.getByRole('row').filter({ hasText: code })
    await expect(rows).toHaveCount(3)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'Pause sales' }).click()
    await expect(page.getByText('Sales of 3 departures are stopped')).toBeVisible()
    await expect(rows.filter({ hasText: 'Paused' })).toHaveCount(3)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const file = await (await download).createReadStream()
    const text = (await file.toArray()).join('')
    expect(text.split(code).length - 1).toBeGreaterThanOrEqual(3)
    expect(text.trim().split('\n')).toHaveLength(4)
  })

  test('the calendar leads from month to week to the drawer', async ({ page }) => {
    const { id, name } = await ownTour({ departures: 1 })
    const day = daysAhead(2)
    await page.goto(`/tours/all?show=departures&as=month&on=${day}&f.tourId=${id}`)
    const entry = page.getByRole('link', { name: `09:30 ${name}` })
    await expect(entry).toBeVisible()
    await expectAccessible(page)
    await entry.click()
    await expect(page.getByRole('dialog')).toContainText(name)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Week' }).click()
    await expect(page).toHaveURL(/as=week/)
    await expect(page.getByRole('link', { name: new RegExp(name) })).toBeVisible()
  })

  test('without tours:manage a tour can be read and not changed', async ({ page }) => {
    const { id, name } = await ownTour()
    await page.goto('/tours/all')
    await settled(page)
    await expect(page.getByRole('link', { name: 'New tour' })).toHaveCount(0)
    await page.goto(`/tours/edit/${id}`)
    await expectScreen(page, name)
    await expect(page.getByLabel('Name (required)')).toBeDisabled()
    await expect(page.getByRole('button', { name: /Publish|Save/ })).toHaveCount(0)
    await page.getByRole('tab', { name: 'Itinerary' }).click()
    await expect(page.getByRole('region', { name: 'Stops' })).toContainText('Falls')
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  })

  test('on a phone catalogue, departures and itinerary fit', async ({ page }) => {
    const { id, code } = await ownTour({ departures: 1 })
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of [
      `/tours/all?q=${code}`,
      `/tours/all?show=departures&f.tourId=${id}`,
      `/tours/all?show=departures&as=week&f.tourId=${id}`,
      `/tours/edit/${id}?show=itinerary`,
    ]) {
      await page.goto(path)
      await settled(page)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, path).toBeLessThanOrEqual(0)
      await expectAccessible(page)
    }
  })
})
