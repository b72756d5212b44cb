import { shapeOf } from '@tour-ops/contract/map/areas'
import type { WeatherWarning, WeatherWhere } from '@tour-ops/contract/monitoring/weather-warnings'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'

/** What a warning says, and where it holds. */
export interface WarningContent extends Pick<WeatherWarning, 'title' | 'text' | 'severity'> {
  readonly startsAt: string
  readonly endsAt: string
  readonly where: WeatherWhere
}

/** Of an outline only that it is one counts. */
const outlineRadiusM = 1

/** Columns of `weather_warnings` that what is said becomes. */
export function columnsOf({ title, text, severity, startsAt, endsAt, where }: WarningContent): Record<string, unknown> {
  const area = where.kind === 'area' ? where.area : null
  return {
    title,
    message: text,
    severity,
    starts_at: new Date(startsAt),
    ends_at: new Date(endsAt),
    reach: where.kind,
    zones: where.kind === 'bases' ? where.zones : [],
    geojson: area && JSON.stringify(shapeOf(area)),
    radius_m: area && (area.kind === 'circle' ? area.radiusM : outlineRadiusM),
  }
}

/** Names and values of columns, for INSERT. */
export const listedColumns = (columns: Readonly<Record<string, unknown>>) => ({
  names: sql.join(Object.keys(columns).map((column) => sql.id(column))),
  values: sql.join(Object.values(columns)),
})

/** The tours or departures that a warning names. */
export async function insertTargets(tx: Tx, orgId: string, warningId: string, where: WeatherWhere): Promise<void> {
  const ids = where.kind === 'tours' ? where.tourIds : where.kind === 'departures' ? where.departureIds : []
  if (ids.length === 0) return
  const column = where.kind === 'tours' ? sql`tour_id` : sql`departure_id`
  await sql`insert into weather_warning_targets (org_id, id, warning_id, ${column})
    select ${orgId}, t.id, ${warningId}, t.target from unnest(${ids.map(() => newId())}::uuid[], ${ids}::uuid[]) t (id, target)`.execute(
    tx,
  )
}

/** The tours, or the departures by code, that a warning `w` names, as JSON. */
export const namedBy: RawBuilder<unknown> = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', coalesce(d.id, t.id), 'name', coalesce(d.code, t.name)) order by coalesce(d.code, t.name)), '[]')
  from weather_warning_targets x left join tours t on t.org_id = x.org_id and t.id = x.tour_id
    left join departures d on d.org_id = x.org_id and d.id = x.departure_id
  where x.org_id = w.org_id and x.warning_id = w.id)`
