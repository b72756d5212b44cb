import type { CancellationStep } from '@tour-ops/contract/tours/cancellation-steps'
import type { In } from '@tour-ops/contract/callable'
import { type TourContent, TourContent as TourContentShape } from '@tour-ops/contract/tours/tour-content'
import { type listTours, type Tour, type TourRow } from '@tour-ops/contract/tours/tours'
import { fieldError } from '@tour-ops/contract/field-rules'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { allOf, iso, isOneOf, isoOrNull, orderBy } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { endsLater } from '../../platform/operations/departure-phase.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

type ListFilter = Pick<In<typeof listTours>, 'filters'> & {
  q: string
  sort: { by: keyof typeof sortColumns; descending: boolean }[]
}

const sortColumns = {
  name: sql`t.name collate "und-x-icu"`,
  code: sql`t.code`,
  kind: sql`t.kind`,
  status: sql`t.status`,
  duration: sql`coalesce(t.duration_days, 1) * 1440 + coalesce(t.duration_min, 0)`,
  nextDeparture: sql`upcoming.starts_at`,
  departures30d: sql`month.departures`,
  load30d: sql`month.load`,
}

/** How far the catalogue's figures look ahead. */
const lookAheadDays = 30

const from = (call: MemberCall, { filters = {}, q }: ListFilter): RawBuilder<unknown> => sql`
  from tours t
  left join tour_revisions published on published.org_id = t.org_id and published.id = t.current_revision_id
  left join tour_revisions draft on draft.org_id = t.org_id and draft.tour_id = t.id and draft.published_at is null
  left join lateral (
    select d.id, d.starts_at from departures d where d.org_id = t.org_id and d.tour_id = t.id and d.starts_at > app_now()
      and d.status in ${statuses.notLeft} order by d.starts_at limit 1
  ) upcoming on true
  cross join lateral (
    select count(*)::int as departures, coalesce(sum(greatest(0, d.capacity - d.seats_confirmed - d.seats_held)), 0)::int as open,
      (sum(d.seats_confirmed + d.seats_held)::float8 / nullif(sum(d.capacity), 0)) as load
    from departures d where d.org_id = t.org_id and d.tour_id = t.id and d.status in ${statuses.active}
      and d.starts_at between app_now() and app_now() + make_interval(days => ${lookAheadDays})
  ) month
  left join lateral (
    select (unit ->> 'priceMinor')::bigint as price, unit ->> 'currency' as currency
    from jsonb_array_elements(coalesce(published.content, draft.content) -> 'units') unit
    where (unit ->> 'priceMinor')::bigint > 0 order by unit ->> 'unitType' <> 'adult', price limit 1
  ) cheapest on true
  where t.org_id = ${call.orgId} and ${allOf([
    isOneOf(sql`t.status`, filters.status),
    isOneOf(sql`t.kind`, filters.kind),
    filters.language?.length ? sql`t.languages && ${filters.language}::text[]` : undefined,
    q ? sql`normalize_search(t.code || ' ' || t.name) like '%' || normalize_search(${q}) || '%'` : undefined,
  ])}`

type ListedRow = Omit<TourRow, 'nextDeparture'> & { nextId: string | null; nextStartsAt: Date | null; total: number }

/** One page of the catalogue. */
export async function selectTourRows(
  call: MemberCall,
  input: ListFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: TourRow[]; total: number }> {
  const { rows } = await sql<ListedRow>`
    select t.id, t.version, t.code, t.name, t.kind, t.status, t.time_zone as "timeZone", coalesce(t.duration_min, 0) as "durationMin",
      coalesce(t.duration_days, 1) as "durationDays", t.languages, coalesce(t.color, '#FF4B00') as color, published.number as "revisionNumber",
      draft.id is not null as "hasDraft", upcoming.id as "nextId", upcoming.starts_at as "nextStartsAt",
      month.departures as "departuresNext30d", month.load as "load30d", month.open as "seatsOpen30d",
      cheapest.price as "fromPriceMinor", cheapest.currency, count(*) over () as total
    ${from(call, input)}
    order by ${orderBy(input.sort, sortColumns, sql`t.status = 'archived', ${sortColumns.name}, t.id`)}
    limit ${page.limit} offset ${page.offset}`.execute(call.tx)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ nextId, nextStartsAt, total: _total, ...row }) => ({
      ...row,
      nextDeparture: nextId && nextStartsAt ? { id: nextId, startsAt: iso(nextStartsAt) } : null,
    })),
  }
}

export interface TourRecord {
  id: string
  version: number
  code: string
  name: string
  kind: Tour['kind']
  status: Tour['status']
  category: string | null
  timeZone: string
  durationMin: number
  durationDays: number
  difficulty: Tour['difficulty']
  languages: string[]
  defaultCapacity: number
  minPax: number
  overbookLimit: number
  cutoffMinutes: number
  releaseDays: number
  guideRatio: number | null
  requiredRoles: Tour['requirements']['roles']
  requiredSkills: string[]
  vehicleClass: Tour['requirements']['vehicleClass']
  weatherNote: boolean
  inclusions: string[]
  exclusions: string[]
  cancellationPolicy: string | null
  cancellationSteps: CancellationStep[]
  color: string
  currentRevisionId: string | null
  wizard: unknown
  createdAt: Date
  updatedAt: Date
}

/**
 * One tour, locked when it is about to change.
 *
 * @throws AppError `not-found`.
 */
