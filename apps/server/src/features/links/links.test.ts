import type { In } from '@tour-ops/contract/callable'
import { cancelBooking, createBooking, getBooking } from '@tour-ops/contract/bookings/bookings'
import {
  copyLink,
  createLink,
  exportLinks,
  extendLink,
  linkAccesses,
  listLinks,
  pauseLink,
  pauseLinks,
  revokeLink,
  rotateLinks,
} from '@tour-ops/contract/links/links'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Clock, movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { sharedLinkTimes } from '../../platform/jobs/housekeeping.ts'
import { execute } from '../../platform/verb.ts'
import { guestPage } from '../../../testing/links.ts'
import { addDeparture, assignGuide, book, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
/** Four days before the sample departure. */
const today = movableClock(new Date('2030-07-10T08:00:00Z'))

/** Somebody with nothing but the address. */
const visit = async (
  token: string,
  { clock = today, visit: id = newId() }: { clock?: Clock; visit?: string | null } = {},
) =>
  guestPage(
    await execute(
      { ...world.services, clock },
      {
        requestId: newId(),
        ip: '203.0.113.7',
        userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
        signal: new AbortController().signal,
      },
      null,
      verbOf(getSharedPage),
      id === null ? { token } : { token, visit: id },
    ),
  )

test('guests see when to be there, and not when the bus leaves after its stay at the start', async () => {
  const { caller, departureId } = await departureWithGuests()
  await caller.transaction((tx) =>
    sql`update departure_stops set planned_depart_at = planned_arrive_at + interval '10 minutes'
      where departure_id = ${departureId} and kind = 'start'`.execute(tx),
  )
  const { token } = await newLink(caller, departureId)
  const { departure, meeting } = await visit(token)
  expect(meeting).toMatchObject({ at: departure.startsAt, expectedAt: departure.startsAt })
})

test('the office hours are by the clocks of the tour, where the reader is', async () => {
  const { caller, departureId } = await departureWithGuests()
  const { token } = await newLink(caller, departureId)
  const setZones = (office: string, tour: string) =>
    caller.transaction(async (tx) => {
      await sql`update org_settings set time_zone = ${office}`.execute(tx)
      await sql`update departures set time_zone = ${tour} where id = ${departureId}`.execute(tx)
    })
  await setZones('Atlantic/Reykjavik', 'Atlantic/Reykjavik')
  const { from, to } = (await visit(token)).organization.officeHours
  expect([from, to]).toEqual(['08:00', '18:00'])
  await setZones('Atlantic/Reykjavik', 'Asia/Kathmandu')
  expect((await visit(token)).organization.officeHours).toEqual({ from: '13:45', to: '23:45' })
})

test('guests read times with the hours that the organization chose', async () => {
  const { caller, departureId } = await departureWithGuests()
  const { token } = await newLink(caller, departureId)
  expect((await visit(token)).organization.timeFormat).toBe('24h')
  await caller.transaction((tx) =>
    sql`update org_settings set time_format = '12h' where org_id = ${caller.orgId}`.execute(tx),
  )
  expect((await visit(token)).organization.timeFormat).toBe('12h')
})

async function departureWithGuests(change: Partial<In<typeof createBooking>> = {}) {
  const caller = await world.as('operations_manager', { clock: today })
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId)
  const booking = await book(caller, departureId, 2, change)
  return { caller, departureId, booking }
}

const newLink = (caller: TestCaller, subjectId: string, more: Partial<In<typeof createLink>> = {}) =>
  caller.call(verbOf(createLink), { kind: 'departure_guest', subjectId, label: 'For the guests', ...more })

const gone = { code: 'not-found', message: 'This link has ended.' }

test('a link opens the page of its departure, ends two hours after the tour, and the database keeps only hashes', async () => {
  const { caller, departureId } = await departureWithGuests()
  await assignGuide(caller, departureId)
  const { token, path } = await newLink(caller, departureId)
  expect(path).toBe(`/share/${token}`)
  const page = await visit(token)
  expect(page).toMatchObject({
    state: 'before',
    expiresAt: '2030-07-14T19:00:00.000Z',
    departure: { tourName: 'Golden Circle', startsAt: '2030-07-14T09:00:00.000Z' },
    meeting: { placeName: 'BSÍ terminal', at: '2030-07-14T09:00:00.000Z', isPickup: false, lat: 64.1375 },
    crew: [{ firstName: 'Björn', role: 'lead_guide', languages: ['en'] }],
    guests: [],
  })
  expect(page.stops.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    'start BSÍ terminal',
    'meal Geysir',
    'end BSÍ terminal',
  ])
  const { rows } = await caller.transaction((tx) =>
    sql<{ kept: string }>`select row_to_json(k)::text as kept from shared_link_tokens k`.execute(tx),
  )
  expect(rows.some(({ kept }) => kept.includes(token))).toBe(false)
})

