import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type Random, seededRandom } from '../../../seed/random.ts'
import { addDeparture, assignGuide, book, officeWithTour } from '../../../testing/operations.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { upsertLatest } from '../tracking/positions-store.ts'
import { writeFindings } from '../tracking/findings-store.ts'
import { checkEverything, evaluateDue } from './due-evaluation.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { dueOfTopic } from './subjects-of-changes.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const minuteMs = 60_000
const begin = new Date('2030-07-13T06:00:00Z')

interface Office {
  readonly caller: TestCaller
  readonly clock: ReturnType<typeof movableClock>
  readonly departures: readonly string[]
  readonly staff: readonly string[]
  readonly vehicle: string
  readonly device: string
}

/** Three departures within two days, with crews, guests, a vehicle, an unanswered offer, a hold, papers, a service and a message. */
async function office(): Promise<Office> {
  const { caller, clock, tourId } = await officeWithTour(world, begin)
  const departures = [
    await addDeparture(caller, tourId, { localDate: '2030-07-13', startTimeLocal: '09:00' }),
    await addDeparture(caller, tourId, { localDate: '2030-07-13', startTimeLocal: '19:00' }),
    await addDeparture(caller, tourId, { localDate: '2030-07-15', startTimeLocal: '08:00' }),
  ]
  const [first = '', second = '', third = ''] = departures
  const guide = await assignGuide(caller, first)
  const staff = [guide, await assignGuide(caller, third)]
  await assignGuide(caller, second, { staffId: guide })
  for (const id of departures) await book(caller, id, 2)
  await book(caller, third, 1, { mode: 'hold' })
  const [vehicle, entry, offer, device] = [newId(), newId(), newId(), newId()]
  const { orgId } = caller
  await caller.transaction(async (tx) => {
    for (const statement of [
      sql`insert into vehicles (org_id, id, plate, label, seats, inspection_valid_until) values (${orgId}, ${vehicle}, 'AA-04', 'Van 4', 3, '2030-08-13')`,
      sql`insert into vehicle_calendar_entries (org_id, id, vehicle_id, during, kind, status)
        select org_id, ${entry}, ${vehicle}, tstzrange(starts_at, ends_at), 'pickup', 'confirmed' from departures where id = ${third}`,
      sql`insert into vehicle_assignments (org_id, calendar_entry_id, departure_id) values (${orgId}, ${entry}, ${third})`,
      sql`insert into staff_certificates (org_id, id, staff_id, kind, valid_until) values (${orgId}, ${newId()}, ${guide}, 'first_aid', '2030-08-14')`,
      sql`insert into departure_services (org_id, id, departure_id, kind, status) values (${orgId}, ${newId()}, ${third}, 'meal', 'to_request')`,
      sql`insert into staff_calendar_entries (org_id, id, staff_id, during, kind) select org_id, ${offer}, ${staff[1] ?? ''}, tstzrange(starts_at, ends_at), 'assignment'
        from departures where id = ${third}`,
      sql`insert into assignments (org_id, id, calendar_entry_id, departure_id, staff_id, role, status, respond_by)
        values (${orgId}, ${newId()}, ${offer}, ${third}, ${staff[1] ?? ''}, 'guide', 'offered', '2030-07-13T13:30:00Z')`,
      sql`insert into duty_sessions (org_id, id, staff_id, departure_id, source, consent_version) values (${orgId}, ${newId()}, ${guide}, ${first}, 'dispatcher', '2026-11')`,
      sql`insert into devices (org_id, id, label, staff_id) values (${orgId}, ${device}, 'Phone', ${guide})`,
      sql`update departures set decide_by = starts_at - interval '20 hours', min_pax = case when id = ${second} then 0 else min_pax end where org_id = ${orgId}`,
    ])
      await statement.execute(tx)
  })
  return { caller, clock, departures, staff, vehicle, device }
}

type Step = (office: Office, random: Random) => (tx: Tx) => Promise<unknown>

const run = (statement: (office: Office, random: Random) => RawBuilder<unknown>): Step => {
  return (given, random) => {
    const built = statement(given, random)
    return (tx) => built.execute(tx)
  }
}

