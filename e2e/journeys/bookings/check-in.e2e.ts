import { getDeparture } from '@tour-ops/contract/departures/departures'
import { acceptAssignment, offerAssignment } from '@tour-ops/contract/field-staff/assignments'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import type { Page } from '@playwright/test'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, expectAccessibleEverywhere, sessionFile, takeAnswers, test } from '../../fixtures.ts'
import { book, type JourneyTour, makeBoarding, makeTour } from '../../operations.ts'
import { becomeGuide } from '../../own-guide.ts'

test.use({ storageState: sessionFile('dispatcher') })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Harbor walk')
})

const manifestOf = (id: string): string => `/travelers/list?departure=${id}&tab=manifest`
const drawer = (page: Page) => page.getByRole('dialog', { name: /Harbor walk/ })
const row = (page: Page, name: string) => drawer(page).locator('[data-entry]').filter({ hasText: name })

test('a check-in shows at once, and in a second browser without a reload; so does undoing it', async ({
  page,
  browser,
}) => {
  const departure = await makeBoarding(tour)
  await book(departure.id, ['Anika Patel', 'Rohan Patel'])
  const colleague = await browser.newContext({ storageState: sessionFile('operations_manager') })
  const other = await colleague.newPage()
  await other.goto(manifestOf(departure.id))
  await expect(drawer(other).getByText('0 of 2 aboard').first()).toBeVisible()

  await page.goto(manifestOf(departure.id))
  await page.getByRole('button', { name: 'Check in Anika Patel' }).click()
  await expect(row(page, 'Anika Patel').getByText('Aboard')).toBeAttached()
  await expect(drawer(other).getByText('1 of 2 aboard').first()).toBeVisible()
  await expect(row(other, 'Anika Patel').getByText('Aboard')).toBeAttached()

  await row(other, 'Anika Patel').hover()
  await other.getByRole('button', { name: 'More about Anika Patel' }).click()
  await other.getByRole('menuitem', { name: 'Undo check-in' }).click()
  await expect(page.getByRole('button', { name: 'Check in Anika Patel' })).toBeVisible()
  await colleague.close()
})

test('keys search, select, check in and undo; a party is checked in as one', async ({ page }) => {
  const departure = await makeBoarding(tour)
  await book(departure.id, ['Sofía Herrera', 'Pablo Herrera'])
  await book(departure.id, ['Marcus Reid'])
  await page.goto(manifestOf(departure.id))
  await expect(drawer(page).getByText('0 of 3 aboard').first()).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Name, booking or phone' })).toBeFocused()
  await page.keyboard.type('herr')
  await expect(row(page, 'Marcus Reid')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(row(page, 'Marcus Reid')).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select Sofía Herrera' }).focus()
  await page.keyboard.press('Shift+Space')
  await expect(page.getByText('2 selected')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('c')
  await expect(drawer(page).getByText('2 of 3 aboard').first()).toBeVisible()
  await page.keyboard.press('u')
  await expect(drawer(page).getByText('0 of 3 aboard').first()).toBeVisible()
  await page.getByRole('button', { name: 'Check in 2' }).click()
  await expect(page.getByText('2 checked in')).toBeVisible()
  // the screen says it at the tap, and sends it then
  const office = await apiAs('admin')
  await expect
    .poll(async () => (await office.call(getManifest, { departureId: departure.id })).counts)
    .toMatchObject({ aboard: 2, toCome: 1 })
})

test('a head count that differs needs a reason, and the reason is stored', async ({ page }) => {
  const departure = await makeBoarding(tour)
  await book(departure.id, ['Jonas Weber', 'Anna Weber'])
  await page.goto(manifestOf(departure.id))
  await page.getByRole('checkbox', { name: 'Select the party of Jonas Weber' }).check()
  await page.getByRole('button', { name: 'Check in 2' }).click()
  await expect(drawer(page).getByText('2 of 2 aboard').first()).toBeVisible()

  await page.getByRole('button', { name: 'Head count', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'How many are there?' })
  await dialog.getByLabel('Counted', { exact: true }).fill('1')
  await expect(dialog.getByText('1 guest is missing')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save count' })).toHaveAttribute('aria-disabled', 'true')
  await expect(dialog.getByText('Enter a reason first.')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await dialog.getByRole('radio', { name: 'Cannot be reached; office approved' }).check()
  await dialog.getByRole('button', { name: 'Save count' }).click()
  await expect(page.getByText('1 counted')).toBeVisible()
  await expect(page.getByText(/Last count 1 of 2/)).toBeVisible()
})

test('nobody is a no-show before the time', async ({ page, complaints }) => {
  const departure = await makeBoarding(tour)
  await book(departure.id, ['Liam Ward'])
  await page.goto(manifestOf(departure.id))
  await row(page, 'Liam Ward').hover()
  await page.getByRole('button', { name: 'More about Liam Ward' }).click()
  await page.getByRole('menuitem', { name: 'No-show' }).click()
  // Twenty minutes ahead nobody can be late yet: the server says so and nothing changes.
  await expect(page.getByText(/^No-shows can be marked from /)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Check in Liam Ward' })).toBeVisible()
  takeAnswers(complaints, 409)
})

test('a guide who is asked sees the run sheet, and checks guests in after accepting; other departures stay closed', async ({
  page,
  browser,
  complaints,
}) => {
  const departure = await makeBoarding(tour)
  const foreign = await makeBoarding(tour)
  await book(departure.id, ['Emma Perry'])
  const { staffId } = await becomeGuide(page, browser)
  const office = await apiAs('admin')
  const respondBy = new Date(Date.now() + 600_000).toISOString()
  await office.call(offerAssignment, { departureId: departure.id, role: 'guide', staffIds: [staffId], respondBy })
  await page.goto(`/dashboard/overview?departure=${departure.id}&tab=manifest`)
  await expect(drawer(page).getByRole('tab', { name: 'Run sheet' })).toBeVisible()
  await expect(drawer(page).getByRole('tab', { name: /Manifest/ })).toHaveCount(0)

  const asked = (await office.call(getDeparture, { id: departure.id })).crew.find((each) => each.staffId === staffId)
  await office.call(acceptAssignment, { id: asked?.assignmentId ?? '', version: asked?.version ?? 0 })
  await drawer(page)
    .getByRole('tab', { name: /Manifest/ })
    .click()
  await page.getByRole('button', { name: 'Check in Emma Perry' }).click()
  await expect(drawer(page).getByText('1 of 1 aboard').first()).toBeVisible()
  // Status is the office's; counting is the guide's.
  await expect(page.getByRole('button', { name: 'Head count', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start tour' })).toHaveCount(0)

  await page.goto(`/dashboard/overview?departure=${foreign.id}`)
  await expect(page.getByText('This departure was not found, or you do not have access to it.')).toBeVisible()
  takeAnswers(complaints, 404)
})
