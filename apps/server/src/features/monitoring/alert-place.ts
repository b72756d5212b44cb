import { areaOfShape } from '@tour-ops/contract/map/areas'
import type { AlertPlace } from '@tour-ops/contract/monitoring/alerts'
import type { Shape } from '@tour-ops/contract/tracking/watch/shapes'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

interface PlaceRow {
  lat: number
  lng: number
  at: string
  routes: AlertPlace['routes']
  stops: AlertPlace['stops']
  areaName: string | null
  shape: Shape | null
  radiusM: number | null
}

/** Where an alert was seen, with the ways and stops of its departure; null for what happened nowhere in particular. */
export async function selectPlace(tx: Tx, orgId: string, alertId: string): Promise<AlertPlace | null> {
  const { rows } = await sql<PlaceRow>`
    select (a.place ->> 'lat')::float8 as lat, (a.place ->> 'lng')::float8 as lng, a.place ->> 'at' as at,
      coalesce(r.content -> 'routes', '[]') as routes, coalesce(ahead.stops, '[]') as stops,
      g.name as "areaName", g.geojson as shape, g.enter_m as "radiusM"
    from alerts a
      left join departures d on d.org_id = a.org_id and d.id = a.departure_id
      left join tour_revisions r on r.org_id = d.org_id and r.id = d.revision_id
      left join geofences g on g.org_id = a.org_id and a.kind = 'no_go_area' and g.id::text = a.evidence ->> 'areaId'
      left join lateral (
        select jsonb_agg(jsonb_build_object('name', p.name, 'lat', p.lat, 'lng', p.lng, 'isDone', s.status in ('arrived', 'departed', 'skipped'))
          order by s.stop_order) as stops
        from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
        where s.org_id = d.org_id and s.departure_id = d.id
      ) ahead on true
    where a.org_id = ${orgId} and a.id = ${alertId} and a.place is not null`.execute(tx)
  if (!rows[0]) return null
  const { at, areaName, shape, radiusM, ...seen } = rows[0]
  const area = shape && areaOfShape(shape, radiusM ?? 0)
  return { ...seen, at: new Date(at).toISOString(), noGo: area && areaName !== null ? { name: areaName, area } : null }
}
