import { assignVehicle, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, takeAnswers, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('admin') })

test('a vehicle is added, changed, shows its next departure, and is archived', async ({ page, complaints }) => {
  const api = await apiAs('admin')
  const plate = `V ${Date.now()}`
  const taken = await api.call(vehicleRecord.create, {
    label: 'Other van',
    plate: `${plate} T`,
    class: 'van',
    seats: 8,
  })
  const name = `Shuttle ${plate}`
  await page.goto('/vehicles')
  await page.getByRole('link', { name: 'Add vehicle' }).click()
  await expectAccessible(page)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Number plate').fill(`${plate} T`)
  await page.getByLabel('Class').selectOption('Van')
  await page.getByLabel('Seats').fill('9')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Another vehicle has this number plate.').first()).toBeVisible()
  takeAnswers(complaints, 400)
  await page.getByLabel('Number plate').fill(plate)
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('searchbox', { name: 'Search' }).fill(plate)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('Not recorded')
  await row.click()
  await page.getByLabel('Seats').fill('12')
  await page.keyboard.press('Control+s')
  await expect(row).toContainText('12')

  const { rows } = await api.call(vehicleRecord.list, { q: name })
  const departure = await makeDeparture(await makeTour(`Fleet ${Date.now()}`, api), {}, api)
  await api.call(assignVehicle, { departureId: departure.id, vehicleId: rows[0]?.id ?? '', driverStaffId: null })
  await row.getByRole('link', { name: new RegExp(departure.code) }).click()
  await expect(page.getByRole('dialog')).toContainText(departure.code)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()

  await row.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(row).toBeHidden()
  await api.call(vehicleRecord.archive, { id: taken.id, version: 1, archived: true })
})

test.describe('somebody who may only read', () => {
  test.use({ storageState: sessionFile('viewer') })

  test('sees the vehicles without a way to change them', async ({ page }) => {
    await page.goto('/vehicles')
    await expect(page.getByRole('row', { name: /Coach 1/ })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Add vehicle' })).toHaveCount(0)
    await page.goto('/vehicles/create')
    await expect(page.locator('[data-missing-permission="staff:manage"]')).toBeVisible()
  })
})
