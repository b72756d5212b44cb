import { isInArea } from '@tour-ops/contract/map/areas'
import type { In } from '@tour-ops/contract/callable'
import { listAlerts } from '@tour-ops/contract/monitoring/alerts'
import {
  endWeatherWarning,
  getWeatherSource,
  issueWeatherSource,
  listWeatherWarnings,
  revokeWeatherSource,
  stateWeatherWarning,
} from '@tour-ops/contract/monitoring/weather-warnings'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededRandom } from '../../../seed/random.ts'
import { testServer, type TestServer } from '../../../testing/http-server.ts'
import { addDeparture, assignGuide, officeWithTour, publishedTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { evaluateDue } from './due-evaluation.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(monitoringVerbs)
/** The sample departure is under way on this day from 9:00 to 17:00 UTC. */
const at = (time: string) => `2030-07-14T${time}:00Z`
const everywhere = { kind: 'everything' } as const
/** City Hall, BSÍ and Geysir of the sample tour are all here. */
const here: [lng: number, lat: number] = [-21.935, 64.1375]

type Stated = In<typeof stateWeatherWarning>

const storm = (change: Partial<Stated> = {}): Stated => ({
  title: 'Storm on the coast',
  text: 'Gusts of 30 m/s. Keep guests away from the shore.',
  severity: 'warning',
  startsAt: at('12:00'),
  endsAt: at('15:00'),
  where: everywhere,
  ...change,
})

const circle = (center: [number, number], radiusM: number): Stated['where'] => ({
  kind: 'area',
  area: { kind: 'circle', center, radiusM },
})
const box: [number, number][] = [
  [-22, 64],
  [-21.9, 64],
  [-21.9, 64.2],
  [-22, 64.2],
]

async function office(time = at('06:00')) {
  const { caller, clock, ...plan } = await officeWithTour(world, new Date(time))
  const departureId = await addDeparture(caller, plan.tourId)
  const services = { ...world.services, clock }
  const evaluate = async (moment?: string) => {
    clock.set(moment ? new Date(moment) : new Date(clock.now().getTime() + 1000))
    await evaluateDue(services)
  }
  await evaluate()
  return { caller, clock, departureId, evaluate, ...plan }
}

const state = (caller: TestCaller, change: Partial<Stated> = {}) =>
  caller.call(verbOf(stateWeatherWarning), storm(change))
const warningsOf = async (caller: TestCaller, over = false) =>
  (await caller.call(verbOf(listWeatherWarnings), { over })).warnings
const alertsOf = async (caller: TestCaller) =>
  (await caller.call(verbOf(listAlerts), { filters: { kind: ['weather_warning'] } })).rows

describe('a weather warning', () => {
  test('is an alert of each departure that is then there, and ends with it at once', async () => {
    const { caller, departureId, evaluate } = await office()
    const { id, version } = await state(caller)
    await evaluate()
    expect(await alertsOf(caller)).toMatchObject([
      {
        severity: 'warning',
        status: 'open',
        title: 'Storm on the coast',
        departure: { id: departureId },
        evidence: { warningId: id, from: '2030-07-14T12:00:00.000Z', until: '2030-07-14T15:00:00.000Z' },
      },
    ])
    expect(await warningsOf(caller)).toMatchObject([{ id, departures: 1, isReported: false, endedAt: null }])
    const ended = await caller.call(verbOf(endWeatherWarning), { id, version, ended: true })
    await evaluate()
    expect(await alertsOf(caller)).toMatchObject([{ status: 'resolved', resolution: 'auto' }])
    expect(await warningsOf(caller)).toEqual([])
    expect(await warningsOf(caller, true)).toMatchObject([{ id, departures: 0, endedByName: expect.any(String) }])

    await caller.call(verbOf(endWeatherWarning), { id, version: ended.version, ended: false })
    await evaluate()
    expect((await alertsOf(caller)).map(({ status }) => status).toSorted()).toEqual(['open', 'resolved'])
  })

  test('ends by itself when its time is over, and with a departure that is cancelled', async () => {
    const { caller, tourId, departureId, evaluate } = await office()
    const second = await addDeparture(caller, tourId, { startTimeLocal: '11:00' })
    await state(caller)
    await evaluate()
    expect(await alertsOf(caller)).toHaveLength(2)
    await setStatus(caller, second, { to: 'cancelled', cancelReason: 'weather' })
    await evaluate()
    const statusOf = async (id: string) =>
      (await alertsOf(caller)).find(({ departure }) => departure?.id === id)?.status
    expect([await statusOf(departureId), await statusOf(second)]).toEqual(['open', 'resolved'])
    await evaluate(at('14:59'))
    expect(await statusOf(departureId)).toBe('open')
    await evaluate(at('15:00'))
    expect(await statusOf(departureId)).toBe('resolved')
  })

  test('is one alert for each cause', async () => {
    const { caller, evaluate } = await office()
    await state(caller)
    await state(caller, { title: 'Heavy rain', severity: 'critical' })
    await evaluate()
    expect((await alertsOf(caller)).map(({ title, severity }) => `${severity} ${title}`).toSorted()).toEqual([
      'critical Heavy rain',
      'warning Storm on the coast',
    ])
  })

  test('that somebody has closed stays closed until the warning becomes more severe', async () => {
    const { caller, evaluate } = await office()
    await state(caller)
    await evaluate()
    await caller.transaction((tx) =>
      sql`update alerts set status = 'resolved', resolved_at = app_now(), resolution = 'manual' where org_id = ${caller.orgId}`.execute(
        tx,
      ),
    )
    await evaluate()
    await caller.transaction((tx) =>
      sql`update weather_warnings set message = 'Also snow' where org_id = ${caller.orgId}`.execute(tx),
    )
    await evaluate()
    expect(await alertsOf(caller)).toHaveLength(1)
    await caller.transaction((tx) =>
      sql`update weather_warnings set severity = 'critical' where org_id = ${caller.orgId}`.execute(tx),
    )
    await evaluate()
    expect((await alertsOf(caller)).map(({ status }) => status).toSorted()).toEqual(['open', 'resolved'])
  })

  test.each<[what: string, change: Partial<Stated>, isTouched: boolean]>([
    ['everything, at the time', {}, true],
    ['everything, before', { startsAt: at('06:30'), endsAt: at('08:59') }, false],
    ['everything, until it begins', { startsAt: at('06:30'), endsAt: at('09:00') }, false],
    ['everything, from its end', { startsAt: at('17:00'), endsAt: at('19:00') }, false],
    ['everything, over its whole day', { startsAt: at('00:00'), endsAt: at('23:00') }, true],
    ['its base', { where: { kind: 'bases', zones: ['Europe/Madrid', 'Atlantic/Reykjavik'] } }, true],
    ['another base', { where: { kind: 'bases', zones: ['Europe/Madrid'] } }, false],
    ['a circle around its stops', { where: circle(here, 500) }, true],
    ['a circle elsewhere', { where: circle([-15, 66], 50_000) }, false],
    ['an outline around its stops', { where: { kind: 'area', area: { kind: 'outline', points: box } } }, true],
    [
      'a circle around its stops, on another day',
      { where: circle(here, 500), startsAt: '2030-07-15T09:00:00Z', endsAt: '2030-07-15T12:00:00Z' },
      false,
    ],
  ])('is about %s: %o', async (_what, change, isTouched) => {
    const { caller, evaluate } = await office()
    await state(caller, change)
    await evaluate()
    expect((await alertsOf(caller)).length === 1).toBe(isTouched)
  })

  test('of an area is about who is there at the time, and not earlier or later', async () => {
    const { caller, stopPlaceId, evaluate } = await office()
    await caller.transaction((tx) =>
      sql`update places set lat = 64.31, lng = -20.3 where org_id = ${caller.orgId} and id = ${stopPlaceId}`.execute(
        tx,
      ),
    )
    await evaluate()
    const geysir = circle([-20.3, 64.31], 5_000)
    // On the way there from 9:00, there from 12:15 to 13:30, and back at 17:00.
    for (const [startsAt, endsAt, count] of [
      [at('08:00'), at('09:00'), 0],
      [at('09:00'), at('10:00'), 1],
      [at('13:00'), at('13:10'), 1],
      [at('16:00'), at('18:00'), 1],
    ] as const) {
      await state(caller, { where: geysir, startsAt, endsAt, title: `${startsAt} ${endsAt}` })
      await evaluate()
      expect((await alertsOf(caller)).filter(({ title }) => title === `${startsAt} ${endsAt}`)).toHaveLength(count)
    }
  })

  test('of any circle is about exactly those with a stop in it', async () => {
    const { caller, tourId, evaluate } = await office()
    const random = seededRandom(7)
    await addDeparture(caller, tourId, { startTimeLocal: '10:00' })
    for (let round = 0; round < 12; round += 1) {
      const center: [number, number] = [
        here[0] + random.between(-20, 20) / 100,
        here[1] + random.between(-20, 20) / 100,
      ]
      const radiusM = random.between(1, 20) * 1000
      const title = `Round ${round}`
      await state(caller, { where: circle(center, radiusM), title })
      await evaluate()
      const isIn = isInArea({ kind: 'circle', center, radiusM }, { lat: here[1], lng: here[0] })
      expect((await alertsOf(caller)).filter((alert) => alert.title === title)).toHaveLength(isIn ? 2 : 0)
    }
  })

  test('of tours or departures is about those, and about no others', async () => {
    const { caller, tourId, departureId, evaluate } = await office()
    const { tourId: otherTour } = await publishedTour(caller)
    const other = await addDeparture(caller, otherTour)
    const touchedBy = async (title: string, where: Stated['where']) => {
      await state(caller, { title, where })
      await evaluate()
      return (await alertsOf(caller)).filter((alert) => alert.title === title).map(({ departure }) => departure?.id)
    }
    expect(await touchedBy('Tour', { kind: 'tours', tourIds: [tourId] })).toEqual([departureId])
    expect(await touchedBy('Departure', { kind: 'departures', departureIds: [other] })).toEqual([other])
    expect((await warningsOf(caller)).map(({ where }) => where.named.length)).toEqual([1, 1])
  })

  test('that is stated while departures are out is about them however late they are', async () => {
    const { caller, departureId, evaluate } = await office()
    await assignGuide(caller, departureId)
    await evaluate(at('08:50'))
    for (const to of ['boarding', 'in_progress'] as const) await setStatus(caller, departureId, { to, reason: 'Test' })
    await evaluate(at('18:00'))
    await state(caller, { startsAt: at('18:30'), endsAt: at('20:00') })
    await evaluate()
    expect(await alertsOf(caller)).toEqual([])
    await evaluate(at('18:30'))
    expect(await alertsOf(caller)).toMatchObject([{ status: 'open' }])
    await setStatus(caller, departureId, { to: 'completed', reason: 'Test' })
    await evaluate()
    await evaluate()
    expect(await alertsOf(caller)).toMatchObject([{ status: 'resolved' }])
  })

  test('is refused where it ends before it begins, or is over, or says nothing', async () => {
    const { caller } = await office()
    const problem = (path: string, code: string) => ({
      code: 'invalid-argument',
      details: { fieldIssues: { [path]: [expect.objectContaining({ code })] } },
    })
    await expect(state(caller, { endsAt: at('12:00') })).rejects.toMatchObject(problem('endsAt', 'end_before_start'))
    await expect(state(caller, { startsAt: at('01:00'), endsAt: at('02:00') })).rejects.toMatchObject(
      problem('endsAt', 'in_past'),
    )
    await expect(state(caller, { text: ' ' })).rejects.toMatchObject(problem('text', 'text_missing'))
    await expect(state(caller, { where: { kind: 'tours', tourIds: [] } })).rejects.toMatchObject(
      problem('where.tourIds', 'too_few'),
    )
  })

  test('is stated and ended by who manages alerts, and seen by nobody of another organization', async () => {
    const { caller, tourId, departureId } = await office()
    const { id, version } = await state(caller)
    const viewer = await world.as('viewer', { orgId: caller.orgId })
    expect(await warningsOf(viewer)).toHaveLength(1)
    await expect(state(viewer)).rejects.toMatchObject({ code: 'permission-denied' })
    await expect(viewer.call(verbOf(endWeatherWarning), { id, version, ended: true })).rejects.toMatchObject({
      code: 'permission-denied',
    })
    const stranger = await office()
    expect(await warningsOf(stranger.caller)).toEqual([])
    await expect(stranger.caller.call(verbOf(endWeatherWarning), { id, version, ended: true })).rejects.toMatchObject({
      code: 'not-found',
    })
    const theirs: Stated['where'][] = [
      { kind: 'tours', tourIds: [tourId] },
      { kind: 'departures', departureIds: [departureId] },
    ]
    for (const where of theirs)
      await expect(state(stranger.caller, { where })).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('a weather service reports to its address', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({ services: world.services, env: { DEMO: 'off' } })
  })
  afterAll(() => server.close())

  const report = (change: object = {}) => ({
    id: 'IMO-2030-17',
    title: 'Orange wind warning',
    text: 'Northeast 25 m/s.',
    severity: 'warning',
    startsAt: '2090-07-14T12:00:00Z',
    endsAt: '2090-07-14T15:00:00Z',
    ...change,
  })

  async function source() {
    const admin = await world.as('admin')
    const issue = async () => new URL((await admin.call(verbOf(issueWeatherSource), {})).url).pathname
    const path = await issue()
    const send = async (content: unknown, address = path) => {
      const answer = await server.fetch(address, { method: 'POST', body: JSON.stringify(content) })
      return { status: answer.status, body: await answer.text() }
    }
    const outcome = async (content: unknown): Promise<string> => JSON.parse((await send(content)).body).result.outcome
    return { admin, path, issue, send, outcome }
  }

  test('states a warning, changes it under the same id, and ends it', async () => {
    const { admin, outcome } = await source()
    expect(await outcome(report())).toBe('stated')
    expect(await outcome(report())).toBe('unchanged')
    expect(await warningsOf(admin)).toMatchObject([
      { title: 'Orange wind warning', isReported: true, statedByName: null, where: { kind: 'everything' }, version: 1 },
    ])
    const where = { kind: 'area', area: { kind: 'circle', center: here, radiusM: 20_000 } }
    expect(await outcome(report({ severity: 'critical', where }))).toBe('changed')
    expect(await warningsOf(admin)).toMatchObject([{ severity: 'critical', where }])
    expect(await outcome({ id: 'IMO-2030-17', cancelled: true })).toBe('ended')
    expect(await outcome({ id: 'IMO-2030-17', cancelled: true })).toBe('unchanged')
    expect(await outcome({ id: 'never', cancelled: true })).toBe('unknown')
    expect(await warningsOf(admin)).toEqual([])
    expect(await outcome(report())).toBe('changed')
    expect(await warningsOf(admin)).toMatchObject([{ severity: 'warning', endedAt: null }])
  })

  test('and what the office has ended stays ended until the service says something else', async () => {
    const { admin, outcome } = await source()
    await outcome(report())
    const [warning] = await warningsOf(admin)
    await admin.call(verbOf(endWeatherWarning), { id: warning?.id ?? '', version: 1, ended: true })
    expect(await outcome(report())).toBe('unchanged')
    expect(await warningsOf(admin)).toEqual([])
    expect(await outcome(report({ severity: 'critical' }))).toBe('changed')
    expect(await warningsOf(admin)).toHaveLength(1)
  })

  test('the same at once as one warning', async () => {
    const { admin, outcome } = await source()
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(report())))
    expect(outcomes.filter((each) => each === 'stated')).toHaveLength(1)
    expect(outcomes.filter((each) => each === 'unchanged')).toHaveLength(7)
    expect(await warningsOf(admin)).toHaveLength(1)
  })

  test('in a form that is checked, with the field that is wrong', async () => {
    const { admin, send } = await source()
    for (const [content, field] of [
      [report({ severity: 'orange' }), 'severity'],
      [report({ endsAt: '2090-07-14T12:00:00Z' }), 'endsAt'],
      [report({ startsAt: 'tomorrow' }), 'startsAt'],
      [report({ where: { kind: 'tours', tourIds: [] } }), 'where.kind'],
      [report({ id: '' }), 'id'],
      [report({ title: 'a\0b' }), 'title'],
      [{ cancelled: true }, 'id'],
    ] as const) {
      const { status, body } = await send(content)
      expect(status, field).toBe(400)
      expect(Object.keys(JSON.parse(body).error.details.fieldIssues), field).toContain(field)
    }
    expect((await send('x'.repeat(70_000))).status).toBe(400)
    expect(await warningsOf(admin)).toEqual([])
  })

  test('of which the database holds a hash; a new one or none ends it, answered like one that never was', async () => {
    const { admin, path, issue, send } = await source()
    const unknown = await send(report(), `/weather/${'A'.repeat(43)}`)
    expect(unknown).toEqual({ status: 404, body: 'Not found.\n' })
    const second = await issue()
    expect(await send(report(), path)).toEqual(unknown)
    expect((await send(report(), second)).status).toBe(200)
    const { source: stored } = await admin.call(verbOf(getWeatherSource), {})
    expect(stored?.hint).toBe(second.slice(-4))
    const { rows } = await admin.transaction((tx) =>
      sql<{
        text: string
      }>`select concat((select string_agg(w::text, '') from weather_sources w where w.org_id = ${admin.orgId}),
        (select string_agg(a::text, '') from audit_entries a where a.entity_type = 'weather_sources')) as text`.execute(
        tx,
      ),
    )
    expect(rows[0]?.text).not.toContain(second.slice('/weather/'.length))
    expect(JSON.stringify(server.lines)).not.toContain(second.slice('/weather/'.length))
    await admin.call(verbOf(revokeWeatherSource), { id: stored?.id ?? '', version: stored?.version ?? 0 })
    expect(await send(report(), second)).toEqual(unknown)
    expect(await warningsOf(admin)).toHaveLength(1)
    expect((await server.fetch(second)).status).toBe(405)
  })

  test('at most sixty times a minute', async () => {
    const { send } = await source()
    const statuses: number[] = []
    for (let n = 0; n < 75; n += 1) statuses.push((await send({ id: 'never', cancelled: true })).status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  })

  test('that only who manages settings makes and ends', async () => {
    const { admin } = await source()
    const manager = await world.as('dispatcher', { orgId: admin.orgId })
    for (const call of [
      () => manager.call(verbOf(getWeatherSource), {}),
      () => manager.call(verbOf(issueWeatherSource), {}),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'permission-denied' })
  })
})
