import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { alertsBegin, type AlertsOffice, alertsOffice, evaluateAllDue } from '../../../testing/alerts-office.ts'
import { officeWithTour } from '../../../testing/operations.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { checkAllOrganizations } from './check-alerts.ts'
import { evaluateDue } from './due-evaluation.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { dueOfTopic } from './subjects-of-changes.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const minutesLater = (minutes: number) => new Date(alertsBegin.getTime() + minutes * 60_000)

/** What is evaluated a second later, as ids and kinds of subjects. */
async function evaluatedNext({ caller, clock, services }: AlertsOffice): Promise<string[]> {
  clock.set(new Date(clock.now().getTime() + 1_000))
  await evaluateDue(services)
  const subjects = await world.rows<{ id: string; kind: string }>(
    'select subject_id as id, subject_kind as kind from alert_dues where org_id = $1 and evaluated_at = $2',
    [caller.orgId, clock.now()],
  )
  return subjects.flatMap(({ id, kind }) => [id, kind])
}

test.each([
  ['a tick', evaluateDue, 'evaluated_at'],
  ['the check of everything', checkAllOrganizations, 'checked_at'],
])('the trouble of one organization keeps %s from no other, and is thrown at the end', async (_what, work, column) => {
  const { caller: one, clock } = await officeWithTour(world, alertsBegin)
  const { caller: other } = await officeWithTour(world, alertsBegin)
  const [first = '', second = ''] = [one.orgId, other.orgId].toSorted()
  await evaluateDue({ ...world.services, clock })
  const transaction: Services['db']['transaction'] = (scope, run) =>
    scope.orgId === first ? Promise.reject(new Error('broken')) : world.services.db.transaction(scope, run)
  clock.set(minutesLater(1))
  await expect(work({ ...world.services, clock, db: { ...world.services.db, transaction } })).rejects.toThrow(
    '1 organization failed',
  )
  const reached = await world.rows<{ id: string }>(
    `select org_id as id from alert_evaluations where ${column} = $1 and org_id = any ($2)`,
    [clock.now(), [first, second]],
  )
  expect(reached).toEqual([{ id: second }])
})

