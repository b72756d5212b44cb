import { recordHeadcount } from '@tour-ops/contract/departures/run-sheet'
import { checkIn } from '@tour-ops/contract/bookings/manifest'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { newCard, setLimits } from '../../alert-causes.ts'
import { type Api, apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, expectScreen, test } from '../../fixtures.ts'
import { book, makeBoarding, makePlaces, makeTour } from '../../operations.ts'

/** Escalation is looked for once a minute, and a machine may do something else as well. */
const aMinuteAfter = { timeout: 150_000 }

/** A departure that boards with two guests on it, of whom the guide counts one: a critical alert. */
async function missGuest(office: Api): Promise<void> {
  await makePlaces(office)
  const { id: departureId } = await makeBoarding(await makeTour('Counted walk', office), 10, office)
  const { guests } = await book(departureId, ['Ingrid Sol', 'Petra Sol'], {}, office)
  const entries = guests.flatMap(({ entryId }) => entryId ?? [])
  await office.call(checkIn, {
    departureId,
    entries: entries.map((entryId) => ({ entryId, clientEventId: crypto.randomUUID() })),
  })
  await office.call(recordHeadcount, { departureId, counted: 1, reason: 'Petra is still in the shop' })
}

test('a critical alert that nobody takes rises a level after the minutes of the settings and tells the role of that level; the board says how long it took', async ({
  page,
}) => {
  test.setTimeout(420_000)
  await enterWithWallet(page)
  await createOrganization(page, 'Patient Walks')
  await page.goto('/settings/tour')
  await page.getByLabel(/^First level after/).fill('1')
  await page.getByLabel(/^First level notifies/).selectOption('admin')
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()

  const office = await apiOfBrowser(page.context())
  await missGuest(office)

  await page.goto('/tools/monitoring')
  await expectScreen(page, 'Monitoring')
  const card = newCard(page, { title: /^1 guest missing at /, subject: 'Counted walk' })
  await expect(card).toBeVisible()
  await expect(card).not.toContainText('Level')
  await expect(card).toContainText('Level 1', aMinuteAfter)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const notice = page.getByRole('button', { name: /Nobody has acknowledged a critical alert for \d+ min/ })
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await notice.click()

  await expect(page.getByRole('dialog', { name: /^1 guest missing at / })).toContainText(
    'Escalated: nobody had acknowledged it',
  )
  await page.keyboard.press('Escape')
  await card.getByRole('button', { name: /^Acknowledge/ }).click()
  await expect(page.getByRole('region', { name: /^Acknowledged/ }).getByRole('article')).toContainText('Level 1')
  await expect(page.getByText(/Median [1-4] min to acknowledge/)).toBeVisible()
})

test('an alert that still nobody acknowledges goes to the second level too; each level is told once and is on the timeline', async ({
  page,
}) => {
  test.setTimeout(600_000)
  await enterWithWallet(page)
  await createOrganization(page, 'Patient Boats')
  const office = await apiOfBrowser(page.context())
  // the only member has the role of both; between them are two more looks, which tell nobody again
  await setLimits(office, { escalateAfterMin: 1, escalateTo: 'admin', escalateAgainMin: 3, escalateAgainTo: 'admin' })
  await missGuest(office)

  await page.goto('/tools/monitoring')
  const card = newCard(page, { title: /^1 guest missing at /, subject: 'Counted walk' })
  await expect(card).toContainText('Level 1', aMinuteAfter)
  await expect(card).toContainText('Level 2', { timeout: 270_000 })
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const notices = page.getByRole('button', { name: /Nobody has acknowledged a critical alert for \d+ min/ })
  await expect(notices).toHaveText([/ for ([3-9]|1\d) min/, / for [12] min/])
  await notices.first().click()

  const alert = page.getByRole('dialog', { name: /^1 guest missing at / })
  await expect(alert.getByRole('listitem').filter({ hasText: 'Escalated: nobody had acknowledged it' })).toHaveText([
    /Level 2$/,
    /Level 1$/,
  ])
  await expectAccessible(page)
})
