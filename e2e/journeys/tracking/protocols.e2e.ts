import type { Page } from '@playwright/test'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, test } from '../../fixtures.ts'
import { makeDeparture, makePlaces, makeTour } from '../../operations.ts'
import { sendOsmAnd, sendOsmAndForm, sendOwnTracks, sendTraccar } from '../../tracker-steps.ts'
import { guideWithPhone } from '../../walk.ts'

const speakers = {
  'OsmAnd, as parameters': sendOsmAnd,
  'OsmAnd, as a form': sendOsmAndForm,
  'Traccar Client, as JSON': sendTraccar,
  OwnTracks: sendOwnTracks,
}

/** Of the person who is on duty, as the list of the office has them. */
const row = (page: Page) => page.getByRole('row').filter({ hasText: 'Signe' })

test('the office sees a phone with its place and its battery, whichever of the apps it has', async ({ page }) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Tracker Walks')
  const office = await apiOfBrowser(page.context())
  await makePlaces(office)
  const { id } = await makeDeparture(await makeTour('Tracked walk', office), {}, office)
  const { staffId, url } = await guideWithPhone(office, 'Signe')
  await office.call(createAssignment, { departureId: id, staffId, role: 'lead_guide' })
  const { version } = await office.call(getDeparture, { id })
  await office.call(setDepartureStatus, { id, version, to: 'boarding', reason: 'Journey' })
  await page.goto('/field-staff/tracking')
  await expect(row(page).getByText('Live', { exact: true })).toHaveCount(0)
  for (const [index, [app, send]] of Object.entries(speakers).entries()) {
    await test.step(app, async () => {
      const batt = 90 - index
      expect(await send(page, url, { lat: 64.1 + index / 10_000, batt })).toBe(200)
      await expect(row(page)).toContainText(`${batt}%`)
      await expect(row(page).getByText('Live', { exact: true })).toBeVisible()
    })
  }
  for (const send of Object.values(speakers)) expect(await send(page, `${url}0`, { lat: 64.2, batt: 50 })).toBe(400)
})
