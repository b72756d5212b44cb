import type { Given } from '@tour-ops/contract/callable'
import { canBecome } from '@tour-ops/contract/state-machines'
import { refuse } from '@tour-ops/contract/refusals'
import { TourContent } from '@tour-ops/contract/tours/tour-content'
import {
  archiveTour,
  createTour,
  discardTourDraft,
  duplicateTour,
  exportTours,
  getTour,
  listTours,
  restoreTour,
  saveTourDraft,
  saveTourOptions,
  saveTourWizard,
  tourOptionsForPickers,
  TourWizard,
  updateTour,
  type Tour,
  type TourRow,
} from '@tour-ops/contract/tours/tours'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { csvFile } from '../../platform/csv.ts'
import { newId } from '../../platform/ids.ts'
import { allOf, iso, isOneOf, pageOf } from '../../platform/list-query.ts'
import { requireVersion } from '../../platform/optimistic-lock.ts'
import { verb, type Verb } from '../../platform/verb.ts'
import { publishProblems } from './publish-check.ts'
import { publish } from './tours-publish.ts'
import {
  isPublished,
  placeIdsOf,
  requirePlaces,
  revisionHead,
  selectOptions,
  selectPlaces,
  selectRevisions,
  selectTour,
  selectTourRows,
  selectUpcoming,
  type TourRecord,
} from './tours-store.ts'

const list = verb(listTours, (call, input) => selectTourRows(call, input, pageOf(input)))

/** Tours of one export at most; no operator known to us sells more. See docs/domain.md, "Sizes". */
const maxExported = 10_000

const exportCsv = verb(exportTours, async (call, input) => {
  const { rows } = await selectTourRows(call, input, { limit: maxExported, offset: 0 })
  return csvFile<TourRow>(
    'tours',
    {
      code: (tour) => tour.code,
      name: (tour) => tour.name,
      kind: (tour) => tour.kind,
      status: (tour) => tour.status,
      time_zone: (tour) => tour.timeZone,
      duration_min: (tour) => tour.durationMin,
      duration_days: (tour) => tour.durationDays,
      languages: (tour) => tour.languages.join(' '),
      revision: (tour) => tour.revisionNumber,
      next_departure: (tour) => tour.nextDeparture?.startsAt ?? null,
      departures_next_30_days: (tour) => tour.departuresNext30d,
      load_next_30_days: (tour) => tour.load30d,
      seats_open_next_30_days: (tour) => tour.seatsOpen30d,
      from_price_minor: (tour) => tour.fromPriceMinor,
      currency: (tour) => tour.currency,
    },
    rows,
    input.columns,
  )
})

const names = verb(tourOptionsForPickers, async (call, { status }) => {
  const { rows } = await sql<{ id: string; name: string; code: string; timeZone: string; status: Tour['status'] }>`
    select t.id, t.name, t.code, t.time_zone as "timeZone", t.status from tours t
    where t.org_id = ${call.orgId} and ${allOf([isOneOf(sql`t.status`, status)])}
    order by t.name collate "und-x-icu", t.id`.execute(call.tx)
  return { tours: rows }
})

const get = verb(getTour, async (call, { id }) => {
  const record = await selectTour(call, id)
  const revisions = await selectRevisions(call.tx, call.orgId, id)
  const draft = revisions.find((revision) => !isPublished(revision)) ?? null
  const current = revisions.find((revision) => revision.id === record.currentRevisionId)
  const mentioned = revisions.filter((revision) => revision === draft || revision === current)
  const upcoming = await selectUpcoming(call, id)
  return {
    ...tourOf(record),
    draft: draft?.content ?? null,
    revision: current && isPublished(current) ? { ...revisionHead(current), content: current.content } : null,
    revisions: revisions.filter(isPublished).map(revisionHead),
    options: await selectOptions(call.tx, call.orgId, id),
    places: await selectPlaces(call.tx, call.orgId, [
      ...new Set(mentioned.flatMap((each) => placeIdsOf(each.content))),
    ]),
    problems: draft ? publishProblems({ durationDays: record.durationDays, content: draft.content }) : [],
    upcomingDepartures: upcoming.departures,
  }
})

function tourOf(
  record: TourRecord,
): Omit<Tour, 'draft' | 'revision' | 'revisions' | 'options' | 'places' | 'problems' | 'upcomingDepartures'> {
  const {
    guideRatio,
    requiredRoles,
    requiredSkills,
    vehicleClass,
    weatherNote,
    currentRevisionId: _,
    ...fields
  } = record
  return {
    ...fields,
    requirements: { guideRatio, roles: requiredRoles, skills: requiredSkills, vehicleClass, weatherNote },
    wizard: TourWizard.parse(record.wizard),
    createdAt: iso(record.createdAt),
    updatedAt: iso(record.updatedAt),
  }
}

type Fields = Omit<Given<typeof updateTour>, 'id' | 'version' | 'idempotencyKey'>

