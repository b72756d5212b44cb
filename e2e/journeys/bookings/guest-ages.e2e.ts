import { listBookings } from '@tour-ops/contract/bookings/bookings'
import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import type { Page } from '@playwright/test'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const ownWord = (): string => `Q${Math.random().toString(36).slice(2, 9)}`

/** A departure on which children pay less, another one the day after, and a guest who is nine and a half by then. */
async function prepare() {
  const api = await apiAs('admin')
  const name = ownWord()
  const tour = await makeTour(`Coast ${name}`)
  const departure = await makeDeparture(tour, { hours: 56 })
  await makeDeparture(tour, { hours: 80 })
  const born = new Date(Date.parse(departure.startsAt) - 9.5 * 365.25 * 86_400_000).toISOString().slice(0, 10)
  await api.call(createTraveler, { firstName: 'Ben', lastName: name, dateOfBirth: born })
  return { api, name, departure }
}

async function addBen(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a guest' }).click()
  await page.keyboard.type(`Ben ${name}`)
  await page.getByRole('option', { name: `Ben ${name}`, exact: true }).click()
}

async function bookAs(page: Page, caller: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Who books' }).fill(caller)
  await page.getByRole('option', { name: `New guest: ${caller}` }).click()
}

test.describe('who sees birth dates', () => {
  test.use({ storageState: sessionFile('operations_manager') })

  test('finds the age of a known guest filled in, may type another one, and finds it again on editing', async ({
    page,
  }) => {
    const { api, name, departure } = await prepare()
    await page.goto(`/travelers/book?bookOn=${departure.id}`)
    await page.getByRole('button', { name: 'Child: one more' }).click()
    await bookAs(page, `Amara ${name}`)
    await addBen(page, name)
    const age = page.getByLabel('Age of guest 2')
    await expect(age).toHaveValue('9')
    await expect(page.getByLabel('Seat of guest 2')).toHaveValue('child')
    await expect(page.getByText('Ages fit the prices')).toBeVisible()
    await expectAccessible(page)

    await age.fill('12')
    await expect(page.getByText(`Ben ${name} is 12. Child: up to 11`)).toBeVisible()
    await expect(page.getByText('Ages fit the prices')).toBeHidden()
    await age.fill('')
    await expect(page.getByText('Age of 1 guest not known')).toBeVisible()
    await age.fill('10')
    await expect(page.getByText('Ages fit the prices')).toBeVisible()
    await page.getByRole('button', { name: 'Hold 2 seats' }).first().click()
    await expect(page.getByText(/2 seats held until/)).toBeVisible()

    const { rows } = await api.call(listBookings, { filters: { departureId: [departure.id] } })
    await page.goto(`/travelers/book?edit=${rows[0]?.id}`)
    await expect(page.getByLabel('Age of guest 2')).toHaveValue('10')
    await expect(page.getByText('Ages fit the prices')).toBeVisible()
    const days = page.getByRole('group', { name: 'Day and seats left' })
    await days.getByRole('button', { pressed: false, disabled: false }).click()
    // what was typed was said for its day; on another one the date of birth counts
    await expect(page.getByLabel('Age of guest 2')).toHaveValue('9')
    await expect(page.getByText('Ages fit the prices')).toBeVisible()
  })
})

test.describe('who sees birth dates only near a tour', () => {
  test.use({ storageState: sessionFile('dispatcher') })

  test('learns that ages fit, without the age, and takes the seat of a child with one press', async ({ page }) => {
    const { name, departure } = await prepare()
    await page.goto(`/travelers/book?bookOn=${departure.id}&seats=2`)
    await bookAs(page, `Amara ${name}`)
    await addBen(page, name)
    await expect(page.getByText(`The age of Ben ${name} fits Child: up to 11`)).toBeVisible()
    await page.getByRole('button', { name: 'Change to Child' }).click()
    await expect(page.getByLabel('Seat of guest 2')).toHaveValue('child')
    await expect(page.getByLabel('Age of guest 2')).toHaveValue('')
    await expect(page.getByLabel('Age of guest 2')).toHaveAttribute('placeholder', 'On file')
    await expect(page.getByText('Ages fit the prices')).toBeVisible()
    await expect(page.getByLabel('Total')).toHaveValue(/134/)
    await expectAccessible(page)
  })
})
