import { refuse } from '@tour-ops/contract/refusals'
import type { AppError } from '@tour-ops/contract/errors'
import { fieldError } from '@tour-ops/contract/field-rules'
import {
  addVehicleBlock,
  changeVehicleBlock,
  removeVehicleBlock,
  vehicleBlockKinds,
  type VehicleBlockKind,
  vehicleCalendar,
  type VehicleEntry,
} from '@tour-ops/contract/vehicles/vehicle-calendar'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { addDays, dayBounds } from '../../platform/local-time.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { tryAgainst } from '../../platform/savepoint.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'

interface Span {
  readonly from: Date
  readonly to: Date
}

interface VehicleName {
  readonly id: string
  readonly label: string
}

type EntryRow = Omit<VehicleEntry, 'startsAt' | 'endsAt'> & { startsAt: Date; endsAt: Date }

const calendar = verb(vehicleCalendar, async (call, { vehicleId, from, days }) => {
  const timeZone = await organizationZone(call)
  const { rows: vehicles } = await sql<{ id: string }>`
    select id from vehicles where org_id = ${call.orgId} and id = ${vehicleId}`.execute(call.tx)
  if (!vehicles[0]) throw notFound('vehicle')
  const span = { from: dayBounds(from, timeZone).from, to: dayBounds(addDays(from, days - 1), timeZone).to }
  const { rows } = await sql<EntryRow>`
    select e.id, e.version, e.kind, busy.from_at as "startsAt", busy.to_at as "endsAt", e.note,
      case when d.id is not null then jsonb_build_object('id', d.id, 'code', d.code, 'tourCode', t.code, 'tourName', t.name,
        'timeZone', d.time_zone) end as departure
    from vehicles_busy(tstzrange(${span.from}, ${span.to}), array[${vehicleId}]::uuid[], false) busy
      join vehicle_calendar_entries e on e.org_id = ${call.orgId} and e.id = busy.id
      left join vehicle_assignments va on va.org_id = e.org_id and va.calendar_entry_id = e.id
      left join departures d on d.org_id = va.org_id and d.id = va.departure_id
      left join tours t on t.org_id = d.org_id and t.id = d.tour_id
    order by busy.from_at, e.id, d.id`.execute(call.tx)
  const entries = rows.map((row) => ({
    ...row,
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
  }))
  return { timeZone, entries }
})

interface Block {
  readonly kind: VehicleBlockKind
  readonly startsAt: string
  readonly endsAt: string
  readonly note?: string | null | undefined
}

/** @throws AppError `invalid-argument` at `endsAt` for a span that ends before it starts. */
function spanOf({ startsAt, endsAt }: Block): Span {
  const span = { from: new Date(startsAt), to: new Date(endsAt) }
  if (span.to <= span.from) throw fieldError('endsAt', 'end_before_start')
  return span
}

const add = verb(addVehicleBlock, async (call, { vehicleId, ...block }) => {
  const span = spanOf(block)
  const { rows } = await sql<VehicleName>`
    select id, label from vehicles where org_id = ${call.orgId} and id = ${vehicleId} and archived_at is null`.execute(
    call.tx,
  )
  const vehicle = rows[0]
  if (!vehicle) throw notFound('vehicle')
  const id = newId()
  return unlessTaken(call, vehicle, span, id, async () => {
    const { rows: added } = await sql<{ version: number }>`
      insert into vehicle_calendar_entries (org_id, id, vehicle_id, during, kind, note)
      values (${call.orgId}, ${id}, ${vehicleId}, tstzrange(${span.from}, ${span.to}), ${block.kind}, ${block.note ?? null})
      returning version`.execute(call.tx)
    return { id, version: added[0]?.version ?? 1 }
  })
})

/** Entries that a person made; a departure's end with the departure. */
const isBlock = sql`kind = any (${[...vehicleBlockKinds]}::text[])`

const change = verb(changeVehicleBlock, async (call, { id, version, ...block }) => {
  const span = spanOf(block)
  const { rows } = await sql<VehicleName>`
    select v.id, v.label from vehicle_calendar_entries e join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
    where e.org_id = ${call.orgId} and e.id = ${id} and e.${isBlock}`.execute(call.tx)
  const vehicle = rows[0]
  if (!vehicle) throw notFound('calendar_entry')
  const target = { orgId: call.orgId, id, version }
  const values = sql`during = tstzrange(${span.from}, ${span.to}), kind = ${block.kind}, note = ${block.note ?? null}`
  return unlessTaken(call, vehicle, span, id, () =>
    updateVersioned(call.tx, 'vehicle_calendar_entries', target, values),
  )
})

const remove = verb(removeVehicleBlock, async (call, { id }) => {
  const { rows } = await sql<{ id: string }>`
    delete from vehicle_calendar_entries where org_id = ${call.orgId} and id = ${id} and ${isBlock} returning id`.execute(
    call.tx,
  )
  if (!rows[0]) throw notFound('calendar_entry')
  return { id }
})

/** @param entryId The entry that is written, which is not compared with itself. */
const unlessTaken = <T>(
  call: MemberCall,
  vehicle: VehicleName,
  span: Span,
  entryId: string,
  run: () => Promise<T>,
): Promise<T> =>
  tryAgainst(call.tx, 'vehicle_calendar_entries_no_overlap', run, () => vehicleBusy(call, vehicle, span, entryId))

/** The refusal of a vehicle that is taken, with the first thing in the way. @param exceptId An entry that is not. */
export async function vehicleBusy(
  call: MemberCall,
  { id, label }: VehicleName,
  { from, to }: Span,
  exceptId: string,
): Promise<AppError> {
  const { rows } = await sql<{ code: string | null; departureId: string | null; kind: string }>`
    select busy.kind, d.code, d.id as "departureId" from vehicles_busy(tstzrange(${from}, ${to}), ${[id]}::uuid[], true) busy
      left join vehicle_assignments a on a.org_id = ${call.orgId} and a.calendar_entry_id = busy.id
      left join departures d on d.org_id = a.org_id and d.id = a.departure_id
    where busy.id <> ${exceptId} limit 1`.execute(call.tx)
  const other = rows[0]
  return refuse('vehicle_busy', {
    name: label,
    departureId: other?.departureId ?? null,
    code: other?.code ?? null,
    ...(other && { kind: other.kind }),
  })
}

export const vehicleCalendarVerbs: Verb[] = [calendar, add, change, remove]
