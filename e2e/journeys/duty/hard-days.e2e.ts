import type { Page } from '@playwright/test'
import { getManifest, listCheckIns } from '@tour-ops/contract/bookings/manifest'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { ownPassword, signIn } from '../../accounts.ts'
import { type Api, apiAs } from '../../api.ts'
import { endCutOff, installed, takeCutOffs } from '../../duty-steps.ts'
import { expect, expectAccessible, takeAnswers, test } from '../../fixtures.ts'
import { nextBuildMark, openWayToBuilds } from '../../next-build.ts'
import { book, type JourneyTour, makeBoarding, makeDeparture, makeTour } from '../../operations.ts'
import { becomeGuide } from '../../own-guide.ts'
import { storedDays } from '../../stored-days.ts'
import { openByLink } from './phone-by-link.ts'

// The guide's phone on days that do not go by the book: a new build, a session that ends, a clock that is wrong; and a whole tour.

test.use({ viewport: { width: 390, height: 844 } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Glacier walk')
})

/**
 * Waits until no worker of the phone waits any more: the new one takes over once no page of the old one is open. A page that is opened within the
 * few milliseconds in which Chromium ends the old one hangs for minutes, which a person is too slow for. The one that looks is not the phone's.
 */
async function takenOver(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/healthz`)
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration('/duty'))?.waiting ?? null))
    .toBeNull()
}

test('a new build in the middle of a queue: what waits is sent by the new one, once', async ({
  page,
  context,
  complaints,
}) => {
  const way = await openWayToBuilds()
  try {
    const tab = await context.newPage()
    const { api, departure } = await openByLink(tab, tour, [['Anika Patel', 'Rohan Patel'], ['Marcus Reid']], {
      base: way.url,
    })
    await installed(tab)
    await tab.getByRole('button', { name: /Marcus Reid/ }).click()
    const aboard = async () => (await api.call(getManifest, { departureId: departure.id })).counts.aboard
    await expect.poll(aboard).toBe(1)

    way.hold(true)
    await tab.getByRole('button', { name: 'Check in all 2' }).click()
    await expect(tab.getByText('on phone').first()).toBeVisible()
    way.publish()
    await tab.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
    await expect(tab.getByText('A new version is ready.', { exact: false })).toBeVisible()
    await tab.close()

    await takenOver(page, way.url)
    await page.goto(`${way.url}/duty`)
    await expect(page.locator(nextBuildMark)).toBeAttached()
    await page.getByRole('link', { name: 'Guests', exact: true }).click()
    await expect(page.getByText('on phone').first()).toBeVisible()
    way.hold(false)
    await expect.poll(aboard).toBe(3)
    const { events } = await api.call(listCheckIns, { departureId: departure.id })
    expect(events).toHaveLength(3)
    takeAnswers(complaints, 503)
  } finally {
    await way.close()
  }
})

/** When guests came aboard, as the office has it: by the name of each who did; ms. */
async function boardingTimes(api: Api, departureId: string): Promise<Record<string, number>> {
  const { groups } = await api.call(getManifest, { departureId })
  const entries = groups.flatMap(({ parties }) => parties.flatMap((party) => party.entries))
  return Object.fromEntries(
    entries.flatMap(({ name, checkInAt }) => (checkInAt ? [[name, Date.parse(checkInAt)]] : [])),
  )
}

test('a clock that is three hours behind reports the right times', async ({ page }) => {
  await page.clock.install({ time: Date.now() - 3 * 3_600_000 })
  const { api, departure } = await openByLink(page, tour, [['Sofía Herrera']])
  const before = Date.now()
  await page.getByRole('button', { name: /Sofía Herrera/ }).click()
  const times = () => boardingTimes(api, departure.id)
  await expect.poll(async () => Object.keys(await times())).toEqual(['Sofía Herrera'])
  expect(Math.abs(((await times())['Sofía Herrera'] ?? 0) - before)).toBeLessThan(60_000)
})

for (const { clock, hours } of [
  { clock: 'three hours behind', hours: -3 },
  { clock: 'five hours ahead', hours: 5 },
]) {
  test(`a clock that is ${clock}, without a network: what waited 20 minutes is at the office with the right times`, async ({
    page,
    context,
    complaints,
  }) => {
    await page.clock.install({ time: Date.now() + hours * 3_600_000 })
    const { api, departure } = await openByLink(page, tour, [['Sofía Herrera'], ['Marcus Reid']])
    await context.setOffline(true)
    await page.getByRole('button', { name: /Sofía Herrera/ }).click()
    await page.clock.fastForward('20:00')
    await page.getByRole('button', { name: /Marcus Reid/ }).click()
    await expect(page.getByText('2 on phone')).toBeVisible()
    await endCutOff(page)
    const times = () => boardingTimes(api, departure.id)
    await expect.poll(async () => Object.keys(await times()).length).toBe(2)
    const { 'Sofía Herrera': first = 0, 'Marcus Reid': second = 0 } = await times()
    expect(Math.abs(Date.now() - second)).toBeLessThan(60_000)
    expect(Math.abs(second - first - 20 * 60_000)).toBeLessThan(60_000)
    takeCutOffs(complaints)
  })
}

test('a session that ended keeps what was marked: the guide signs in again and it arrives', async ({
  page,
  browser,
  context,
  complaints,
}) => {
  const { staffId, email } = await becomeGuide(page, browser)
  const api = await apiAs('admin')
  const departure = await makeBoarding(tour)
  await book(departure.id, ['Emma Perry', 'Noah Perry'])
  await api.call(createAssignment, { departureId: departure.id, staffId, role: 'guide', overrideReason: 'Journey' })
  const guests = `/duty/tours/${departure.id}/guests`
  await page.goto(guests)
  await expect(page.getByRole('heading', { name: 'Check-in' })).toBeVisible()
  await installed(page)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Check in all 2' }).click()
  await expect(page.getByText('on phone').first()).toBeVisible()
  // Closed before the network is back: its token still counts, and it would send at once.
  await page.goto('about:blank')
  await context.clearCookies()
  await context.setOffline(false)
  await page.goto(guests)
  await expect(page.getByText('Your session has expired.', { exact: false })).toBeVisible()
  await expect(page.getByText('on phone').first()).toBeVisible()
  expect((await api.call(getManifest, { departureId: departure.id })).counts.aboard).toBe(0)

  await page.getByRole('link', { name: 'Sign in again' }).click()
  await signIn(page, email, ownPassword)
  await expect(page).toHaveURL(/\/duty$/)
  await expect.poll(async () => (await api.call(getManifest, { departureId: departure.id })).counts.aboard).toBe(2)
  takeCutOffs(complaints)
  takeAnswers(complaints, 401)
})

test('a lead guide leads a whole tour from the phone; signing out in the dashboard takes the day off it', async ({
  page,
  browser,
}) => {
  const { staffId } = await becomeGuide(page, browser)
  const api = await apiAs('admin')
  const departure = await makeDeparture(tour, { hours: 0.05 })
  await book(departure.id, ['Emma Perry', 'Noah Perry'])
  await api.call(createAssignment, {
    departureId: departure.id,
    staffId,
    role: 'lead_guide',
    overrideReason: 'Journey',
  })
  const now = () => api.call(getDeparture, { id: departure.id })
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click()

  await page.goto('/duty')
  await page.getByRole('link', { name: 'Open run sheet' }).click()
  await button('Open boarding').click()
  await confirm('Open boarding')
  await expect.poll(async () => (await now()).status).toBe('boarding')
  await page.getByRole('link', { name: 'Guests', exact: true }).click()
  await button('Check in all 2').click()
  await page.getByRole('link', { name: 'Back' }).click()
  await button('Start tour').click()
  await page.getByRole('dialog').getByRole('link', { name: 'Count heads first' }).click()
  await button('Start with 2').click()
  await expect.poll(async () => (await now()).status).toBe('in_progress')

  await page.goto(`/duty/tours/${departure.id}/guests`)
  await page.getByRole('link', { name: 'Details of Emma Perry' }).click()
  await button('Left the tour early').click()
  await confirm('Left the tour early')
  await button('Did not leave, is on tour').click()
  await expect(button('Left the tour early')).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('link', { name: 'Back' }).click()

  await page.getByRole('link', { name: 'Report incident' }).scrollIntoViewIfNeeded()
  await expectAccessible(page)
  await button('Arrived').click()
  await page.getByRole('link', { name: 'Count and depart' }).click()
  await button('One less').click()
  await expectAccessible(page)
  await expect(button('Depart')).toHaveAttribute('aria-disabled', 'true')
  await button('One more').click()
  await button('Depart with 2').click()
  await button('Arrived').click()
  await button('Complete tour').click()
  await confirm('Complete tour')
  await expect.poll(async () => (await now()).status).toBe('completed')
  const over = await now()
  expect(over.stops.map(({ status }) => status).slice(-2)).toEqual(['departed', 'arrived'])
  expect(over.actualEndAt).not.toBeNull()

  const desk = await page.context().newPage()
  await desk.setViewportSize({ width: 1440, height: 900 })
  await desk.goto('/dashboard/overview')
  await desk.getByRole('button', { name: /Account/ }).click()
  await desk.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(desk).toHaveURL(/\/sign-in/)
  await expect(page.getByText('Sign in to see your day.')).toBeVisible()
  expect(await storedDays(page)).toBe(0)
})
