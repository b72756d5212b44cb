import type { In } from '@tour-ops/contract/callable'
import { getLinkedDutyDay } from '@tour-ops/contract/duty/duty-phone'
import { createLink, listLinks, pauseLink, revokeLink } from '@tour-ops/contract/links/links'
import { SharedMap } from '@tour-ops/contract/links/shared-map'
import { confirmParty, getSharedPage, giveFeedback, writeSharedMessage } from '@tour-ops/contract/links/shared-page'
import { metersBetween } from '@tour-ops/contract/tracking/arrivals/travel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, publishedTour, setStatus } from '../../../testing/operations.ts'
import {
  at,
  bsi,
  trackedDeparture,
  type TrackedOne,
  type TrackingServer,
  trackingServer,
  visit,
} from '../../../testing/tracked-departure.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import type { TestCaller } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'

let tracking: TrackingServer
beforeAll(async () => {
  tracking = await trackingServer()
})
afterAll(() => tracking?.close())

const verbOf = verbsOf(allVerbs)
const everything = { map: true, position: true, stops: true }
const gone = { code: 'not-found', details: { reason: 'shared_link_over' } }

const newLink = (caller: TestCaller, subjectId: string | null, more: Partial<In<typeof createLink>> = {}) =>
  caller.call(verbOf(createLink), { kind: 'live_map', subjectId, label: 'Wall', scopes: everything, ...more })

/** The page, which holds what its shape names and nothing else. */
const open = async ({ clock }: Pick<TrackedOne, 'clock'>, token: string): Promise<SharedMap> =>
  SharedMap.parse(await guestOf(tracking.world, clock)(getSharedPage, { token }))

/** On a drive since 09:06, with a position every 20 seconds until 09:40. */
async function underWay(): Promise<TrackedOne> {
  const departure = await trackedDeparture(tracking, [
    visit(bsi, '08:35', '09:06'),
    visit({ lat: 64.2559, lng: -21.13 }, '10:06', '11:00'),
  ])
  await departure.report('09:06')
  await departure.setOut()
  await departure.report('09:40')
  return departure
}

test('what is out is shown with where it is, as late and as roughly as the link says, and with nobody by name', async () => {
  const departure = await underWay()
  const { caller } = departure
  const scopes = { ...everything, crew: true, contacts: true, manifestNames: true, details: true }
  await caller.transaction((tx) =>
    sql`update org_settings set general = general || '{"phone": "+3545550100"}'`.execute(tx),
  )
  const { token } = await newLink(caller, null, { scopes })
  const page = await open(departure, token)
  expect(page).toMatchObject({ tourName: null, upcoming: null, organization: { phone: null } })
  expect(page.departures).toMatchObject([{ status: 'in_progress', position: { radiusM: 100 } }])
  const [{ position, next } = { position: null, next: null }] = page.departures
  expect(Date.parse(position?.seenAt ?? '')).toBeLessThanOrEqual(at('09:39').getTime())
  const { rows } = await caller.transaction((tx) =>
    sql<{
      lat: number
      lng: number
    }>`select lat, lng from positions where org_id = ${caller.orgId} and recorded_at <= ${at('09:39')}
      order by recorded_at desc limit 1`.execute(tx),
  )
  const [truth] = rows
  if (!truth || !position) throw new Error('There is no position.')
  expect(metersBetween(truth, position)).toBeGreaterThan(1)
  expect(metersBetween(truth, position)).toBeLessThanOrEqual(101)
  expect(next).toMatchObject({ name: expect.any(String), lat: expect.any(Number) })
  const { rows: people } = await caller.transaction((tx) =>
    sql<{ name: string }>`select last_name as name from field_staff where org_id = ${caller.orgId}
      union select last_name from travelers where org_id = ${caller.orgId}`.execute(tx),
  )
  expect(people.length).toBeGreaterThan(0)
  for (const { name } of people) expect(JSON.stringify(page)).not.toContain(name)
  expect(JSON.stringify(page)).not.toContain('+354')
  const { rows: links } = await caller.call(verbOf(listLinks), {})
  expect(links).toMatchObject([
    { subject: '', departureId: null, scopes: { crew: false, contacts: false, manifestNames: false } },
  ])
})

test('without the scopes neither place nor way is shown, and once it is over the departure is gone', async () => {
  const departure = await underWay()
  const { caller, id } = departure
  const places = await newLink(caller, null, { scopes: { map: false, stops: true } })
  expect((await open(departure, places.token)).departures).toMatchObject([{ next: { lat: null, lng: null } }])
  const least = await newLink(caller, null, { scopes: { map: false, stops: false, position: true } })
  expect((await open(departure, least.token)).departures).toMatchObject([{ next: null, position: null }])
  await setStatus(caller, id, { to: 'completed' })
  expect(await open(departure, least.token)).toMatchObject({ departures: [], upcoming: null })
})

test('a map of one tour shows that tour, says what starts next, and never those of another organization', async () => {
  const departure = await underWay()
  const { caller } = departure
  const { tourId: quiet } = await publishedTour(caller, { code: 'QUIET', name: 'Quiet walk' })
  await addDeparture(caller, quiet, { localDate: '2030-07-16' })
  const own = await newLink(caller, departure.tourId)
  expect((await open(departure, own.token)).departures).toHaveLength(1)
  const other = await newLink(caller, quiet)
  expect(await open(departure, other.token)).toMatchObject({
    tourName: 'Quiet walk',
    departures: [],
    upcoming: { tourName: 'Quiet walk', startsAt: '2030-07-16T09:00:00.000Z' },
  })
  const stranger = await tracking.world.as('admin', { clock: departure.clock })
  const missing = { code: 'invalid-argument', details: { fieldIssues: { subjectId: [{ code: 'subject_missing' }] } } }
  await expect(newLink(stranger, quiet)).rejects.toMatchObject(missing)
  await expect(newLink(stranger, null, { kind: 'departure_guest' })).rejects.toMatchObject(missing)
  const theirs = await newLink(stranger, null)
  expect((await open(departure, theirs.token)).departures).toEqual([])
  const viewer = await tracking.world.as('viewer', { orgId: caller.orgId })
  await expect(newLink(viewer, null)).rejects.toMatchObject({ code: 'permission-denied' })
})

test('a map is for looking: nothing is done on it, and it ends when it is paused, revoked or a day old', async () => {
  const departure = await underWay()
  const { caller, clock } = departure
  const link = await newLink(caller, null)
  const { token } = link
  const guest = guestOf(tracking.world, clock)
  const acts = [
    () => guest(confirmParty, { token, people: [] }),
    () => guest(giveFeedback, { token, tourRating: 5 }),
    () => guest(writeSharedMessage, { token, body: 'Hello' }),
    () => guest(getLinkedDutyDay, { token }),
  ]
  for (const act of acts) await expect(act()).rejects.toMatchObject(gone)
  const paused = await caller.call(verbOf(pauseLink), { id: link.id, version: link.version, paused: true })
  await expect(open(departure, token)).rejects.toMatchObject(gone)
  await caller.call(verbOf(pauseLink), { ...paused, paused: false })
  await open(departure, token)
  const second = await newLink(caller, null)
  await caller.call(verbOf(revokeLink), { ids: [link.id] })
  await expect(open(departure, token)).rejects.toMatchObject(gone)
  await open(departure, second.token)
  clock.set(new Date(clock.now().getTime() + 24 * 3_600_000))
  await expect(open(departure, second.token)).rejects.toMatchObject(gone)
})
