import { cancelBooking, getBooking } from '@tour-ops/contract/bookings/bookings'
import { createLink } from '@tour-ops/contract/links/links'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('seats that open up are booked by the guest who waits for them, or left to the next, on their link', async ({
  page,
  browser,
}, info) => {
  const api = await apiAs('admin')
  const tour = await makeTour(`Puffin ${Math.random().toString(36).slice(2, 7)}`)
  const { id } = await makeDeparture(tour, { capacity: 2, hours: 60 })
  const sold = await book(id, ['Nora Lind', 'Max Lind'])
  const first = await book(id, ['Ines Vogel', 'Jan Vogel'], { mode: 'waitlist' })
  const second = await book(id, ['Yuki Tanaka', 'Ken Tanaka'], { mode: 'waitlist' })
  const pathOf = async (subjectId: string) => {
    const label = `Waits for ${tour.name}`
    const link = { kind: 'booking_guest', subjectId, label, language: 'en', scopes: { offer: true } } as const
    return (await api.call(createLink, link)).path
  }
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const phone = await context.newPage()
  await phone.goto(await pathOf(first.id))
  await expect(phone.getByText('You are on the waitlist')).toBeVisible()
  await expect(phone.getByRole('heading', { name: 'The day' })).toHaveCount(0)
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('waiting.png') })
  await api.call(cancelBooking, { id: sold.id, version: sold.version, reason: 'guest_request', note: null })

  const offer = phone.getByRole('region', { name: '2 seats are held for you' })
  await expect(offer).toContainText('After that they go to whoever waits next.')
  await expect(offer).toContainText('The price is €178.00.')
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('offer.png') })
  await offer.getByRole('button', { name: 'Leave them to others' }).click()
  await expect(offer.getByText('You then have no seats on this tour')).toBeVisible()
  await offer.getByRole('button', { name: 'Back' }).click()
  await offer.getByRole('button', { name: 'Leave them to others' }).click()
  await phone.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('leaving-dark.png') })
  await phone.emulateMedia({ colorScheme: 'light' })
  await offer.getByRole('button', { name: 'Leave the seats' }).click()
  await expect(phone.getByText('You have no seats on this tour.')).toBeVisible()
  await expect(phone.getByRole('heading', { name: 'The day' })).toHaveCount(0)
  await expectAccessible(phone)

  await phone.goto(await pathOf(second.id))
  await offer.getByRole('button', { name: 'Book 2 seats' }).click()
  await expect(phone.getByText('Your seats are booked. Thank you.')).toBeVisible()
  await expect(phone.getByRole('heading', { name: 'Your ticket' })).toBeVisible()
  await expectAccessible(phone)
  await context.close()

  expect(await api.call(getBooking, { id: first.id })).toMatchObject({ status: 'cancelled' })
  await page.goto(`/travelers/list?departure=${id}&tab=bookings`)
  const confirmed = page.getByRole('region', { name: 'Confirmed' })
  await expect(confirmed.getByRole('link', { name: 'Yuki Tanaka' })).toBeVisible()
})
