import { type Area, areaOfShape, shapeOf } from '@tour-ops/contract/map/areas'
import {
  archiveNoGoArea,
  createNoGoArea,
  listNoGoAreas,
  maxNoGoAreas,
  type NoGoArea,
  updateNoGoArea,
} from '@tour-ops/contract/map/no-go-areas'
import type { Shape } from '@tour-ops/contract/tracking/watch/shapes'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { isoOrNull } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { assigned, updateVersioned } from '../../platform/version-conflict.ts'

interface Row {
  id: string
  version: number
  name: string
  shape: Shape
  radiusM: number
  archivedAt: Date | null
}

const list = verb(listNoGoAreas, async (call, { archived }) => {
  const order = archived ? sql`archived_at desc, id` : sql`name collate "und-x-icu", id`
  const { rows } = await sql<Row>`
    select id, version, name, geojson as shape, enter_m as "radiusM", archived_at as "archivedAt" from geofences
    where org_id = ${call.orgId} and kind = 'no_go' and (archived_at is not null) = ${archived}
    order by ${order} limit ${maxNoGoAreas}`.execute(call.tx)
  return { areas: rows.flatMap(noGoAreaOf) }
})

const noGoAreaOf = ({ shape, radiusM, archivedAt, ...row }: Row): NoGoArea[] => {
  const area = areaOfShape(shape, radiusM)
  return area ? [{ ...row, area, archivedAt: isoOrNull(archivedAt) }] : []
}

/** Who is out of an area by less than this may still be in it: positions jump. Meters. */
const edgeM = 40
/** Of an outline only the difference of the two radii counts. */
const outlineRadiusM = 80

function columnsOf(name: string, area: Area): Record<string, unknown> {
  const radius = area.kind === 'circle' ? area.radiusM : outlineRadiusM
  return { name, geojson: JSON.stringify(shapeOf(area)), enter_m: radius, exit_m: radius + edgeM }
}

const create = verb(createNoGoArea, async (call, { name, area }) => {
  const id = newId()
  const columns = columnsOf(name, area)
  await sql`
    insert into geofences (org_id, id, kind, ${sql.join(Object.keys(columns).map((column) => sql.id(column)))})
    values (${call.orgId}, ${id}, 'no_go', ${sql.join(Object.values(columns))})`.execute(call.tx)
  return { id, version: 1 }
})

/** Changes one that is a no-go area, if it still is as the caller saw it. */
async function change(call: MemberCall, { id, version }: { id: string; version: number }, set: RawBuilder<unknown>) {
  const { rows } = await sql<{ kind: string }>`
    select kind from geofences where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  if (rows[0]?.kind !== 'no_go') throw notFound('record')
  return updateVersioned(call.tx, 'geofences', { orgId: call.orgId, id, version }, set)
}

const update = verb(updateNoGoArea, (call, { name, area, ...target }) =>
  change(call, target, assigned(columnsOf(name, area))),
)

const archive = verb(archiveNoGoArea, (call, { archived, ...target }) =>
  change(call, target, sql`archived_at = ${archived ? sql`app_now()` : sql`null`}`),
)

export const noGoAreaVerbs: Verb[] = [list, create, update, archive]
