import { getDeparture } from '@tour-ops/contract/departures/departures'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, settled, takeAnswers, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager') })

test('a departure with one party becomes private: what is sold says so, nobody else gets a seat, and Undo opens it again', async ({
  page,
  complaints,
}, info) => {
  const api = await apiAs('operations_manager')
  const tour = await makeTour(`Owl walk ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour, { capacity: 8, hours: 50 })
  await book(departure.id, ['Nora Lind', 'Max Lind'])

  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  const drawer = page.getByRole('dialog', { name: new RegExp(tour.name) })
  const change = page.getByRole('dialog', { name: `Change ${departure.code}` })
  const openChange = async () => {
    await drawer.getByRole('button', { name: /^Status:/ }).click()
    await page.getByRole('menuitem', { name: /Change departure/ }).click()
  }
  await openChange()
  await change.getByLabel('Capacity').fill('1')
  await change.getByRole('checkbox', { name: /Private: one party only/ }).check()
  await change.getByRole('button', { name: 'Save departure' }).click()
  await expect(change.getByLabel('Capacity')).toHaveAccessibleDescription(/2/)
  await change.getByLabel('Capacity').fill('6')
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('change.png') })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('change-phone-dark.png') })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  await change.getByRole('button', { name: 'Save departure' }).click()
  await expect(page.getByText('Departure saved')).toBeVisible()
  await expect(drawer.getByText(/one party only/)).toBeVisible()
  expect(await api.call(getDeparture, { id: departure.id })).toMatchObject({
    isPrivate: true,
    capacity: 6,
    seatsLeft: 0,
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The departure is as it was')).toBeVisible()
  await expect(drawer.getByText(/one party only/)).toHaveCount(0)
  expect(await api.call(getDeparture, { id: departure.id })).toMatchObject({
    isPrivate: false,
    capacity: 8,
    seatsLeft: 6,
  })

  await book(departure.id, ['Ines Vogel'])
  await settled(page)
  await openChange()
  await change.getByRole('checkbox', { name: /Private: one party only/ }).check()
  await change.getByRole('button', { name: 'Save departure' }).click()
  await expect(change.getByText('This departure is private: it takes one party.')).toBeVisible()
  await expect(change.getByRole('checkbox', { name: /Private: one party only/ })).toBeChecked()
  takeAnswers(complaints, 400, 409)
})

test('a sale shows which departure is private and that it is taken', async ({ page }, info) => {
  const api = await apiAs('operations_manager')
  const tour = await makeTour(`Fox walk ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour, { capacity: 8, hours: 50 })
  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  const drawer = page.getByRole('dialog', { name: new RegExp(tour.name) })
  await drawer.getByRole('button', { name: /^Status:/ }).click()
  await page.getByRole('menuitem', { name: /Change departure/ }).click()
  const change = page.getByRole('dialog', { name: `Change ${departure.code}` })
  await change.getByRole('checkbox', { name: /Private: one party only/ }).check()
  await change.getByRole('button', { name: 'Save departure' }).click()
  await expect(page.getByText('Departure saved')).toBeVisible()
  await book(departure.id, ['Nora Lind'])

  const { localDate } = await api.call(getDeparture, { id: departure.id })
  await page.goto(`/travelers/book?tour=${tour.id}&day=${localDate}`)
  const starts = page.getByRole('radiogroup', { name: 'Departure' })
  await expect(starts.getByText(/one party only/)).toBeVisible()
  await expect(starts.getByText('Taken')).toBeVisible()
  await page.screenshot({ path: info.outputPath('sale.png') })
})
