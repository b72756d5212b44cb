import type { Out } from '@tour-ops/contract/callable'
import type { staffPlanner } from '@tour-ops/contract/field-staff/staff-planner'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import type { Span } from './fit-facts.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

type Planner = Out<typeof staffPlanner>

/** Vehicles that are not retired, by class. */
export async function selectVehicles(call: MemberCall): Promise<Planner['vehicles']> {
  const { rows } = await sql<Planner['vehicles'][number]>`
    select v.id, v.label, v.plate, v.class, v.seats from vehicles v
    where v.org_id = ${call.orgId} and v.archived_at is null and v.status <> 'retired'
    order by v.class, v.label collate "und-x-icu", v.id`.execute(call.tx)
  return rows
}

type Timed<Row> = Omit<Row, 'startsAt' | 'endsAt'> & { startsAt: Date; endsAt: Date }

const withMoments = <Row extends { startsAt: Date; endsAt: Date }>(row: Row) => ({
  ...row,
  startsAt: row.startsAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
})

/** What vehicles are reserved for. An entry that departures share is one block for each of them. */
export async function selectVehicleBlocks(call: MemberCall, { from, to }: Span): Promise<Planner['vehicleBlocks']> {
  const { rows } = await sql<Timed<Planner['vehicleBlocks'][number]>>`
    select busy.id, busy.vehicle_id as "vehicleId", busy.kind, busy.from_at as "startsAt", busy.to_at as "endsAt",
      case when d.id is not null then jsonb_build_object('id', d.id, 'code', d.code, 'tourCode', t.code, 'tourName', t.name,
        'timeZone', d.time_zone) end as departure
    from vehicles_busy(tstzrange(${from}, ${to}), null, true) busy
      left join vehicle_assignments va on va.org_id = ${call.orgId} and va.calendar_entry_id = busy.id
      left join departures d on d.org_id = va.org_id and d.id = va.departure_id
      left join tours t on t.org_id = d.org_id and t.id = d.tour_id
    order by busy.from_at, busy.id, d.id`.execute(call.tx)
  return rows.map(withMoments)
}

/** Departures that need a vehicle and have none, soonest first. */
export async function selectOpenVehicles(call: MemberCall, { from, to }: Span): Promise<Planner['openVehicles']> {
  const { rows } = await sql<Timed<Planner['openVehicles'][number]>>`
    select d.id as "departureId", d.code as "departureCode", t.name as "tourName", t.vehicle_class as "vehicleClass",
      d.starts_at as "startsAt", d.ends_at as "endsAt", d.time_zone as "timeZone", d.seats_confirmed + d.seats_held as pax
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where d.org_id = ${call.orgId} and d.status in ${statuses.notLeft} and t.vehicle_class is not null
      and d.starts_at < ${to} and d.ends_at > ${from}
      and not exists (select 1 from vehicle_assignments va where va.org_id = d.org_id and va.departure_id = d.id)
    order by d.starts_at, d.code`.execute(call.tx)
  return rows.map(withMoments)
}
