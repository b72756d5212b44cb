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
  await page.getByRole('spinbutton', { name: /^Seats/ }).fill('9')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Another vehicle has this number plate.').first()).toBeVisible()
  takeAnswers(complaints, 400)
  await page.getByLabel('Number plate').fill(plate)
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('searchbox', { name: 'Search' }).fill(plate)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('Not recorded')
  await row.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await page.getByRole('link', { name: 'Edit vehicle' }).click()
  await page.getByRole('spinbutton', { name: /^Seats/ }).fill('12')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('12 seats')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Vehicles' }).click()
  await page.getByRole('searchbox', { name: 'Search' }).fill(plate)

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

/** Noon of a civil date, moved by days. */
const noonOf = (date: string, days = 0): Date => new Date(Date.parse(`${date}T12:00:00Z`) + days * 86_400_000)
const inWords = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
const typed = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeZone: 'UTC' })

test('a vehicle’s calendar shows its departures; maintenance is entered, changed and taken away, and what blocks it is named', async ({
  page,
  complaints,
}) => {
  const api = await apiAs('admin')
  const label = `Van ${Date.now()}`
  const { id } = await api.call(vehicleRecord.create, { label, plate: label, class: 'van', seats: 8 })
  const departure = await makeDeparture(await makeTour(`Calendar ${Date.now()}`, api), { hours: 480 }, api)
  await api.call(assignVehicle, { departureId: departure.id, vehicleId: id, driverStaffId: null })
  const { localDate } = departure

  await page.goto(`/vehicles/details/${id}?month=${localDate.slice(0, 7)}`)
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
  await expectAccessible(page)
  const day = inWords.format(noonOf(localDate)).replaceAll(',', '')
  await page.getByRole('button', { name: `Add entry on ${day}` }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'From Time' }).fill('')
  await dialog.getByLabel('Note').focus()
  await expect(dialog.getByRole('alert')).toHaveText('Enter a date and a time, or neither.')
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'From Time' }).fill('00:00')
  await expect(dialog.getByRole('alert')).toBeHidden()
  await dialog.getByRole('textbox', { name: 'To Time' }).fill('23:30')
  await dialog.getByLabel('Note').fill('Brakes')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText(`${label} is already on ${departure.code} at that time.`)
  takeAnswers(complaints, 409)

  const other = typed.format(noonOf(localDate, Number(localDate.slice(8)) > 15 ? -2 : 2))
  await dialog.getByRole('textbox', { name: 'From', exact: true }).fill(other)
  await dialog.getByRole('textbox', { name: 'To', exact: true }).fill(other)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const entry = page.getByRole('listitem').filter({ hasText: 'Brakes' })
  await expect(entry).toContainText('Maintenance')

  await entry.getByRole('button', { name: 'Change' }).click()
  await dialog.getByLabel('Kind').selectOption('On hire')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(entry).toContainText('On hire')
  await page.locator('.toast', { hasText: 'Entry changed.' }).getByRole('button', { name: 'Undo' }).click()
  await expect(entry).toContainText('Maintenance')

  await entry.getByRole('button', { name: 'Change' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(entry).toHaveCount(0)
  await page.locator('.toast', { hasText: 'Entry removed.' }).getByRole('button', { name: 'Undo' }).click()
  await expect(entry).toContainText('Maintenance')
  await expectAccessible(page)
  await api.call(vehicleRecord.archive, { id, version: 1, archived: true })
})

test.describe('somebody who may only read', () => {
  test.use({ storageState: sessionFile('viewer') })

  test('sees the vehicles without a way to change them', async ({ page }) => {
    await page.goto('/vehicles')
    await expect(page.getByRole('row', { name: /Coach 1/ })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Add vehicle' })).toHaveCount(0)
    await page.getByRole('row', { name: /Coach 1/ }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Coach 1')
    await expect(page.getByRole('table')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add entry' })).toHaveCount(0)
    await page.goto('/vehicles/create')
    await expect(page.locator('[data-missing-permission="staff:manage"]')).toBeVisible()
  })
})
