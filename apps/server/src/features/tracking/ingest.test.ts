import { listDevices, registerDutyPhone, revokeDevice } from '@tour-ops/contract/tracking/devices'
import { beginDuty, endDuty, setDutyBreak, setTrackingConsent } from '@tour-ops/contract/tracking/duty'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../testing/http-server.ts'
import { hostileTexts, isFault, oddValues, rawPost, rawRequest } from '../../../testing/raw-requests.ts'
import { jsonText } from '../../../testing/fuzz-values.ts'
import { asOwnRole } from '../../../testing/own-role.ts'
import { refusalOf } from '../../../testing/sample-rows.ts'
import { addDevicePaired, insertGuide, type PairedDevice } from '../../../testing/tracking.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { movableClock } from '../../platform/clock.ts'
import { trackingVerbs } from './verbs.ts'

// Requests on a real listener, until the rows in the database.

const verbOf = verbsOf(trackingVerbs)
/** Whole seconds, inside of the days that the migration has made. */
const start = new Date(Math.floor(Date.now() / 1000) * 1000)
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000)
const epoch = (seconds: number): number => after(seconds).getTime() / 1000
const clock = movableClock(start)

let world: TestWorld
let server: TestServer
let office: TestCaller
beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('dispatcher', { clock })
  const env = { RATE_LIMIT_IP: '5', DEMO: 'off' }
  server = await testServer({ services: { ...world.services, clock }, env })
})
afterAll(async () => {
  await server?.close()
  await world?.close()
})

interface Guide {
  readonly staffId: string
  readonly caller: TestCaller
  readonly device: PairedDevice
  readonly path: string
}

/** Somebody with a paired phone, who has agreed to be seen. */
async function guide(): Promise<Guide> {
  clock.set(start)
  const staffId = await insertGuide(office)
  const caller = await world.as('guide', { orgId: office.orgId, staffId, clock })
  await caller.call(verbOf(setTrackingConsent), { agrees: true })
  const device = await addDevicePaired({ world, office, clock }, { staffId })
  return { staffId, caller, device, path: `/track/${device.token}` }
}

async function onDuty(): Promise<Guide> {
  const ada = await guide()
  await ada.caller.call(verbOf(beginDuty), {})
  return ada
}

const osmand = ({ path }: Guide, seconds: number, more = ''): Promise<Response> =>
  server.fetch(`${path}?id=1&lat=64.1375&lon=-21.935&timestamp=${epoch(seconds)}&speed=10&batt=81${more}`)

