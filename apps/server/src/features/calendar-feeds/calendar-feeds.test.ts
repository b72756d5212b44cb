import {
  type FeedSubject,
  getCalendarFeed,
  issueCalendarFeed,
  revokeCalendarFeed,
} from '@tour-ops/contract/calendar-feeds/calendar-feeds'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../testing/http-server.ts'
import { addDeparture, assignGuide, book, publishedTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { calendarFeedVerbs } from './feeds-service.ts'

// Addresses are made by the verbs and read on a real listener, as calendars do.

const verbOf = verbsOf(calendarFeedVerbs)
/** Four days before the sample departure. */
const start = new Date('2030-07-10T08:00:00Z')
const clock = movableClock(start)
const days = (count: number): Date => new Date(start.getTime() + count * 86_400_000)

let world: TestWorld
let server: TestServer
beforeAll(async () => {
  world = await testDatabase()
  server = await testServer({ services: { ...world.services, clock }, env: { DEMO: 'off' } })
})
afterAll(async () => {
  await server?.close()
  await world?.close()
})

interface Office {
  readonly caller: TestCaller
  readonly departureId: string
  readonly staffId: string
}

/** An organization with one departure, 14 July at 9, led by Björn, with a guest on it. */
async function office(): Promise<Office> {
  clock.set(start)
  const caller = await world.as('admin', { clock })
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId)
  const staffId = await assignGuide(caller, departureId)
  await book(caller, departureId, 1)
  return { caller, departureId, staffId }
}

const issue = async (caller: TestCaller, subject: FeedSubject, subjectId: string | null = null): Promise<string> => {
  const { url } = await caller.call(verbOf(issueCalendarFeed), { subject, subjectId })
  return new URL(url).pathname
}

const read = (path: string, headers: Record<string, string> = {}) => server.fetch(path, { headers })

/** The lines of a feed, unfolded. */
const linesOf = async (path: string): Promise<string[]> => {
  const answer = await read(path)
  expect(answer.status).toBe(200)
  return (await answer.text()).replaceAll('\r\n ', '').split('\r\n')
}

async function addVehicle({ caller, departureId }: Office): Promise<string> {
  const vehicleId = newId()
  const entryId = newId()
  await caller.transaction(async (tx) => {
    await sql`insert into vehicles (org_id, id, plate, label, seats) values (${caller.orgId}, ${vehicleId}, 'AB123', 'Bus 7', 20)`.execute(
      tx,
    )
    await sql`insert into vehicle_calendar_entries (org_id, id, vehicle_id, during, kind)
      select org_id, ${entryId}, ${vehicleId}, tstzrange(starts_at, ends_at), 'departure' from departures
      where org_id = ${caller.orgId} and id = ${departureId}`.execute(tx)
    await sql`insert into vehicle_assignments (org_id, calendar_entry_id, departure_id)
      values (${caller.orgId}, ${entryId}, ${departureId})`.execute(tx)
  })
  return vehicleId
}

