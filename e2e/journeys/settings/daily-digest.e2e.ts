import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectAccessibleEverywhere, test } from '../../fixtures.ts'
import { makeDeparture, makePlaces, makeTour } from '../../operations.ts'

test('the digest of the office is shown and sent on demand, leads to what is missing, and has its time, as the reminder of crews has', async ({
  page,
  context,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Evening Tours')
  const office = await apiOfBrowser(context)
  await makePlaces(office)
  await page.goto('/settings/notifications#digest')
  const section = page.getByRole('region', { name: 'Daily digest for the office' })
  await section.getByRole('button', { name: 'Show what it would say' }).click()
  await expect(section.getByText('Neither today nor tomorrow has a departure: nothing is sent.')).toBeVisible()

  const tour = await makeTour('Ice caves', office)
  const departure = await makeDeparture(tour, { hours: 24 }, office)
  const text = section.getByRole('region', { name: 'What the digest says' })
  await expect(text).toContainText(/^Tomorrow, .+: 1 departure, 0 guests, 10 seats/)
  await expect(text).toContainText('Ice caves: no lead guide has accepted')
  await expect(text).toContainText(`departure=${departure.id}`)
  await expectAccessibleEverywhere(page)

  await section.getByRole('button', { name: 'Send it to me now' }).click()
  await expect(page.getByText('Sent: Bell')).toBeVisible()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const notice = page.getByRole('dialog', { name: 'Notifications' }).getByRole('button', { name: /Tomorrow, / })
  await expect(notice).toContainText('Not ready: 1 · Departures with unfilled roles: 1')
  await notice.click()
  await expect(page).toHaveURL(/\/dashboard\/overview\?day=/)
  await expect(page.getByText('Ice caves').first()).toBeVisible()

  await page.goto('/settings/notifications#setting-digestAt')
  await section.getByLabel(/^Sent at/).selectOption('06:30')
  const crews = page.getByRole('region', { name: 'Reminder for crews' })
  await crews.getByLabel(/^Sent at/).selectOption('Off')
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Sent at from 18:00 to 06:30')
  const saved = page.waitForResponse(/\/api\/settings-own-update$/)
  // the box shows what is being saved a moment after the click
  const byEmail = page.getByRole('checkbox', { name: 'Daily digest: tomorrow: E-mail' })
  await byEmail.click()
  await expect(byEmail).not.toBeChecked()
  await saved
  await page.reload()
  await expect(section.getByLabel(/^Sent at/)).toHaveValue('06:30')
  await expect(crews.getByLabel(/^Sent at/)).toHaveValue('off')
  await expect(page.getByRole('checkbox', { name: 'Daily digest: tomorrow: E-mail' })).not.toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Daily digest: tomorrow: Bell' })).toBeChecked()
})
