import { sql } from 'kysely'
import type { Services } from '../src/context.ts'
import type { Tx } from '../src/platform/db/database.ts'
import { newId } from '../src/platform/ids.ts'
import { evaluateDue } from '../src/features/monitoring/due-evaluation.ts'
import { upsertLatest } from '../src/features/tracking/positions-store.ts'
import type { movableClock } from '../src/platform/clock.ts'
import { addDeparture, assignGuide, book, officeWithTour } from './operations.ts'
import type { TestCaller, TestWorld } from './world.ts'

/** When `alertsOffice` opens. */
export const alertsBegin = new Date('2030-07-13T06:00:00Z')

/** An organization in which alerts of most kinds have a cause, and the rows that tests change. */
export interface AlertsOffice {
  readonly caller: TestCaller
  readonly clock: ReturnType<typeof movableClock>
  /** For evaluations, with the office's clock. */
  readonly services: Services
  readonly departures: readonly [first: string, second: string, third: string]
  /** The first leads the first two departures, the second the third one. */
  readonly staff: readonly [string, string]
  /** Was asked for the third departure as well. */
  readonly asked: string
  readonly vehicle: string
  readonly device: string
  readonly supplier: string
  /** Did not reach everybody. */
  readonly message: string
  /** A call for help, which nobody evaluates. */
  readonly sos: string
}

/** Three departures within two days, with crews, guests, a vehicle, an unanswered offer, a hold, papers, a service, a message and a call for help. */
export async function alertsOffice(world: TestWorld): Promise<AlertsOffice> {
  const { caller, clock, tourId } = await officeWithTour(world, alertsBegin)
  const departures = [
    await addDeparture(caller, tourId, { localDate: '2030-07-13', startTimeLocal: '09:00' }),
    await addDeparture(caller, tourId, { localDate: '2030-07-13', startTimeLocal: '19:00' }),
    await addDeparture(caller, tourId, { localDate: '2030-07-15', startTimeLocal: '08:00' }),
  ] as const
  const [first, second, third] = departures
  const guide = await assignGuide(caller, first)
  const staff = [guide, await assignGuide(caller, third)] as const
  await assignGuide(caller, second, { staffId: guide })
  for (const id of departures) await book(caller, id, 2)
  await book(caller, third, 1, { mode: 'hold' })
  const [vehicle, entry, device, supplier, message, sos, asked] = [
    newId(),
    newId(),
    newId(),
    newId(),
    newId(),
    newId(),
    newId(),
  ]
  const { orgId } = caller
  await caller.transaction(async (tx) => {
    for (const statement of [
      sql`insert into vehicles (org_id, id, plate, label, seats, inspection_valid_until) values (${orgId}, ${vehicle}, 'AA-04', 'Van 4', 3, '2030-08-13')`,
      sql`insert into vehicle_calendar_entries (org_id, id, vehicle_id, during, kind, status)
        select org_id, ${entry}, ${vehicle}, tstzrange(starts_at, ends_at), 'pickup', 'confirmed' from departures where id = ${third}`,
      sql`insert into vehicle_assignments (org_id, calendar_entry_id, departure_id) values (${orgId}, ${entry}, ${third})`,
      sql`insert into staff_certificates (org_id, id, staff_id, kind, valid_until) values (${orgId}, ${newId()}, ${guide}, 'first_aid', '2030-08-14')`,
      sql`insert into suppliers (org_id, id, name) values (${orgId}, ${supplier}, 'Hotel Geysir')`,
      sql`insert into departure_services (org_id, id, departure_id, kind, status, supplier_id) values (${orgId}, ${newId()}, ${third}, 'meal', 'to_request', ${supplier})`,
      sql`insert into field_staff (org_id, id, code, first_name, last_name) values (${orgId}, ${asked}, 'ASKED', 'Ana', 'Ruiz')`,
      sql`insert into duty_sessions (org_id, id, staff_id, departure_id, source, consent_version) values (${orgId}, ${newId()}, ${guide}, ${first}, 'dispatcher', '2026-11')`,
      sql`insert into devices (org_id, id, label, staff_id) values (${orgId}, ${device}, 'Phone', ${guide})`,
      sql`insert into messages (org_id, id, source, status) values (${orgId}, ${message}, 'system', 'sending')`,
      sql`insert into deliveries (org_id, id, message_id, recipient, channel) values (${orgId}, ${newId()}, ${message}, '{}', 'email')`,
      sql`update deliveries set status = 'failed' where org_id = ${orgId} and message_id = ${message}`,
      sql`update messages set status = 'partly_failed' where org_id = ${orgId} and id = ${message}`,
      sql`insert into alerts (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, dedupe_key)
        values (${orgId}, ${sos}, 'sos', 'critical', 'departure', ${first}, ${first}, 'Help wanted', 'sos')`,
      sql`update departures set decide_by = starts_at - interval '20 hours', min_pax = case when id = ${second} then 0 else min_pax end where org_id = ${orgId}`,
    ])
      await statement.execute(tx)
    await offer(tx, caller.orgId, { staffId: asked, departureId: third, respondBy: new Date('2030-07-13T13:30:00Z') })
  })
  const services = { ...world.services, clock }
  return { caller, clock, services, departures, staff, asked, vehicle, device, supplier, message, sos }
}

/** Asks a person for a departure, as a guide. @returns how many were asked. */
export async function offer(
  tx: Tx,
  orgId: string,
  { staffId, departureId, respondBy }: { staffId: string; departureId: string; respondBy: Date },
): Promise<number> {
  const entry = newId()
  await sql`insert into staff_calendar_entries (org_id, id, staff_id, during, kind)
    select org_id, ${entry}, ${staffId}, tstzrange(starts_at, ends_at), 'assignment' from departures where org_id = ${orgId} and id = ${departureId}`.execute(
    tx,
  )
  const { numAffectedRows } =
    await sql`insert into assignments (org_id, id, calendar_entry_id, departure_id, staff_id, role, status, respond_by)
    values (${orgId}, ${newId()}, ${entry}, ${departureId}, ${staffId}, 'guide', 'offered', ${respondBy})`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** The guide's phone is heard, on the duty for the first departure. */
export async function hear(
  tx: Tx,
  { caller, clock, staff, device }: AlertsOffice,
  { minutesAgo, batteryPct }: { minutesAgo: number; batteryPct: number },
): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select id from duty_sessions where org_id = ${caller.orgId} limit 1`.execute(tx)
  await upsertLatest(tx, caller.orgId, [
    {
      deviceId: device,
      sessionId: rows[0]?.id ?? '',
      staffId: staff[0],
      vehicleId: null,
      recordedAt: new Date(clock.now().getTime() - minutesAgo * 60_000),
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

/** Evaluates until nothing is due at this moment: what an evaluation writes is a change as well. */
export async function evaluateAllDue(services: Services): Promise<void> {
  while ((await evaluateDue(services)).evaluated > 0);
}
