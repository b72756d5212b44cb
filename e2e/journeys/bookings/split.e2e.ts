import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

test('two of a party get a booking of their own with what they paid, come back by Undo, join again by choice, and are two again', async ({
  page,
}, info) => {
  const departure = await makeDeparture(await makeTour('Ice cave'), { capacity: 4, hours: 37 })
  const contact = { name: 'Ilse Brandt', email: 'ilse@example.org' }
  const booking = await book(departure.id, ['Ilse Brandt', 'Karl Brandt', 'Jonas Weiß', 'Mia Weiß'], {
    contact,
    amountPaidMinor: 35_600,
  })
  const ref = booking.bookingRef
  await page.goto(`/travelers/list?booking=${booking.id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${ref}` })
  const openSplit = async () => {
    await drawer.getByRole('button', { name: 'Change party' }).click()
    await page.getByRole('button', { name: 'Split…' }).click()
  }
  await openSplit()
  const dialog = page.getByRole('dialog', { name: `Split the party of ${ref}` })
  const save = dialog.getByRole('button', { name: /^Split off/ })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('checkbox', { name: /^Jonas Weiß/ }).check()
  await dialog.getByRole('checkbox', { name: /^Mia Weiß/ }).check()
  await expect(dialog.getByRole('textbox', { name: /^Name/ })).toHaveValue('Jonas Weiß')
  await expect(dialog.getByText('This booking: €178.00, the new one: €178.00.')).toBeVisible()
  await expect(dialog.getByText('€178.00 of what was paid goes along.')).toBeVisible()
  await expectAccessible(page)
  await expect(save).toBeInViewport({ ratio: 1 })
  await page.screenshot({ path: info.outputPath('split.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await expect(save).toBeInViewport({ ratio: 1 })
  await page.screenshot({ path: info.outputPath('split-390.png') })
  await page.setViewportSize({ width: 1440, height: 900 })
  await dialog.getByRole('textbox', { name: /^E-mail/ }).fill('jonas')
  await dialog.getByRole('button', { name: 'Split off 2 guests' }).click()
  await expect(dialog.getByText('This does not look like an e-mail address.').first()).toBeVisible()
  await dialog.getByRole('textbox', { name: /^E-mail/ }).fill('jonas@example.org')
  await dialog.getByRole('button', { name: 'Split off 2 guests' }).click()
  await expect(page.getByText(new RegExp(`^${ref} is split, the new booking is`))).toBeVisible()
  await expect(drawer.getByText('Jonas Weiß')).toHaveCount(0)
  const api = await apiAs('admin')
  expect(await api.call(getBooking, { id: booking.id })).toMatchObject({ pax: 2, amountPaidMinor: 17_800 })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(drawer.getByText('Jonas Weiß')).toBeVisible()
  expect(await api.call(getBooking, { id: booking.id })).toMatchObject({ pax: 4, amountPaidMinor: 35_600 })

  // split again, and joined by choice
  await openSplit()
  await dialog.getByRole('checkbox', { name: /^Mia Weiß/ }).check()
  await dialog.getByRole('button', { name: 'Split off 1 guest' }).click()
  await expect(drawer.getByText('Mia Weiß')).toHaveCount(0)
  await drawer.getByRole('button', { name: 'Change party' }).click()
  await page.getByRole('button', { name: 'Join with another…' }).click()
  const join = page.getByRole('dialog', { name: `Join another booking with ${ref}` })
  await join.getByLabel('Booking that joins').fill('Mia')
  await page.getByRole('option', { name: /Mia Weiß/ }).click()
  await expect(join.getByText(/is cancelled, and its contact is told nothing/)).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('join.png') })
  await join.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(drawer.getByText('Mia Weiß')).toBeVisible()
  expect(await api.call(getBooking, { id: booking.id })).toMatchObject({ pax: 4, amountPaidMinor: 35_600 })
  // that the party was split may still be said
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByText(new RegExp(`^${ref} and .* are two bookings again`))).toBeVisible()
  await expect(drawer.getByText('Mia Weiß')).toHaveCount(0)
  expect(await api.call(getBooking, { id: booking.id })).toMatchObject({ pax: 3, amountPaidMinor: 26_700 })
})

test('two of three guests move to another departure in one step, and back; nobody else is offered their seats in between', async ({
  page,
}, info) => {
  const api = await apiAs('admin')
  const own = await makeTour('Puffin island')
  const departure = await makeDeparture(own, { capacity: 3, hours: 31 })
  const there = await makeDeparture(own, { capacity: 2, hours: 32 })
  const booking = await book(departure.id, ['Ada Holm', 'Nils Holm', 'Pia Holm'], { amountPaidMinor: 8_900 })
  await page.goto(`/travelers/list?booking=${booking.id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${booking.bookingRef}` })
  await drawer.getByRole('button', { name: 'Move', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Move ${booking.bookingRef}` })
  await dialog.getByRole('radio', { name: /^Only some of them/ }).check()
  const move = dialog.getByRole('button', { name: /^Move \d seat/ })
  await expect(move).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('checkbox', { name: /^Nils Holm/ }).check()
  await dialog.getByRole('checkbox', { name: /^Pia Holm/ }).check()
  await expect(dialog.getByRole('textbox', { name: /^Name/ })).toHaveValue('Nils Holm')
  await dialog.getByRole('radio', { name: new RegExp(there.startTimeLocal) }).check()
  await expect(dialog.getByText('This booking: €89.00, the new one: €178.00.')).toBeVisible()
  // a look at the whole party loses nothing of it
  await dialog.getByRole('radio', { name: /^The whole party/ }).check()
  await expect(dialog.getByRole('button', { name: 'Move 3 seats' })).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: /^Nils Holm/ })).toBeHidden()
  await dialog.getByRole('radio', { name: /^Only some of them/ }).check()
  await expect(dialog.getByRole('checkbox', { name: /^Nils Holm/ })).toBeChecked()
  await expect(dialog.getByRole('textbox', { name: /^Name/ })).toHaveValue('Nils Holm')
  await expect(move).toHaveText('Move 2 seats')
  await expect(move).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('some.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('some-390-dark.png') })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await dialog.getByRole('button', { name: 'Move 2 seats' }).click()
  const toast = page.getByText(new RegExp(`^Moved to ${there.code} as `))
  await expect(toast).toBeVisible()
  await expect(drawer.getByText('Nils Holm')).toHaveCount(0)
  expect(await api.call(getDeparture, { id: there.id })).toMatchObject({ seatsConfirmed: 2, seatsLeft: 0 })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(drawer.getByText('Nils Holm')).toBeVisible()
  expect(await api.call(getDeparture, { id: there.id })).toMatchObject({ seatsConfirmed: 0 })
  expect(await api.call(getBooking, { id: booking.id })).toMatchObject({ pax: 3, amountPaidMinor: 8_900 })
})
