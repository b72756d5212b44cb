import type { Page } from '@playwright/test'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { markStop } from '@tour-ops/contract/departures/run-sheet'
import { createLink } from '@tour-ops/contract/links/links'
import { listIncidents } from '@tour-ops/contract/monitoring/incidents'
import { getGeneralSettings, updateGeneralSettings } from '@tour-ops/contract/settings/settings'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { type Api, apiAs, apiOfBrowser } from '../../api.ts'
import { endCutOff, installed, openCheckIn, takeCutOffs } from '../../duty-steps.ts'
import { expect, test } from '../../fixtures.ts'
import { book, giveLead, makeDeparture, makePlaces, makeTour } from '../../operations.ts'
import { boardingWithLink } from './phone-by-link.ts'

// What goes wrong on the way: somebody does not come, somebody is missing at the count, somebody is hurt, and the office must be called.

test.use({ viewport: { width: 390, height: 844 } })

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** A departure that starts in three minutes and boards: its pickup was 17 minutes ago. */
async function boardingNow(api: Api) {
  const { id, stops } = await makeDeparture(await makeTour('Crater walk'), { hours: 0.05 }, api)
  await giveLead(api, id)
  await book(id, ['Pablo Herrera'], { pickupStopId: stops[0]?.id ?? null }, api)
  const { version } = await api.call(getDeparture, { id })
  await api.call(setDepartureStatus, { id, version, to: 'boarding' })
  const scopes = { checkin: true }
  const link = await api.call(createLink, { kind: 'staff_runsheet', subjectId: id, label: 'Freelancer', scopes })
  return { link, departure: await api.call(getDeparture, { id }) }
}

test('a guest who does not come is waited for by the clock of the crew, and is a no-show only when the time has come', async ({
  page,
}) => {
  const api = await apiAs('admin')
  const { link, departure } = await boardingNow(api)
  await page.clock.install({ time: Date.now() - 3_600_000 })
  await openCheckIn(page, `/duty#link=${link.token}`)
  await page.getByRole('link', { name: 'Details of Pablo Herrera' }).click()
  await expect(page.getByText(/^Mark as no-show: Possible from \d/)).toBeVisible()
  await expect(button(page, 'Mark as no-show')).toHaveCount(0)

  const [pickup] = departure.stops
  await api.call(markStop, { id: pickup?.id ?? '', version: pickup?.version ?? 1, to: 'arrived' })
  await page.clock.fastForward('01:00:00')
  // five minutes from the arrival, which was a moment ago
  await expect(page.getByText(/^Wait until .*, 5 min to go$/)).toBeVisible()
  await expect(button(page, 'Mark as no-show')).toBeVisible()
  await page.clock.fastForward('02:00')
  await expect(page.getByText(/^Wait until .*, 3 min to go$/)).toBeVisible()
  await page.clock.fastForward('03:00')
  await expect(page.getByText(/^The waiting time ended at /)).toBeVisible()

  await button(page, 'Mark as no-show').click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Note' }).fill('Nobody at the door.')
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as no-show' }).click()
  await expect.poll(async () => (await api.call(getManifest, { departureId: departure.id })).counts.noShow).toBe(1)
  await expect(page.getByText('Mark as no-show: Possible from')).toHaveCount(0)
})

test('the office is one tap away; without a signal nobody departs with one too few and no reason, and an incident waits for the signal and arrives once', async ({
  page,
  context,
  browser,
  complaints,
}) => {
  const desk = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const owner = await desk.newPage()
  await enterWithWallet(owner)
  await createOrganization(owner, 'Lava walks')
  const api = await apiOfBrowser(desk)
  await desk.close()
  const { settings, version: settingsVersion } = await api.call(getGeneralSettings, {})
  const phone = '+354 555 0199'
  await api.call(updateGeneralSettings, { version: settingsVersion, settings: { ...settings, phone } })
  await makePlaces(api)
  const { departure, link } = await boardingWithLink(await makeTour('Lava walk', api), [['Ada Berg', 'Bo Berg']], {
    by: api,
  })
  await openCheckIn(page, `/duty#link=${link.token}`)
  await installed(page)
  await button(page, 'Check in all 2').click()
  const now = () => api.call(getDeparture, { id: departure.id })
  await expect.poll(async () => (await now()).counts.aboard).toBe(2)
  const { version } = await now()
  await api.call(setDepartureStatus, { id: departure.id, version, to: 'in_progress', reason: 'Journey' })
  await page.reload()
  await page.getByRole('link', { name: 'Back' }).click()
  // what the phone has stored is shown first, and is from before the start
  await expect(page.getByText('stop 3 of 4')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Call the office' })).toHaveAttribute('href', `tel:${phone}`)

  await context.setOffline(true)
  await button(page, 'Arrived').click()
  await page.getByRole('link', { name: 'Count and depart' }).click()
  await button(page, 'One less').click()
  const depart = button(page, 'Depart')
  await expect(depart).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText('Blocked: 1 of 2, no reason entered yet.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Call the office' })).toHaveAttribute('href', `tel:${phone}`)
  await depart.click({ force: true })
  await expect(page.getByRole('heading', { name: 'Count before leaving' })).toBeVisible()
  await page.getByRole('radio', { name: 'Cannot be reached; office approved' }).check()
  await button(page, 'Depart with 1').click()

  await page.getByRole('link', { name: 'Report incident' }).click()
  await expect(page.getByRole('link', { name: 'Call the office' })).toHaveAttribute('href', `tel:${phone}`)
  await expect(page.getByRole('link', { name: /^In danger\? Call 112 first/ })).toHaveAttribute('href', 'tel:112')
  await page.getByRole('combobox', { name: 'Category' }).selectOption({ label: 'Medical' })
  await page.getByRole('textbox', { name: 'Summary' }).fill('Twisted ankle at the rim')
  await page.getByRole('textbox', { name: 'Details' }).fill('Can walk with help.')
  await button(page, 'Send report').click()
  // arrival, count, departure, incident
  await expect(page.getByText('4 entries are waiting on this phone')).toBeVisible()
  const incidents = async () => (await api.call(listIncidents, { filters: { departureId: [departure.id] } })).rows
  expect(await incidents()).toEqual([])

  await endCutOff(page)
  await expect(page.getByText('No signal since')).toHaveCount(0)
  await expect.poll(async () => (await incidents()).map(({ title }) => title)).toEqual(['Twisted ankle at the rim'])
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Lava walk', level: 1 })).toBeVisible()
  const after = await now()
  expect(after.lastHeadcount).toMatchObject({ counted: 1, expected: 2 })
  expect(after.stops.map(({ status }) => status)).toContain('departed')
  expect(await incidents()).toMatchObject([{ category: 'medical', title: 'Twisted ankle at the rim' }])
  takeCutOffs(complaints)
})
