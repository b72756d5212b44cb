import { refuse } from '@tour-ops/contract/refusals'
import { assignVehicle, releaseVehicle, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import { recordVerbs } from '../../platform/records/record-verbs.ts'
import { addMinutes } from '../../platform/local-time.ts'
import { tryAgainst } from '../../platform/savepoint.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { endsLater } from '../../platform/operations/departure-phase.ts'
import { requireDriver } from '../../platform/operations/named-drivers.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { vehicleBusy } from './calendar-service.ts'

/** Fuel, cleaning and the way to the first stop: a vehicle is taken a little longer than its departure. */
const bufferMin = 30

const inspection = sql`case when r.inspection_valid_until is null then 'unknown'
  when r.inspection_valid_until < app_now()::date then 'expired'
  when r.inspection_valid_until < app_now()::date + 30 then 'expiring' else 'ok' end`

const nextDeparture = sql`(select jsonb_build_object('departureId', d.id, 'code', d.code, 'startsAt',
    to_char(d.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'timeZone', d.time_zone)
  from vehicle_calendar_entries e
    join vehicle_assignments a on a.org_id = e.org_id and a.calendar_entry_id = e.id
    join departures d on d.org_id = a.org_id and d.id = a.departure_id
  where e.org_id = r.org_id and e.vehicle_id = r.id and e.status = 'confirmed' and ${endsLater}
    and d.status not in ('cancelled', 'aborted', 'completed')
  order by d.starts_at limit 1)`

const isFreeFor = (
  departureId: string,
) => sql`r.status = 'active' and not exists (select 1 from departures d, vehicles_busy(tstzrange(
  d.starts_at - make_interval(mins => ${bufferMin}), d.ends_at + make_interval(mins => ${bufferMin})), array[r.id], true)
  where d.org_id = r.org_id and d.id = ${departureId})`

const fleet = recordVerbs(vehicleRecord, {
  derived: { inspection: () => inspection, next: () => nextDeparture },
  moreFilters: { freeForDepartureId: (_call, departureId) => isFreeFor(departureId) },
})

interface Pairing {
  code: string
  startsAt: Date
  endsAt: Date
  seatsTaken: number
  localDate: string
  label: string
  seats: number
  vehicleStatus: string
  inspectionValidUntil: string | null
}

const assign = verb(assignVehicle, async (call, { departureId, vehicleId, driverStaffId }) => {
  const { rows } = await sql<Pairing>`
    select d.code, d.starts_at as "startsAt", d.ends_at as "endsAt", d.seats_confirmed + d.seats_held as "seatsTaken",
      d.local_date as "localDate", v.label, v.seats, v.status as "vehicleStatus", v.inspection_valid_until as "inspectionValidUntil"
    from departures d join vehicles v on v.org_id = d.org_id and v.id = ${vehicleId} and v.archived_at is null
    where d.org_id = ${call.orgId} and d.id = ${departureId}`.execute(call.tx)
  const pairing = rows[0]
  if (!pairing) throw notFound('vehicle')
  if (pairing.vehicleStatus !== 'active') {
    throw refuse('vehicle_not_active', { name: pairing.label, status: pairing.vehicleStatus })
  }
  const from = addMinutes(pairing.startsAt, -bufferMin)
  const to = addMinutes(pairing.endsAt, bufferMin)
  if (driverStaffId) {
    await requireDriver(call, { staffId: driverStaffId, departureId, localDate: pairing.localDate, from, to })
  }
  const id = newId()
  await tryAgainst(
    call.tx,
    'vehicle_calendar_entries_no_overlap',
    async () => {
      await sql`
        insert into vehicle_calendar_entries (org_id, id, vehicle_id, during, kind, driver_staff_id)
        values (${call.orgId}, ${id}, ${vehicleId}, tstzrange(${from}, ${to}), 'departure', ${driverStaffId})`.execute(
        call.tx,
      )
      await sql`
        insert into vehicle_assignments (org_id, calendar_entry_id, departure_id)
        values (${call.orgId}, ${id}, ${departureId})`.execute(call.tx)
    },
    () => vehicleBusy(call, { id: vehicleId, label: pairing.label }, { from, to }, id),
  )
  return { id, warnings: warningsOf(pairing) }
})

/** The driver's seat does not carry a guest. See docs/domain.md, "Invariants", I20. */
const warningsOf = ({ seats, seatsTaken, inspectionValidUntil, localDate }: Pairing): string[] => [
  ...(seats - 1 < seatsTaken ? ['not_enough_seats'] : []),
  ...(inspectionValidUntil !== null && inspectionValidUntil < localDate ? ['inspection_expired'] : []),
]

const release = verb(releaseVehicle, async (call, { assignmentId }) => {
  const { rows } = await sql<{ id: string }>`
    delete from vehicle_calendar_entries
     where org_id = ${call.orgId} and id = ${assignmentId} and kind = 'departure' returning id`.execute(call.tx)
  if (!rows[0]) throw notFound('vehicle_assignment')
  return { id: rows[0].id }
})

export const vehicleVerbs: Verb[] = [...fleet, assign, release]