const position: Step = ({ caller, clock, staff, device }, random) => {
  const recordedAt = new Date(clock.now().getTime() - random.between(0, 20) * minuteMs)
  const batteryPct = random.between(5, 30)
  return async (tx) => {
    const { rows } = await sql<{
      id: string
    }>`select id from duty_sessions where org_id = ${caller.orgId} limit 1`.execute(tx)
    await upsertLatest(tx, caller.orgId, [
      {
        deviceId: device,
        sessionId: rows[0]?.id ?? '',
        staffId: staff[0] ?? null,
        vehicleId: null,
        recordedAt,
        receivedAt: clock.now(),
        lat: 64,
        lng: -21,
        accuracyM: 10,
        speedMps: 0,
        headingDeg: null,
        altitudeM: null,
        batteryPct,
        isMoving: false,
        isValid: true,
      },
    ])
  }
}

const finding: Step = ({ caller, clock, departures }, random) => {
  const now = clock.now().getTime()
  const found = {
    kind: 'off_route',
    cause: null,
    since: now - 5 * minuteMs,
    seenAt: now,
    lat: 64,
    lng: -21,
    facts: { meters: random.between(500, 900) },
  }
  const departureId = departures[0] ?? ''
  const isFound = random.chance(0.6)
  return (tx) => writeFindings(tx, caller.orgId, [departureId], isFound ? [{ departureId, ...found } as never] : [])
}

/** A departure goes through its day. */
const moveOn = run(
  (
    { departures },
    random,
  ) => sql`update departures set status = case status when 'scheduled' then 'boarding' when 'guaranteed' then 'boarding'
  when 'boarding' then 'in_progress' else ${random.pick(['in_progress', 'in_progress', 'completed'])} end where id = ${random.pick(departures)}`,
)