export async function selectTour(
  call: Pick<MemberCall, 'tx' | 'orgId'>,
  id: string,
  lock?: 'lock',
): Promise<TourRecord> {
  const { rows } = await sql<TourRecord>`
    select t.id, t.version, t.code, t.name, t.kind, t.status, t.category, t.time_zone as "timeZone", coalesce(t.duration_min, 60) as "durationMin",
      coalesce(t.duration_days, 1) as "durationDays", t.difficulty, t.languages, t.default_capacity as "defaultCapacity",
      t.min_pax as "minPax", t.overbook_limit as "overbookLimit", t.cutoff_minutes as "cutoffMinutes", t.release_days as "releaseDays",
      t.guide_ratio as "guideRatio", t.required_roles as "requiredRoles", t.required_skills as "requiredSkills",
      t.vehicle_class as "vehicleClass", coalesce((t.thresholds #>> '{weather_warning,noteRequired}')::boolean, false) as "weatherNote", t.inclusions, t.exclusions,
      t.cancellation_policy as "cancellationPolicy", t.cancellation_steps as "cancellationSteps", coalesce(t.color, '#FF4B00') as color,
      t.current_revision_id as "currentRevisionId", t.wizard_state as wizard, t.created_at as "createdAt", t.updated_at as "updatedAt"
    from tours t where t.org_id = ${call.orgId} and t.id = ${id} ${lock ? sql`for no key update of t` : sql``}`.execute(
    call.tx,
  )
  if (!rows[0]) throw notFound('tour')
  return rows[0]
}

export interface RevisionRecord {
  id: string
  number: number
  note: string | null
  content: TourContent
  publishedAt: Date | null
  publishedByName: string | null
}

/** All revisions of a tour, newest first; the draft, if there is one, has no date of publication. */
export async function selectRevisions(tx: Tx, orgId: string, tourId: string): Promise<RevisionRecord[]> {
  const { rows } = await sql<RevisionRecord>`
    select r.id, r.number, r.note, r.content, r.published_at as "publishedAt", m.name as "publishedByName"
    from tour_revisions r left join members m on m.org_id = r.org_id and m.user_id = r.published_by
    where r.org_id = ${orgId} and r.tour_id = ${tourId} order by r.number desc`.execute(tx)
  return rows.map((row) => ({ ...row, content: contentOf(row.content) }))
}

/** Content as it was stored, with what later versions of the shape added. */
const contentOf = (kept: unknown): TourContent => TourContentShape.parse(kept ?? {})

/**
 * Refuses content that refers to unknown places: they are in JSON, which no foreign key checks.
 *
 * @throws AppError `invalid-argument` by the path of the stop.
 */
export async function requirePlaces(tx: Tx, orgId: string, content: TourContent): Promise<void> {
  const wanted = [...new Set(placeIdsOf(content))]
  if (wanted.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select id from places where org_id = ${orgId} and id = any (${wanted}::uuid[])`.execute(tx)
  const known = new Set(rows.map((row) => row.id))
  const missing = content.stops.findIndex((stop) => !known.has(stop.placeId))
  if (missing === -1 && rows.length === wanted.length) return
  const path = missing === -1 ? 'content.days' : `content.stops.${missing}.placeId`
  throw fieldError(path, 'place_unknown')
}

export const placeIdsOf = (content: TourContent): string[] => [
  ...content.stops.map((stop) => stop.placeId),
  ...content.days.flatMap((day) => day.overnightPlaceId ?? []),
]

export async function selectPlaces(tx: Tx, orgId: string, ids: readonly string[]): Promise<Tour['places']> {
  if (ids.length === 0) return []
  const { rows } = await sql<Tour['places'][number]>`
    select id, name, kind, lat, lng from places where org_id = ${orgId} and id = any (${[...ids]}::uuid[]) order by name`.execute(
    tx,
  )
  return rows
}

export async function selectOptions(tx: Tx, orgId: string, tourId: string): Promise<Tour['options']> {
  const { rows } = await sql<Tour['options'][number]>`
    select id, name, array(select to_char(at, 'HH24:MI') from unnest(start_times_local) at) as "startTimesLocal", language,
      private as "isPrivate", prices
    from tour_options where org_id = ${orgId} and tour_id = ${tourId} and archived_at is null order by name, id`.execute(
    tx,
  )
  return rows
}

/** Departures still to run, as far as the caller's permission reaches, and how many guests they have. */
export async function selectUpcoming(
  call: Pick<MemberCall, 'tx' | 'orgId'>,
  tourId: string,
): Promise<{ departures: number; pax: number }> {
  const { rows } = await sql<{ departures: number; pax: number }>`
    select count(*)::int as departures, coalesce(sum(seats_confirmed + seats_held), 0)::int as pax from departures d
    where d.org_id = ${call.orgId} and d.tour_id = ${tourId} and d.status in ${statuses.active}
      and ${endsLater}`.execute(call.tx)
  return rows[0] ?? { departures: 0, pax: 0 }
}

/** The published and the draft revision as the tour's page shows them. */
export const revisionHead = (revision: RevisionRecord & { publishedAt: Date }): Tour['revisions'][number] => ({
  id: revision.id,
  number: revision.number,
  publishedAt: iso(revision.publishedAt),
  publishedByName: revision.publishedByName,
  note: revision.note,
})

export const isPublished = (revision: RevisionRecord): revision is RevisionRecord & { publishedAt: Date } =>
  isoOrNull(revision.publishedAt) !== null
