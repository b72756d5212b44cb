import { setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, test } from '../../fixtures.ts'
import { createdAddress, overflow, revokeAndSeeItEnd, withoutAccount } from '../../link-steps.ts'
import { book, makeDeparture, makePlaces, makeTour } from '../../operations.ts'
import { guideWithPhone } from '../../walk.ts'

test('a wall screen shows what is out now, drawn and as a list, without guests, crew or phones, until its link is revoked', async ({
  page,
  browser,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Wall Walks')
  const office = await apiOfBrowser(page.context())
  await makePlaces(office)
  const tour = await makeTour('Ridge walk', office, { kind: 'walking' })
  const departure = await makeDeparture(tour, { hours: 0.5 }, office)
  await book(departure.id, ['Sofia Quill'], {}, office)
  const guide = await guideWithPhone(office, 'Runa')
  await office.call(createAssignment, {
    departureId: departure.id,
    staffId: guide.staffId,
    role: 'lead_guide',
    overrideReason: 'Journey',
  })
  await office.call(setDepartureStatus, { id: departure.id, version: departure.version, to: 'boarding' })
  const query = `lat=64.152&lon=-21.945&accuracy=8&timestamp=${Date.now() - 75_000}`
  expect((await page.request.get(`${guide.url}?${query}`)).status()).toBe(200)

  await page.goto('/tools/shared-links')
  await page.getByRole('button', { name: 'New link' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New link' })
  await dialog.getByRole('radio', { name: /^Live map/ }).check()
  // nobody has to choose a tour: it is of all of them then, and ends with none
  await expect(dialog.getByRole('radio', { name: /^Tour end/ })).toHaveCount(0)
  await expect(dialog.getByRole('checkbox', { name: /names|Our phone|Crew/ })).toHaveCount(0)
  await dialog.getByRole('textbox', { name: 'Label' }).fill('Office wall')
  await expectAccessible(page)
  const address = await createdAddress(page)

  const { page: screen, context } = await withoutAccount(browser)
  await screen.goto(address)
  await expect(screen.getByRole('heading', { level: 1, name: 'On tour now' })).toBeVisible()
  const row = screen.getByRole('listitem').filter({ hasText: departure.code })
  await expect(row).toContainText('Boarding')
  await expect(screen.getByText('1 departure', { exact: true })).toBeVisible()
  await expect(screen.getByRole('img', { name: 'Where the departures are' })).toContainText(departure.code)
  await expect(screen.getByText(/^Positions are at least/)).toContainText('within 100 m')
  await expect(screen.getByRole('link', { name: /Call us/ })).toHaveCount(0)
  expect(await screen.locator('.share').innerText()).not.toMatch(/Sofia|Quill|Runa/)
  for (const width of [390, 1440]) {
    await screen.setViewportSize({ width, height: 900 })
    expect(await overflow(screen)).toBeLessThanOrEqual(0)
    await expectAccessible(screen)
  }

  await revokeAndSeeItEnd(page, 'Office wall', screen)
  await context.close()
})