/** What people, guests, phones and jobs do to rows that alerts are read from. A step that the database refuses has not happened. */
const steps: readonly Step[] = [
  moveOn,
  moveOn,
  run(
    (
      { departures },
      random,
    ) => sql`update departures set status = 'cancelled', cancel_reason = 'weather' where id = ${random.pick(departures)}
    and ${random.chance(0.2)}`,
  ),
  run(
    ({ departures }, random) =>
      sql`update departures set delay_seconds = ${random.pick([0, 600, 1000, 3000])} where id = ${random.pick(departures)}`,
  ),
  run(
    (
      { departures },
      random,
    ) => sql`update departures set starts_at = starts_at + interval '40 minutes', ends_at = ends_at + interval '40 minutes'
    where id = ${random.pick(departures)}`,
  ),
  run(
    ({ departures }, random) =>
      sql`update departures set min_pax = ${random.between(1, 6)} where id = ${random.pick(departures)}`,
  ),
  run(
    (
      { departures },
      random,
    ) => sql`update departure_stops set timed_entry = true, delay_seconds = ${random.pick([0, 400, 900])}
    where departure_id = ${random.pick(departures)} and stop_order = 3`,
  ),
  run(
    ({ departures }, random) => sql`update departure_stops set status = 'arrived', actual_arrive_at = app_now()
    where departure_id = ${random.pick(departures)} and stop_order = ${random.between(1, 4)}`,
  ),
  run(
    ({ departures }, random) => sql`insert into headcounts (org_id, id, departure_stop_id, expected, counted, reason)
    select org_id, ${newId()}, id, 2, ${random.between(1, 2)}, 'Test' from departure_stops where departure_id = ${random.pick(departures)} and stop_order = 2`,
  ),
  run(
    ({ departures }, random) =>
      sql`update manifest_entries set status = ${random.pick(['no_show', 'expected'])} where departure_id = ${random.pick(departures)}`,
  ),
  run(
    (
      { caller },
      random,
    ) => sql`update assignments set status = ${random.pick(['accepted', 'declined', 'offered'])} where org_id = ${caller.orgId}
    and staff_id in (select staff_id from assignments order by id offset ${random.between(0, 2)} limit 1)`,
  ),
  run(
    ({ caller }, random) =>
      sql`update departure_services set status = ${random.pick(['confirmed', 'requested'])} where org_id = ${caller.orgId}`,
  ),
  run(
    (
      { vehicle },
      random,
    ) => sql`update vehicles set seats = ${random.between(2, 8)}, inspection_valid_until = ${random.pick(['2030-07-14', '2030-08-14', '2031-01-01'])}
    where id = ${vehicle}`,
  ),
  run(
    ({ vehicle }) =>
      sql`delete from vehicle_assignments where calendar_entry_id in (select id from vehicle_calendar_entries where vehicle_id = ${vehicle})`,
  ),
  run(
    ({ caller, staff }, random) => sql`insert into staff_certificates (org_id, id, staff_id, kind, valid_until)
    values (${caller.orgId}, ${newId()}, ${random.pick(staff)}, ${random.pick(['first_aid', 'driving_D'])}, ${random.pick(['2030-07-12', '2030-08-15', '2031-08-01'])})`,
  ),
  run(({ staff }, random) => sql`delete from staff_certificates where staff_id = ${random.pick(staff)}`),
  run(
    ({ staff }, random) =>
      sql`update field_staff set last_name = ${`Number ${random.between(1, 9)}`}, min_rest_hours = ${random.between(2, 14)} where id = ${random.pick(staff)}`,
  ),
  run(
    ({ caller }, random) =>
      sql`update places set name = ${`Place ${random.between(1, 9)}`}, lat = ${random.between(63, 66)} where org_id = ${caller.orgId} and name <> 'City Hall'`,
  ),
  run(
    ({ caller }, random) =>
      sql`update tours set name = ${`Circle ${random.between(1, 9)}`}, kind = ${random.pick(['day', 'multi_day'])} where org_id = ${caller.orgId}`,
  ),
  run(
    ({ caller }, random) =>
      sql`update tours set duration_days = ${random.between(1, 2)} where org_id = ${caller.orgId}`,
  ),
  run(
    ({ caller }) => sql`insert into traveler_documents (org_id, id, traveler_id, kind, country)
    select org_id, uuidv7(), traveler_id, 'passport', 'GB' from manifest_entries where org_id = ${caller.orgId} order by id limit 3`,
  ),
  run(({ caller }) => sql`delete from traveler_documents where org_id = ${caller.orgId}`),
  run(
    ({ caller }, random) =>
      sql`update bookings set expires_at = app_now() + make_interval(mins => ${random.between(10, 300)}) where org_id = ${caller.orgId} and status = 'on_hold'`,
  ),
  run(
    ({ caller }, random) =>
      sql`update duty_sessions set break_started_at = ${random.chance(0.5) ? sql`app_now()` : null} where org_id = ${caller.orgId}`,
  ),
  run(
    (
      { caller },
      random,
    ) => sql`update org_settings set tour_rules = tour_rules || ${JSON.stringify({ lateStartMin: random.between(5, 40), signalLostMin: random.between(3, 15), batteryPct: random.between(8, 25) })}::jsonb
    where org_id = ${caller.orgId}`,
  ),
  run(
    (
      { caller },
      random,
    ) => sql`update alerts set status = 'snoozed', snoozed_until = app_now() + make_interval(mins => ${random.between(5, 90)})
    where org_id = ${caller.orgId} and status = 'open' and kind <> 'late_start'`,
  ),
  run(
    (
      { caller },
      random,
    ) => sql`update alerts set status = 'resolved', resolved_at = app_now(), resolution = 'manual' where org_id = ${caller.orgId} and status = 'open'
    and kind = ${random.pick(['late_start', 'no_lead_guide', 'certificate_expiring', 'headcount_mismatch', 'below_min_pax'])}`,
  ),
  position,
  position,
  position,
  finding,
]

/** Every row of alerts, and what is remembered of what was true. */
async function dump(tx: Tx, orgId: string): Promise<unknown> {
  const { rows: alerts } = await sql<object>`
    select kind, severity, status, dedupe_key, title, evidence, opened_at, resolved_at, resolution, snoozed_until from alerts
    where org_id = ${orgId} order by dedupe_key, opened_at, id`.execute(tx)
  const { rows: looks } = await sql<object>`
    select subject_kind, subject_id, firing, lapsing from alert_dues where org_id = ${orgId} and (firing <> '{}' or lapsing <> '{}') order by 1, 2`.execute(
    tx,
  )
  return { alerts, looks }
}

class Taken extends Error {}

/** What evaluating everything would have made of it, taken back. */
async function evaluatedAnew(caller: TestCaller): Promise<unknown> {
  let found: unknown
  await caller
    .transaction(async (tx) => {
      await evaluateAlerts(tx, caller.orgId)
      found = await dump(tx, caller.orgId)
      throw new Taken()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Taken)) throw error
    })
  return found
}

const kinds = new Set<string>()

