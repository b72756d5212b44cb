import { areaOfShape, isInArea } from '@tour-ops/contract/map/areas'
import type { AlertRow } from '@tour-ops/contract/monitoring/alerts'
import type { Shape } from '@tour-ops/contract/tracking/watch/shapes'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { endsLater, isOut } from '../../platform/operations/departure-phase.ts'
import type { Signal } from './signal.ts'

// Which departures `d` a weather warning `w` is about: in time, then in place. See docs/domain.md, "Alerts", and docs/decisions/0138.

/** It has not been ended, and its time is not over. */
export const isCurrent: RawBuilder<boolean> = sql<boolean>`(w.ended_at is null and w.ends_at > app_now())`

/** Both at the same time, by the plan; what is out goes on until it is closed, however late it is. */
export const isThen: RawBuilder<boolean> = sql<boolean>`
  (d.starts_at < w.ends_at and d.ends_at > w.starts_at or ${isOut} and w.starts_at <= app_now())`

/**
 * Stops of `d` that lie ahead, each with the ways there and on from there, at the time of `w`: from the departure at the stop before until the
 * arrival at the next one, as late as the departure is.
 */
const placesThen: RawBuilder<unknown> = sql`
  select jsonb_agg(jsonb_build_object('lat', p.lat, 'lng', p.lng)) from (
    select s.place_id, s.status, coalesce(lag(s.planned_depart_at) over ways, s.planned_arrive_at) as from_at,
      coalesce(lead(s.planned_arrive_at) over ways, s.planned_depart_at) as to_at
    from departure_stops s where s.org_id = d.org_id and s.departure_id = d.id and s.withdrawn_at is null
    window ways as (order by s.stop_order)
  ) s join places p on p.org_id = d.org_id and p.id = s.place_id
  where s.status not in ('departed', 'skipped') and s.from_at < w.ends_at
    and (s.to_at + make_interval(secs => d.delay_seconds) >= w.starts_at or ${isOut} and w.starts_at <= app_now())`

interface Reached {
  departureId: string
  warningId: string
  title: string
  text: string
  severity: AlertRow['severity']
  startsAt: Date
  endsAt: Date
  shape: Shape | null
  radiusM: number | null
  places: { lat: number; lng: number }[] | null
}

/** Current weather warnings of some departures that are not over, as signals: one for each warning that a departure is in. */
export async function selectWeatherSignals(tx: Tx, orgId: string, departureIds: readonly string[]): Promise<Signal[]> {
  const { rows } = await sql<Reached>`
    select d.id as "departureId", w.id as "warningId", w.title, w.message as text, w.severity, w.starts_at as "startsAt", w.ends_at as "endsAt",
      w.geojson as shape, w.radius_m as "radiusM", case when w.reach = 'area' then (${placesThen}) end as places
    from weather_warnings w join departures d on d.org_id = w.org_id
    where w.org_id = ${orgId} and d.id = any (${[...departureIds]}::uuid[]) and ${isCurrent} and ${isThen}
      and d.status not in ('cancelled', 'aborted', 'completed') and ${endsLater}
      and (w.reach in ('everything', 'area') or d.time_zone = any (w.zones) or exists (
        select from weather_warning_targets t where t.org_id = w.org_id and t.warning_id = w.id
          and (t.departure_id = d.id or t.tour_id = d.tour_id)))`.execute(tx)
  return rows.filter(isThere).map(signalOf)
}

const isThere = ({ shape, radiusM, places }: Reached): boolean => {
  if (shape === null) return true
  const area = areaOfShape(shape, radiusM ?? 0)
  return area !== undefined && (places ?? []).some((place) => isInArea(area, place))
}

const signalOf = ({ departureId, warningId, title, text, severity, startsAt, endsAt }: Reached): Signal => ({
  key: `weather_warning:${departureId}:${warningId}`,
  of: { kind: 'departure', id: departureId },
  kind: 'weather_warning',
  severity,
  subjectType: 'departure',
  subjectId: departureId,
  departureId,
  title,
  evidence: { warningId, warning: title, text, from: startsAt.toISOString(), until: endsAt.toISOString() },
})