const post = ({ path }: Guide, body: unknown): Promise<Response> =>
  server.fetch(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

interface Stored {
  readonly at: Date
  readonly lat: number
  readonly speed: number | null
  readonly valid: boolean
}
const stored = ({ device }: Guide): Promise<Stored[]> =>
  office.transaction(async (tx) => {
    const { rows } = await sql<Stored>`
      select recorded_at as at, lat, speed_mps as speed, valid from positions where device_id = ${device.id} order by 1`.execute(
      tx,
    )
    return rows
  })
/** By reason, of all days: a test may begin on one and end on the next. */
const drops = ({ device }: Guide): Promise<Record<string, number>> =>
  office.transaction(async (tx) => {
    const { rows } = await sql<{ reason: string; dropped: number }>`
      select reason, sum(dropped)::int as dropped from position_drops where device_id = ${device.id} group by reason`.execute(
      tx,
    )
    return Object.fromEntries(rows.map(({ reason, dropped }) => [reason, dropped]))
  })
const latest = ({ staffId }: Guide): Promise<{ at: Date; lat: number } | undefined> =>
  office.transaction(async (tx) => {
    const { rows } = await sql<{ at: Date; lat: number }>`
      select recorded_at as at, lat from latest_positions where staff_id = ${staffId}`.execute(tx)
    return rows[0]
  })

describe('each protocol is stored and answered as its app expects', () => {
  test('OsmAnd by GET: 200 without a body', async () => {
    const ada = await onDuty()
    const answer = await osmand(ada, 0)
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(await stored(ada)).toEqual([{ at: start, lat: 64.1375, speed: expect.closeTo(5.144, 2), valid: true }])
    expect(await latest(ada)).toEqual({ at: start, lat: 64.1375 })
  })

  test('OsmAnd by POST, in the query or in a form', async () => {
    const ada = await onDuty()
    await server.fetch(`${ada.path}?lat=1&lon=2&timestamp=${epoch(0)}`, { method: 'POST' })
    const body = new URLSearchParams({ lat: '1.0001', lon: '2', timestamp: `${epoch(60)}` })
    clock.set(after(60))
    expect((await server.fetch(ada.path, { method: 'POST', body })).status).toBe(200)
    expect((await stored(ada)).map(({ lat }) => lat)).toEqual([1, 1.0001])
  })

  test('Traccar Client 9: 200 without a body', async () => {
    const ada = await onDuty()
    const coords = { latitude: 64.1, longitude: -21.9, speed: 13.9, heading: -1, accuracy: 5 }
    const answer = await post(ada, {
      location: { timestamp: start.toISOString(), coords, battery: { level: 0.5 } },
      device_id: 'x',
    })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(await stored(ada)).toMatchObject([{ lat: 64.1, speed: expect.closeTo(13.9, 3) as number }])
  })

  test('OwnTracks: an empty list, whatever it sends; an empty body is ignored; encrypted content is refused with a message', async () => {
    const ada = await onDuty()
    const location = { _type: 'location', tst: epoch(0), lat: 64.1, lon: -21.9, vel: 36, batt: 80 }
    for (const message of [location, { _type: 'transition', event: 'enter' }, { _type: 'lwt', tst: 1 }]) {
      const answer = await post(ada, message)
      expect([answer.status, await answer.json()]).toEqual([200, []])
    }
    expect((await server.fetch(`${ada.path}?u=ada&d=phone`, { method: 'POST' })).status).toBe(200)
    const refused = await post(ada, { _type: 'encrypted', data: 'x' })
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('encrypted')
    expect(await stored(ada)).toMatchObject([{ speed: 10 }])
    expect(await drops(ada)).toEqual({})
  })

  test('a batch of the duty page is acknowledged by its last fix', async () => {
    const ada = await onDuty()
    const fixes = Array.from({ length: 500 }, (_, index) => ({
      recordedAt: after(index * 2).toISOString(),
      lat: 64 + index / 1e5,
      lng: -21,
    }))
    clock.set(after(1000))
    const answer = await post(ada, { fixes, sentAt: after(1000).toISOString() })
    expect(await answer.json()).toEqual({
      result: { received: 500, lastRecordedAt: after(998).toISOString(), dropped: {} },
    })
    expect(await stored(ada)).toHaveLength(500)
    expect((await post(ada, { fixes: [...fixes, fixes[0]], sentAt: start.toISOString() })).status).toBe(400)
  })
})

describe('late, repeated and wrong', () => {
  test('the same fix again changes nothing, and an older one does not become the latest', async () => {
    const ada = await onDuty()
    clock.set(after(120))
    await osmand(ada, 100)
    await osmand(ada, 100, '&lat=65')
    await osmand(ada, 10)
    expect((await stored(ada)).map(({ at }) => at)).toEqual([after(10), after(100)])
    expect(await latest(ada)).toMatchObject({ at: after(100) })
  })

  test('a jump is stored and marked, and is not the latest position', async () => {
    const ada = await onDuty()
    clock.set(after(60))
    await osmand(ada, 0)
    await server.fetch(`${ada.path}?lat=10&lon=10&timestamp=${epoch(30)}`)
    expect(await latest(ada)).toMatchObject({ at: start, lat: 64.1375 })
    await osmand(ada, 60)
    expect((await stored(ada)).map(({ valid }) => valid)).toEqual([true, false, true])
    expect(await latest(ada)).toMatchObject({ lat: 64.1375 })
  })

  test('a clock that is two hours ahead is corrected where the page says it, and noted', async () => {
    const ada = await onDuty()
    clock.set(after(60))
    const batch = (sentSeconds: number) => ({
      fixes: [{ recordedAt: after(7200 + 30).toISOString(), lat: 64, lng: -21 }],
      sentAt: after(7200 + sentSeconds).toISOString(),
    })
    await post(ada, batch(60))
    // sent again, a little slower: still the same fix
    await post(ada, batch(62))
    expect((await stored(ada)).map(({ at }) => at)).toEqual([after(30)])
    const { rows } = await office.transaction((tx) =>
      sql<{
        skew: number | null
      }>`select clock_skew_s as skew from device_signals where device_id = ${ada.device.id}`.execute(tx),
    )
    expect(rows).toEqual([{ skew: 7200 }])
    await osmand(ada, 7300)
    expect(await drops(ada)).toEqual({ clock_wrong: 1 })
  })

  test('what a phone has stored for days is written to the tables of those days; for months it is only counted', async () => {
    const ada = await onDuty()
    const earlier = (days: number) => after(-days * 86_400)
    await office.transaction((tx) =>
      sql`update duty_sessions set started_at = ${earlier(10)}, tracked_from = ${earlier(10)} where staff_id = ${ada.staffId}`.execute(
        tx,
      ),
    )
    await office.transaction((tx) =>
      sql`update duty_sessions set status = 'closed', ended_at = started_at + interval '8 hours', ended_by = 'person' where staff_id = ${ada.staffId}`.execute(
        tx,
      ),
    )
    await osmand(ada, -10 * 86_400 + 3600)
    await osmand(ada, -70 * 86_400)
    expect(await stored(ada)).toHaveLength(1)
    expect(await drops(ada)).toEqual({ too_old: 1 })
  })

  test('what cannot be read is counted, and is not sent again', async () => {
    const ada = await onDuty()
    const answer = await server.fetch(`${ada.path}?lat=abc&lon=2`)
    expect(answer.status).toBe(200)
    expect(await drops(ada)).toEqual({ malformed: 1 })
  })
})

describe('privacy', () => {
  test('nothing is stored outside of duty, during a break, and without consent; the phone is not told', async () => {
    const ada = await guide()
    const statuses = [(await osmand(ada, 0)).status]
    await ada.caller.call(verbOf(beginDuty), {})
    await ada.caller.call(verbOf(setDutyBreak), { onBreak: true })
    clock.set(after(60))
    statuses.push((await osmand(ada, 30)).status)
    await ada.caller.call(verbOf(setDutyBreak), { onBreak: false })
    clock.set(after(120))
    await ada.caller.call(verbOf(setTrackingConsent), { agrees: false })
    statuses.push((await osmand(ada, 90)).status)
    await ada.caller.call(verbOf(setTrackingConsent), { agrees: true })
    await ada.caller.call(verbOf(endDuty), {})
    clock.set(after(1200))
    statuses.push((await osmand(ada, 1000)).status)
    expect(statuses).toEqual([200, 200, 200, 200])
    expect(await stored(ada)).toEqual([])
    expect(await drops(ada)).toEqual({ outside_session: 2, on_break: 1, no_consent: 1 })
    expect(await latest(ada)).toBeUndefined()
  })

  test('a revoked device is refused at once, although it was known a moment ago', async () => {
    const ada = await onDuty()
    expect((await osmand(ada, 0)).status).toBe(200)
    await office.call(verbOf(revokeDevice), { id: ada.device.id, version: ada.device.version })
    const answer = await osmand(ada, 10)
    expect([
      answer.status,
      ((await answer.json()) as { error: { details: { reason: string } } }).error.details.reason,
    ]).toEqual([400, 'device_not_paired'])
    expect(await stored(ada)).toHaveLength(1)
  })

  test('a phone that is no longer paired is told whether the office revoked it or another phone replaced it', async () => {
    const ada = await onDuty()
    const register = async () => (await ada.caller.call(verbOf(registerDutyPhone), { label: 'Phone' })).token
    const why = async (token: string) => {
      const answer = await post({ ...ada, path: `/track/${token}` }, { fixes: [], sentAt: start.toISOString() })
      if (answer.ok) return answer.status
      const { details } = ((await answer.json()) as { error: { details: object } }).error
      return details
    }
    const first = await register()
    expect(await why(first)).toBe(200)
    const second = await register()
    expect([await why(first), await why(second)]).toEqual([
      expect.objectContaining({ reason: 'device_not_paired', ended: 'by_other_phone' }),
      200,
    ])
    const { rows } = await office.call(verbOf(listDevices), { filters: { staffId: [ada.staffId] } })
    const page = rows.find(({ id }) => id !== ada.device.id)
    await office.call(verbOf(revokeDevice), { id: page?.id ?? '', version: page?.version ?? 0 })
    expect(await why(second)).toMatchObject({ reason: 'device_not_paired', ended: 'by_office' })
    expect(await why('A'.repeat(43))).not.toHaveProperty('ended')
  })

  test('guides reach their own track in the database, and the latest position of nobody but their own crew', async () => {
    const [ada, bo] = [await onDuty(), await onDuty()]
    await osmand(ada, 0)
    const asBo = (table: string) =>
      asOwnRole(world, bo.caller, (tx) =>
        sql`select from ${sql.table(table)} where org_id = ${office.orgId}`.execute(tx),
      )
    expect((await asBo('positions')).rows).toEqual([])
    expect((await asBo('latest_positions')).rows).toEqual([])
    await osmand(bo, 0)
    expect((await asBo('positions')).rows).toHaveLength(1)
    const write = asOwnRole(world, bo.caller, (tx) => sql`update positions set lat = 1`.execute(tx))
    expect(await refusalOf(write)).toBe('42501')
    expect(await latest(ada)).toBeDefined()
  })

  test('the token is in no line of the log', async () => {
    const ada = await onDuty()
    await osmand(ada, 0)
    await post(ada, { _type: 'unknown' })
    await server.fetch(`${ada.path}?lat=x&lon=y`, { method: 'DELETE' })
    const tokens = server.lines.filter((line) => JSON.stringify(line).includes(ada.device.token))
    expect(tokens).toEqual([])
  })

  test('guessing is slowed down, and known phones are not', async () => {
    const ada = await onDuty()
    const guesses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => server.fetch(`/track/${'A'.repeat(42)}${index}?lat=1&lon=2`)),
    )
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([400, 429]))
    expect((await osmand(ada, 0)).status).toBe(200)
  })
})

