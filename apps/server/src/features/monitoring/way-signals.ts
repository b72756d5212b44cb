import { type RawBuilder, sql } from 'kysely'
import { isOut } from '../../platform/operations/departure-phase.ts'

// What the positions of departures `d` say against their plan, as it was worked out with their arrivals (`wayFindingsOf`). Each has where and
// since when. See docs/domain.md, "Alerts".

const title = sql`case f.kind
  when 'off_route' then concat(f.facts ->> 'meters', ' m off the route')
  when 'long_stop' then concat('Has not moved for ', f.facts ->> 'minutes', ' min')
  when 'overspeed' then concat(f.facts ->> 'kmh', ' km/h, ', f.facts ->> 'limitKmh', ' allowed')
  when 'geofence_absent' then concat(f.facts ->> 'meters', ' m away from ', p.name)
  when 'no_go_area' then concat('In the area ', f.facts ->> 'area') end`

/** One part of a union, over departures `d`. */
export const waySignals: readonly RawBuilder<unknown>[] = [
  sql`
    select f.kind, case when f.kind = 'no_go_area' then 'critical' else 'warning' end, 'departure', d.id::text, d.id, ${title},
      f.facts || jsonb_strip_nulls(jsonb_build_object('since', f.since, 'stopName', p.name,
        'place', jsonb_build_object('lat', f.lat, 'lng', f.lng, 'at', f.seen_at)))
    from d join departure_findings f on f.org_id = d.org_id and f.departure_id = d.id
      left join departure_stops s on s.org_id = f.org_id and s.id = (f.facts ->> 'stopId')::uuid
      left join places p on p.org_id = s.org_id and p.id = s.place_id
    where ${isOut} and (f.kind <> 'no_go_area' or exists (
      select from geofences g where g.org_id = f.org_id and g.id::text = f.cause and g.archived_at is null))`,
]
