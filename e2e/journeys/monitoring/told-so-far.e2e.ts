import { reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

test('the incident room says which guests have been written to, and whom to call', async ({ page }) => {
  const tour = await makeTour(`Coast ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour, { hours: 20 })
  await book(departure.id, ['Ana Pires', 'Rui Pires'], {
    contact: { name: 'Ana Pires', email: 'ana.pires@example.org' },
    tellGuest: false,
  })
  await book(departure.id, ['Tom Reed'], { contact: { name: 'Tom Reed', phone: '+44 7700 900345' }, tellGuest: false })
  const office = await apiAs('dispatcher')
  const incident = await office.call(reportIncident, {
    category: 'weather',
    severity: 2,
    title: `Storm over ${tour.name}`,
    departureId: departure.id,
  })
  await page.goto(`/tools/monitoring?incident=${incident.id}`)
  const room = page.getByRole('dialog', { name: new RegExp(incident.number) })
  const told = room.getByRole('region', { name: 'Told so far' })
  await expect(told).toContainText('0 of 3 guests')
  await expect(told.getByRole('listitem').filter({ hasText: 'Ana Pires' })).toContainText('Not written to')
  await expect(told.getByRole('link', { name: '+447700900345' })).toBeVisible()
  await expectAccessible(page)

  await told.getByRole('button', { name: 'Message guests' }).click()
  const dialog = page.getByRole('dialog', { name: 'Message guests' })
  await dialog.getByLabel('Begin with').selectOption({ label: 'Bad weather' })
  await dialog.getByRole('button', { name: 'Send 1 e-mail' }).click()
  await expect(told).toContainText(`The weather on your tour: ${tour.name}`)
  await expect(told).toContainText('2 are waiting')
  // by itself, once it can no longer be taken back
  await expect(told).toContainText('2 of 3 guests', { timeout: 40_000 })
  await expect(told.getByRole('listitem').filter({ hasText: 'Ana Pires' })).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)

  await told.getByRole('link', { name: 'Tom Reed' }).click()
  const booking = page.getByRole('dialog', { name: /^Booking / })
  await expect(booking).toContainText('Tom Reed')
  await booking.getByRole('button', { name: 'Close' }).click()
  await room.getByRole('link', { name: tour.name }).click()
  const drawer = page.getByRole('dialog', { name: new RegExp(departure.code) })
  await expect(drawer).toBeVisible()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await expect(told).toBeVisible()
})
