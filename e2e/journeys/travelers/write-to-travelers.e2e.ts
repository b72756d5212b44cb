import { randomUUID } from 'node:crypto'
import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

test('travelers are chosen in the list and their parties written to, each once; their page shows what was written', async ({
  page,
}) => {
  const office = await apiAs('admin')
  const family = `Vogel${randomUUID().slice(0, 6)}`
  const tour = await makeTour(`Cave ${family}`)
  const { id } = await makeDeparture(tour, { hours: 40 })
  const contact = { name: `Greta ${family}`, email: 'greta@example.org' }
  await book(id, [`Greta ${family}`, `Emil ${family}`], { contact, tellGuest: false })
  await office.call(createTraveler, { firstName: 'Otto', lastName: family })

  await page.goto(`/travelers/list?q=${family}`)
  await expect(page.getByRole('row', { name: new RegExp(family) })).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Message guests' }).click()
  const dialog = page.getByRole('dialog', { name: 'Message guests' })
  await expect(dialog).toContainText(`2 guests, ${tour.name}`)
  await expect(dialog).toContainText('1 of the chosen travelers has no trip now')
  await expectAccessible(page)
  await dialog.getByLabel('Begin with').selectOption({ label: 'Bad weather' })
  await dialog.getByRole('button', { name: 'Send 1 e-mail' }).click()
  await expect(page.getByText('1 e-mail is on its way')).toBeVisible()

  await page.getByText(`Emil ${family}`).first().click()
  await page.getByRole('tab', { name: 'Messages' }).click()
  const trip = page.getByRole('region', { name: new RegExp(tour.name) })
  await expect(trip.getByText('greta@example.org')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  // somebody without a trip is not written to
  await page.goto(`/travelers/list?q=Otto ${family}`)
  await page.getByText(`Otto ${family}`).first().click()
  await page.getByRole('tab', { name: 'Messages' }).click()
  await expect(page.getByText('Nothing has been written about these trips.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Message guests' })).toHaveCount(0)
})