/** Column and value of everything that the basics and rules of a tour hold. */
const fieldsOf = (tour: Fields): [column: string, value: RawBuilder<unknown>][] => [
  ['code', sql`${tour.code}`],
  ['name', sql`${tour.name}`],
  ['kind', sql`${tour.kind}`],
  ['time_zone', sql`${tour.timeZone}`],
  ['category', sql`${tour.category}`],
  ['duration_min', sql`${tour.durationMin}::int`],
  ['duration_days', sql`${tour.durationDays}::int`],
  ['difficulty', sql`${tour.difficulty}`],
  ['languages', sql`${tour.languages}::text[]`],
  ['inclusions', sql`${tour.inclusions}::text[]`],
  ['exclusions', sql`${tour.exclusions}::text[]`],
  ['cancellation_policy', sql`${tour.cancellationPolicy}`],
  ['cancellation_steps', sql`${JSON.stringify(tour.cancellationSteps)}::jsonb`],
  ['color', sql`${tour.color}`],
  ['default_capacity', sql`${tour.defaultCapacity}::int`],
  ['min_pax', sql`${tour.minPax}::int`],
  ['overbook_limit', sql`${tour.overbookLimit}::int`],
  ['cutoff_minutes', sql`${tour.cutoffMinutes}::int`],
  ['release_days', sql`${tour.releaseDays}::int`],
  ['guide_ratio', sql`${tour.requirements.guideRatio}::int`],
  ['required_roles', sql`${JSON.stringify(tour.requirements.roles)}::jsonb`],
  ['required_skills', sql`${tour.requirements.skills}::text[]`],
  ['vehicle_class', sql`${tour.requirements.vehicleClass}`],
]

/** The weather note is with the thresholds of its alert kind. */
const weatherRule = (tour: Fields): RawBuilder<unknown> =>
  sql`jsonb_set(thresholds, '{weather_warning}', coalesce(thresholds -> 'weather_warning', '{}') || ${JSON.stringify({
    noteRequired: tour.requirements.weatherNote,
  })}::jsonb)`

async function insertTour(call: MemberCall, tour: Fields): Promise<string> {
  const id = newId()
  const fields = fieldsOf(tour)
  const thresholds = JSON.stringify({ weather_warning: { noteRequired: tour.requirements.weatherNote } })
  await sql`
    insert into tours (org_id, id, status, thresholds, ${sql.join(fields.map(([column]) => sql.ref(column)))})
    values (${call.orgId}, ${id}, 'draft', ${thresholds}::jsonb, ${sql.join(fields.map(([, value]) => value))})`.execute(
    call.tx,
  )
  return id
}

async function insertOptions(
  call: MemberCall,
  tourId: string,
  options: readonly Omit<Given<typeof saveTourOptions>['options'][number], 'id'>[],
): Promise<void> {
  for (const option of options) {
    await sql`insert into tour_options (org_id, id, tour_id, name, start_times_local, language, private, prices)
      values (${call.orgId}, ${newId()}, ${tourId}, ${option.name}, ${option.startTimesLocal}::time[], ${option.language},
        ${option.isPrivate}, ${JSON.stringify(option.prices ?? {})}::jsonb)`.execute(call.tx)
  }
}

/** Keeps the draft of a tour, making one after the latest revision where there is none. */
async function writeDraft(call: MemberCall, tourId: string, content: TourContent): Promise<void> {
  await requirePlaces(call.tx, call.orgId, content)
  const json = JSON.stringify(content)
  const { rows } = await sql<{ id: string }>`
    update tour_revisions set content = ${json}::jsonb
    where org_id = ${call.orgId} and tour_id = ${tourId} and published_at is null returning id`.execute(call.tx)
  if (rows.length > 0) return
  await sql`
    insert into tour_revisions (org_id, id, tour_id, number, content)
    select ${call.orgId}, ${newId()}, ${tourId}, coalesce(max(number), 0) + 1, ${json}::jsonb from tour_revisions
    where org_id = ${call.orgId} and tour_id = ${tourId}`.execute(call.tx)
}

type Defaults = Pick<Fields, 'defaultCapacity' | 'overbookLimit' | 'cutoffMinutes'>

/** What the settings give a tour that says nothing itself. */
async function selectDefaults(call: MemberCall): Promise<Defaults> {
  const { rows } = await sql<Defaults>`
    select default_capacity as "defaultCapacity", default_overbook_limit as "overbookLimit", default_cutoff_minutes as "cutoffMinutes"
    from org_settings where org_id = ${call.orgId}`.execute(call.tx)
  return rows[0] ?? { defaultCapacity: 1, overbookLimit: 0, cutoffMinutes: 0 }
}

const create = verb(createTour, async (call, { content, options = [], ...tour }) => {
  const usual = await selectDefaults(call)
  const id = await insertTour(call, {
    ...tour,
    defaultCapacity: tour.defaultCapacity ?? Math.max(usual.defaultCapacity, tour.minPax),
    overbookLimit: tour.overbookLimit ?? usual.overbookLimit,
    cutoffMinutes: tour.cutoffMinutes ?? usual.cutoffMinutes,
  })
  await writeDraft(call, id, content ?? TourContent.parse({}))
  await insertOptions(call, id, options)
  return { id, version: 1 }
})