describe('a feed', () => {
  test('holds the departures of its person with first stop and run sheet, and the name of no guest', async () => {
    const world = await office()
    const path = await issue(world.caller, 'staff', world.staffId)
    const answer = await read(path)
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    const lines = await linesOf(path)
    expect(lines[0]).toBe('BEGIN:VCALENDAR')
    expect(lines).toContain('VERSION:2.0')
    expect(lines).toContain(`UID:${world.departureId}`)
    expect(lines).toContain('DTSTART:20300714T090000Z')
    expect(lines).toContain('DTEND:20300714T170000Z')
    expect(lines).toContain('LOCATION:City Hall')
    expect(lines).toContain('STATUS:CONFIRMED')
    expect(lines.filter((line) => line.startsWith('DTSTAMP:'))).toHaveLength(1)
    expect(lines.join('\n')).toContain(`/dashboard/overview?departure=${world.departureId}`)
    expect(lines.join('\n')).not.toMatch(/Okafor|Guest|Number 1/)
  })

  test('counts SEQUENCE up when its departure changes, under the same UID', async () => {
    const { caller, departureId } = await office()
    const path = await issue(caller, 'organization')
    const sequence = async () => Number((await linesOf(path)).find((line) => line.startsWith('SEQUENCE:'))?.slice(9))
    const before = await sequence()
    await setStatus(caller, departureId, { to: 'guaranteed', reason: 'enough for us' })
    expect(await sequence()).toBeGreaterThan(before)
    expect(await linesOf(path)).toContain(`UID:${departureId}`)
  })

  test.each(['tours', 'places'])('says that its event changed when a row of %s got another name', async (table) => {
    const { caller } = await office()
    const path = await issue(caller, 'organization')
    const changed = async () => (await linesOf(path)).filter((line) => /^(LAST-MODIFIED|DTSTAMP):/.test(line))
    expect(await changed()).toEqual(['DTSTAMP:20300710T080000Z', 'LAST-MODIFIED:20300710T080000Z'])
    clock.set(days(1))
    await caller.transaction((tx) => sql`update ${sql.table(table)} set name = 'Old harbour'`.execute(tx))
    expect(await changed()).toEqual(['DTSTAMP:20300711T080000Z', 'LAST-MODIFIED:20300711T080000Z'])
    expect((await linesOf(path)).join('\n')).toContain('Old harbour')
  })

  test('is of one organization, one vehicle or one person', async () => {
    const one = await office()
    const vehicleId = await addVehicle(one)
    const { tourId } = await publishedTour(one.caller)
    const second = await addDeparture(one.caller, tourId, { localDate: '2030-07-15' })
    const uids = async (path: string) =>
      (await linesOf(path)).filter((line) => line.startsWith('UID:')).map((line) => line.slice(4))
    expect(await uids(await issue(one.caller, 'organization'))).toEqual([one.departureId, second])
    expect(await uids(await issue(one.caller, 'vehicle', vehicleId))).toEqual([one.departureId])
    expect(await uids(await issue(one.caller, 'staff', one.staffId))).toEqual([one.departureId])
    const idle = await world.as('admin', { clock })
    expect(await uids(await issue(idle, 'organization'))).toEqual([])
  })

  test('keeps what was cancelled for 30 days, for the crew and the vehicle that it had, and says so', async () => {
    const one = await office()
    const vehicleId = await addVehicle(one)
    const paths = [
      await issue(one.caller, 'organization'),
      await issue(one.caller, 'staff', one.staffId),
      await issue(one.caller, 'vehicle', vehicleId),
    ]
    const stranger = await issue(one.caller, 'staff', await otherGuide(one))
    await setStatus(one.caller, one.departureId, { to: 'cancelled', cancelReason: 'weather' })
    for (const path of paths) expect(await linesOf(path)).toContain('STATUS:CANCELLED')
    expect(await linesOf(stranger)).not.toContain('STATUS:CANCELLED')
    clock.set(days(29))
    for (const path of paths) expect(await linesOf(path)).toContain('STATUS:CANCELLED')
    clock.set(days(31))
    for (const path of paths) expect(await linesOf(path)).not.toContain('BEGIN:VEVENT')
  })

  test('is not sent again while nothing has changed', async () => {
    const { caller, departureId } = await office()
    const path = await issue(caller, 'organization')
    const etag = (await read(path)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    clock.set(days(1))
    const again = await read(path, { 'if-none-match': `"else", W/${etag}` })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather' })
    expect((await read(path, { 'if-none-match': etag })).status).toBe(200)
  })
})

/** Somebody who was released from the departure before its present guide took over. */
async function otherGuide({ caller, departureId }: Office): Promise<string> {
  const staffId = await assignGuide(caller, departureId, { role: 'guide' })
  await caller.transaction(async (tx) => {
    await sql`update assignments set status = 'released', release_reason = 'swapped'
      where org_id = ${caller.orgId} and departure_id = ${departureId} and staff_id = ${staffId}`.execute(tx)
  })
  clock.set(new Date(start.getTime() + 60_000))
  await assignGuide(caller, departureId, { role: 'guide' })
  return staffId
}

describe('an address', () => {
  test('ends when a new one is made, when it is ended, and when its person leaves; all are answered like one that never was', async () => {
    const { caller, staffId } = await office()
    const first = await issue(caller, 'staff', staffId)
    const second = await issue(caller, 'staff', staffId)
    const unknown = await read(`/calendar/${'A'.repeat(43)}.ics`)
    const gone = { status: unknown.status, text: await unknown.text() }
    expect(gone).toEqual({ status: 404, text: 'Not found.\n' })
    const answerOf = async (path: string) => {
      const answer = await read(path)
      return { status: answer.status, text: await answer.text() }
    }
    expect(await answerOf(first)).toEqual(gone)
    expect(await answerOf('/calendar/short.ics')).toEqual(gone)
    expect((await read(second)).status).toBe(200)

    await caller.transaction((tx) =>
      sql`update field_staff set status = 'inactive' where org_id = ${caller.orgId} and id = ${staffId}`.execute(tx),
    )
    expect(await answerOf(second)).toEqual(gone)
    await caller.transaction((tx) =>
      sql`update field_staff set status = 'active' where org_id = ${caller.orgId} and id = ${staffId}`.execute(tx),
    )
    const { feed } = await caller.call(verbOf(getCalendarFeed), { subject: 'staff', subjectId: staffId })
    await caller.call(verbOf(revokeCalendarFeed), { id: feed?.id ?? '', version: feed?.version ?? 0 })
    expect(await answerOf(second)).toEqual(gone)
    expect(await caller.call(verbOf(getCalendarFeed), { subject: 'staff', subjectId: staffId })).toEqual({
      feed: null,
      mayIssue: true,
    })
  })

  test('is neither in the database nor in its log, only its last four characters are', async () => {
    const { caller } = await office()
    const path = await issue(caller, 'organization')
    const token = path.slice('/calendar/'.length, -'.ics'.length)
    const { feed } = await caller.call(verbOf(getCalendarFeed), { subject: 'organization' })
    expect(feed).toMatchObject({ hint: token.slice(-4), version: 1 })
    const { rows } = await caller.transaction((tx) =>
      sql<{
        text: string
      }>`select concat((select string_agg(f::text, '') from calendar_feeds f where f.org_id = ${caller.orgId}),
        (select string_agg(a::text, '') from audit_entries a where a.entity_type = 'calendar_feeds')) as text`.execute(
        tx,
      ),
    )
    const text = rows[0]?.text ?? ''
    expect(text).toContain(token.slice(-4))
    expect(text).not.toContain(token)
    expect(JSON.stringify(server.lines)).not.toContain(token)
    const { rows: logged } = await caller.transaction((tx) =>
      sql<{ hash: string }>`select distinct diff ->> 'token_hash' as hash from audit_entries
        where entity_type = 'calendar_feeds' and entity_id = ${feed?.id ?? ''}`.execute(tx),
    )
    expect(logged).toEqual([{ hash: '***' }])
  })

  test('is tried out by a stranger a few times a minute only, while feeds behind the same address are read', async () => {
    const { caller } = await office()
    const path = await issue(caller, 'organization')
    const guarded = await testServer({
      services: { ...world.services, clock },
      env: { RATE_LIMIT_IP: '8', DEMO: 'off' },
    })
    const read = (address: string) => guarded.fetch(address)
    const tries = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, index) => (await read(`/calendar/${String(index).repeat(43).slice(0, 43)}.ics`)).status,
      ),
    )
    expect(tries.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect((await read(path)).status).toBe(200)
    expect((await server.fetch(path, { method: 'POST' })).status).toBe(405)
    const head = await server.fetch(path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    await guarded.close()
  })
})

