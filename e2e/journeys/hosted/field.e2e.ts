import type { Page } from '@playwright/test'
import { checkIn } from '@tour-ops/contract/bookings/manifest'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createLink, setLinkPasscode } from '@tour-ops/contract/links/links'
import { issueWeatherSource } from '@tour-ops/contract/monitoring/weather-warnings'
import { listDevices } from '@tour-ops/contract/tracking/devices'
import { endDuty, setTrackingConsent } from '@tour-ops/contract/tracking/duty'
import { listTracked } from '@tour-ops/contract/tracking/tracked-subjects'
import { vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { newCard, resolvedCard } from '../../alert-causes.ts'
import { subscribeReplaceAndEnd } from '../../calendar-steps.ts'
import { test } from '../../clerk-world.ts'
import {
  expect,
  inAnotherBrowser,
  leadGuide,
  printOutputOfFailed,
  signInAt,
  type WorkingOrganization,
  workingOrganization,
} from '../../hosted-steps.ts'
import { openHostedWorld, type HostedWorld } from '../../hosted-world.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'
import { askAndAnswerRollCall } from '../../roll-call-steps.ts'
import {
  addDeviceOnCard,
  closePaired,
  expectTourSeen,
  pairPhone,
  revokeOnCard,
  sendOsmAnd,
  sendOwnTracks,
} from '../../tracker-steps.ts'

// Positions, alerts, roll calls, calendars and the guest's page where identity service and backend are hosted.

let world: HostedWorld

test.beforeAll(async () => {
  world = await openHostedWorld(18_140)
})
test.afterEach(() => printOutputOfFailed(test.info(), world))
test.afterAll(() => world?.stop())
test.use({ actionTimeout: 60_000 })

const signIn = (page: Page, email: string): Promise<void> => signInAt(world.clerk.url, page, email)
const open = (page: Page, path: string) => page.goto(world.clerk.url + path)

/** The guide of the organization's departure, who has agreed to be seen: boarding has begun the duty. */
async function seenGuide(name: string, organization: WorkingOrganization) {
  const lead = await leadGuide(world, name, organization)
  await lead.guide.call(setTrackingConsent, { agrees: true })
  return lead
}

/** How the database of live documents answers a person who asks for the positions of an organization. @returns the status. */
async function askForPositions(userId: string, orgId: string): Promise<number> {
  const documents = `http://localhost:${world.firestore.port}/v1/projects/demo-tour/databases/(default)/documents`
  const answer = await fetch(`${documents}/orgs/${orgId}:runQuery`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await world.backendToken(userId, orgId)}` },
    body: JSON.stringify({ structuredQuery: { from: [{ collectionId: 'positions' }] } }),
  })
  return answer.status
}

test('a tracker is paired by its code and seen while it moves, by nobody who may not; outside of duty and revoked it is refused', async ({
  page,
}) => {
  const organization = await workingOrganization(world, 'Glen Tours', 'Ridge walk')
  const { api, orgId, departure, dispatcher } = organization
  const { guide, staffId } = await seenGuide('Hal', organization)
  await signIn(page, dispatcher.email)
  await open(page, `/field-staff/details/${staffId}`)
  const { code, dialog } = await addDeviceOnCard(page, 'Pixel 9')
  const phone = await page.context().newPage()
  await open(phone, `/pair#${code}`)
  await phone.getByRole('button', { name: 'Pair this phone' }).click()
  const url = await phone.getByRole('textbox', { name: 'URL for the app' }).inputValue()
  await phone.close()
  await closePaired(dialog)

  expect(await sendOsmAnd(page, url, { lat: 64.1, batt: 81 })).toBe(200)
  await open(page, '/field-staff/tracking')
  const row = (battery: string) => page.getByRole('row').filter({ hasText: battery })
  await expect(row('81%').getByText('Live', { exact: true })).toBeVisible()
  expect(await sendOwnTracks(page, url, { lat: 64.1001, batt: 74 })).toBe(200)
  await expect(row('74%')).toBeVisible()

  await open(page, '/dashboard/map')
  await page.getByRole('button', { name: '1 on duty seen' }).click()
  const person = page.getByRole('region', { name: 'On duty' }).getByRole('listitem')
  await expect(person).toContainText('Battery 74%')
  expect(await sendOsmAnd(page, url, { lat: 64.1002, batt: 66 })).toBe(200)
  await expect(person).toContainText('Battery 66%')
  const stored = () => JSON.stringify(world.firestore.at(`orgs/${orgId}/positions/${departure.id}`) ?? null)
  expect(stored()).toContain('64.1002')

  const viewer = world.clerk.person('Tom', [{ orgId, role: 'org:tour_designer' }])
  expect([await askForPositions(dispatcher.id, orgId), await askForPositions(viewer.id, orgId)]).toEqual([200, 403])
  await expect((await world.api(viewer.id, orgId)).call(listTracked, {})).rejects.toThrow('answered 403')

  await guide.call(endDuty, {})
  await expect(page.getByText('1 on duty seen')).toBeHidden()
  await expect.poll(stored).toBe('null')
  // of no duty; answered as one that is stored, so that no phone sends it again
  const hourAgo = Date.now() - 3_600_000
  expect(await sendOsmAnd(page, url, { lat: 64.2, batt: 60, at: hourAgo })).toBe(200)
  expect((await api.call(listDevices, {})).rows).toMatchObject([{ droppedOfWeek: 1 }])
  await open(page, `/field-staff/details/${staffId}`)
  await revokeOnCard(page)
  expect(await sendOsmAnd(page, url, { lat: 64.2, batt: 60 })).toBe(400)
})

