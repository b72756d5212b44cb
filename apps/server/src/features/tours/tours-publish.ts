import { type TourContent } from '@tour-ops/contract/tours/tour-content'
import { publishTour } from '@tour-ops/contract/tours/tours'
import { refuse } from '@tour-ops/contract/refusals'
import { fieldError } from '@tour-ops/contract/field-rules'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { requireVersion } from '../../platform/optimistic-lock.ts'
import { requireFreeUntil } from '../../platform/operations/moved-duties.ts'
import { planRunSheet } from '../../platform/operations/run-sheet.ts'
import { insertStops } from '../../platform/operations/stop-rows.ts'
import { verb } from '../../platform/verb.ts'
import { publishProblems } from './publish-check.ts'
import { isPublished, requirePlaces, selectRevisions, selectTour, type TourRecord } from './tours-store.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/**
 * Freezes the draft as a revision. Departures that exist keep the revision they were sold with, except the chosen ones: theirs is
 * planned again. The database refuses to change a published revision ever again (I16).
 */
export const publish = verb(publishTour, async (call, { id, version, note, applyToDepartureIds }) => {
  const tour = await selectTour(call, id, 'lock')
  requireVersion(tour, version, 'tour')
  if (tour.status === 'archived') {
    throw refuse('illegal_transition', { machine: 'tours', from: tour.status, to: 'published' })
  }
  const chosen = await lockChosen(call, id, applyToDepartureIds)
  const revisions = await selectRevisions(call.tx, call.orgId, id)
  const draft = revisions.find((revision) => !isPublished(revision))
  if (!draft) {
    throw refuse('no_draft')
  }
  const problems = publishProblems({ durationDays: tour.durationDays, content: draft.content })
  if (problems.length > 0) {
    throw refuse('not_ready_to_publish', { problems })
  }
  await requirePlaces(call.tx, call.orgId, draft.content)
  await sql`update tour_revisions set published_at = app_now(), published_by = ${call.caller.userId}, note = ${note}
    where org_id = ${call.orgId} and id = ${draft.id}`.execute(call.tx)
  await sql`update tours set status = 'published', current_revision_id = ${draft.id}
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  const before = revisions.find((revision) => revision.id === tour.currentRevisionId)
  if (before && currencyOf(before.content) !== currencyOf(draft.content)) await forgetOptionPrices(call, id)
  await applyTo(call, tour, draft.id, draft.content, chosen)
  const after = await selectTour(call, id)
  return { id, version: after.version, revisionNumber: draft.number, appliedTo: chosen.length }
})

const currencyOf = ({ units }: TourContent): string | undefined => units[0]?.currency

/** Amounts of another currency are no prices. */
const forgetOptionPrices = ({ tx, orgId }: MemberCall, tourId: string): Promise<unknown> =>
  sql`update tour_options set prices = '{}' where org_id = ${orgId} and tour_id = ${tourId} and prices <> '{}'`.execute(
    tx,
  )

interface Dated {
  id: string
  localDate: string
  startTimeLocal: string
  timeZone: string
}

/** The departures that are to follow the new revision, locked: all of this tour, all still to come. */
async function lockChosen(call: MemberCall, tourId: string, departureIds: readonly string[]): Promise<Dated[]> {
  if (departureIds.length === 0) return []
  const { rows } = await sql<Dated & { isToCome: boolean }>`
    select id, local_date as "localDate", to_char(local_start_time, 'HH24:MI') as "startTimeLocal", time_zone as "timeZone",
      (status = 'draft' or status in ${statuses.awaited}) and starts_at > app_now() as "isToCome"
    from departures where org_id = ${call.orgId} and tour_id = ${tourId} and id = any (${[...departureIds]}::uuid[])
    order by id for no key update`.execute(call.tx)
  const unknown = departureIds.findIndex((id) => !rows.some((row) => row.id === id))
  if (unknown !== -1) {
    throw fieldError(`applyToDepartureIds.${unknown}`, 'departure_not_of_tour')
  }
  if (rows.some((row) => !row.isToCome)) {
    throw refuse('departure_not_future')
  }
  return rows
}

/** Plans chosen departures by the new revision. Guests keep their pickup where the new plan still stops there. */
async function applyTo(
  call: MemberCall,
  tour: TourRecord,
  revisionId: string,
  content: TourContent,
  rows: readonly Dated[],
): Promise<void> {
  if (rows.length === 0) return
  const planned = rows.map((row) => ({ departureId: row.id, plan: planRunSheet({ ...tour, ...row }, content) }))
  await sql`update manifest_entries set pickup_stop_id = null
    where org_id = ${call.orgId} and departure_id = any (${rows.map((row) => row.id)}::uuid[]) and pickup_stop_id is not null`.execute(
    call.tx,
  )
  await sql`delete from departure_stops
    where org_id = ${call.orgId} and departure_id = any (${rows.map((row) => row.id)}::uuid[])`.execute(call.tx)
  await requireFreeUntil(
    call,
    planned.map(({ departureId, plan }) => ({ departureId, endsAt: plan.endsAt })),
  )
  for (const { departureId, plan } of planned) {
    await sql`update departures set revision_id = ${revisionId}, ends_at = ${plan.endsAt}
      where org_id = ${call.orgId} and id = ${departureId}`.execute(call.tx)
  }
  await insertStops(
    call.tx,
    call.orgId,
    planned.map(({ departureId, plan }) => ({ departureId, stops: plan.stops })),
  )
  await rejoinPickups(
    call,
    rows.map((row) => row.id),
  )
}

/** Puts guests back on the pickup at the place that their booking names. */
async function rejoinPickups(call: MemberCall, departureIds: readonly string[]): Promise<void> {
  await sql`
    update manifest_entries m set pickup_stop_id = s.id
    from bookings b join departure_stops s on s.org_id = b.org_id and s.departure_id = b.departure_id and s.place_id = b.pickup_place_id
      and s.kind in ('pickup', 'start')
    where m.org_id = ${call.orgId} and m.departure_id = any (${[...departureIds]}::uuid[]) and b.org_id = m.org_id and b.id = m.booking_id`.execute(
    call.tx,
  )
}