test('scopes decide what is shown, and a surname of a guest never is', async () => {
  const { caller, departureId, booking } = await departureWithGuests()
  await assignGuide(caller, departureId)
  const scopes = { map: false, stops: false, crew: false, contacts: false, manifestNames: true }
  const { token } = await newLink(caller, departureId, { scopes })
  const page = await visit(token)
  expect(page).toMatchObject({ stops: [], crew: [], meeting: { lat: null, lng: null }, organization: { phone: null } })
  expect(page.guests.map(({ firstName }) => firstName)).toEqual(['Guest', 'Guest'])
  expect(JSON.stringify(page)).not.toContain('Number')
  const own = await visit((await newLink(caller, booking.id, { kind: 'booking_guest' })).token)
  expect(own.guests).toHaveLength(2)
  expect(JSON.stringify(own)).not.toContain('Ólafsson')
})

test('unknown, paused, revoked, rotated and expired links answer the same, and revoking counts at once', async () => {
  const { caller, departureId } = await departureWithGuests()
  await expect(visit('no-such-token')).rejects.toMatchObject(gone)
  const link = await newLink(caller, departureId)
  const paused = await caller.call(verbOf(pauseLink), { id: link.id, version: 1, paused: true })
  await expect(visit(link.token)).rejects.toMatchObject(gone)
  await caller.call(verbOf(pauseLink), { ...paused, paused: false })
  await visit(link.token)
  await expect(visit(link.token, { clock: movableClock(new Date('2030-07-14T19:00:00Z')) })).rejects.toMatchObject(gone)
  const second = await caller.call(verbOf(copyLink), { id: link.id })
  expect(second.token).not.toBe(link.token)
  await Promise.all([visit(link.token), visit(second.token)])
  const third = await caller.call(verbOf(copyLink), { id: link.id, rotate: true })
  await expect(visit(link.token)).rejects.toMatchObject(gone)
  await visit(third.token)
  expect(await caller.call(verbOf(revokeLink), { ids: [link.id] })).toEqual({ changed: 1, skipped: [] })
  await expect(visit(third.token)).rejects.toMatchObject(gone)
  await expect(caller.call(verbOf(copyLink), { id: link.id })).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'link_ended' },
  })
})

test('a link that opens later says when', async () => {
  const { caller, departureId } = await departureWithGuests()
  const link = await newLink(caller, departureId)
  await caller.transaction((tx) =>
    sql`update shared_links set starts_at = '2030-07-12T08:00:00Z' where org_id = ${caller.orgId} and id = ${link.id}`.execute(
      tx,
    ),
  )
  const early = { code: 'not-found', details: { reason: 'shared_link_early', opensAt: '2030-07-12T08:00:00.000Z' } }
  await expect(visit(link.token)).rejects.toMatchObject(early)
  await visit(link.token, { clock: movableClock(new Date('2030-07-12T08:00:00Z')) })
  await caller.call(verbOf(pauseLink), { id: link.id, version: 2, paused: true })
  await expect(visit(link.token)).rejects.toMatchObject(gone)
})

test('visits are counted once per opening, without the address, and do not get in the way of the office', async () => {
  const { caller, departureId } = await departureWithGuests()
  const { id, token } = await newLink(caller, departureId)
  const first = newId()
  await visit(token, { visit: first })
  await visit(token, { visit: null })
  // the answer got lost, and the page asked again for the same visit
  await Promise.all([visit(token, { visit: first }), visit(token, { visit: first })])
  await visit(token)
  const { rows, counts } = await caller.call(verbOf(listLinks), {})
  expect(rows).toMatchObject([{ id, version: 1, viewCount: 2, status: 'active', tokenHint: token.slice(-4) }])
  expect(counts).toMatchObject({ active: 1, neverOpened: 0, viewsOfWeek: 2 })
  const { accesses } = await caller.call(verbOf(linkAccesses), { id })
  expect(accesses.map(({ userAgentFamily }) => userAgentFamily)).toEqual(['Safari', 'Safari'])
  const kept = await caller.transaction((tx) =>
    sql<{ kept: string }>`select row_to_json(a)::text as kept from link_accesses a`.execute(tx),
  )
  expect(JSON.stringify(kept.rows)).not.toContain('203.0.113.7')
  expect(await caller.call(verbOf(extendLink), { id, version: 1, expiresAt: '2030-07-20T00:00:00Z' })).toEqual({
    id,
    version: 2,
  })
  const tooFar = caller.call(verbOf(extendLink), { id, version: 2, expiresAt: '2031-08-20T00:00:00Z' })
  await expect(tooFar).rejects.toMatchObject({ code: 'invalid-argument' })
})

