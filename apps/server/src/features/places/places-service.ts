import { archivePlace, createPlace, listPlaces, updatePlace, type Place } from '@tour-ops/contract/places'
import { type RawBuilder, sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import { allOf, isOneOf, orderBy } from '../../platform/list-query.ts'
import { selectPage } from '../../platform/select-page.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'

const columns = sql`id, version, name, kind, lat, lng, address, coalesce(time_zone, 'UTC') as "timeZone", phone,
  opening_note as "openingNote", archived_at as "archivedAt"`
const sortColumns = { name: sql`name collate "und-x-icu"`, kind: sql`kind` }

const list = verb(listPlaces, async (call, { q, filters = {}, sort, page, size }) => {
  const where = allOf([
    sql`org_id = ${call.orgId}`,
    filters.archived === undefined ? sql`archived_at is null` : sql`(archived_at is not null) = ${filters.archived}`,
    isOneOf(sql`kind`, filters.kind),
    q ? sql`searchable(name) like '%' || searchable(${q}) || '%'` : undefined,
  ])
  const found = await selectPage<Omit<Place, 'archivedAt'> & { archivedAt: Date | null }>(call.tx, {
    columns,
    from: sql`from places where ${where}`,
    order: orderBy(sort, sortColumns, sql`${sortColumns.name}, id`),
    page: { page, size },
  })
  return {
    total: found.total,
    rows: found.rows.map((place) => ({ ...place, archivedAt: place.archivedAt?.toISOString() ?? null })),
  }
})

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

export const placesVerbs: Verb[] = [list, create, update, archive]
