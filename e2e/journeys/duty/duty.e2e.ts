import type { Page } from '@playwright/test'
import { getManifest, listCheckIns } from '@tour-ops/contract/bookings/manifest'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { sendLinkedDutyEvents } from '@tour-ops/contract/duty/duty-phone'
import { createLink, revokeLink } from '@tour-ops/contract/links/links'
import { origin } from '../../api.ts'
import { withCameraOn } from '../../camera.ts'
import { checkInParties, endCutOff, installed, openCheckIn, storedFiles, takeCutOffs } from '../../duty-steps.ts'
import { expect, expectAccessible, sessionFile, takeAnswers, test } from '../../fixtures.ts'
import { book, type JourneyTour, makeTour } from '../../operations.ts'
import { boardingWithLink, openByLink } from './phone-by-link.ts'

// The guide's phone: a separate application, which opens and works without a network.

test.use({ viewport: { width: 390, height: 844 } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Fjord walk')
})

/** The check-ins that a page sends from now on, in the order of sending. */
function sentEvents(page: Page): { readonly entryId: string; readonly at: string }[] {
  const sent: { readonly entryId: string; readonly at: string }[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith(`/api/${sendLinkedDutyEvents.name}`)) return
    sent.push(...(request.postDataJSON() as { data: { events: typeof sent } }).data.events)
  })
  return sent
}

const party = (name: string, count: number): string[] => Array.from({ length: count }, (_each, at) => `G${at} ${name}`)

test('a network that is cut in the middle of check-in costs nothing: closed, opened again without it, everything arrives once and in order', async ({
  page,
  context,
  complaints,
}) => {
  const parties = ['Adams', 'Brown', 'Clark', 'Davis', 'Evans'].map((name) => party(name, 50))
  const tab = await context.newPage()
  const { api, departure } = await openByLink(tab, tour, parties, { capacity: 250 })
  await installed(tab)
  // code of hosted services is for installations that are configured for one
  expect((await storedFiles(tab)).filter((name) => /clerk|firebase/.test(name))).toEqual([])
  await tab.getByRole('button', { name: 'Check in all 50' }).first().click()
  await expect.poll(async () => (await api.call(getManifest, { departureId: departure.id })).counts.aboard).toBe(50)

  await context.setOffline(true)
  await checkInParties(tab, 50, 4)
  await expect(tab.getByText('No signal since')).toBeVisible()
  await tab.close()

  await page.goto('/duty')
  await expect(page.getByText('200 entries are waiting on this phone')).toBeVisible()
  await page.getByRole('link', { name: 'Guests', exact: true }).click()
  await expect(page.getByText('on phone').first()).toBeVisible()
  const sent = sentEvents(page)
  const since = Date.now()
  await endCutOff(page)
  await expect.poll(async () => (await api.call(getManifest, { departureId: departure.id })).counts.aboard).toBe(250)
  test.info().annotations.push({ type: 'ms for 200 events', description: String(Date.now() - since) })
  await expect(page.getByText('No signal since')).toHaveCount(0)
  takeCutOffs(complaints)
  const { events } = await api.call(listCheckIns, { departureId: departure.id })
  expect(new Set(events.map(({ entryId }) => entryId)).size).toBe(250)
  expect(events).toHaveLength(250)
  // The office lists the latest first; the phone has sent them in the order of the taps, a hundred at a time.
  const recorded = events.toReversed().slice(50)
  expect(recorded.map(({ entryId }) => entryId)).toEqual(sent.map(({ entryId }) => entryId))
  expect(sent.map(({ at }) => at)).toEqual(sent.map(({ at }) => at).toSorted())
  expect(new Set(sent.map(({ at }) => at)).size).toBe(4)
})

test('a mark without a signal is on the phone, then at the office; the link ends when it is revoked', async ({
  page,
  context,
  complaints,
}) => {
  const { api, departure, link } = await openByLink(page, tour, [['Anika Patel'], ['Marcus Reid']])
  await installed(page)
  await context.setOffline(true)
  await page.getByRole('button', { name: /Anika Patel/ }).click()
  await expect(page.getByText('on phone').first()).toBeVisible()
  await endCutOff(page)
  await expect.poll(async () => (await api.call(getManifest, { departureId: departure.id })).counts.aboard).toBe(1)
  await expectAccessible(page)
  takeCutOffs(complaints)
  await api.call(revokeLink, { ids: [link.id] })
  await page.reload()
  await expect(page.getByText('This link has expired.')).toBeVisible()
  takeAnswers(complaints, 404)
})

