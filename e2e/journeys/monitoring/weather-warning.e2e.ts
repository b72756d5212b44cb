import { apiAs } from '../../api.ts'
import { listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

test('a weather warning is an alert of its departures until it is ended', async ({ page }) => {
  const tour = await makeTour(`Glacier ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour, { hours: 3 })
  const title = `Storm over ${tour.name}`
  await page.goto('/tools/monitoring')
  await page.getByRole('button', { name: 'Weather warnings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Weather warnings' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'State a weather warning' }).click()
  const form = page.getByRole('dialog', { name: 'State a weather warning' })
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('What it means for guests and crew').fill('Gusts of 30 m/s. Stay away from the edge.')
  await form.getByLabel('Severity').selectOption({ label: 'Critical' })
  await form.getByLabel('Where').selectOption({ label: 'Tours' })
  await form.getByRole('checkbox', { name: new RegExp(tour.name) }).check()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'State a weather warning' }).click()

  const stated = dialog.getByRole('listitem').filter({ hasText: title })
  await expect(stated).toContainText('1 departure affected')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: title, exact: true }).click()
  await expect(page.getByText('Gusts of 30 m/s. Stay away from the edge.').first()).toBeVisible()

  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  const drawer = page.getByRole('dialog', { name: new RegExp(departure.code) })
  await expect(drawer.getByRole('region', { name: 'Weather warning' })).toContainText(title)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/tools/monitoring')
  await page.getByRole('button', { name: 'Weather warnings' }).click()
  await expectAccessible(page)
  await stated.getByRole('button', { name: 'End' }).click()
  await expect(stated).toHaveCount(0)
  const office = await apiAs('dispatcher')
  await expect(async () => {
    const { rows } = await office.call(listAlerts, {
      filters: { departureId: [departure.id], kind: ['weather_warning'] },
    })
    expect(rows.map(({ status }) => status)).toEqual(['resolved'])
  }).toPass({ timeout: 15_000 })
})
