import { setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, test } from '../../fixtures.ts'
import { makeDeparture, makePlaces, makeTour } from '../../operations.ts'
import { expectTourSeen } from '../../tracker-steps.ts'
import { guideWithPhone } from '../../walk.ts'

test('guests see on a drawing where their tour was a minute ago, and nothing of it once the office switches it off', async ({
  page,
  browser,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Seen Walks')
  const office = await apiOfBrowser(page.context())
  await makePlaces(office)
  const tour = await makeTour('Island walk', office)
  const departure = await makeDeparture(tour, {}, office)
  const guide = await guideWithPhone(office, 'Runa')
  await office.call(createAssignment, {
    departureId: departure.id,
    staffId: guide.staffId,
    role: 'lead_guide',
    overrideReason: 'Journey',
  })
  await office.call(setDepartureStatus, { id: departure.id, version: departure.version, to: 'boarding' })
  const recorded = Date.now() - 75_000
  const sent = await page.request.get(`${guide.url}?lat=64.152&lon=-21.945&accuracy=8&timestamp=${recorded}`)
  expect(sent.status()).toBe(200)

  await page.goto('/tools/shared-links')
  const address = async (change?: () => Promise<void>): Promise<string> => {
    await page.getByRole('button', { name: 'New link' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New link' })
    await dialog.getByRole('combobox', { name: 'Departure' }).fill('island')
    await page.getByRole('option', { name: /Island walk/ }).click()
    await change?.()
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const ready = page.getByRole('dialog', { name: 'The link is ready' })
    const made = await ready.getByLabel('URL', { exact: true }).inputValue()
    await ready.getByRole('button', { name: 'Close' }).click()
    return made
  }
  const shown = await address(async () => {
    await expect(page.getByLabel('Guests see it later by')).toHaveValue('60')
    await page.getByLabel('Guests see it within').selectOption('500')
    await expectAccessible(page)
  })
  const hidden = await address(async () => {
    await page.getByRole('checkbox', { name: /^Places/ }).uncheck()
    await expect(page.getByRole('checkbox', { name: /^Where the tour is/ })).not.toBeChecked()
  })

  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const guest = await phone.newPage()
  await guest.goto(shown)
  await expectTourSeen(guest, 500)
  await expectAccessible(guest)
  await guest.goto(hidden)
  await expect(guest.getByRole('heading', { name: 'Island walk' })).toBeAttached()
  await expect(guest.getByRole('img', { name: 'Where the tour is' })).toHaveCount(0)
  await phone.close()
})
