import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { createLink } from '@tour-ops/contract/links/links'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('who cancels a departure offers each party another one or its money back, and sees how guests answer on their links', async ({
  page,
  browser,
}, info) => {
  const api = await apiAs('admin')
  const tour = await makeTour(`Lava field ${Math.random().toString(36).slice(2, 7)}`)
  const { id } = await makeDeparture(tour, { hours: 30 })
  const next = await makeDeparture(tour, { capacity: 5, hours: 54 })
  const later = await makeDeparture(tour, { hours: 78 })
  const first = await book(id, ['Nora Lind', 'Max Lind'])
  const second = await book(id, ['Ines Vogel'])
  const third = await book(id, ['Yuki Tanaka', 'Ken Tanaka'])
  const pathOf = async (subjectId: string) => {
    const link = {
      kind: 'booking_guest',
      subjectId,
      label: tour.name,
      language: 'en',
      scopes: { offer: true },
    } as const
    return (await api.call(createLink, link)).path
  }

  await page.goto(`/dashboard/overview?departure=${id}&tab=bookings`)
  const drawer = page.getByRole('dialog', { name: new RegExp(tour.name) })
  await drawer.getByRole('button', { name: /^Status:/ }).click()
  await page.getByRole('menuitem', { name: /Cancel departure/ }).click()
  const question = page.getByRole('dialog', { name: /^Cancel departure/ })
  await question.getByLabel('Why?').selectOption({ label: 'Weather' })
  await question.getByRole('button', { name: 'Cancel departure' }).click()

  const offers = page.getByRole('dialog', { name: /is cancelled: what parties are offered/ })
  const proposalFor = (name: string) => offers.getByRole('combobox', { name: `Proposal for ${name}` })
  await expect(proposalFor('Nora Lind')).toHaveValue(next.id)
  await expect(proposalFor('Yuki Tanaka')).toHaveValue(next.id)
  await expect(offers.getByText('The price stays: €178.00')).toHaveCount(2)
  await proposalFor('Ines Vogel').selectOption({ label: 'Refund' })
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('proposals.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('proposals-phone-dark.png') })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await offers.getByLabel('For all parties').selectOption(next.id)
  await expect(proposalFor('Ines Vogel')).toHaveValue(next.id)
  await proposalFor('Ines Vogel').selectOption({ label: 'Refund' })
  await offers.getByRole('button', { name: 'Ask 3 parties' }).click()
  await expect(offers.getByText('3 asked: 3 open')).toBeVisible()

  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const phone = await context.newPage()
  await phone.goto(await pathOf(first.id))
  const choice = phone.getByRole('region', { name: 'Please choose' })
  await expect(choice).toContainText('the price stays: €178.00')
  await expect(choice.getByRole('radio')).toHaveCount(1)
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('guest.png'), fullPage: true })
  await phone.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('guest-dark.png'), fullPage: true })
  await choice.getByRole('button', { name: 'Accept this departure' }).click()
  await expect(phone.getByText('Your seats are booked on the new departure')).toBeVisible()
  await expect(phone.getByText('This tour has been cancelled')).toHaveCount(0)

  await phone.goto(await pathOf(third.id))
  await choice.getByRole('radio').check()
  await choice.getByRole('button', { name: 'Take the chosen departure' }).click()
  await expect(phone.getByText('Your seats are booked on the new departure')).toBeVisible()
  await context.close()

  await expect(offers.getByText('3 asked: 2 moved, 1 open')).toBeVisible()
  await offers.getByRole('button', { name: 'Answer for Ines Vogel' }).click()
  await page.getByRole('menuitem', { name: 'Refund' }).click()
  await expect(offers.getByText('3 asked: 2 moved, 1 refund')).toBeVisible()
  await expect(offers.getByText('answered by the office')).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('answers-dark.png') })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: info.outputPath('answers-phone.png') })

  expect(await api.call(getBooking, { id: first.id })).toMatchObject({ departureId: next.id, status: 'confirmed' })
  expect(await api.call(getBooking, { id: third.id })).toMatchObject({ departureId: later.id, status: 'confirmed' })
  expect(await api.call(getBooking, { id: second.id })).toMatchObject({ status: 'cancelled' })
})
