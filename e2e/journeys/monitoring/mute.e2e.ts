import { monitoringBoard } from '@tour-ops/contract/monitoring/alerts'
import { noteDeparture, getDeparture } from '@tour-ops/contract/departures/departures'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, expectScreen, sessionFile, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('a rule is muted for a departure with a reason, keeps quiet though the departure changes, and is heard again', async ({
  page,
}, info) => {
  const api = await apiAs('dispatcher')
  const tour = await makeTour(`Quiet watch ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour, { hours: 5 })
  await page.goto('/tools/monitoring')
  await expectScreen(page, 'Monitoring')
  const card = page.locator('[data-alert]').filter({ hasText: tour.name }).filter({ hasText: 'No lead guide' })
  const fresh = page.getByRole('region', { name: /^New/ }).locator(card)
  await expect(fresh).toBeVisible({ timeout: 120_000 })
  await card.getByRole('button', { name: /^No lead guide/ }).press('Enter')
  const panel = page.getByRole('dialog', { name: /^No lead guide/ })
  await panel.getByRole('button', { name: 'Mute for this departure' }).click()

  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog', { name: /^Mute/ }))
  const confirm = dialog.getByRole('button', { name: 'Mute', exact: true })
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByText('As long as the departure lasts').click()
  await dialog.getByLabel('Reason').fill('The client brings a guide')
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('mute-1440.png') })
  await confirm.click()
  await expect(page.getByText('Muted', { exact: true })).toBeVisible()
  await expect(page.getByText(/muted by .*: The client brings a guide/).first()).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(fresh).toHaveCount(0)

  // another look at the departure opens nothing
  const { version } = await api.call(getDeparture, { id: departure.id })
  await api.call(noteDeparture, { id: departure.id, version, weatherNote: 'Rain', internalNote: null })
  await page.getByText(/muted for a departure/).click()
  const muted = page
    .getByRole('listitem')
    .filter({ hasText: tour.name })
    .filter({ has: page.getByText('as long as the departure lasts') })
  await expect(muted).toContainText('The client brings a guide')
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('muted-1440.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(muted).toBeVisible()
  await page.screenshot({ path: info.outputPath('muted-390-dark.png') })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
  const board = await api.call(monitoringBoard, {})
  expect(board.alerts.filter((alert) => alert.departure?.id === departure.id && alert.status !== 'resolved')).toEqual(
    [],
  )

  await muted.getByRole('button', { name: 'Unmute' }).click()
  await expect(page.getByText('No longer muted')).toBeVisible()
  await expect(muted).toHaveCount(0)
  await expect(fresh).toBeVisible({ timeout: 120_000 })
})