test.each([1, 2])(
  'whatever happens in whatever order, alerts by due times are those of evaluating everything (%i)',
  async (seed) => {
    const given = await office()
    const { caller, clock } = given
    const services = { ...world.services, clock }
    const random = seededRandom(seed)
    let now = begin.getTime()
    for (let step = 0; step < 120; step += 1) {
      const count = random.weighted([
        [0, 6],
        [1, 4],
        [2, 1],
      ])
      const done: string[] = []
      for (let n = 0; n < count; n += 1) {
        const step = random.pick(steps)
        done.push(String(steps.indexOf(step)))
        await caller.transaction(step(given, random)).catch(() => undefined)
      }
      await evaluateDue(services)
      const byDueTimes = await caller.transaction((tx) => dump(tx, caller.orgId))
      expect(byDueTimes, `step ${step} at ${new Date(now).toISOString()} after ${done.join(' ')}`).toEqual(
        await evaluatedAnew(caller),
      )
      for (const { kind } of (byDueTimes as { alerts: { kind: string }[] }).alerts) kinds.add(kind)
      now +=
        random.weighted([
          [1, 4],
          [random.between(2, 14), 8],
          [random.between(30, 150), 1],
        ]) * minuteMs
      clock.set(new Date(now))
    }
  },
  300_000,
)

test('two days on which nobody does anything: every alert that the clock alone opens, changes or ends comes at its time', async () => {
  const given = await office()
  const { caller, clock, departures } = given
  const services = { ...world.services, clock }
  for (const status of ['boarding', 'in_progress'])
    await caller.transaction((tx) =>
      sql`update departures set status = ${status} where id = ${departures[0] ?? ''}`.execute(tx),
    )
  for (let now = begin.getTime(); now < Date.parse('2030-07-15T09:00:00Z'); now += 10 * minuteMs) {
    clock.set(new Date(now))
    // heard once, with a full battery, and never again
    if (now === Date.parse('2030-07-13T10:00:00Z'))
      await caller.transaction(position(given, { ...seededRandom(1), between: (low, high) => (low === 0 ? 0 : high) }))
    await evaluateDue(services)
    const byDueTimes = await caller.transaction((tx) => dump(tx, caller.orgId))
    expect(byDueTimes, new Date(now).toISOString()).toEqual(await evaluatedAnew(caller))
    for (const { kind } of (byDueTimes as { alerts: { kind: string }[] }).alerts) kinds.add(kind)
  }
}, 300_000)

test('the walk above comes past most kinds of alerts: a test of nothing would be green as well', () => {
  expect(kinds.size, [...kinds].join(' ')).toBeGreaterThan(9)
})

