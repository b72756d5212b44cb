import { trackingConsentVersion } from '@tour-ops/contract/tracking/duty'
import { longestDutyHours } from '@tour-ops/contract/tracking/duty-terms'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { statuses } from './status-sets.ts'

/** Of a staff record `s`: the consent that a session begins with, which is none where another text was agreed to. */
export const consentOf = sql<
  string | null
>`case when s.tracking_consent_version = ${trackingConsentVersion} then s.tracking_consent_version end`

interface Subject {
  readonly staffId: string | null
  readonly vehicleId: string | null
  readonly consentVersion: string | null
}

/**
 * Boarding begins the duty of the crew and of the vehicles: of vehicles with the consent of their driver, whose position theirs is. A person who
 * is on duty already stays on that duty.
 */
export async function beginDutyOfDeparture(tx: Tx, orgId: string, departureId: string): Promise<void> {
  const { rows } = await sql<Subject>`
    select distinct on (a.staff_id) a.staff_id as "staffId", null::uuid as "vehicleId", ${consentOf} as "consentVersion"
      from assignments a join field_staff s on s.org_id = a.org_id and s.id = a.staff_id
     where a.org_id = ${orgId} and a.departure_id = ${departureId} and a.status in ('accepted', 'on_duty') and a.role <> 'backup'
    union all
    select distinct on (e.vehicle_id) null, e.vehicle_id, ${consentOf}
      from vehicle_assignments va join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled'
      left join field_staff s on s.org_id = e.org_id and s.id = e.driver_staff_id
     where va.org_id = ${orgId} and va.departure_id = ${departureId}`.execute(tx)
  if (rows.length === 0) return
  const sessions = rows.map((row) => ({ id: newId(), ...row }))
  await sql`
    insert into duty_sessions (org_id, id, staff_id, vehicle_id, departure_id, source, consent_version)
    select ${orgId}, n.id, n."staffId", n."vehicleId", ${departureId}, 'auto', n."consentVersion"
      from jsonb_to_recordset(${JSON.stringify(sessions)}::jsonb) as n (id uuid, "staffId" uuid, "vehicleId" uuid, "consentVersion" text)
     where not exists (select from duty_sessions o where o.org_id = ${orgId} and o.status = 'open'
       and (o.staff_id = n."staffId" or o.vehicle_id = n."vehicleId"))
    on conflict do nothing`.execute(tx)
}

/** Duty ends with its departure, whatever began it. */
export async function endDutyOfDeparture(tx: Tx, orgId: string, departureId: string): Promise<void> {
  await sql`update duty_sessions set status = 'closed', ended_at = greatest(app_now(), started_at), ended_by = 'departure'
    where org_id = ${orgId} and departure_id = ${departureId} and status = 'open'`.execute(tx)
}

/** Duty that nobody ended. @returns How many sessions were closed. */
export async function endForgottenDuty(tx: Tx, orgId: string): Promise<number> {
  const longest = sql`make_interval(hours => ${longestDutyHours})`
  const { numAffectedRows } = await sql`
    update duty_sessions set status = 'closed', ended_at = started_at + ${longest}, ended_by = 'limit'
    where org_id = ${orgId} and status = 'open' and started_at <= app_now() - ${longest}`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** A duty begins this long before the first stop of a further day. */
const beforeDay = sql`interval '30 minutes'`
/** Until so long after that stop's time a duty that nobody began is begun. */
const afterDay = sql`interval '1 hour'`

/**
 * The crew of a tour of several days is on duty again each morning, as boarding began it on the first one: half an hour before the first stop
 * of the day, by its plan. Once a day: who has ended it since then has ended it.
 *
 * @returns How many departures began a day.
 */
export async function beginDutyOfNewDays(tx: Tx, orgId: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select d.id from departures d
    cross join lateral (
      select min(s.planned_arrive_at) as starts_at from departure_stops s
      where s.org_id = d.org_id and s.departure_id = d.id and s.day_index > 1 group by s.day_index
    ) day
    where d.org_id = ${orgId} and d.status in ${statuses.running}
      and app_now() between day.starts_at - ${beforeDay} and day.starts_at + ${afterDay}
      and not exists (select from duty_sessions u where u.org_id = d.org_id and u.departure_id = d.id and u.started_at >= day.starts_at - ${beforeDay})`.execute(
    tx,
  )
  for (const { id } of rows) await beginDutyOfDeparture(tx, orgId, id)
  return rows.length
}
