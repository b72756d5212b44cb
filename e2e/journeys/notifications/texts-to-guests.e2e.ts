import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, test } from '../../fixtures.ts'
import { book, makeDeparture, makePlaces, makeTour } from '../../operations.ts'
import { phonePort, phoneService } from '../../phone-service.ts'

test('a guest with a phone number only is told by SMS once an own service is set up, and the log shows it', async ({
  page,
}) => {
  const service = await phoneService()
  await enterWithWallet(page)
  await createOrganization(page, 'Text Walks')
  const office = await apiOfBrowser(page.context())
  await makePlaces(office)
  const tour = await makeTour('Cliff walk', office)
  const departure = await makeDeparture(tour, { hours: 31 }, office)

  await page.goto('/settings/notifications#phone')
  const section = page.getByRole('region', { name: 'SMS and WhatsApp' })
  await section.getByLabel('SMS', { exact: true }).selectOption({ label: 'Own service (signed webhook)' })
  await section.getByLabel(/^Address of the webhook/).fill(`http://127.0.0.1:${phonePort}/sms`)
  await section.getByRole('button', { name: 'Save' }).first().click()
  const secret = page.getByRole('dialog', { name: 'Secret of the webhook' })
  await expect(secret.getByLabel('Secret', { exact: true })).toHaveValue(/^whsec_/)
  await expectAccessible(page)
  await secret.getByRole('button', { name: 'Close' }).click()
  await section.getByLabel('My number').fill('+44 7700 900118')
  await section.getByRole('button', { name: 'Send a test to me' }).click()
  await expect(section.getByText('The other side has taken the test.')).toBeVisible()
  expect(service.texts.map(({ to }) => to)).toEqual(['+447700900118'])
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  const contact = { name: 'Soraya Karimi', phone: '+3545550101' }
  const booking = await book(departure.id, ['Soraya Karimi'], { contact }, office)
  await expect.poll(() => service.texts.length).toBe(2)
  const text = service.texts[1]
  expect(text).toMatchObject({ channel: 'sms', to: '+3545550101' })
  expect(text?.text).toMatch(/Your booking is confirmed: Cliff walk/)
  expect(text?.signature).toMatch(/^v1,/)

  await page.goto(`/travelers/list?booking=${booking.id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${booking.bookingRef}` })
  await expect(drawer.getByText('SMS · +3545550101')).toBeVisible()
  await expectAccessible(page)
  await drawer.getByRole('link', { name: 'Booking confirmed' }).click()
  const shown = page.getByRole('dialog', { name: /^Your booking is confirmed/ })
  await expect(shown.getByText('SMS', { exact: true })).toBeVisible()
  await shown.getByRole('button', { name: 'Close' }).click()

  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  await page.getByRole('button', { name: 'Message guests' }).click()
  const dialog = page.getByRole('dialog', { name: 'Message guests' })
  await expect(dialog.getByText('SMS: 1')).toBeVisible()
  await dialog.getByLabel('Subject').fill('Bring a jacket')
  await dialog.getByRole('textbox', { name: /^Text/ }).fill('It will be windy.')
  await expect(dialog.getByText('1 SMS for this guest')).toBeVisible()
  await expectAccessible(page)
  await expect(dialog.getByRole('button', { name: 'Send 1 message' })).toBeEnabled()
  await service.close()
})
