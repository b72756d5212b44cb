import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

test('a confirmation, a longer hold and an offer are undone by the message about them', async ({ page }) => {
  const api = await apiAs('admin')
  const departure = await makeDeparture(await makeTour('Glacier walk'), { capacity: 4, hours: 61 })
  const held = await book(departure.id, ['Ilse Brandt'], { mode: 'hold' })
  const waiting = await book(departure.id, ['Jonas Weiß'], { mode: 'waitlist' })
  const statusOf = async ({ id }: { id: string }) => (await api.call(getBooking, { id })).status
  const undo = page.getByRole('button', { name: 'Undo' })

  await page.goto(`/travelers/list?booking=${held.id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${held.bookingRef}` })
  await drawer.getByRole('button', { name: 'Confirm 1 seat' }).click()
  await expect(page.getByText(`${held.bookingRef} is confirmed`)).toBeVisible()
  expect(await statusOf(held)).toBe('confirmed')
  await expectAccessible(page)
  await undo.click()
  await expect(drawer.getByRole('button', { name: 'Confirm 1 seat' })).toBeVisible()
  expect(await statusOf(held)).toBe('on_hold')

  const { expiresAt } = await api.call(getBooking, { id: held.id })
  await drawer.getByRole('button', { name: 'Extend hold' }).click()
  await page
    .getByRole('dialog', { name: /^Hold 1 seat longer/ })
    .getByRole('button', { name: 'Extend hold' })
    .click()
  await expect(undo).toBeVisible()
  expect((await api.call(getBooking, { id: held.id })).expiresAt).not.toBe(expiresAt)
  await undo.click()
  await expect(async () => expect((await api.call(getBooking, { id: held.id })).expiresAt).toBe(expiresAt)).toPass()

  await page.goto(`/travelers/list?booking=${waiting.id}`)
  const other = page.getByRole('dialog', { name: `Booking ${waiting.bookingRef}` })
  await other.getByRole('button', { name: /^Offer 1 seat/ }).click()
  await expect(undo).toBeVisible()
  expect(await statusOf(waiting)).toBe('on_hold')
  await undo.click()
  await expect(other.getByRole('button', { name: /^Offer 1 seat/ })).toBeVisible()
  expect(await statusOf(waiting)).toBe('waitlisted')
})
