import { createService, createSupplier } from '@tour-ops/contract/vehicles/vehicles'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, settled, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a supplier is asked by e-mail, and the screen says when it does not know of more guests, ${colorScheme}`, async ({
    page,
  }, info) => {
    await page.emulateMedia({ colorScheme })
    if (colorScheme === 'dark') await page.setViewportSize({ width: 390, height: 844 })
    const word = `S${Math.random().toString(36).slice(2, 9)}`
    const departure = await makeDeparture(await makeTour(`Fjord ${word}`), { hours: 72 })
    await book(departure.id, [`Sofia ${word}`])
    const office = await apiAs('admin')
    const { id: supplierId } = await office.call(createSupplier, { name: `Kitchen ${word}`, kind: 'restaurant' })
    await office.call(createService, { departureId: departure.id, supplierId, kind: 'meal', description: 'Dinner' })
    await page.goto(`/tours/all?departure=${departure.id}&tab=services`)
    await settled(page)
    const suppliers = page.getByRole('region', { name: 'Messages to suppliers' })
    await expect(suppliers).toContainText('No e-mail address')
    await suppliers.getByRole('button', { name: 'Request' }).click()
    const dialog = page.getByRole('dialog', { name: `Request: Kitchen ${word}` }).or(page.getByRole('alertdialog'))
    await dialog.getByLabel('E-mail of the supplier').fill(`${word.toLowerCase()}@example.com`)
    const reads = dialog.getByRole('region', { name: 'What the supplier reads' })
    await expect(reads).toContainText('Guests: 1')
    await dialog.getByLabel('Language of the supplier').selectOption({ label: 'Deutsch' })
    await expect(reads).toContainText('Gäste: 1')
    await dialog.getByLabel('Language of the supplier').selectOption({ label: 'English' })
    await expect(reads).toContainText('Guests: 1')
    await expect(reads).not.toContainText('Sofia')
    await expectAccessible(page)
    await page.screenshot({ path: info.outputPath('dialog.png') })
    await dialog.getByRole('button', { name: 'Send e-mail' }).click()
    await expect(suppliers).toContainText('for 1 guest')
    await book(departure.id, [`Luca ${word}`])
    await expect(suppliers).toContainText('Guests this supplier knows of: 1. Now: 2.')
    await expect(suppliers.getByRole('button', { name: 'Send update' })).toBeVisible()
    await expectAccessible(page)
    await page.screenshot({ path: info.outputPath('tab.png') })
    await page.getByRole('tab', { name: 'Run sheet' }).click()
    await expect(page.getByText(`Not told of the change yet: Kitchen ${word}`)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Services', exact: true }).click()
    await expect(suppliers.getByRole('button', { name: 'Send update' })).toBeVisible()
  })
}
