import type { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { notFound } from '../optimistic-lock.ts'
import { endedCertificates, licenceExpired, staffNotActive } from './staff-obstacles.ts'

/** Somebody who drives a vehicle on a departure without being assigned to it, and until when. */
export interface NamedDriver {
  readonly staffId: string
  readonly departureId: string
  /** Day of the departure, `2026-11-20`. */
  readonly localDate: string
  readonly from: Date
  readonly to: Date
}

/**
 * The same as for somebody who is assigned as a driver (decision 0037): no reason overrides it, and naming them is no way around it.
 *
 * @throws AppError `not-found` for nobody of the field staff; `aborted` for somebody who is not active, whose bus licence ends before, or
 * who is on something else at that time (`staff_busy`).
 */
export async function requireDriver(call: MemberCall, driver: NamedDriver): Promise<void> {
  const { rows } = await sql<{ name: string; status: string; licenceEnded: boolean }>`
    select trim(s.first_name || ' ' || s.last_name) as name, s.status, coalesce(papers.driving_expired, false) as "licenceEnded"
    from field_staff s left join lateral ${endedCertificates(sql`${driver.localDate}`)} papers on true
    where s.org_id = ${call.orgId} and s.id = ${driver.staffId} and s.archived_at is null`.execute(call.tx)
  const person = rows[0]
  if (!person) throw notFound('field_staff')
  if (person.status !== 'active') throw staffNotActive(person.name, person.status)
  if (person.licenceEnded) throw licenceExpired(person.name)
  const busy = await busyElsewhere(call, driver, person.name)
  if (busy) throw busy
}

interface Elsewhere {
  kind: string
  code: string | null
  departureId: string | null
  fromAt: Date
  toAt: Date
}

/** What else somebody is on: their calendar, and other vehicles that they are named with. */
async function busyElsewhere(call: MemberCall, driver: NamedDriver, name: string): Promise<AppError | undefined> {
  const { staffId, departureId, from, to } = driver
  const { rows } = await sql<Elsewhere>`
    select busy.kind, d.code, d.id as "departureId", busy.from_at as "fromAt", busy.to_at as "toAt"
      from staff_busy(tstzrange(${from}, ${to}), ${[staffId]}::uuid[], true) busy
      left join assignments a on a.org_id = ${call.orgId} and a.calendar_entry_id = busy.id
      left join departures d on d.org_id = a.org_id and d.id = a.departure_id
     where d.id is distinct from ${departureId}::uuid
    union all
    select 'assignment', d.code, d.id, lower(e.during), upper(e.during) from vehicle_calendar_entries e
      join vehicle_assignments va on va.org_id = e.org_id and va.calendar_entry_id = e.id and va.departure_id <> ${departureId}
      join departures d on d.org_id = va.org_id and d.id = va.departure_id
     where e.org_id = ${call.orgId} and e.driver_staff_id = ${staffId} and e.blocking and e.during && tstzrange(${from}, ${to})
     limit 1`.execute(call.tx)
  const other = rows[0]
  return (
    other &&
    refuse('staff_busy', {
      name,
      departureId: other.departureId,
      code: other.code,
      kind: other.kind,
      from: other.fromAt.toISOString(),
      to: other.toAt.toISOString(),
    })
  )
}
