import { createLink } from '@tour-ops/contract/links/links'
import { setOptOut } from '@tour-ops/contract/notifications/opt-outs'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager') })

/** A party with an e-mail address and a phone, and the link of its booking. */
async function partyWithLink() {
  const api = await apiAs('admin')
  const departure = await makeDeparture(await makeTour('Glacier walk'), { hours: 50 })
  const email = `nora.${departure.code.toLowerCase()}@example.org`
  const contact = { name: 'Nora Lind', email, phone: '+44 7700 900346' }
  const booking = await book(departure.id, ['Nora Lind'], { contact, tellGuest: false })
  const { path } = await api.call(createLink, {
    kind: 'booking_guest',
    subjectId: booking.id,
    label: `Lind ${departure.code}`,
    language: 'en',
  })
  return { api, departure, booking, path }
}

test('a guest wants only the e-mails that are needed: the office sees it, calls instead of writing, and changes it on request', async ({
  page,
  browser,
}, info) => {
  const { departure, booking, path } = await partyWithLink()
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const phone = await context.newPage()
  await phone.goto(`${path}#emails`)
  const choice = phone.getByRole('switch', { name: 'Only the e-mails I need' })
  await expect(choice).not.toBeChecked()
  await expect(choice).toHaveAccessibleDescription(/n…@example\.org/)
  await expect(choice).toBeInViewport()
  await choice.press('Space')
  await expect(choice).toBeChecked()
  await expect(choice).toBeEnabled()
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('chosen.png'), fullPage: true })
  await phone.reload()
  await expect(choice).toBeChecked()
  await phone.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('chosen-dark.png'), fullPage: true })
  await context.close()

  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  await page.getByRole('button', { name: 'Message guests' }).click()
  const dialog = page.getByRole('dialog', { name: 'Message guests' })
  await dialog.getByText('1 booking gets no e-mail: call').click()
  await expect(dialog).toContainText('Wants only necessary messages')
  await expect(dialog.getByRole('link', { name: '+447700900346' })).toBeVisible()
  await page.screenshot({ path: info.outputPath('called.png') })

  await page.goto(`/travelers/list?booking=${booking.id}`)
  const drawer = page.getByRole('dialog', { name: /^Booking / })
  const only = drawer.getByRole('switch', { name: 'Only necessary e-mails' })
  await expect(only).toBeChecked()
  await expectAccessible(page)
  await only.scrollIntoViewIfNeeded()
  await page.screenshot({ path: info.outputPath('booking.png') })
  await only.click()
  await expect(only).not.toBeChecked()
  await expect(only).toBeEnabled()
  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  await page.getByRole('button', { name: 'Message guests' }).click()
  await expect(dialog).toContainText('1 guest')
})

test('the choice of a guest stays as it was where it could not be sent', async ({ browser }) => {
  const { api, booking, path } = await partyWithLink()
  await api.call(setOptOut, { id: booking.id, isOptedOut: true })
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const phone = await context.newPage()
  await phone.goto(path)
  const choice = phone.getByRole('switch', { name: 'Only the e-mails I need' })
  await expect(choice).toBeChecked()
  await context.setOffline(true)
  await choice.click()
  await expect(phone.getByRole('region', { name: 'E-mails' }).getByRole('alert')).toBeVisible()
  await expect(choice).toBeChecked()
  await context.setOffline(false)
  await choice.click()
  await expect(choice).not.toBeChecked()
  await context.close()
})
