import { redeemPairing } from '@tour-ops/contract/tracking/devices'
import { assignVehicle, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { apiAs, origin } from '../../api.ts'
import { expect, expectAccessible, expectScreen, sessionFile, test } from '../../fixtures.ts'
import { giveLead, makeDeparture, makeTour } from '../../operations.ts'
import { addPerson, ownWord } from '../../staff.ts'
import { addDeviceOnCard, closePaired, deviceCard, revokeOnCard } from '../../tracker-steps.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('a phone is paired with the code of the office, sends a position, and is revoked', async ({ page, browser }) => {
  const name = ownWord()
  await page.goto(`/field-staff/details/${await addPerson(name)}`)
  await expectScreen(page, `Siri ${name}`)
  const duty = page.getByRole('region', { name: 'Duty' })
  await duty.getByRole('button', { name: 'Begin duty' }).click()
  await expect(duty.getByText('Has not agreed to share the position', { exact: false })).toBeVisible()
  await duty.getByRole('button', { name: 'End duty' }).click()
  await expect(duty.getByText('Ended by the office')).toBeVisible()

  const card = deviceCard(page)
  const { code, dialog } = await addDeviceOnCard(page, 'Pixel 9')
  await expect(dialog.getByRole('img', { name: 'QR code for pairing' })).toBeVisible()
  expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/)
  await expectAccessible(page)

  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const phone = await context.newPage()
  await phone.goto(`/pair#${code}`)
  await expect(phone.getByRole('textbox', { name: 'Pairing code' })).toHaveValue(code)
  await expectAccessible(phone)
  await phone.getByRole('button', { name: 'Pair this phone' }).click()
  await expect(phone.getByRole('heading', { name: 'This phone is paired' })).toBeVisible()
  const address = await phone.getByRole('textbox', { name: 'URL for the app' }).inputValue()
  await expectAccessible(phone)
  await closePaired(dialog)
  await expect(card.getByText('Paired, no signal yet')).toBeVisible()

  const send = () => phone.request.get(`${address}?lat=64.1375&lon=-21.935&batt=81`)
  expect((await send()).status()).toBe(200)
  await page.reload()
  await expect(card.getByText(/Last signal .* battery 81%/)).toBeVisible()

  await revokeOnCard(page)
  expect((await send()).status()).toBe(400)
  await context.close()
})

test('a tracker is paired on the page of its vehicle, which is on duty with its departure', async ({ page }) => {
  const api = await apiAs('admin')
  const label = `T${Date.now()}`
  const { id } = await api.call(vehicleRecord.create, { label, plate: label, class: 'van', seats: 19 })
  await page.goto(`/vehicles/details/${id}`)
  const duty = page.getByRole('region', { name: 'Duty' })
  await expect(duty.getByText('A vehicle is on duty with its departure', { exact: false })).toBeVisible()
  await expect(duty.getByRole('button')).toHaveCount(0)
  const { code, dialog } = await addDeviceOnCard(page, 'Teltonika')
  const redeemed = await page.request.post(`${origin}/api/${redeemPairing.name}`, { data: { data: { code } } })
  expect(redeemed.ok()).toBe(true)
  await closePaired(dialog)
  await expect(deviceCard(page).getByText('Teltonika')).toBeVisible()
  await expectAccessible(page)

  const departure = await makeDeparture(await makeTour(`Ride ${Date.now()}`, api), {}, api)
  await api.call(assignVehicle, { departureId: departure.id, vehicleId: id, driverStaffId: null })
  await giveLead(api, departure.id)
  const { version } = await api.call(getDeparture, { id: departure.id })
  await api.call(setDepartureStatus, { id: departure.id, version, to: 'boarding' })
  await expect(duty.getByText('Its driver has not agreed to share the position', { exact: false })).toBeVisible()
  await duty.getByRole('button', { name: 'End duty' }).click()
  await expect(duty.getByText('Ended by the office')).toBeVisible()
})