const saved = async (call: MemberCall, id: string): Promise<{ id: string; version: number }> => {
  const { version } = await selectTour(call, id)
  return { id, version }
}

const update = verb(updateTour, async (call, { id, version, ...tour }) => {
  requireVersion(await selectTour(call, id, 'lock'), version, 'tour')
  const changes = fieldsOf(tour).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`update tours set ${sql.join(changes)}, thresholds = ${weatherRule(tour)}
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return saved(call, id)
})

/** A draft counts as a change of its tour, so that two people who edit the same itinerary notice each other. */
async function touchTour(call: MemberCall, id: string): Promise<void> {
  await sql`update tours set updated_at = greatest(app_now(), updated_at + interval '1 microsecond')
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
}

const saveDraft = verb(saveTourDraft, async (call, { id, version, content }) => {
  requireVersion(await selectTour(call, id, 'lock'), version, 'tour')
  await writeDraft(call, id, content)
  await touchTour(call, id)
  return saved(call, id)
})

const saveWizard = verb(saveTourWizard, async (call, { id, version, wizard }) => {
  requireVersion(await selectTour(call, id, 'lock'), version, 'tour')
  await sql`update tours set wizard_state = ${JSON.stringify(wizard)}::jsonb
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return saved(call, id)
})

const discardDraft = verb(discardTourDraft, async (call, { id, version }) => {
  const tour = await selectTour(call, id, 'lock')
  requireVersion(tour, version, 'tour')
  if (!tour.currentRevisionId) {
    throw refuse('never_published')
  }
  await sql`delete from tour_revisions where org_id = ${call.orgId} and tour_id = ${id} and published_at is null`.execute(
    call.tx,
  )
  await touchTour(call, id)
  return saved(call, id)
})

const saveOptions = verb(saveTourOptions, async (call, { id, version, options }) => {
  requireVersion(await selectTour(call, id, 'lock'), version, 'tour')
  const kept = options.flatMap((option) => option.id ?? [])
  await sql`update tour_options set archived_at = app_now()
    where org_id = ${call.orgId} and tour_id = ${id} and archived_at is null and not (id = any (${kept}::uuid[]))`.execute(
    call.tx,
  )
  for (const option of options.filter((each) => each.id !== undefined)) {
    await sql`update tour_options set name = ${option.name}, start_times_local = ${option.startTimesLocal}::time[],
      language = ${option.language}, private = ${option.isPrivate}, prices = coalesce(${option.prices ? JSON.stringify(option.prices) : null}::jsonb, prices)
      where org_id = ${call.orgId} and tour_id = ${id} and id = ${option.id}`.execute(call.tx)
  }
  await insertOptions(
    call,
    id,
    options.filter((option) => option.id === undefined),
  )
  await touchTour(call, id)
  return saved(call, id)
})

/** @throws AppError `aborted`, reason `illegal_transition`. */
function requireLegal(tour: TourRecord, to: Tour['status']): void {
  if (canBecome('tours', tour.status, to)) return
  throw refuse('illegal_transition', { machine: 'tours', from: tour.status, to })
}

const archive = verb(archiveTour, async (call, { id, version }) => {
  const tour = await selectTour(call, id, 'lock')
  requireVersion(tour, version, 'tour')
  requireLegal(tour, 'archived')
  const upcoming = await selectUpcoming(call, id)
  if (upcoming.pax > 0) {
    throw refuse('has_guests', { pax: upcoming.pax, departures: upcoming.departures })
  }
  await sql`update tours set status = 'archived', archived_at = app_now() where org_id = ${call.orgId} and id = ${id}`.execute(
    call.tx,
  )
  return saved(call, id)
})

const restore = verb(restoreTour, async (call, { id, version }) => {
  const tour = await selectTour(call, id, 'lock')
  requireVersion(tour, version, 'tour')
  requireLegal(tour, 'draft')
  await sql`update tours set status = 'draft', archived_at = null where org_id = ${call.orgId} and id = ${id}`.execute(
    call.tx,
  )
  const revisions = await selectRevisions(call.tx, call.orgId, id)
  const latest = revisions.find((revision) => revision.id === tour.currentRevisionId)
  if (latest && revisions.every(isPublished)) await writeDraft(call, id, latest.content)
  return saved(call, id)
})

const duplicate = verb(duplicateTour, async (call, { id, code, name }) => {
  const tour = await selectTour(call, id)
  const revisions = await selectRevisions(call.tx, call.orgId, id)
  const source =
    revisions.find((revision) => !isPublished(revision)) ??
    revisions.find((revision) => revision.id === tour.currentRevisionId)
  const copyId = await insertTour(call, { ...tourOf(tour), code, name })
  await writeDraft(call, copyId, source?.content ?? TourContent.parse({}))
  await insertOptions(call, copyId, await selectOptions(call.tx, call.orgId, id))
  return { id: copyId, version: 1 }
})

export const toursVerbs: Verb[] = [
  list,
  exportCsv,
  names,
  get,
  create,
  update,
  saveDraft,
  saveWizard,
  discardDraft,
  saveOptions,
  publish,
  archive,
  restore,
  duplicate,
]
