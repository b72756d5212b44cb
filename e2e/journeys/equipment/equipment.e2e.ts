import { getDeparture, listDepartures } from '@tour-ops/contract/departures/departures'
import { equipmentRecord } from '@tour-ops/contract/equipment/equipment'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, takeAnswers, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('admin') })

test('equipment is added, found, changed, archived and brought back, and the unsaved is asked about', async ({
  page,
}) => {
  const name = `Snowshoes ${Date.now()}`
  await page.goto('/equipment')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Add equipment' }).click()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').getByRole('button', { name: 'Kind' })).toBeVisible()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Kind').selectOption('Safety gear')
  await page.getByLabel('Quantity').fill('14')
  await page.getByRole('combobox', { name: 'Base' }).fill('kefla')
  await page.getByRole('option', { name: 'Keflavík airport' }).click()
  await page.getByRole('link', { name: 'Equipment' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save' }).click()

  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('Keflavík airport')
  await expect(row).toContainText('14')
  await row.click()
  await expect(page.getByRole('combobox', { name: 'Base' })).toHaveValue('Keflavík airport')
  await page.getByLabel('Quantity').fill('12')
  await page.getByLabel('Condition').selectOption('Worn')
  await page.keyboard.press('Control+s')
  await expect(row).toContainText('Worn')

  await page.getByRole('searchbox', { name: 'Search' }).fill('snowshoes')
  await row.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(row).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('12')
})

test.describe('somebody who may only read', () => {
  test.use({ storageState: sessionFile('guide') })

  test('sees the list without a way to change it', async ({ page }) => {
    await page.goto('/equipment')
    await expect(page.getByRole('row', { name: /Glacier helmets/ })).toContainText('24')
    await expect(page.getByRole('link', { name: 'Add equipment' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Actions for/ })).toHaveCount(0)
    await page.goto('/equipment/create')
    await expect(page.locator('[data-missing-permission="staff:manage"]')).toBeVisible()
  })
})

test('departures of the demo take along what they need', async () => {
  const api = await apiAs('dispatcher')
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const { rows } = await api.call(listDepartures, { filters: { from: day(1), to: day(7) }, size: 200 })
  const south = rows.find(({ tourCode }) => tourCode === 'SOUTH')
  const { equipment } = await api.call(getDeparture, { id: south?.id ?? '' })
  expect(equipment.map(({ name }) => name)).toEqual(expect.arrayContaining(['Glacier helmets', 'Ice cleats']))
})

test('equipment is issued to departures, never more than is available at a time, and is on the run sheet on screen and in print', async ({
  page,
  complaints,
}) => {
  const api = await apiAs('admin')
  const name = `Crampons ${Date.now()}`
  await api.call(equipmentRecord.create, { name, kind: 'safety', quantity: 10, sizes: 'S, M, L' })
  const tour = await makeTour(`Glacier ${Date.now()}`, api)
  const [one, other] = [await makeDeparture(tour, {}, api), await makeDeparture(tour, {}, api)]

  const issue = async (id: string, button: string, quantity: string) => {
    await page.goto(`/dashboard/overview?departure=${id}&tab=run-sheet`)
    await page.getByRole('button', { name: button }).click()
    await page.getByLabel(`Quantity of ${name}`).fill(quantity)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await issue(one.id, 'Issue equipment', '7')
  const section = page.getByRole('region', { name: 'Equipment' })
  await expect(section).toContainText(`7 × ${name}`)
  await issue(other.id, 'Issue equipment', '4')
  await expect(page.getByRole('alert')).toContainText(`${name}: only 3 left at that time.`)
  takeAnswers(complaints, 409)
  await expectAccessible(page)
  await page.getByLabel(`Quantity of ${name}`).fill('3')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(section).toContainText(`3 × ${name}`)

  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('.print-sheet')).toContainText(`Equipment: 3 × ${name}`)
  await page.emulateMedia({ media: null })
  await issue(one.id, 'Change equipment', '0')
  await expect(section).toContainText('No equipment issued.')
  await page.goto(`/dashboard/overview?day=${other.localDate}`)
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('.day-sheet')).toContainText(`3 × ${name}`)
})