test('notes of the way reach the departure', async ({ page }) => {
  const { api, departure } = await openByLink(page, tour, [['Sofía Herrera', 'Pablo Herrera']])
  await page.getByRole('button', { name: 'Check in all 2' }).click()
  await expect.poll(async () => (await api.call(getManifest, { departureId: departure.id })).counts.aboard).toBe(2)
  await page.goto('/duty')
  await page.getByRole('link', { name: 'Run sheet', exact: true }).click()
  await page.getByRole('textbox', { name: 'Add a note' }).fill('Lunch is paid.')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect
    .poll(async () => (await api.call(getDeparture, { id: departure.id })).notes.map(({ text }) => text))
    .toEqual(['Lunch is paid.'])
})

test('the guest’s page has the ticket, and its reference typed on the phone checks the party in', async ({
  page,
  context,
}) => {
  const { api, departure } = await openByLink(page, tour, [])
  const { id: subjectId, bookingRef } = await book(departure.id, ['Iris Dahl', 'Jon Dahl'])
  const { token } = await api.call(createLink, { kind: 'booking_guest', subjectId, label: 'Iris Dahl' })
  const guest = await context.newPage()
  await guest.goto(`/share/${token}`)
  await expect(guest.getByRole('img', { name: `Booking ${bookingRef} as a QR code` })).toBeVisible()
  await expectAccessible(guest)
  await guest.close()

  await page.goto(`/duty/tours/${departure.id}/scan`)
  // what the phone had kept is older than the booking
  await expect(page.getByText(/^0 of 2 in/)).toBeVisible()
  await page.getByRole('button', { name: 'Enter the code instead' }).click()
  await page.getByRole('textbox', { name: 'Booking reference or name' }).fill(bookingRef)
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByRole('button', { name: 'All 2 in' }).click()
  await expect.poll(async () => (await api.call(getManifest, { departureId: departure.id })).counts.aboard).toBe(2)
})

test('a ticket before the camera is read: who is in, who of the party is not yet, and all of them with one tap', async () => {
  const { api, departure, link } = await boardingWithLink(tour, [])
  const { bookingRef } = await book(departure.id, ['Mara Lund', 'Nils Lund', 'Ole Lund'])
  await withCameraOn(bookingRef, async (phone) => {
    const page = await phone.newPage({
      baseURL: origin,
      viewport: { width: 390, height: 844 },
      locale: 'en-US',
      permissions: ['camera'],
    })
    await openCheckIn(page, `/duty#link=${link.token}`)
    await page.getByRole('link', { name: 'Scan ticket' }).click()
    await page.getByRole('button', { name: 'All 3 in' }).click()
    await expect.poll(async () => (await api.call(getManifest, { departureId: departure.id })).counts.aboard).toBe(3)
    const { events } = await api.call(listCheckIns, { departureId: departure.id })
    expect(new Set(events.map(({ method }) => method))).toContain('scan')
    await expectAccessible(page)
  })
})

test('the run sheet hides nothing under its navigation, and its menu leads to what else there is', async ({ page }) => {
  const { departure } = await openByLink(page, tour, [['Anna Berg', 'Bo Berg']])
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByRole('heading', { name: 'Fjord walk', level: 1 })).toBeVisible()
  const report = page.getByRole('link', { name: 'Report incident' })
  await report.scrollIntoViewIfNeeded()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const menu = page.getByRole('dialog', { name: 'More' })
  await expectAccessible(page)
  await expect(menu.getByRole('link', { name: /^Count heads at/ })).toBeVisible()
  await menu.getByRole('link', { name: 'Report incident' }).click()
  await expect(page).toHaveURL(new RegExp(`/duty/tours/${departure.id}/incident$`))
})

test.describe('a guide with an account', () => {
  test.use({ storageState: sessionFile('guide') })

  test('has the own day on the phone, and says whether the office may see it', async ({ page }) => {
    await page.goto('/duty')
    await expect(page.getByRole('navigation').getByText('My day')).toBeVisible()
    await expectAccessible(page)
  })
})