test('several links are paused, resumed, given new addresses and revoked at once, and what is skipped says why', async () => {
  const { caller, departureId } = await departureWithGuests()
  const open = await newLink(caller, departureId, { label: 'Open' })
  const paused = await newLink(caller, departureId, { label: 'Paused' })
  const over = await newLink(caller, departureId, { label: 'Over' })
  await caller.call(verbOf(pauseLink), { id: paused.id, version: 1, paused: true })
  await caller.call(verbOf(revokeLink), { ids: [over.id] })
  const ids = [open.id, paused.id, over.id]
  const { changed, skipped } = await caller.call(verbOf(pauseLinks), { ids, paused: true })
  expect(changed).toEqual([open.id])
  expect(skipped).toHaveLength(2)
  expect(skipped).toContainEqual({ id: paused.id, label: 'Paused', reason: 'unchanged' })
  expect(skipped).toContainEqual({ id: over.id, label: 'Over', reason: 'ended' })
  await expect(visit(open.token)).rejects.toMatchObject(gone)
  // the undo resumes what it paused, and not what was paused before
  expect(await caller.call(verbOf(pauseLinks), { ids: changed, paused: false })).toEqual({ changed, skipped: [] })
  await visit(open.token)
  await expect(visit(paused.token)).rejects.toMatchObject(gone)
  const rotated = await caller.call(verbOf(rotateLinks), { ids: [open.id, over.id] })
  expect(rotated.skipped).toEqual([{ id: over.id, label: 'Over', reason: 'ended' }])
  expect(rotated.issued).toMatchObject([{ id: open.id, label: 'Open' }])
  await expect(visit(open.token)).rejects.toMatchObject(gone)
  await visit(rotated.issued[0]?.token ?? '')
  const revoked = await caller.call(verbOf(revokeLink), { ids })
  expect(revoked).toEqual({ changed: 2, skipped: [{ id: over.id, label: 'Over', reason: 'ended' }] })
  const stranger = await world.as('admin')
  expect(await stranger.call(verbOf(pauseLinks), { ids, paused: true })).toEqual({ changed: [], skipped: [] })
  expect(await stranger.call(verbOf(rotateLinks), { ids })).toEqual({ issued: [], skipped: [] })
})

test('a booking that has ended says whom to call only where the link says that', async () => {
  const { caller, booking } = await departureWithGuests()
  await caller.transaction((tx) =>
    sql`update org_settings set general = general || '{"phone": "+3545550100"}'`.execute(tx),
  )
  const [withPhone, without] = await Promise.all(
    [true, false].map((contacts) => newLink(caller, booking.id, { kind: 'booking_guest', scopes: { contacts } })),
  )
  const { version } = await caller.call(verbOf(getBooking), { id: booking.id })
  await caller.call(verbOf(cancelBooking), { id: booking.id, version, reason: 'guest_request' })
  const shown = async (token = '') => {
    const { state, organization } = await visit(token)
    return { state, phone: organization.phone }
  }
  expect(await shown(withPhone?.token)).toEqual({ state: 'not_booked', phone: '+3545550100' })
  expect(await shown(without?.token)).toEqual({ state: 'not_booked', phone: null })
})

test('links of one organization are not found by another, and a viewer may look only', async () => {
  const { caller, departureId } = await departureWithGuests()
  const { id } = await newLink(caller, departureId)
  const stranger = await world.as('admin')
  expect((await stranger.call(verbOf(listLinks), {})).total).toBe(0)
  await expect(newLink(stranger, departureId)).rejects.toMatchObject({ code: 'invalid-argument' })
  expect(await stranger.call(verbOf(revokeLink), { ids: [id] })).toEqual({ changed: 0, skipped: [] })
  const viewer = await world.as('viewer', { orgId: caller.orgId })
  expect((await viewer.call(verbOf(exportLinks), {})).rows).toBe(1)
  await expect(viewer.call(verbOf(revokeLink), { ids: [id] })).rejects.toMatchObject({ code: 'permission-denied' })
})