describe('addresses are made by', () => {
  test('guides for themselves, and for nobody else', async () => {
    const { caller, staffId, departureId } = await office()
    const colleague = await assignGuide(caller, departureId, { role: 'guide' })
    const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock })
    const path = await issue(guide, 'staff', staffId)
    expect(await linesOf(path)).toContain(`UID:${departureId}`)
    for (const [subject, subjectId] of [
      ['staff', colleague],
      ['organization', null],
    ] as const) {
      await expect(issue(guide, subject, subjectId)).rejects.toMatchObject({ code: 'permission-denied' })
    }
    const { id, version } = await caller.call(verbOf(issueCalendarFeed), { subject: 'staff', subjectId: colleague })
    await expect(guide.call(verbOf(revokeCalendarFeed), { id, version })).rejects.toMatchObject({ code: 'not-found' })
    const { feed } = await guide.call(verbOf(getCalendarFeed), { subject: 'staff', subjectId: staffId })
    await guide.call(verbOf(revokeCalendarFeed), { id: feed?.id ?? '', version: feed?.version ?? 0 })
    expect((await read(path)).status).toBe(404)
  })

  test('dispatchers for people and vehicles, and people who set the organization up for it; viewers make none', async () => {
    const one = await office()
    const vehicleId = await addVehicle(one)
    const member = (role: 'dispatcher' | 'viewer') => world.as(role, { orgId: one.caller.orgId, clock })
    const dispatcher = await member('dispatcher')
    await issue(dispatcher, 'staff', one.staffId)
    await issue(dispatcher, 'vehicle', vehicleId)
    await expect(issue(dispatcher, 'organization')).rejects.toMatchObject({
      details: { reason: 'missing_permission', permission: 'settings:manage' },
    })
    const viewer = await member('viewer')
    await expect(issue(viewer, 'vehicle', vehicleId)).rejects.toMatchObject({
      details: { reason: 'missing_permission', permission: 'departures:dispatch' },
    })
    const { feed, mayIssue } = await viewer.call(verbOf(getCalendarFeed), { subject: 'vehicle', subjectId: vehicleId })
    expect(mayIssue).toBe(false)
    await expect(
      viewer.call(verbOf(revokeCalendarFeed), { id: feed?.id ?? '', version: feed?.version ?? 0 }),
    ).rejects.toMatchObject({ code: 'permission-denied' })
  })

  test('nobody for a person of another organization', async () => {
    const [one, other] = [await office(), await office()]
    for (const call of [getCalendarFeed, issueCalendarFeed] as const) {
      await expect(one.caller.call(verbOf(call), { subject: 'staff', subjectId: other.staffId })).rejects.toMatchObject(
        { code: 'not-found' },
      )
    }
  })
})
