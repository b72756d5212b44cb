import { getDeparture } from '@tour-ops/contract/departures/departures'
import {
  acknowledgeAlert,
  listAlerts,
  monitoringBoard,
  resolveAlert,
  snoozeAlert,
} from '@tour-ops/contract/monitoring/alerts'
import { markStop } from '@tour-ops/contract/departures/run-sheet'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { addDeparture, assignGuide, book, coreVerbOf, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(monitoringVerbs)
/** The sample departure starts at 09:00 local time, which is UTC in Reykjavik. */
const day = '2030-07-14'
const at = (time: string) => new Date(`${day}T${time}:00Z`)

async function office(time: string) {
  const { caller, clock, tourId } = await officeWithTour(world, at(time))
  const evaluate = (moment?: string) => {
    if (moment) clock.set(at(moment))
    return caller.transaction((tx) => evaluateAlerts(tx, caller.orgId))
  }
  return { caller, clock, tourId, evaluate }
}

const alertsOf = async (caller: TestCaller) => {
  const { rows } = await caller.call(verbOf(listAlerts), {})
  return rows.map(({ kind, severity, status }) => ({ kind, severity, status }))
}

async function start(caller: TestCaller, id: string) {
  for (const to of ['boarding', 'in_progress'] as const) {
    await setStatus(caller, id, { to, reason: 'Test' })
  }
}

test('a departure that has not started ten minutes after its time raises one alert, which is resolved by itself when it starts', async () => {
  const { caller, tourId, evaluate } = await office('08:00')
  const id = await addDeparture(caller, tourId, { localDate: day })
  await assignGuide(caller, id)
  await book(caller, id, 5)
  await evaluate('09:09')
  expect(await alertsOf(caller)).toEqual([])
  await evaluate('09:10')
  await evaluate('09:11')
  expect(await alertsOf(caller)).toEqual([{ kind: 'late_start', severity: 'warning', status: 'open' }])
  await evaluate('09:45')
  expect(await alertsOf(caller)).toEqual([{ kind: 'late_start', severity: 'critical', status: 'open' }])
  await start(caller, id)
  await evaluate('09:46')
  expect((await alertsOf(caller))[0]?.status).toBe('open')
  await evaluate('09:47')
  const { rows } = await caller.call(verbOf(listAlerts), {})
  expect(rows.find(({ kind }) => kind === 'late_start')).toMatchObject({
    status: 'resolved',
    resolution: 'auto',
    resolvedByName: null,
  })
  // it has started, but late
  expect(rows.find(({ kind }) => kind === 'running_late')).toMatchObject({ status: 'open', evidence: { delayMin: 45 } })
})

test('a departure that never started has an alert until a day after its planned end', async () => {
  const { caller, clock, tourId, evaluate } = await office('08:00')
  const id = await addDeparture(caller, tourId, { localDate: day })
  await assignGuide(caller, id)
  await book(caller, id, 5)
  await evaluate('17:20')
  await evaluate('18:00')
  await evaluate('18:01')
  expect(await alertsOf(caller)).toEqual([{ kind: 'late_start', severity: 'critical', status: 'open' }])
  clock.set(new Date('2030-07-15T17:01:00Z'))
  await evaluate()
  expect((await alertsOf(caller))[0]?.status).toBe('open')
  clock.set(new Date('2030-07-15T17:02:00Z'))
  await evaluate()
  expect((await alertsOf(caller))[0]?.status).toBe('resolved')
})

test('lateness is measured against the limits of the organization and names the stop', async () => {
  const { caller, clock, tourId, evaluate } = await office('08:00')
  const id = await addDeparture(caller, tourId, { localDate: day })
  await assignGuide(caller, id)
  await book(caller, id, 5)
  clock.set(at('08:50'))
  await start(caller, id)
  const { stops } = await caller.call(coreVerbOf(getDeparture), { id })
  const first = stops.find((stop) => stop.kind === 'start')
  if (!first) throw new Error('The sample tour has a start.')
  clock.set(at('09:18'))
  const mark = { id: first.id, version: first.version, to: 'arrived' as const }
  await caller.call(coreVerbOf(markStop), mark)
  await evaluate('09:19')
  const { rows } = await caller.call(verbOf(listAlerts), {})
  expect(rows).toMatchObject([
    {
      kind: 'running_late',
      severity: 'warning',
      evidence: { delayMin: 18, limitMin: 15, criticalMin: 45, stopName: 'BSÍ terminal' },
    },
  ])
  await caller.transaction((tx) =>
    sql`update org_settings set tour_rules = '{"atRiskMin": 17}' where org_id = ${caller.orgId}`.execute(tx),
  )
  await evaluate('09:20')
  expect((await alertsOf(caller))[0]?.severity).toBe('critical')
})

test('what the next day lacks raises alerts: nobody leads, too few guests, an offer without answer, too small a vehicle', async () => {
  const { caller, clock, tourId, evaluate } = await office('08:00')
  const id = await addDeparture(caller, tourId, { localDate: day })
  await book(caller, id, 3)
  const staffId = newId()
  const [entryId, vehicleId, useId] = [newId(), newId(), newId()]
  await caller.transaction(async (tx) => {
    const { orgId } = caller
    await sql`update departures set decide_by = ${at('12:00')} where org_id = ${orgId} and id = ${id}`.execute(tx)
    await sql`insert into field_staff (org_id, id, code, first_name, last_name) values (${orgId}, ${staffId}, 'S1', 'Jonas', 'Berg')`.execute(
      tx,
    )
    await sql`insert into staff_calendar_entries (org_id, id, staff_id, during, kind)
      select org_id, ${entryId}, ${staffId}, tstzrange(starts_at, ends_at), 'assignment' from departures where org_id = ${orgId} and id = ${id}`.execute(
      tx,
    )
    await sql`insert into assignments (org_id, id, calendar_entry_id, departure_id, staff_id, role, status, respond_by)
      values (${orgId}, ${newId()}, ${entryId}, ${id}, ${staffId}, 'lead_guide', 'offered', ${at('08:10')})`.execute(tx)
    await sql`insert into vehicles (org_id, id, plate, label, seats, inspection_valid_until)
      values (${orgId}, ${vehicleId}, 'AA-07', 'Van AA-07', 2, '2030-07-24')`.execute(tx)
    await sql`insert into vehicle_calendar_entries (org_id, id, vehicle_id, during, kind)
      select org_id, ${useId}, ${vehicleId}, tstzrange(starts_at, ends_at), 'departure' from departures where org_id = ${orgId} and id = ${id}`.execute(
      tx,
    )
    await sql`insert into vehicle_assignments (org_id, calendar_entry_id, departure_id) values (${orgId}, ${useId}, ${id})`.execute(
      tx,
    )
  })
  clock.set(at('08:15'))
  await evaluate()
  const { rows } = await caller.call(verbOf(listAlerts), { sort: [{ by: 'kind' }] })
  expect(rows.map(({ kind, severity, evidence }) => ({ kind, severity, evidence }))).toMatchObject([
    { kind: 'assignment_unanswered', severity: 'warning', evidence: { staffName: 'Jonas Berg' } },
    { kind: 'below_min_pax', severity: 'warning', evidence: { pax: 3, minPax: 4 } },
    { kind: 'capacity_conflict', severity: 'warning', evidence: { pax: 3, seats: 2 } },
    { kind: 'certificate_expiring', severity: 'info', evidence: { vehicle: 'Van AA-07', validUntil: '2030-07-24' } },
    { kind: 'no_lead_guide', severity: 'warning', evidence: { offeredTo: 'Jonas Berg', guests: 3 } },
  ])
  await caller.transaction((tx) =>
    sql`update vehicles set seats = 9, inspection_valid_until = '2032-07-24' where org_id = ${caller.orgId} and id = ${vehicleId}`.execute(
      tx,
    ),
  )
  clock.set(at('08:16'))
  await evaluate()
  clock.set(at('08:17'))
  await evaluate()
  const ended = await caller.call(verbOf(listAlerts), { filters: { status: ['resolved'] }, sort: [{ by: 'kind' }] })
  expect(ended.rows.map(({ kind, resolutionFacts }) => ({ kind, resolutionFacts }))).toMatchObject([
    { kind: 'capacity_conflict', resolutionFacts: { vehicles: 1, pax: 3, seats: 9 } },
    { kind: 'certificate_expiring', resolutionFacts: { holderStatus: 'active', validUntil: '2032-07-24' } },
  ])
})

test('what a person has closed stays closed while it lasts, is reopened when it gets more severe, and is new when it happens again', async () => {
  const { caller, tourId, evaluate } = await office('08:00')
  const id = await addDeparture(caller, tourId, { localDate: day })
  await assignGuide(caller, id)
  await book(caller, id, 5)
  await evaluate('09:10')
  const [alert] = (await caller.call(verbOf(listAlerts), {})).rows
  if (!alert) throw new Error('It is late.')
  await caller.call(verbOf(resolveAlert), { id: alert.id, version: alert.version, reason: 'The bus is loading' })
  await evaluate('09:11')
  await evaluate('09:30')
  expect(await alertsOf(caller)).toEqual([{ kind: 'late_start', severity: 'warning', status: 'resolved' }])
  await evaluate('09:45')
  expect(await alertsOf(caller)).toContainEqual({ kind: 'late_start', severity: 'critical', status: 'open' })
})

test('a snoozed alert is reopened at its time, or at once when it gets more severe', async () => {
  const { caller, clock, tourId, evaluate } = await office('08:00')
  const id = await addDeparture(caller, tourId, { localDate: day })
  await assignGuide(caller, id)
  await book(caller, id, 5)
  await evaluate('09:10')
  const snooze = async (until: string) => {
    const [alert] = (await caller.call(verbOf(listAlerts), { filters: { status: ['open'] } })).rows
    if (!alert) throw new Error('Nothing is open.')
    await caller.call(verbOf(snoozeAlert), { id: alert.id, version: alert.version, until: at(until).toISOString() })
  }
  await snooze('09:25')
  await evaluate('09:24')
  expect((await alertsOf(caller))[0]?.status).toBe('snoozed')
  await evaluate('09:25')
  expect((await alertsOf(caller))[0]?.status).toBe('open')
  await snooze('10:25')
  await evaluate('09:45')
  expect((await alertsOf(caller))[0]).toEqual({ kind: 'late_start', severity: 'critical', status: 'open' })
  await snooze('10:25')
  await start(caller, id)
  clock.set(at('09:46'))
  await evaluate('09:46')
  expect((await alertsOf(caller))[0]?.status).toBe('snoozed')
  await evaluate('09:47')
  expect((await alertsOf(caller))[0]?.status).toBe('resolved')
})

test('an evaluation says when it was, and one that finds nothing new writes no alert', async () => {
  const { caller, tourId, evaluate } = await office('08:00')
  await addDeparture(caller, tourId, { localDate: day, startTimeLocal: '09:00' })
  expect((await caller.call(verbOf(monitoringBoard), {})).evaluatedAt).toBeNull()
  expect(await evaluate('08:30')).toMatchObject({ opened: 2 })
  expect(await evaluate('08:31')).toEqual({ opened: 0, resolved: 0 })
  const board = await caller.call(verbOf(monitoringBoard), {})
  expect(board).toMatchObject({ evaluatedAt: at('08:31').toISOString(), calmSince: null, counts: { warning: 2 } })
  const [alert] = board.alerts
  if (!alert) throw new Error('Nobody leads.')
  expect(alert.version).toBe(1)
  await caller.call(verbOf(acknowledgeAlert), { id: alert.id, version: 1 })
  expect((await caller.call(verbOf(monitoringBoard), {})).medianAcknowledgeSeconds).toBe(60)
})

test('a cancelled departure leaves nothing open but who calls for help and who was not notified', async () => {
  const { caller, tourId, evaluate } = await office('08:00')
  const id = await addDeparture(caller, tourId, { localDate: day })
  const other = await addDeparture(caller, tourId, { localDate: day, startTimeLocal: '10:00' })
  await book(caller, id, 3)
  await evaluate('08:15')
  const opened = (await caller.call(verbOf(listAlerts), { filters: { departureId: [id] } })).rows
  expect(opened.map(({ kind }) => kind)).toContain('no_lead_guide')
  const [first] = opened
  if (!first) throw new Error('Nobody leads.')
  await caller.call(verbOf(snoozeAlert), { id: first.id, version: first.version, until: at('12:00').toISOString() })
  await caller.transaction(async (tx) => {
    for (const kind of ['off_route', 'sos', 'message_failed']) {
      await sql`insert into alerts (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, dedupe_key)
        values (${caller.orgId}, ${newId()}, ${kind}, 'critical', 'departure', ${id}, ${id}, 'Test', ${kind})`.execute(
        tx,
      )
    }
  })
  await setStatus(caller, id, { to: 'cancelled', cancelReason: 'weather' })
  const { rows } = await caller.call(verbOf(listAlerts), { filters: { departureId: [id] } })
  const isOver = (kind: string) => kind !== 'sos' && kind !== 'message_failed'
  for (const row of rows) {
    expect(row, row.kind).toMatchObject(
      isOver(row.kind)
        ? { status: 'resolved', resolution: 'auto', resolutionNote: 'departure_cancelled' }
        : { status: 'open' },
    )
  }
  const untouched = await caller.call(verbOf(listAlerts), { filters: { departureId: [other] } })
  expect(untouched.rows.map(({ status }) => status)).toContain('open')
  await evaluate('08:16')
  const after = await caller.call(verbOf(listAlerts), { filters: { departureId: [id], status: ['open'] } })
  expect(after.rows.map(({ kind }) => kind)).toContain('sos')
})

/** A departure on the way, whose guide and whose van are on duty and may be seen. `hear` is a fix of one of them. */
async function onTheWay() {
  const { caller, clock, tourId, evaluate } = await office('08:00')
  const id = await addDeparture(caller, tourId, { localDate: day })
  const staffId = await assignGuide(caller, id)
  await book(caller, id, 5)
  await setStatus(caller, id, { to: 'boarding', reason: 'Test' })
  clock.set(at('09:00'))
  await setStatus(caller, id, { to: 'in_progress', reason: 'Test' })
  const [vehicleId, phone, tracker] = [newId(), newId(), newId()]
  const { orgId } = caller
  await caller.transaction(async (tx) => {
    await sql`insert into vehicles (org_id, id, plate, label, seats) values (${orgId}, ${vehicleId}, 'AA-04', 'Van 4', 8)`.execute(
      tx,
    )
    await sql`insert into duty_sessions (org_id, id, vehicle_id, departure_id, source) values (${orgId}, ${newId()}, ${vehicleId}, ${id}, 'dispatcher')`.execute(
      tx,
    )
    await sql`update duty_sessions set consent_version = '2026-11' where org_id = ${orgId}`.execute(tx)
    await sql`insert into devices (org_id, id, label, staff_id, vehicle_id) values (${orgId}, ${phone}, 'Phone', ${staffId}, null),
      (${orgId}, ${tracker}, 'Tracker', null, ${vehicleId})`.execute(tx)
  })
  const hear = (who: 'guide' | 'van', time: string, batteryPct: number) =>
    caller.transaction((tx) =>
      sql`insert into latest_positions as n (org_id, staff_id, vehicle_id, device_id, duty_session_id, recorded_at, lat, lng, battery_pct)
        select u.org_id, u.staff_id, u.vehicle_id, ${who === 'guide' ? phone : tracker}, u.id, ${at(time)}, 64, -21, ${batteryPct} from duty_sessions u
        where u.org_id = ${orgId} and coalesce(u.staff_id, u.vehicle_id) = ${who === 'guide' ? staffId : vehicleId}
        on conflict (org_id, subject_id) do update set recorded_at = excluded.recorded_at, battery_pct = excluded.battery_pct`.execute(
        tx,
      ),
    )
  const alert = async (kind: 'signal_lost' | 'battery_low' | 'eta_miss') => {
    const { rows } = await caller.call(verbOf(listAlerts), { filters: { departureId: [id] } })
    return rows.filter((row) => row.kind === kind).map(({ status, evidence }) => ({ status, ...evidence }))
  }
  return { caller, id, evaluate, hear, alert }
}

test('a departure has no signal when nobody on it reports for ten minutes, and has one again when anybody does', async () => {
  const { caller, evaluate, hear, alert } = await onTheWay()
  await evaluate('09:20')
  // a phone that never reported has no signal to lose
  expect(await alert('signal_lost')).toEqual([])
  await hear('guide', '09:20', 80)
  await hear('van', '09:24', 80)
  await evaluate('09:33')
  expect(await alert('signal_lost')).toEqual([])
  await evaluate('09:34')
  await evaluate('09:35')
  expect(await alert('signal_lost')).toEqual([{ status: 'open', lastSeenAt: expect.any(String), limitMin: 10 }])
  await hear('van', '09:36', 80)
  await evaluate('09:37')
  expect(await alert('signal_lost')).toMatchObject([{ status: 'open' }])
  await evaluate('09:38')
  expect(await alert('signal_lost')).toMatchObject([{ status: 'resolved' }])
  // a break is no silence
  await caller.transaction((tx) => sql`update duty_sessions set break_started_at = app_now()`.execute(tx))
  await evaluate('11:00')
  expect(await alert('signal_lost')).toMatchObject([{ status: 'resolved' }])
})

test('where no signal is expected, silence counts from when they were to be behind it, by the plan and how late they were', async () => {
  const { caller, id, evaluate, hear, alert } = await onTheWay()
  const change = (statement: ReturnType<typeof sql>) => caller.transaction((tx) => statement.execute(tx))
  await change(sql`update departure_stops set signal_gap = true where departure_id = ${id} and kind in ('meal', 'end')`)
  // they set out eight minutes late: lunch at 12:15 is then at 12:23, and the end of the next stretch without a signal at 17:08
  await change(sql`update departures set actual_start_at = ${at('09:08')} where id = ${id}`)
  await hear('guide', '09:20', 80)
  for (const time of ['09:40', '12:40', '17:17']) {
    await evaluate(time)
    expect(await alert('signal_lost'), time).toEqual([])
  }
  await evaluate('17:18')
  expect(await alert('signal_lost')).toMatchObject([{ status: 'open', lastSeenAt: expect.any(String), limitMin: 10 }])
})

test('a stretch without a signal excuses nobody who is not on it', async () => {
  const { caller, id, evaluate, hear, alert } = await onTheWay()
  await caller.transaction((tx) =>
    sql`update departure_stops set signal_gap = true where departure_id = ${id} and kind = 'end'`.execute(tx),
  )
  await hear('guide', '09:20', 80)
  await evaluate('09:30')
  expect(await alert('signal_lost')).toMatchObject([{ status: 'open' }])
})

test('a battery is low from fifteen per cent on, for each phone by itself, while its departure is out', async () => {
  const { caller, id, evaluate, hear, alert } = await onTheWay()
  await hear('guide', '09:10', 16)
  await hear('van', '09:10', 80)
  await evaluate('09:11')
  expect(await alert('battery_low')).toEqual([])
  await hear('guide', '09:12', 15)
  await hear('van', '09:12', 3)
  await evaluate('09:13')
  await evaluate('09:14')
  const low = await alert('battery_low')
  expect(low).toHaveLength(2)
  expect(low).toContainEqual({
    status: 'open',
    staffName: 'Björn Ólafsson',
    vehicle: null,
    batteryPct: 15,
    limitPct: 15,
  })
  expect(low).toContainEqual({ status: 'open', staffName: null, vehicle: 'Van 4', batteryPct: 3, limitPct: 15 })
  await setStatus(caller, id, { to: 'aborted', reason: 'Test' })
  await evaluate('09:15')
  expect((await alert('battery_low')).map(({ status }) => status)).toEqual(['open', 'open'])
  await evaluate('09:16')
  expect((await alert('battery_low')).map(({ status }) => status)).toEqual(['resolved', 'resolved'])
})

test('a timed entry that can no longer be reached raises an alert, until they are there', async () => {
  const { caller, id, evaluate, alert } = await onTheWay()
  const setStop = (delay: number, status = 'planned') =>
    caller.transaction((tx) =>
      sql`update departure_stops s set timed_entry = true, delay_seconds = ${delay}, status = ${status} from places p
        where s.departure_id = ${id} and p.org_id = s.org_id and p.id = s.place_id and p.name = 'Geysir'`.execute(tx),
    )
  await setStop(300)
  await evaluate('10:00')
  expect(await alert('eta_miss')).toEqual([])
  await setStop(720)
  await evaluate('10:01')
  await evaluate('10:02')
  expect(await alert('eta_miss')).toMatchObject([{ status: 'open', stopName: 'Geysir', delayMin: 12, limitMin: 5 }])
  await setStop(720, 'arrived')
  await evaluate('10:03')
  expect(await alert('eta_miss')).toMatchObject([{ status: 'open' }])
  await evaluate('10:04')
  expect(await alert('eta_miss')).toMatchObject([{ status: 'resolved' }])
})