test('a link that nobody gave an end lives until two hours after the guests are back, however late that is', async () => {
  const clock = movableClock(new Date('2030-07-14T08:30:00Z'))
  const { caller: designer, departureId } = await departureWithGuests()
  const caller = await world.as('operations_manager', { orgId: designer.orgId, clock })
  const usual = await newLink(caller, departureId)
  const chosen = await newLink(caller, departureId, { label: 'Until eight', expiresAt: '2030-07-14T20:00:00Z' })
  const running = (to: 'boarding' | 'in_progress' | 'completed', at: Date | null = null) =>
    caller.transaction((tx) =>
      sql`update departures set status = ${to}, actual_start_at = '2030-07-14T09:00:00Z', actual_end_at = ${at} where id = ${departureId}`.execute(
        tx,
      ),
    )
  for (const to of ['boarding', 'in_progress'] as const) await running(to)
  const sweep = () => caller.transaction((tx) => sharedLinkTimes.run(tx, caller.orgId))
  const shown = async () => {
    await sweep()
    const { rows, counts } = await caller.call(verbOf(listLinks), { sort: [{ by: 'expiresAt' }] })
    return [counts.active, ...rows.map(({ label, status, expiresAt }) => `${label} ${status} ${expiresAt}`)]
  }
  // planned until five
  clock.set(new Date('2030-07-14T22:00:00Z'))
  expect(await shown()).toEqual([
    1,
    'Until eight expired 2030-07-14T20:00:00.000Z',
    'For the guests active 2030-07-15T00:00:00.000Z',
  ])
  expect(await visit(usual.token, { clock })).toMatchObject({ state: 'during', expiresAt: '2030-07-15T00:00:00.000Z' })
  await expect(visit(chosen.token, { clock })).rejects.toMatchObject(gone)
  await caller.call(verbOf(copyLink), { id: usual.id })
  await caller.transaction((tx) =>
    sql`update manifest_entries set status = 'no_show' where departure_id = ${departureId}`.execute(tx),
  )
  await running('completed', new Date('2030-07-14T22:30:00Z'))
  clock.set(new Date('2030-07-15T00:29:00Z'))
  expect(await visit(usual.token, { clock })).toMatchObject({ state: 'after', expiresAt: '2030-07-15T00:30:00.000Z' })
  clock.set(new Date('2030-07-15T00:30:00Z'))
  await expect(visit(usual.token, { clock })).rejects.toMatchObject(gone)
  expect(await shown()).toEqual([
    0,
    'Until eight expired 2030-07-14T20:00:00.000Z',
    'For the guests expired 2030-07-15T00:30:00.000Z',
  ])
})

test('a link follows a departure that is put off, until somebody chooses its end', async () => {
  const { caller, departureId, booking } = await departureWithGuests()
  const link = await newLink(caller, booking.id, { kind: 'booking_guest' })
  await caller.transaction((tx) =>
    sql`update departures set ends_at = ends_at + interval '1 day' where id = ${departureId}`.execute(tx),
  )
  const ends = async () => (await caller.call(verbOf(listLinks), {})).rows[0]?.expiresAt
  expect(await ends()).toBe('2030-07-15T19:00:00.000Z')
  await caller.call(verbOf(extendLink), { id: link.id, version: 1, expiresAt: '2030-07-12T00:00:00Z' })
  expect(await ends()).toBe('2030-07-12T00:00:00.000Z')
})

test('the file says of a cancelled departure what the screen says', async () => {
  const { caller, departureId } = await departureWithGuests()
  await newLink(caller, departureId)
  const { id } = await newLink(caller, departureId, { label: 'Taken back' })
  await caller.call(verbOf(revokeLink), { ids: [id] })
  await caller.transaction((tx) =>
    sql`update departures set status = 'cancelled', cancel_reason = 'weather' where id = ${departureId}`.execute(tx),
  )
  const { csv } = await caller.call(verbOf(exportLinks), { columns: ['label', 'status'], sort: [{ by: 'label' }] })
  expect(csv.split('\r\n').slice(1, 3)).toEqual(['For the guests,cancelled', 'Taken back,revoked'])
  // nor is it counted or found as one that guests look at
  const found = (status: 'active' | 'cancelled') => caller.call(verbOf(listLinks), { filters: { status: [status] } })
  const { total, counts } = await found('active')
  expect({ total, ...counts }).toEqual({ total: 0, active: 0, expiring: 0, neverOpened: 0, viewsOfWeek: 0 })
  expect((await found('cancelled')).rows.map(({ label }) => label)).toEqual(['For the guests'])
})
