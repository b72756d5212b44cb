import { getBooking, listBookings } from '@tour-ops/contract/bookings/bookings'
import { createTraveler, getTraveler } from '@tour-ops/contract/travelers/travelers'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

test('who calls and a known companion have seat, diet, mobility and note for this trip, and their profiles stay; the same when the booking is edited', async ({
  page,
}) => {
  const api = await apiAs('admin')
  const name = `Q${Math.random().toString(36).slice(2, 9)}`
  const departure = await makeDeparture(await makeTour(`Coast ${name}`), { hours: 57 })
  const [amara, bo] = await Promise.all(
    ['Amara', 'Bo'].map((firstName) =>
      api.call(createTraveler, { firstName, lastName: name, dietary: ['vegetarian'], mobility: 'cane' }),
    ),
  )
  await page.goto(`/travelers/book?bookOn=${departure.id}`)
  await page.getByRole('button', { name: 'Child: one more' }).click()
  await page.getByRole('combobox', { name: 'Who books' }).fill(`Amara ${name}`)
  await page.getByRole('option', { name: new RegExp(`^Amara ${name}`) }).click()
  await expect(page.getByLabel('Seat of guest 1')).toHaveValue('adult')
  await page.getByLabel('Diet of guest 1').selectOption({ label: 'Nut allergy' })
  await expect(page.getByText(`Amara ${name}: Nut allergy`)).toBeVisible()
  await page.getByLabel('Mobility of guest 1').selectOption({ label: 'Wheelchair' })
  await expect(page.getByText('Wheelchair: no vehicle is assigned yet')).toBeVisible()
  await page.getByLabel('Note on guest 1').fill('Broken leg')
  // a kind with an age asks for it
  await page.getByLabel('Seat of guest 1').selectOption({ label: 'Child' })
  await page.getByLabel('Age of guest 1').fill('40')
  await expect(page.getByText(`Amara ${name} is 40. Child: up to 11`)).toBeVisible()
  await page.getByLabel('Seat of guest 1').selectOption({ label: 'Adult' })
  await page.getByRole('button', { name: 'Adult: one more' }).click()
  await page.getByRole('button', { name: 'Child: one fewer' }).click()

  await page.getByRole('button', { name: 'Add a guest' }).click()
  await page.keyboard.type(`Bo ${name}`)
  await page.getByRole('option', { name: new RegExp(`^Bo ${name}`) }).click()
  await expect(page.getByLabel('Diet of guest 2')).toHaveValue('')
  await page.getByLabel('Diet of guest 2').selectOption({ label: 'Halal' })
  // needs that were said of one are not those of who is named instead
  const second = page.getByRole('combobox', { name: 'Name of guest 2' })
  await second.fill(`Otto ${name}`)
  await second.press('Enter')
  await expect(second).toHaveValue(`Otto ${name}`)
  await expect(page.getByLabel('Diet of guest 2')).toHaveValue('')
  await second.fill(`Bo ${name}`)
  await page.getByRole('option', { name: new RegExp(`^Bo ${name}`) }).click()
  await page.getByLabel('Diet of guest 2').selectOption({ label: 'Vegan' })
  await expectAccessible(page)
  for (const [width, colorScheme] of [
    [1440, 'dark'],
    [390, 'dark'],
    [390, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Hold 2 seats' }).first().click()
  await expect(page.getByText(/2 seats held until/)).toBeVisible()

  const { rows } = await api.call(listBookings, { filters: { departureId: [departure.id] } })
  const booking = () => api.call(getBooking, { id: rows[0]?.id ?? '' })
  expect((await booking()).guests).toMatchObject([
    { travelerId: amara?.id, tripDietary: 'nut_allergy', tripMobility: 'wheelchair', note: 'Broken leg' },
    { travelerId: bo?.id, tripDietary: 'vegan', tripMobility: null },
  ])
  expect(await api.call(getTraveler, { id: amara?.id ?? '' })).toMatchObject({
    dietary: ['vegetarian'],
    mobility: 'cane',
  })

  await page.goto(`/travelers/book?edit=${rows[0]?.id}`)
  await expect(page.getByLabel('Mobility of guest 1')).toHaveValue('wheelchair')
  await page.getByLabel('Mobility of guest 1').selectOption({ label: 'As in the profile' })
  await page.getByLabel('Diet of guest 2').selectOption({ label: 'Halal' })
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByText(`${rows[0]?.bookingRef} saved`)).toBeVisible()
  expect((await booking()).guests).toMatchObject([
    { tripDietary: 'nut_allergy', tripMobility: null, mobility: 'cane', note: 'Broken leg' },
    { tripDietary: 'halal' },
  ])
})
