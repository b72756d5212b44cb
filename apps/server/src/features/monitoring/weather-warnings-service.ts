import { fieldError } from '@tour-ops/contract/field-rules'
import { areaOfShape } from '@tour-ops/contract/map/areas'
import {
  endWeatherWarning,
  listWeatherWarnings,
  maxWeatherWarnings,
  stateWeatherWarning,
  type WeatherWarning,
} from '@tour-ops/contract/monitoring/weather-warnings'
import type { Shape } from '@tour-ops/contract/tracking/watch/shapes'
import { sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'
import { isCurrent } from './weather-reach.ts'
import { columnsOf, insertTargets, listedColumns, namedBy, type WarningContent } from './weather-warnings-store.ts'

interface Row extends Omit<WeatherWarning, 'where' | 'startsAt' | 'endsAt' | 'statedAt' | 'endedAt'> {
  startsAt: Date
  endsAt: Date
  statedAt: Date
  endedAt: Date | null
  reach: WeatherWarning['where']['kind']
  zones: string[]
  named: WeatherWarning['where']['named']
  shape: Shape | null
  radiusM: number | null
}

const list = verb(listWeatherWarnings, async (call, { over }) => {
  const { rows } = await sql<Row>`
    select w.id, w.version, w.title, w.message as text, w.severity, w.starts_at as "startsAt", w.ends_at as "endsAt", w.reach, w.zones,
      ${namedBy} as named, w.geojson as shape, w.radius_m as "radiusM", s.name as "statedByName", w.created_at as "statedAt",
      w.stated_by is null as "isReported", w.ended_at as "endedAt", e.name as "endedByName",
      (select count(*)::int from alerts a where a.org_id = w.org_id and a.kind = 'weather_warning' and a.status in ${statuses.unresolved}
        and a.evidence ->> 'warningId' = w.id::text) as departures
    from weather_warnings w left join members s on s.org_id = w.org_id and s.user_id = w.stated_by
      left join members e on e.org_id = w.org_id and e.user_id = w.ended_by
    where w.org_id = ${call.orgId} and ${isCurrent} is distinct from ${over}
    order by w.created_at desc, w.id desc limit ${maxWeatherWarnings}`.execute(call.tx)
  return { warnings: rows.map(warningOf), timeZone: await organizationZone(call) }
})

const warningOf = ({ reach, zones, named, shape, radiusM, ...row }: Row): WeatherWarning => ({
  ...row,
  startsAt: iso(row.startsAt),
  endsAt: iso(row.endsAt),
  statedAt: iso(row.statedAt),
  endedAt: isoOrNull(row.endedAt),
  where: { kind: reach, zones, named, area: (shape && areaOfShape(shape, radiusM ?? 0)) ?? null },
})

/** @throws AppError `invalid-argument`, with the field. */
export function checkTimes({ startsAt, endsAt }: Pick<WarningContent, 'startsAt' | 'endsAt'>): void {
  if (Date.parse(endsAt) <= Date.parse(startsAt)) throw fieldError('endsAt', 'end_before_start')
}

const state = verb(stateWeatherWarning, async (call, input) => {
  checkTimes(input)
  if (Date.parse(input.endsAt) <= call.clock.now().getTime()) throw fieldError('endsAt', 'in_past')
  const id = newId()
  const { names, values } = listedColumns({ ...columnsOf(input), stated_by: call.caller.userId })
  await sql`insert into weather_warnings (org_id, id, ${names}) values (${call.orgId}, ${id}, ${values})`.execute(
    call.tx,
  )
  await insertTargets(call.tx, call.orgId, id, input.where)
  return { id, version: 1 }
})

const end = verb(endWeatherWarning, (call, { ended, ...target }) =>
  updateVersioned(
    call.tx,
    'weather_warnings',
    { orgId: call.orgId, ...target },
    ended ? sql`ended_at = app_now(), ended_by = ${call.caller.userId}` : sql`ended_at = null, ended_by = null`,
  ),
)

export const weatherWarningVerbs: Verb[] = [list, state, end]
