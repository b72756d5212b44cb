import { cancelledDays, feedDays, maxFeedDepartures } from '@tour-ops/contract/calendar-feeds/calendar-feeds'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/** A departure as calendars show it: nothing of it names a guest. */
export interface FeedDeparture {
  readonly id: string
  readonly version: number
  /** When what the calendar shows changed last; no earlier than that. */
  readonly changedAt: Date
  readonly code: string
  readonly tourName: string
  readonly startsAt: Date
  readonly endsAt: Date
  readonly isCancelled: boolean
  readonly firstStop: {
    readonly name: string
    readonly address: string | null
    readonly lat: number
    readonly lng: number
  } | null
}

export interface Feed {
  readonly organizationName: string
  readonly timeZone: string
  /** The person or the vehicle; null for the organization. */
  readonly subjectName: string | null
  readonly departures: readonly FeedDeparture[]
}

interface Subject {
  readonly staffId: string | null
  readonly vehicleId: string | null
}

/** What a feed holds now; undefined where it was ended, or its person or vehicle has left. */
export async function selectFeed(tx: Tx, orgId: string, id: string): Promise<Feed | undefined> {
  const { rows } = await sql<Subject & Omit<Feed, 'departures'>>`
    select f.staff_id as "staffId", f.vehicle_id as "vehicleId", o.name as "organizationName", g.time_zone as "timeZone",
      coalesce(trim(s.first_name || ' ' || s.last_name), v.label) as "subjectName"
    from calendar_feeds f
      join organizations o on o.org_id = f.org_id
      join org_settings g on g.org_id = f.org_id
      left join field_staff s on s.org_id = f.org_id and s.id = f.staff_id
      left join vehicles v on v.org_id = f.org_id and v.id = f.vehicle_id
    where f.org_id = ${orgId} and f.id = ${id}
      and (f.staff_id is null or (s.archived_at is null and s.status = 'active'))
      and (f.vehicle_id is null or v.archived_at is null)`.execute(tx)
  const [feed] = rows
  if (!feed) return undefined
  const { staffId, vehicleId, ...names } = feed
  return { ...names, departures: await selectDepartures(tx, orgId, { staffId, vehicleId }) }
}

/**
 * A cancelled departure frees its crew in the same moment, so those who were its crew until then still have it: those who were released and had
 * nobody after them in the same role.
 */
const ofStaff = (staffId: string): RawBuilder<unknown> => sql`
  and exists (select from assignments a where a.org_id = d.org_id and a.departure_id = d.id and a.staff_id = ${staffId}
    and (a.status in ${statuses.binding} or (d.status = 'cancelled' and a.status = 'released'
      and not exists (select from assignments later where later.org_id = a.org_id and later.departure_id = a.departure_id
        and later.role = a.role and later.id <> a.id and later.status in ('accepted', 'on_duty', 'completed', 'released')
        and later.updated_at > a.updated_at))))`

/** Entries of vehicles are cancelled with their departure; those of a vehicle that was taken off before are deleted. */
const ofVehicle = (vehicleId: string): RawBuilder<unknown> => sql`
  and exists (select from vehicle_assignments va
      join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.vehicle_id = ${vehicleId}
    where va.org_id = d.org_id and va.departure_id = d.id and (e.status <> 'cancelled' or d.status = 'cancelled'))`

async function selectDepartures(tx: Tx, orgId: string, { staffId, vehicleId }: Subject): Promise<FeedDeparture[]> {
  const { rows } = await sql<FeedDeparture>`
    select d.id, d.version, greatest(d.updated_at, t.updated_at, first_stop.updated_at) as "changedAt", d.code, t.name as "tourName", d.starts_at as "startsAt", d.ends_at as "endsAt",
      d.status = 'cancelled' as "isCancelled", first_stop.place as "firstStop"
    from departures d
      join tours t on t.org_id = d.org_id and t.id = d.tour_id
      left join lateral (
        select jsonb_build_object('name', p.name, 'address', p.address, 'lat', p.lat, 'lng', p.lng) as place, p.updated_at
        from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
        where s.org_id = d.org_id and s.departure_id = d.id order by s.stop_order limit 1
      ) first_stop on true
    where d.org_id = ${orgId} and d.status <> 'draft'
      and (d.status <> 'cancelled' or d.updated_at > app_now() - make_interval(days => ${cancelledDays}::int))
      and d.ends_at > app_now() - make_interval(days => ${feedDays.back}::int)
      and d.starts_at < app_now() + make_interval(days => ${feedDays.ahead}::int)
      ${staffId === null ? sql`` : ofStaff(staffId)} ${vehicleId === null ? sql`` : ofVehicle(vehicleId)}
    order by d.starts_at, d.id limit ${maxFeedDepartures}`.execute(tx)
  return rows
}
