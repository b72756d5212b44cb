import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { apiAs } from '../../api.ts'
import { expect, sessionFile, settled, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

const ownWord = (): string => `Q${Math.random().toString(36).slice(2, 9)}`

test('the palette finds a booking by who travels along, and by its bare reference', async ({ page }) => {
  const name = ownWord()
  const departure = await makeDeparture(await makeTour(`Tour ${name}`))
  const booking = await book(departure.id, ['Amara Okafor', `Zoltan ${name}`])
  await page.goto('/dashboard/overview')
  await settled(page)
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search' })
  await search.fill(name)
  const hit = page
    .getByRole('group', { name: 'Bookings' })
    .getByRole('option', { name: new RegExp(booking.bookingRef) })
  await expect(hit).toBeVisible()
  await search.fill(booking.bookingRef.replace('-', '').toLowerCase())
  // The departure has the word in its name; the reference belongs to the booking alone.
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(hit).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByText(booking.bookingRef).first()).toBeVisible()
})

test('a booking of a cancelled departure says so', async ({ page }) => {
  const name = ownWord()
  const departure = await makeDeparture(await makeTour(`Tour ${name}`), { hours: 5 })
  await book(departure.id, [`Amara ${name}`])
  const api = await apiAs('admin')
  const { id, version } = await api.call(getDeparture, { id: departure.id })
  await api.call(setDepartureStatus, { id, version, to: 'cancelled', cancelReason: 'weather' })
  await page.goto('/dashboard/overview')
  await settled(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill(name)
  await expect(page.getByRole('group', { name: 'Bookings' }).getByRole('option')).toContainText('Cancelled')
})

test('a departure of another zone is found with its zone next to the time', async ({ page }) => {
  const name = ownWord()
  const departure = await makeDeparture(await makeTour(`Tour ${name}`, undefined, { timeZone: 'Asia/Kathmandu' }), {
    hours: 30,
  })
  await book(departure.id, [`Amara ${name}`])
  await page.goto('/dashboard/overview')
  await settled(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill(name)
  for (const group of ['Departures', 'Bookings']) {
    await expect(page.getByRole('group', { name: group }).getByRole('option')).toContainText(/\d\d:\d\d Kathmandu/)
  }
})

test('a guide is assigned from the palette: the command, the departure, and the question open at once', async ({
  page,
}) => {
  const name = ownWord()
  const tour = await makeTour(`Tour ${name}`)
  const api = await apiAs('admin')
  const past = await makeDeparture(tour, { hours: 3 })
  const coming = await makeDeparture(tour, { hours: 30 })
  await api.call(setDepartureStatus, { id: past.id, version: past.version, to: 'cancelled', cancelReason: 'weather' })
  await page.goto('/dashboard/overview')
  await settled(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill(`assign guide to ${name}`)
  const group = page.getByRole('group', { name: 'Assign guide to' })
  await expect(group.getByRole('option')).toHaveCount(1)
  await expect(group.getByRole('option')).toContainText(coming.code)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Assign crew' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('tab', { name: 'Crew & vehicle' })).toHaveAttribute('aria-selected', 'true')
})
