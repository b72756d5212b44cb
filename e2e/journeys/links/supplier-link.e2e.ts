import { createService, createSupplier } from '@tour-ops/contract/vehicles/vehicles'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { createdAddress, overflow, revokeAndSeeItEnd, withoutAccount } from '../../link-steps.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('a restaurant opens its link, made from its service on the departure: how many come and what they need, and nobody by name', async ({
  page,
  browser,
}) => {
  const tour = await makeTour(`Orchard ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour, { hours: 30 })
  await book(departure.id, ['Sofia Marin', 'Luca Marin', 'Noor Haddad'], {
    contact: { name: 'Sofia Marin', phone: '+447700900123' },
    guests: [
      { firstName: 'Sofia', lastName: 'Marin', unitType: 'adult', dietary: ['vegan'] },
      { firstName: 'Luca', lastName: 'Marin', unitType: 'adult', dietary: ['vegan', 'nut_allergy'] },
      { firstName: 'Noor', lastName: 'Haddad', unitType: 'adult', mobility: 'wheelchair' },
    ],
  })
  const office = await apiAs('admin')
  const kitchen = `Kitchen ${tour.name}`
  const { id: supplierId } = await office.call(createSupplier, { name: kitchen, kind: 'restaurant' })
  await office.call(createService, {
    departureId: departure.id,
    supplierId,
    kind: 'meal',
    description: 'Dinner by the sea',
    quantity: 3,
    costMinor: 98_700,
    currency: 'EUR',
  })

  await page.goto(`/tours/all?departure=${departure.id}&tab=services`)
  const drawer = page.getByRole('dialog').first()
  await drawer.getByRole('button', { name: 'Actions for Dinner by the sea' }).click()
  await page.getByRole('menuitem', { name: 'Link for the supplier…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New link' })
  await expect(dialog.getByRole('radio', { name: /^Supplier/ })).toBeChecked()
  await expect(dialog.getByRole('combobox', { name: 'Departure' })).toHaveValue(new RegExp(tour.name))
  await expect(dialog.getByLabel('Supplier', { exact: true })).toHaveValue(supplierId)
  await expect(dialog.getByRole('checkbox', { name: /^Names of guests/ })).not.toBeChecked()
  const label = `For ${kitchen}`
  await dialog.getByRole('textbox', { name: 'Label' }).fill(label)
  await expectAccessible(page)
  const address = await createdAddress(page)

  const { page: phone, context } = await withoutAccount(browser)
  await phone.goto(address)
  await expect(phone.getByRole('heading', { level: 1, name: tour.name })).toBeVisible()
  const main = phone.locator('.share')
  await expect(main).toContainText(`For ${kitchen}`)
  await expect(main).toContainText('3 × Adult')
  await expect(main).toContainText('1 × Nut allergy')
  await expect(main).toContainText('2 × Vegan')
  await expect(main).toContainText('1 × Wheelchair')
  await expect(main).toContainText('Dinner by the sea')
  await expect(phone.getByRole('heading', { name: 'The day' })).toBeVisible()
  const words = await main.innerText()
  expect(words).not.toMatch(/Sofia|Luca|Marin|Noor|Haddad|7700|987/)
  expect(await overflow(phone)).toBeLessThanOrEqual(0)
  await expectAccessible(phone)
  // on paper the same, without what is pressed
  await phone.emulateMedia({ media: 'print' })
  await expect(phone.getByText('1 × Nut allergy')).toBeVisible()
  await expect(phone.getByRole('button', { name: 'Print' })).toBeHidden()
  await phone.emulateMedia({ media: 'screen' })

  await revokeAndSeeItEnd(page, label, phone)
  await context.close()
})
