import type { Given, Out } from '@tour-ops/contract/callable'
import { createDeparture, previewSchedule, scheduleDepartures } from '@tour-ops/contract/departures/departure-schedule'
import { AppError } from '@tour-ops/contract/errors'
import { TourContent } from '@tour-ops/contract/tours/tour-content'
import { fieldIssue, fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { addMinutes, momentOf } from '../../platform/local-time.ts'
import { iso } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { departureCode, planRunSheet, type RunSheetPlan } from '../../platform/operations/run-sheet.ts'
import { insertStops } from '../../platform/operations/stop-rows.ts'
import { verb } from '../../platform/verb.ts'
import { occurrences } from './schedule.ts'

/** What a tour gives to its departures. */
interface Template {
  id: string
  code: string
  status: string
  timeZone: string
  durationMin: number
  durationDays: number
  defaultCapacity: number
  minPax: number
  overbookLimit: number
  cutoffMinutes: number
  decideByDays: number
  codePattern: string
  revisionId: string | null
  content: TourContent
}

/** The tour as its departures see it: the published revision, or for a preview of a tour that never was published its draft. */
async function selectPlanned(call: MemberCall, tourId: string): Promise<Template> {
  const { rows } = await sql<Omit<Template, 'content'> & { content: TourContent | null }>`
    select t.id, t.code, t.status, t.time_zone as "timeZone", coalesce(t.duration_min, 60) as "durationMin",
      coalesce(t.duration_days, 1) as "durationDays", t.default_capacity as "defaultCapacity", t.min_pax as "minPax",
      t.overbook_limit as "overbookLimit", t.cutoff_minutes as "cutoffMinutes", coalesce(t.decide_by_days, s.decide_by_days) as "decideByDays",
      s.departure_code_pattern as "codePattern", t.current_revision_id as "revisionId", r.content
    from tours t join org_settings s on s.org_id = t.org_id
    left join tour_revisions r on r.org_id = t.org_id and r.tour_id = t.id
      and (r.id = t.current_revision_id or t.current_revision_id is null and r.published_at is null)
    where t.org_id = ${call.orgId} and t.id = ${tourId}`.execute(call.tx)
  const tour = rows[0]
  if (!tour) throw notFound('tour')
  return { ...tour, content: TourContent.parse(tour.content ?? {}) }
}

async function selectTemplate(call: MemberCall, tourId: string): Promise<Template & { revisionId: string }> {
  const tour = await selectPlanned(call, tourId)
  if (tour.status !== 'published' || !tour.revisionId) {
    throw refuse('not_published')
  }
  return { ...tour, revisionId: tour.revisionId }
}

interface Wanted {
  readonly localDate: string
  readonly startTimeLocal: string
}

interface Planned extends Wanted {
  readonly code: string
  readonly plan: RunSheetPlan
  readonly clash: Out<typeof previewSchedule>['rows'][number]['clash']
}

/** Plans every wanted day and says which cannot be created and why. */
async function planAll(
  call: MemberCall,
  tour: Template,
  wanted: readonly Wanted[],
  allowPast: boolean,
): Promise<Planned[]> {
  const planned = wanted.map((day) => ({
    ...day,
    code: departureCode(tour.codePattern, tour.code, day.localDate, day.startTimeLocal),
    plan: planRunSheet({ ...tour, ...day }, tour.content),
    exists: momentOf(day.localDate, day.startTimeLocal, tour.timeZone).exists,
  }))
  const { rows } = await sql<{ code: string }>`select code from departures
    where org_id = ${call.orgId} and code = any (${planned.map((row) => row.code)}::text[])`.execute(call.tx)
  const taken = new Set(rows.map((row) => row.code))
  const now = call.clock.now()
  return planned.map(({ exists, ...row }) => {
    const isPast = !allowPast && row.plan.startsAt <= now
    return { ...row, clash: taken.has(row.code) ? 'exists' : !exists ? 'no_such_time' : isPast ? 'past' : null }
  })
}

interface Common {
  readonly optionId: string | null
  readonly language: string | null
  readonly capacity?: number | undefined
  readonly status: 'draft' | 'scheduled'
  readonly internalNote?: string | null
}

/** Writes departures and their stops, all or none. */
async function insertDepartures(
  call: MemberCall,
  tour: Template & { revisionId: string },
  planned: readonly Planned[],
  common: Common,
): Promise<string[]> {
  const option = common.optionId ? await selectOption(call, tour.id, common.optionId) : null
  const rows = planned.map(({ code, plan, localDate, startTimeLocal }) => ({
    id: newId(),
    plan,
    row: {
      code,
      starts_at: plan.startsAt,
      ends_at: plan.endsAt,
      local_date: localDate,
      local_start_time: startTimeLocal,
      cutoff_at: addMinutes(plan.startsAt, -tour.cutoffMinutes),
      decide_by: tour.minPax > 0 ? addMinutes(plan.startsAt, -tour.decideByDays * 24 * 60) : null,
    },
  }))
  await sql`
    insert into departures (org_id, id, code, tour_id, revision_id, option_id, status, starts_at, ends_at, time_zone, local_date,
      local_start_time, language, capacity, min_pax, overbook_limit, decide_by, cutoff_at, internal_note)
    select ${call.orgId}, d.id, d.code, ${tour.id}, ${tour.revisionId}, ${common.optionId}, ${common.status}, d.starts_at, d.ends_at,
      ${tour.timeZone}, d.local_date, d.local_start_time, ${common.language ?? option?.language ?? null},
      ${common.capacity ?? tour.defaultCapacity}::int, ${tour.minPax}::int, ${tour.overbookLimit}::int, d.decide_by, d.cutoff_at,
      ${common.internalNote ?? null}
    from jsonb_to_recordset(${JSON.stringify(rows.map(({ id, row }) => ({ id, ...row })))}::jsonb) as d (id uuid, code text, starts_at timestamptz,
      ends_at timestamptz, local_date date, local_start_time time, decide_by timestamptz, cutoff_at timestamptz)`.execute(
    call.tx,
  )
  await insertStops(
    call.tx,
    call.orgId,
    rows.map(({ id, plan }) => ({ departureId: id, stops: plan.stops })),
  )
  return rows.map(({ id }) => id)
}

async function selectOption(call: MemberCall, tourId: string, optionId: string): Promise<{ language: string | null }> {
  const { rows } = await sql<{ language: string | null }>`select language from tour_options
    where org_id = ${call.orgId} and tour_id = ${tourId} and id = ${optionId} and archived_at is null`.execute(call.tx)
  if (!rows[0]) throw fieldError('optionId', 'option_unknown')
  return rows[0]
}

export const createOne = verb(createDeparture, async (call, input) => {
  const tour = await selectTemplate(call, input.tourId)
  const [planned] = await planAll(call, tour, [input], true)
  if (!planned) throw new AppError('internal', 'Nothing was planned.')
  if (planned.clash === 'exists') {
    throw refuse(
      'departure_exists',
      { code: planned.code },
      { fields: { startTimeLocal: [fieldIssue('departure_exists', { code: planned.code })] } },
    )
  }
  if (planned.clash === 'no_such_time') throw fieldError('startTimeLocal', 'clocks_skip')
  const [id = ''] = await insertDepartures(call, tour, [planned], input)
  return { id, version: 1, code: planned.code }
})

const planRule = (
  call: MemberCall,
  tour: Template,
  rule: Given<typeof previewSchedule>,
  allowPast: boolean,
): Promise<Planned[]> => planAll(call, tour, occurrences(rule), allowPast)

export const preview = verb(previewSchedule, async (call, rule) => {
  const tour = await selectPlanned(call, rule.tourId)
  const planned = await planRule(call, tour, rule, false)
  const willCreate = planned.filter((row) => row.clash === null).length
  return {
    timeZone: tour.timeZone,
    willCreate,
    skipped: planned.length - willCreate,
    rows: planned.map(({ code, localDate, startTimeLocal, plan, clash }) => ({
      code,
      localDate,
      startTimeLocal,
      startsAt: iso(plan.startsAt),
      endsAt: iso(plan.endsAt),
      clash,
    })),
  }
})

export const schedule = verb(scheduleDepartures, async (call, { includePast, ...rule }) => {
  const tour = await selectTemplate(call, rule.tourId)
  const planned = await planRule(call, tour, rule, includePast)
  const free = planned.filter((row) => row.clash === null)
  if (free.length === 0) {
    throw refuse('nothing_to_create')
  }
  const ids = await insertDepartures(call, tour, free, { ...rule, status: 'scheduled' })
  return { created: ids.length, skipped: planned.length - ids.length, ids }
})
