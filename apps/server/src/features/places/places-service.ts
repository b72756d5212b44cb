import { archivePlace, createPlace, listPlaces, updatePlace, type Place } from '@tour-ops/contract/places/places'
import { type RawBuilder, sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import { allOf, isOneOf, orderBy } from '../../platform/list-query.ts'
import { selectPage } from '../../platform/select-page.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'
import { ways } from './road-ways-service.ts'

type PlaceRecord = Omit<Place, 'archivedAt'> & { archivedAt: Date | null }

const columns = sql<PlaceRecord>`id, version, name, kind, lat, lng, address, coalesce(time_zone, 'UTC') as "timeZone", phone,
  opening_note as "openingNote", archived_at as "archivedAt"`
const sortColumns = { name: sql`name collate "und-x-icu"`, kind: sql`kind` }

/** With scope `own` the places at which the caller's own departures stop. */
const list = verb(listPlaces, async (call, { q, filters = {}, sort, page, size }) => {
  const where = allOf([
    sql`org_id = ${call.orgId}`,
    call.scope === 'own' &&
      sql`exists (select from departure_stops s where s.org_id = places.org_id and s.place_id = places.id)`,
    filters.archived === undefined ? sql`archived_at is null` : sql`(archived_at is not null) = ${filters.archived}`,
    isOneOf(sql`kind`, filters.kind),
    q ? sql`searchable(name) like '%' || searchable(${q}) || '%'` : undefined,
  ])
  const found = await selectPage(call.tx, {
    columns,
    from: sql`from places where ${where}`,
    order: orderBy(sort, sortColumns, sql`${q ? nearness(q) : sql``} ${sortColumns.name}, id`),
    page: { page, size },
  })
  return {
    total: found.total,
    rows: found.rows.map((place) => ({ ...place, archivedAt: place.archivedAt?.toISOString() ?? null })),
  }
})

/** What was typed as the whole name, then as its beginning, then as the beginning of a word in it. */
const nearness = (q: string): RawBuilder<unknown> => sql`
  case when searchable(name) = searchable(${q}) then 0 when starts_with(searchable(name), searchable(${q})) then 1
    when position(' ' || searchable(${q}) in searchable(name)) > 0 then 2 else 3 end,`

const create = verb(createPlace, async (call, place) => {
  const id = newId()
  await sql`
    insert into places (org_id, id, name, kind, lat, lng, address, time_zone, phone, opening_note)
    values (${call.orgId}, ${id}, ${place.name}, ${place.kind}, ${place.lat}, ${place.lng}, ${place.address},
      ${place.timeZone}, ${place.phone}, ${place.openingNote})`.execute(call.tx)
  return { id, version: 1 }
})

const update = verb(updatePlace, (call, place) =>
  updateVersioned(
    call.tx,
    'places',
    { orgId: call.orgId, id: place.id, version: place.version },
    sql`name = ${place.name}, kind = ${place.kind}, lat = ${place.lat}, lng = ${place.lng}, address = ${place.address},
      time_zone = ${place.timeZone}, phone = ${place.phone}, opening_note = ${place.openingNote}`,
  ),
)

const archive = verb(archivePlace, (call, { id, version, archived }) => {
  const at: RawBuilder<unknown> = archived ? sql`app_now()` : sql`null`
  return updateVersioned(call.tx, 'places', { orgId: call.orgId, id, version }, sql`archived_at = ${at}`)
})

export const placesVerbs: Verb[] = [list, ways, create, update, archive]