test('positions are no audit rows and no outbox rows', async () => {
  const ada = await onDuty()
  const traces = () =>
    office.transaction(async (tx) => {
      const { rows } = await sql<{ count: number }>`
        select (select count(*) from audit_entries) + (select count(*) from changes) as count`.execute(tx)
      return rows[0]?.count
    })
  const before = await traces()
  for (let second = 0; second < 3; second += 1) await osmand(ada, second)
  expect(await traces()).toBe(before)
})

test('hostile requests of a known device are no faults', async () => {
  const ada = await onDuty()
  const faults: unknown[] = []
  const note = (asked: unknown, answer: { status: number; text: string }) => {
    if (isFault(answer)) faults.push({ asked, ...answer })
  }
  const fields = ['lat', 'lon', 'timestamp', 'speed', 'bearing', 'altitude', 'accuracy', 'batt', 'location', 'valid']
  const queries = hostileTexts
    .filter((text) => text.length < 3_000)
    .flatMap((text) => fields.map((field) => new URLSearchParams({ lat: '1', lon: '2', [field]: text }).toString()))
  await Promise.all(queries.map(async (query) => note(query, await rawRequest(server.base, `${ada.path}?${query}`))))
  const bodies = oddValues.flatMap((odd) => [
    odd,
    { _type: odd },
    { _type: 'location', tst: odd, lat: odd, lon: odd, vel: odd, batt: odd },
    { location: odd },
    { location: { timestamp: odd, coords: odd, battery: odd } },
    { location: { timestamp: start.toISOString(), coords: { latitude: 1, longitude: 2, speed: odd, accuracy: odd } } },
    { fixes: odd, sentAt: odd },
    { fixes: [odd, { recordedAt: start.toISOString(), lat: 1, lng: 2, accuracyM: odd, batteryPct: odd }], sentAt: odd },
  ])
  const sent = await Promise.all(
    bodies.map(async (body) => [body, await rawPost(server.base, ada.path, jsonText(body))] as const),
  )
  for (const [body, answer] of sent) note(jsonText(body).slice(0, 200), answer)
  for (const body of ['{', '[[[[', '{"_type":', '\u0000', 'lat=1&lon=2&lat=%ff'])
    note(body, await rawPost(server.base, ada.path, body))
  const large = await server.fetch(ada.path, { method: 'POST', body: 'x'.repeat(300_000) })
  note('large', { status: large.status, text: await large.text() })
  expect(faults).toEqual([])
  expect((await osmand(ada, 5)).status).toBe(200)
})