test('every table that is recorded says what of alerts its changes make due; settings make everything due', async () => {
  const recorded = await world.rows<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'record_update' order by 1`,
  )
  const names = recorded.map(({ name }) => name).filter((name) => name !== 'documents')
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name) => dueOfTopic(name) === 'everything')).toEqual(['org_settings'])
})

test('a change of each table makes those due whose alerts are read from it', async () => {
  const { caller, clock, departures, staff, vehicle } = await office()
  const services = { ...world.services, clock }
  const [first = '', , third = ''] = departures
  const [guide = ''] = staff
  const org = sql`org_id = ${caller.orgId}`
  const changes: readonly [table: string, statement: RawBuilder<unknown>, subject: string][] = [
    ['departures', sql`update departures set min_pax = 7 where id = ${first}`, first],
    ['departures, for the rests of the crew', sql`update departures set min_pax = 8 where id = ${first}`, guide],
    ['departure_stops', sql`update departure_stops set slack_min = 9 where departure_id = ${first}`, first],
    ['manifest_entries', sql`update manifest_entries set status = 'no_show' where departure_id = ${first}`, first],
    [
      'headcounts',
      sql`insert into headcounts (org_id, id, departure_stop_id, expected, counted, reason)
        select org_id, ${newId()}, id, 2, 1, 'Test' from departure_stops where departure_id = ${first} limit 1`,
      first,
    ],
    ['assignments', sql`update assignments set respond_by = app_now() where ${org} and status = 'offered'`, third],
    [
      'departure_services',
      sql`update departure_services set description = 'Soup' where departure_id = ${third}`,
      third,
    ],
    ['duty_sessions', sql`update duty_sessions set break_started_at = app_now() where ${org}`, first],
    [
      'bookings',
      sql`update bookings set contact_name = 'Wei' where departure_id = ${third} and status = 'on_hold'`,
      'booking',
    ],
    [
      'staff_certificates',
      sql`update staff_certificates set valid_until = '2031-01-01' where staff_id = ${guide}`,
      guide,
    ],
    ['staff_certificates, deleted', sql`delete from staff_certificates where staff_id = ${guide}`, guide],
    ['field_staff', sql`update field_staff set first_name = 'Jón' where id = ${guide}`, guide],
    ['field_staff, for names on departures', sql`update field_staff set first_name = 'Ari' where id = ${guide}`, first],
    ['vehicles', sql`update vehicles set seats = 9 where id = ${vehicle}`, third],
    [
      'vehicle_calendar_entries',
      sql`update vehicle_calendar_entries set status = 'cancelled' where vehicle_id = ${vehicle}`,
      third,
    ],
    ['vehicle_assignments, deleted', sql`delete from vehicle_assignments where departure_id = ${third}`, third],
    [
      'traveler_documents',
      sql`insert into traveler_documents (org_id, id, traveler_id, kind, country)
        select org_id, uuidv7(), traveler_id, 'passport', 'GB' from manifest_entries where departure_id = ${first} limit 1`,
      first,
    ],
    ['traveler_documents, deleted', sql`delete from traveler_documents where ${org}`, first],
    ['places', sql`update places set name = 'Terminal' where ${org} and name like 'BS%'`, third],
    ['tours', sql`update tours set name = 'Ring' where ${org}`, third],
    ['alerts', sql`update alerts set status = 'acknowledged' where departure_id = ${third} and status = 'open'`, third],
    ['org_settings', sql`update org_settings set tour_rules = '{"lateStartMin": 12}' where ${org}`, vehicle],
  ]
  for (const [table, statement, subject] of changes) {
    for (let drained = false; !drained;) drained = (await evaluateDue(services)).evaluated === 0
    await caller.transaction((tx) => statement.execute(tx))
    clock.set(new Date(clock.now().getTime() + 1_000))
    await evaluateDue(services)
    const evaluated = await world.rows<{ id: string; kind: string }>(
      'select subject_id as id, subject_kind as kind from alert_dues where org_id = $1 and evaluated_at = $2',
      [caller.orgId, clock.now()],
    )
    expect(
      evaluated.flatMap(({ id, kind }) => [id, kind]),
      table,
    ).toContain(subject)
  }
})

test('a change makes what it is about due and nothing else, and a tick evaluates no more than that', async () => {
  const { caller, clock, departures } = await office()
  const services = { ...world.services, clock }
  await evaluateDue(services)
  await evaluateDue(services)
  expect((await evaluateDue(services)).evaluated).toBe(0)
  await caller.transaction((tx) =>
    sql`insert into departure_services (org_id, id, departure_id, kind, status) values (${caller.orgId}, ${newId()}, ${departures[2] ?? ''}, 'meal', 'to_request')`.execute(
      tx,
    ),
  )
  expect((await evaluateDue(services)).evaluated).toBe(1)
})

test('the check of everything tells what no due time led to, and nothing while due times are right', async () => {
  const { caller, clock } = await office()
  const services = { ...world.services, clock }
  await evaluateDue(services)
  clock.set(new Date(begin.getTime() + 30 * minuteMs))
  await evaluateDue(services)
  await evaluateDue(services)
  expect(await checkEverything(services, caller.orgId)).toEqual([])
  // as if nobody had thought of the moment at which the first departure is late
  await caller.transaction((tx) =>
    sql`update alert_dues set due_at = 'infinity' where org_id = ${caller.orgId}`.execute(tx),
  )
  clock.set(new Date('2030-07-13T09:11:00Z'))
  await evaluateDue(services)
  const missed = await checkEverything(services, caller.orgId)
  expect(missed.map(({ key }) => key.split(':')[0])).toContain('late_start')
})

test('what was evaluated last is said only as far as nothing older is due', async () => {
  const { caller, clock } = await office()
  const services = { ...world.services, clock }
  await evaluateDue(services)
  const evaluatedAt = async () => {
    const [row] = await world.rows<{ at: Date }>('select evaluated_at as at from alert_evaluations where org_id = $1', [
      caller.orgId,
    ])
    return row?.at.toISOString()
  }
  clock.set(new Date(begin.getTime() + minuteMs))
  await evaluateDue(services)
  expect(await evaluatedAt()).toBe(new Date(begin.getTime() + minuteMs).toISOString())
})
