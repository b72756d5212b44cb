import { getBooking } from '@tour-ops/contract/bookings/bookings'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { createdAddress, overflow, revokeAndSeeItEnd, withoutAccount } from '../../link-steps.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('one guest of a party opens their own link, made on their page: their tours and their details, and nobody else', async ({
  page,
  browser,
}) => {
  const tour = await makeTour(`Lagoon ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour, { hours: 60 })
  const later = await makeDeparture(tour, { hours: 200 })
  const last = `Marin${tour.name.slice(-5)}`
  const booking = await book(departure.id, [`Sofia ${last}`, 'Luca Haddad'])
  const travelerId = booking.guests.find(({ name }) => name.startsWith('Sofia'))?.travelerId ?? ''
  await book(later.id, [`Sofia ${last}`], { guests: [{ travelerId, unitType: 'adult' }] })

  await page.goto(`/travelers/details/${travelerId}`)
  await page.getByRole('link', { name: 'Share link' }).click()
  const dialog = page.getByRole('dialog', { name: 'New link' })
  await expect(dialog.getByRole('radio', { name: /^Traveler/ })).toBeChecked()
  await expect(dialog.getByRole('combobox', { name: 'Traveler' })).toHaveValue(`Sofia ${last}`)
  await expect(dialog.getByRole('checkbox', { name: /names of guests/i })).toHaveCount(0)
  const label = `Link ${last}`
  await dialog.getByRole('textbox', { name: 'Label' }).fill(label)
  await expectAccessible(page)
  const address = await createdAddress(page)

  const { page: phone, context } = await withoutAccount(browser)
  await phone.goto(address)
  await expect(phone.getByRole('heading', { level: 1, name: tour.name })).toBeVisible()
  const details = phone.getByRole('region', { name: 'Is this right?' })
  await expect(details).toContainText(`Sofia ${last}`)
  await expect(phone.getByRole('heading', { name: 'Your next tours' })).toBeVisible()
  expect(await phone.locator('.share').innerText()).not.toMatch(/Luca|Haddad/)
  expect(await overflow(phone)).toBeLessThanOrEqual(0)
  await expectAccessible(phone)
  await details.getByRole('button', { name: 'Everything is right' }).click()
  await expect(phone.getByRole('region', { name: 'Your details' })).toContainText('You confirmed this:')
  const { guests } = await (await apiAs('dispatcher')).call(getBooking, { id: booking.id })
  expect(guests.filter(({ confirmedAt }) => confirmedAt !== null).map(({ name }) => name)).toEqual([`Sofia ${last}`])

  await revokeAndSeeItEnd(page, label, phone)
  await context.close()
})
