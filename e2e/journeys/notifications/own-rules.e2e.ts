import { cancelBooking } from '@tour-ops/contract/bookings/bookings'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, expectAccessibleEverywhere, test } from '../../fixtures.ts'
import { book, makeDeparture, makePlaces, makeTour } from '../../operations.ts'

const soraya = { name: 'Soraya {link} Karimi', email: 'soraya@example.org', locale: 'en' }

test('a rule that is off says what it would have written, and an own text is what guests read', async ({
  page,
  context,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Basalt Tours')
  const office = await apiOfBrowser(context)
  await makePlaces(office)
  const tour = await makeTour('Ice caves', office)
  const departure = await makeDeparture(tour, { hours: 100 }, office)
  await page.goto('/tools/notifications?show=rules')
  await page.getByRole('switch', { name: 'Booking cancelled' }).press('Space')
  await expect(page.getByText('Guests are no longer told')).toBeVisible()
  const rule = page.getByRole('button', { name: /^Booking cancelled/ })
  await expect(rule).not.toContainText('Would have written')
  for (const name of ['Ada', 'Bea']) {
    const { id, version } = await book(departure.id, [`${name} Ito`], { contact: { ...soraya, name } }, office)
    await office.call(cancelBooking, { id, version, reason: 'guest_request', note: null })
  }
  await expect(rule).toContainText('Would have written 2 times in the last 7 days')
  await book(departure.id, ['Soraya Karimi'], { contact: soraya }, office)

  await page.getByRole('button', { name: /^Booking confirmed/ }).click()
  await page.getByRole('button', { name: 'Write own text' }).click()
  const dialog = page.getByRole('dialog', { name: 'Booking confirmed' })
  const text = dialog.getByRole('textbox', { name: /^Text/ })
  await expect(text).toHaveValue(/^Hello {{name}},/)
  await dialog.getByRole('textbox', { name: /^Subject/ }).fill('Bring boots, {{nmae}}')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Nothing is called “nmae”. Use the buttons below the text.')).toBeVisible()
  await dialog.getByRole('textbox', { name: /^Subject/ }).fill('Bring boots, {{name}}')
  await text.fill('Dear {{name}}, we go to {{tour}}.\n')
  await expect(dialog.getByText(/^The text does not have the guest’s page/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Guest’s page' }).click()
  await expect(text).toHaveValue('Dear {{name}}, we go to {{tour}}.\n{{link}}')
  // what is in a name is no place of an address
  await expect(dialog.getByRole('region', { name: 'What they read' })).toContainText(
    'Dear Soraya link Karimi, we go to Ice caves.',
  )
  await expectAccessibleEverywhere(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The text is saved')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Booking confirmed/ })).toContainText('Own text: English')
  await expect(page.getByText('Bring boots, Soraya link Karimi')).toBeVisible()
  await expectAccessible(page)

  await book(departure.id, ['Tom Reed'], { contact: { ...soraya, name: 'Tom Reed', email: 'tom@example.org' } }, office)
  await page.goto('/tools/notifications')
  await page.getByRole('cell', { name: 'Bring boots, Tom Reed' }).click()
  const email = page.getByRole('dialog', { name: 'Bring boots, Tom Reed' })
  await expect(email).toContainText('Dear Tom Reed, we go to Ice caves.')
  await expect(email).toContainText('URL of the guest’s page, created when it is sent')

  await page.goto('/tools/notifications?show=rules')
  await page.getByRole('button', { name: 'Edit own text' }).click()
  await dialog.getByRole('button', { name: 'Back to the shipped text' }).click()
  await expect(dialog.getByText(/^Without an own text in this language/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your booking is confirmed: Ice caves')).toBeVisible()
})

test('another hour counts once it is saved', async ({ page, context }) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Tuff Tours')
  const office = await apiOfBrowser(context)
  await makePlaces(office)
  await page.goto('/tools/notifications?show=rules')
  await page.getByRole('button', { name: /^Reminder of the tour/ }).click()
  const hour = page.getByLabel('The day before at')
  await hour.selectOption('20:00')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(hour).toHaveValue('18')
  await hour.selectOption('20:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The rule is changed')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: /^Reminder of the tour By e-mail, the day before at 20:00/ }).click()
  await expect(hour).toHaveValue('20')

  await page.getByRole('button', { name: /^Last reminder By e-mail, 30 minutes before guests are met/ }).click()
  const minutes = page.getByLabel('Minutes before guests are met')
  await minutes.fill('5')
  await expect(page.getByText('At least 10.')).toBeVisible()
  await expectAccessible(page)
  await minutes.fill('45')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('switch', { name: 'Last reminder' }).press('Space')
  await expect(page.getByText('Guests are told from now on')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: /^Last reminder By e-mail, 45 minutes before guests are met/ }).click()
  await expect(minutes).toHaveValue('45')
  await expect(page.getByRole('switch', { name: 'Last reminder' })).toBeChecked()
})