test('an alert comes to the open board by itself, is acknowledged, and ends by itself with what it is about', async ({
  page,
}) => {
  const { api, dispatcher } = await workingOrganization(world, 'Oslo Tours', 'Ridge walk')
  const { url } = await api.call(issueWeatherSource, {})
  const report = async (data: object) => {
    const answer = await page.request.post(url, { data: { id: 'storm-1', ...data } })
    return (await answer.json()) as unknown
  }
  await signIn(page, dispatcher.email)
  await open(page, '/tools/monitoring')
  await expect(page.getByRole('heading', { level: 1, name: 'Monitoring' })).toBeVisible()
  // what the functions write, the evaluation of the always-on server hears of
  await makeDeparture(await makeTour('Fjord walk', api), {}, api)
  await expect(newCard(page, { title: /^No lead guide/, subject: 'Fjord walk' })).toBeVisible()

  const stated = await report({
    title: 'Storm over the ridge',
    text: 'Gusts of 30 m/s.',
    severity: 'critical',
    startsAt: new Date().toISOString(),
    endsAt: new Date(Date.now() + 3 * 3_600_000).toISOString(),
  })
  expect(stated).toMatchObject({ result: { outcome: 'stated' } })
  const storm = { title: 'Storm over the ridge', subject: 'Ridge walk' }
  await newCard(page, storm).getByRole('button', { name: 'Acknowledge' }).click()
  const acknowledged = page.getByRole('region', { name: /^Acknowledged/ }).getByRole('article')
  await expect(acknowledged.filter({ hasText: storm.subject })).toContainText(storm.title)
  expect(await report({ cancelled: true })).toMatchObject({ result: { outcome: 'ended' } })
  await expect(resolvedCard(page, storm)).toContainText(/\d\d:\d\d by itself/)
  await expect(acknowledged).toHaveCount(0)
})

test('a guest sees where the tour is and what comes next, and nothing of it when the departure has ended', async ({
  page,
}) => {
  const organization = await workingOrganization(world, 'Rut Tours', 'Ridge walk')
  const { api, departure } = organization
  const { staffId } = await seenGuide('Rut', organization)
  const { url } = await pairPhone(api, staffId)
  const { id: subjectId, guests } = await book(departure.id, ['Iris Dahl'], {}, api)
  const entries = guests.map(({ entryId }) => ({ entryId: entryId ?? '', clientEventId: crypto.randomUUID() }))
  await api.call(checkIn, { departureId: departure.id, entries })
  const setStatus = async (to: 'in_progress' | 'completed'): Promise<void> => {
    const { version } = await api.call(getDeparture, { id: departure.id })
    await api.call(setDepartureStatus, { id: departure.id, version, to, reason: 'Journey' })
  }
  await setStatus('in_progress')
  const { path } = await api.call(createLink, {
    kind: 'booking_guest',
    subjectId,
    label: 'Dahl',
    scopes: { position: true },
    language: 'en',
  })
  await open(page, path)
  await expect(page.getByText('Next, around')).toBeVisible()
  const drawing = page.getByRole('img', { name: 'Where the tour is' })
  await expect(drawing).toHaveCount(0)
  expect(await sendOsmAnd(page, url, { lat: 64.152, batt: 80, at: Date.now() - 75_000 })).toBe(200)
  await expectTourSeen(page, 100)
  await setStatus('completed')
  await expect(drawing).toHaveCount(0)
  await expect(page.getByText('Next, around')).toHaveCount(0)
})

test('the office asks who is safe, and a guest answers on their link, through functions', async ({ page, browser }) => {
  const { api, dispatcher } = await workingOrganization(world, 'Pine Tours', 'Ridge walk')
  await signIn(page, dispatcher.email)
  await inAnotherBrowser(browser, (phone) => askAndAnswerRollCall({ page, phone, office: api, base: world.clerk.url }))
})

test('a guest gives the passcode of a link once, and is asked again when the office changes it', async ({
  browser,
}) => {
  const { api, departure } = await workingOrganization(world, 'Lock Tours', 'Ridge walk')
  const { id: subjectId } = await book(departure.id, ['Jon Dahl'], {}, api)
  const scopes = { messages: true }
  const { id, path } = await api.call(createLink, {
    kind: 'booking_guest',
    subjectId,
    label: 'Dahl',
    scopes,
    language: 'en',
    passcode: '4711',
  })
  await inAnotherBrowser(browser, async (guest) => {
    await open(guest, path)
    await guest.getByLabel('Passcode').fill('4711')
    await guest.getByRole('button', { name: 'Open the page' }).click()
    const messages = guest.getByRole('region', { name: 'Messages' })
    await messages.getByLabel(/^Message to/).fill('We are nine')
    await messages.getByRole('button', { name: 'Send' }).click()
    await expect(messages.getByRole('listitem')).toContainText('We are nine')
    await guest.reload()
    await expect(messages.getByRole('listitem')).toContainText('We are nine')
    await api.call(setLinkPasscode, { id, version: 1, passcode: 'Gullfoss' })
    await expect(guest.getByLabel('Passcode')).toBeVisible()
  })
})

test('the calendar of a vehicle is subscribed to without signing in, gets a new address, and ends', async ({
  page,
  playwright,
}) => {
  const { dispatcher, api } = await workingOrganization(world, 'Quay Tours', 'Ridge walk')
  const { id } = await api.call(vehicleRecord.create, { label: 'Van 7', plate: 'VAN7', class: 'van', seats: 8 })
  await signIn(page, dispatcher.email)
  const stranger = await playwright.request.newContext({ baseURL: world.clerk.url })
  await open(page, `/vehicles/details/${id}`)
  await subscribeReplaceAndEnd(page, stranger)
  await stranger.dispose()
})
