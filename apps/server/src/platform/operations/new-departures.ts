import type { Out } from '@tour-ops/contract/callable'
import type { previewSchedule } from '@tour-ops/contract/departures/departure-schedule'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { TourContent } from '@tour-ops/contract/tours/tour-content'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../ids.ts'
import { addMinutes, momentOf } from '../local-time.ts'
import { notFound } from '../optimistic-lock.ts'
import { departureCode, planRunSheet, type RunSheetPlan } from './run-sheet.ts'
import { insertStops } from './stop-rows.ts'

/** Where departures are made: by a person, or by the job of one. */
export type DepartureCall = Pick<MemberCall, 'tx' | 'orgId' | 'clock'>

/** What a tour gives to its departures. */
export interface TourOfDepartures {
  id: string
  code: string
  status: string
  /** Of the kind `private`: each of its departures takes one party. */
  isPrivate: boolean
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
export async function tourOfDepartures(call: DepartureCall, tourId: string): Promise<TourOfDepartures> {
  const { rows } = await sql<Omit<TourOfDepartures, 'content'> & { content: TourContent | null }>`
    select t.id, t.code, t.status, t.kind = 'private' as "isPrivate", t.time_zone as "timeZone", coalesce(t.duration_min, 60) as "durationMin",
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

/** @throws AppError `failed-precondition` for a tour without departures to sell. */
export async function publishedTourOf(
  call: DepartureCall,
  tourId: string,
): Promise<TourOfDepartures & { revisionId: string }> {
  const tour = await tourOfDepartures(call, tourId)
  if (tour.status !== 'published' || !tour.revisionId) {
    throw refuse('not_published')
  }
  return { ...tour, revisionId: tour.revisionId }
}

interface Wanted {
  readonly localDate: string
  readonly startTimeLocal: string
}

/** A departure that is to be made. */
export interface NewDeparture extends Wanted {
  /** Chosen before, where something refers to it already. */
  readonly id?: string
  readonly code: string
  readonly plan: RunSheetPlan
  readonly clash: Out<typeof previewSchedule>['rows'][number]['clash']
}

/** Plans every wanted day and says which cannot be created and why. */
export async function planDepartures(
  call: DepartureCall,
  tour: TourOfDepartures,
  wanted: readonly Wanted[],
  allowPast: boolean,
): Promise<NewDeparture[]> {
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

/** When bookings of a new departure end. */
export const cutoffOf = ({ cutoffMinutes }: TourOfDepartures, { startsAt }: RunSheetPlan): Date =>
  addMinutes(startsAt, -cutoffMinutes)

/**
 * Writes departures and their stops, all or none, in the order of their codes: whoever makes the same at the same time waits.
 *
 * @throws AppError `aborted` where somebody else has made one of them meanwhile.
 */
export async function insertDepartures(
  call: DepartureCall,
  tour: TourOfDepartures & { revisionId: string },
  planned: readonly NewDeparture[],
  common: Common,
): Promise<string[]> {
  const option = common.optionId ? await selectOption(call, tour.id, common.optionId) : null
  const rows = planned.map(({ id = newId(), code, plan, localDate, startTimeLocal }) => ({
    id,
    plan,
    row: {
      code,
      starts_at: plan.startsAt,
      ends_at: plan.endsAt,
      local_date: localDate,
      local_start_time: startTimeLocal,
      cutoff_at: cutoffOf(tour, plan),
      decide_by: tour.minPax > 0 ? addMinutes(plan.startsAt, -tour.decideByDays * 24 * 60) : null,
    },
  }))
  const { rows: made } = await sql<{ id: string }>`
    insert into departures (org_id, id, code, tour_id, revision_id, option_id, status, starts_at, ends_at, time_zone, local_date,
      local_start_time, language, capacity, min_pax, overbook_limit, private, decide_by, cutoff_at, internal_note)
    select ${call.orgId}, d.id, d.code, ${tour.id}, ${tour.revisionId}, ${common.optionId}, ${common.status}, d.starts_at, d.ends_at,
      ${tour.timeZone}, d.local_date, d.local_start_time, ${common.language ?? option?.language ?? null},
      ${common.capacity ?? tour.defaultCapacity}::int, ${tour.minPax}::int, ${tour.overbookLimit}::int,
      ${tour.isPrivate || (option?.isPrivate ?? false)}::boolean, d.decide_by, d.cutoff_at,
      ${common.internalNote ?? null}
    from jsonb_to_recordset(${JSON.stringify(rows.map(({ id, row }) => ({ id, ...row })))}::jsonb) as d (id uuid, code text, starts_at timestamptz,
      ends_at timestamptz, local_date date, local_start_time time, decide_by timestamptz, cutoff_at timestamptz)
    order by d.code on conflict (org_id, code) do nothing returning id`.execute(call.tx)
  const isMade = new Set(made.map(({ id }) => id))
  const taken = rows.find(({ id }) => !isMade.has(id))
  if (taken) throw refuse('departure_exists', { code: taken.row.code })
  await insertStops(
    call.tx,
    call.orgId,
    rows.map(({ id, plan }) => ({ departureId: id, stops: plan.stops })),
  )
  return rows.map(({ id }) => id)
}

async function selectOption(
  call: DepartureCall,
  tourId: string,
  optionId: string,
): Promise<{ language: string | null; isPrivate: boolean }> {
  const { rows } = await sql<{ language: string | null; isPrivate: boolean }>`
    select language, private as "isPrivate" from tour_options
    where org_id = ${call.orgId} and tour_id = ${tourId} and id = ${optionId} and archived_at is null`.execute(call.tx)
  if (!rows[0]) throw fieldError('optionId', 'option_unknown')
  return rows[0]
}