/** Tables whose changes are recorded. */
async function recordedTables(): Promise<string[]> {
  const recorded = await world.rows<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'record_update' order by 1`,
  )
  return recorded.map(({ name }) => name).filter((name) => name !== 'documents')
}

test('every table that is recorded says what of alerts its changes make due; settings make everything due', async () => {
  const names = await recordedTables()
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name) => dueOfTopic(name) === 'everything')).toEqual(['org_settings'])
})

test('a table from which an evaluation reads makes something due when it changes', async () => {
  const { caller } = await alertsOffice(world)
  const statements: string[] = []
  await caller.transaction((tx) =>
    evaluateAlerts(
      tx.withPlugin({
        transformQuery: ({ node }) => {
          statements.push(JSON.stringify(node))
          return node
        },
        transformResult: ({ result }) => Promise.resolve(result),
      }),
      caller.orgId,
    ),
  )
  const read = new Set(
    statements.flatMap((text) => [...text.matchAll(/\b(?:from|join) ([a-z_]+)/g)].map(([, name]) => name)),
  )
  const recorded = (await recordedTables()).filter((name) => read.has(name))
  expect(recorded.length).toBeGreaterThan(12)
  expect(recorded.filter((name) => dueOfTopic(name) === 'nothing')).toEqual([])
})

type Change = (office: AlertsOffice) => readonly [statement: RawBuilder<unknown>, subject: string]

/** By table, and where a row leads to several subjects, or also when it is gone, with a word for that: a change, and what it makes due. */
const changes: Readonly<Record<string, Change>> = {
  departures: ({ departures: [first] }) => [sql`update departures set min_pax = 7 where id = ${first}`, first],
  'departures: rests of the crew': ({ departures: [first], staff: [guide] }) => [
    sql`update departures set min_pax = 8 where id = ${first}`,
    guide,
  ],
  departure_stops: ({ departures: [first] }) => [
    sql`update departure_stops set slack_min = 9 where departure_id = ${first}`,
    first,
  ],
  manifest_entries: ({ departures: [first] }) => [
    sql`update manifest_entries set status = 'no_show' where departure_id = ${first}`,
    first,
  ],
  headcounts: ({ departures: [first] }) => [
    sql`insert into headcounts (org_id, id, departure_stop_id, expected, counted, reason)
      select org_id, ${newId()}, id, 2, 1, 'Test' from departure_stops where departure_id = ${first} limit 1`,
    first,
  ],
  assignments: ({ caller, departures: [, , third] }) => [
    sql`update assignments set respond_by = app_now() where org_id = ${caller.orgId} and status = 'offered'`,
    third,
  ],
  'assignments: the person': ({ caller, asked }) => [
    sql`update assignments set status = 'declined' where org_id = ${caller.orgId} and status = 'offered'`,
    asked,
  ],
  departure_services: ({ departures: [, , third] }) => [
    sql`update departure_services set description = 'Soup' where departure_id = ${third}`,
    third,
  ],
  suppliers: ({ supplier, departures: [, , third] }) => [
    sql`update suppliers set name = 'Hotel Gullfoss' where id = ${supplier}`,
    third,
  ],
  duty_sessions: ({ caller, departures: [first] }) => [
    sql`update duty_sessions set break_started_at = app_now() where org_id = ${caller.orgId}`,
    first,
  ],
  bookings: ({ departures: [, , third] }) => [
    sql`update bookings set contact_name = 'Wei' where departure_id = ${third} and status = 'on_hold'`,
    'booking',
  ],
  messages: ({ message }) => [sql`update messages set subject = 'Pickup' where id = ${message}`, message],
  deliveries: ({ caller, message }) => [
    sql`insert into deliveries (org_id, id, message_id, recipient, channel) values (${caller.orgId}, ${newId()}, ${message}, '{}', 'sms')`,
    message,
  ],
  staff_certificates: ({ staff: [guide] }) => [
    sql`update staff_certificates set valid_until = '2031-01-01' where staff_id = ${guide}`,
    guide,
  ],
  'staff_certificates: deleted': ({ staff: [guide] }) => [
    sql`delete from staff_certificates where staff_id = ${guide}`,
    guide,
  ],
  staff_calendar_entries: ({ staff: [, second] }) => [
    sql`update staff_calendar_entries set during = tstzrange(lower(during), upper(during) + interval '1 hour') where staff_id = ${second}`,
    second,
  ],
  field_staff: ({ staff: [guide] }) => [sql`update field_staff set first_name = 'Jón' where id = ${guide}`, guide],
  'field_staff: names on departures': ({ staff: [guide], departures: [first] }) => [
    sql`update field_staff set first_name = 'Ari' where id = ${guide}`,
    first,
  ],
  vehicles: ({ vehicle, departures: [, , third] }) => [sql`update vehicles set seats = 9 where id = ${vehicle}`, third],
  'vehicles: inspections': ({ vehicle }) => [sql`update vehicles set label = 'Van' where id = ${vehicle}`, vehicle],
  vehicle_calendar_entries: ({ vehicle, departures: [, , third] }) => [
    sql`update vehicle_calendar_entries set status = 'cancelled' where vehicle_id = ${vehicle}`,
    third,
  ],
  'vehicle_assignments: deleted': ({ departures: [, , third] }) => [
    sql`delete from vehicle_assignments where departure_id = ${third}`,
    third,
  ],
  traveler_documents: ({ departures: [first] }) => [
    sql`insert into traveler_documents (org_id, id, traveler_id, kind, country)
      select org_id, uuidv7(), traveler_id, 'passport', 'GB' from manifest_entries where departure_id = ${first} limit 1`,
    first,
  ],
  'traveler_documents: deleted': ({ caller, departures: [first] }) => [
    sql`delete from traveler_documents where org_id = ${caller.orgId}`,
    first,
  ],
  places: ({ caller, departures: [, , third] }) => [
    sql`update places set name = 'Terminal' where org_id = ${caller.orgId} and name like 'BS%'`,
    third,
  ],
  'places: rests of the crew': ({ caller, staff: [, second] }) => [
    sql`update places set name = 'Station' where org_id = ${caller.orgId} and name = 'Terminal'`,
    second,
  ],
  geofences: ({ caller: { orgId }, departures: [first] }) => [
    sql`with area as (insert into geofences (org_id, id, name, kind, geojson)
        values (${orgId}, ${newId()}, 'Cliff', 'no_go', '{"type": "Point", "coordinates": [-21, 64]}') returning id)
      insert into departure_findings (org_id, departure_id, kind, cause, since, seen_at, lat, lng)
      select ${orgId}, ${first}, 'no_go_area', area.id::text, app_now(), app_now(), 64, -21 from area`,
    first,
  ],
  tours: ({ caller, departures: [, , third] }) => [
    sql`update tours set name = 'Ring' where org_id = ${caller.orgId}`,
    third,
  ],
  alerts: ({ departures: [, , third] }) => [
    sql`update alerts set status = 'acknowledged' where departure_id = ${third} and status = 'open'`,
    third,
  ],
  alert_mutes: ({ caller: { orgId }, departures: [, , third] }) => [
    sql`insert into alert_mutes (org_id, id, departure_id, kind, severity, reason, muted_by)
      select ${orgId}, ${newId()}, ${third}, 'no_lead_guide', 'warning', 'Known', user_id from members where org_id = ${orgId} limit 1`,
    third,
  ],
  weather_warnings: ({ caller: { orgId }, departures: [, , third] }) => [
    sql`insert into weather_warnings (org_id, id, title, message, severity, starts_at, ends_at, reach, stated_by)
      select ${orgId}, ${newId()}, 'Storm', 'Stay inside.', 'info', starts_at, ends_at, 'tours', 'user' from departures where id = ${third}`,
    third,
  ],
  weather_warning_targets: ({ caller: { orgId }, departures: [, , third] }) => [
    sql`insert into weather_warning_targets (org_id, id, warning_id, departure_id)
      select ${orgId}, ${newId()}, id, ${third} from weather_warnings where org_id = ${orgId}`,
    third,
  ],
  'weather_warnings: moved away from who has its alert': ({ caller: { orgId }, departures: [, , third] }) => [
    sql`update weather_warnings set starts_at = '2030-09-01', ends_at = '2030-09-02' where org_id = ${orgId}`,
    third,
  ],
  org_settings: ({ caller, vehicle }) => [
    sql`update org_settings set tour_rules = '{"lateStartMin": 12}' where org_id = ${caller.orgId}`,
    vehicle,
  ],
}

test('a change of each table makes those due whose alerts are read from it', async () => {
  const office = await alertsOffice(world)
  for (const [what, change] of Object.entries(changes)) {
    await evaluateAllDue(office.services)
    const [statement, subject] = change(office)
    const { numAffectedRows } = await office.caller.transaction((tx) => statement.execute(tx))
    expect(Number(numAffectedRows), `${what} changes`).toBeGreaterThan(0)
    expect(await evaluatedNext(office), what).toContain(subject)
  }
})

test('the test above has a change of every table that makes something due', async () => {
  const covered = new Set(Object.keys(changes).map((what) => what.split(':')[0]))
  const leading = (await recordedTables()).filter((name) => dueOfTopic(name) !== 'nothing')
  expect(leading.filter((name) => !covered.has(name))).toEqual([])
})

test('an alert that hangs on no departure and sleeps until a stop comes back when the stop is reached', async () => {
  const office = await alertsOffice(world)
  const { caller, departures } = office
  await evaluateAllDue(office.services)
  await caller.transaction((tx) =>
    sql`update alerts set status = 'snoozed', snoozed_until = app_now() + interval '20 hours', snoozed_stop_id = (
        select id from departure_stops where departure_id = ${departures[0]} and stop_order = 2)
      where org_id = ${caller.orgId} and kind in ('sos', 'message_failed', 'hold_expiring', 'certificate_expiring')`.execute(
      tx,
    ),
  )
  await evaluateAllDue(office.services)
  const statuses = () =>
    world.rows<{ kind: string; status: string }>(
      `select kind, status from alerts where org_id = $1 and kind in ('sos', 'message_failed') order by kind`,
      [caller.orgId],
    )
  expect(await statuses()).toEqual([
    { kind: 'message_failed', status: 'snoozed' },
    { kind: 'sos', status: 'snoozed' },
  ])
  await caller.transaction((tx) =>
    sql`update departure_stops set status = 'arrived', actual_arrive_at = app_now() where departure_id = ${departures[0]} and stop_order = 2`.execute(
      tx,
    ),
  )
  await evaluatedNext(office)
  expect(await statuses()).toEqual([
    { kind: 'message_failed', status: 'open' },
    { kind: 'sos', status: 'open' },
  ])
})

test('what a departure and its places say makes only those due who have accepted: an offer has no rest', async () => {
  const office = await alertsOffice(world)
  const { caller, departures, staff, asked } = office
  for (const change of [
    sql`update departures set min_pax = 7 where id = ${departures[2]}`,
    sql`update places set name = 'Terminal' where org_id = ${caller.orgId} and name like 'BS%'`,
  ]) {
    await evaluateAllDue(office.services)
    await caller.transaction((tx) => change.execute(tx))
    const evaluated = await evaluatedNext(office)
    expect(evaluated).toContain(staff[1])
    expect(evaluated).not.toContain(asked)
  }
})

test('a change makes what it is about due and nothing else, and a tick evaluates no more than that', async () => {
  const { caller, services, departures } = await alertsOffice(world)
  await evaluateAllDue(services)
  await caller.transaction((tx) =>
    sql`insert into departure_services (org_id, id, departure_id, kind, status) values (${caller.orgId}, ${newId()}, ${departures[2]}, 'meal', 'to_request')`.execute(
      tx,
    ),
  )
  expect((await evaluateDue(services)).evaluated).toBe(1)
})

test('what was evaluated last is stored only as far as nothing older is due', async () => {
  const { caller, clock, services } = await alertsOffice(world)
  await evaluateDue(services)
  const evaluatedAt = async () => {
    const [row] = await world.rows<{ at: Date }>('select evaluated_at as at from alert_evaluations where org_id = $1', [
      caller.orgId,
    ])
    return row?.at
  }
  clock.set(minutesLater(1))
  await evaluateDue(services)
  expect(await evaluatedAt()).toEqual(minutesLater(1))
})

/** More people than a tick evaluates: so many new rows at once make everything due. */
async function manyPeople({ caller }: AlertsOffice): Promise<void> {
  await caller.transaction((tx) =>
    sql`insert into field_staff (org_id, id, code, first_name, last_name)
      select ${caller.orgId}, uuidv7(), 'MANY' || n, 'Person', 'Number ' || n from generate_series(1, 1100) n`.execute(
      tx,
    ),
  )
}

test('a tick takes a few batches of an organization and says that there is more; what has a cause of its own is not behind it', async () => {
  const office = await alertsOffice(world)
  const { caller, clock, services, departures } = office
  await evaluateAllDue(services)
  await manyPeople(office)
  expect(await evaluateDue(services)).toMatchObject({ evaluated: 500, hasMore: true })
  clock.set(minutesLater(1))
  await caller.transaction((tx) => sql`update departures set min_pax = 9 where org_id = ${caller.orgId}`.execute(tx))
  // one whose moment has come, while it waits with everything else
  await caller.transaction((tx) =>
    sql`update alert_dues set due_at = app_now() where org_id = ${caller.orgId} and subject_kind = 'staff' and subject_id = (
      select id from field_staff where code = 'MANY1100' and org_id = ${caller.orgId})`.execute(tx),
  )
  expect(await evaluateDue(services)).toMatchObject({ evaluated: 500, hasMore: true })
  const urgent = await world.rows<{ at: Date }>(
    `select evaluated_at as at from alert_dues where org_id = $1 and (subject_id = any ($2)
      or subject_id = (select id from field_staff where code = 'MANY1100' and org_id = $1)) order by 1`,
    [caller.orgId, departures],
  )
  expect(urgent.map(({ at }) => at)).toEqual([clock.now(), clock.now(), clock.now(), clock.now()])
  await evaluateAllDue(services)
  expect(await evaluateDue(services)).toEqual({ evaluated: 0, lagMs: 0, hasMore: false })
})

test('what is left to do in one organization is not forgotten where another one fails', async () => {
  const office = await alertsOffice(world)
  const { caller: other } = await officeWithTour(world, alertsBegin)
  const { clock, services } = office
  await evaluateAllDue(services)
  await manyPeople(office)
  clock.set(minutesLater(1))
  const transaction: Services['db']['transaction'] = (scope, run) =>
    scope.orgId === other.orgId ? Promise.reject(new Error('broken')) : services.db.transaction(scope, run)
  await expect(evaluateDue({ ...services, db: { ...services.db, transaction } })).rejects.toMatchObject({
    message: '1 organization failed',
    tick: { hasMore: true },
  })
})

test('a change between two batches of a tick is evaluated in this tick', async () => {
  const office = await alertsOffice(world)
  const { caller, services, departures } = office
  await evaluateAllDue(services)
  await manyPeople(office)
  let transactions = 0
  const transaction: Services['db']['transaction'] = async (scope, run) => {
    const result = await services.db.transaction(scope, run)
    transactions += scope.orgId === caller.orgId ? 1 : 0
    if (scope.orgId === caller.orgId && transactions === 2)
      await caller.transaction((tx) =>
        sql`update departures set delay_seconds = 3000 where id = ${departures[1]}`.execute(tx),
      )
    return result
  }
  await caller.transaction((tx) =>
    sql`update departures set status = 'boarding' where id = ${departures[1]}`.execute(tx),
  )
  await evaluateDue({ ...services, db: { ...services.db, transaction } })
  const late = await world.rows<{ seen: boolean }>(
    `select u.all_due_at is null and u.due_at > $2 as seen from alert_dues u where org_id = $1 and subject_id = $3`,
    [caller.orgId, services.clock.now(), departures[1]],
  )
  expect(late).toEqual([{ seen: true }])
  const [position] = await world.rows<{ unread: number }>(
    `select count(*)::int as unread from alert_evaluations e join changes c on c.org_id = e.org_id and c.topic = 'departures'
      and not pg_visible_in_snapshot(c.tx, split_part(e.seen, '@', 1)::pg_snapshot) where e.org_id = $1`,
    [caller.orgId],
  )
  expect(position).toEqual({ unread: 0 })
})

test.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])('the clock of the database counts, not that of a computer that is an hour %s', async (_where, skewMs) => {
  const { caller } = await officeWithTour(world, new Date())
  const clock = { isSystem: true, now: () => new Date(Date.now() + skewMs) }
  await evaluateAllDue({ ...world.services, clock })
  await caller.transaction((tx) =>
    sql`update alert_evaluations set evaluated_at = now() - interval '10 minutes' where org_id = ${caller.orgId}`.execute(
      tx,
    ),
  )
  await evaluateDue({ ...world.services, clock })
  const [row] = await world.rows<{ ageS: number }>(
    `select extract(epoch from clock_timestamp() - evaluated_at)::float8 as "ageS" from alert_evaluations where org_id = $1`,
    [caller.orgId],
  )
  expect(row?.ageS).toBeGreaterThanOrEqual(0)
  expect(row?.ageS).toBeLessThan(300)
})
