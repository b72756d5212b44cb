import type { Given } from '@tour-ops/contract/callable'
import { earliestMarkMs, markStop, recordHeadcount } from '@tour-ops/contract/departures/run-sheet'
import { canBecome, type StatusOf, isRunning } from '@tour-ops/contract/state-machines'
import { isMarkBefore, lastMarkBefore, whereaboutsOf } from '@tour-ops/contract/departures/stop-progress'
import { fieldIssue, fieldError } from '@tour-ops/contract/field-rules'
import { conditionGoneNote } from '@tour-ops/contract/monitoring/alerts'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { verb } from '../../platform/verb.ts'
import { lockDeparture, type DepartureRecord } from './departures-store.ts'
import { rewriteEstimates, selectRunSheet, type StopRecord } from './run-sheet-store.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

async function departureOfStop(call: MemberCall, stopId: string): Promise<string> {
  const { rows } = await sql<{ departureId: string }>`
    select s.departure_id as "departureId" from departure_stops s
    where s.org_id = ${call.orgId} and s.id = ${stopId}`.execute(call.tx)
  if (!rows[0]) throw notFound('stop')
  return rows[0].departureId
}

/** A phone that was offline reports late, but nothing can have happened in the future, or before the guests were picked up. */
export function momentGiven(call: MemberCall, { startsAt }: DepartureRecord, at: string | undefined): Date {
  const now = call.clock.now()
  if (at === undefined) return now
  const given = new Date(at)
  if (given > now) throw fieldError('at', 'mark_in_future')
  if (given.getTime() < startsAt.getTime() - earliestMarkMs) {
    throw fieldError('at', 'mark_long_before')
  }
  return given
}

export const mark = verb(markStop, async (call, change) => {
  const departure = await lockDeparture(call, await departureOfStop(call, change.id))
  if (!isRunning(departure)) {
    throw refuse('not_running')
  }
  const stops = await selectRunSheet(call.tx, call.orgId, departure.id)
  const stop = stops.find((each) => each.id === change.id)
  if (!stop) throw notFound('stop')
  requireVersion(stop, change.version, 'stop')
  requireLegal(departure, stop, stops, change)
  await writeMark(call, stop, change, momentOfMark(call, departure, stop, stops, change))
  const delaySeconds = await rewriteEstimates(call.tx, call.orgId, departure.id, call.clock.now())
  const after = (await selectRunSheet(call.tx, call.orgId, departure.id)).find((each) => each.id === stop.id)
  return { id: stop.id, version: after?.version ?? stop.version, departureId: departure.id, delaySeconds }
})

type Change = Given<typeof markStop>
type StopStatus = StatusOf<'departure_stops'>

function requireLegal(
  departure: DepartureRecord,
  stop: StopRecord,
  stops: readonly StopRecord[],
  change: Change,
): void {
  const from: StopStatus = stop.status
  if (!canBecome('departure_stops', from, change.to) && !isComputed(stop, change.to)) {
    throw refuse('illegal_transition', { machine: 'departure_stops', from, to: change.to })
  }
  if (change.to === 'planned' && !change.reason) throw fieldError('reason', 'arrival_reason_missing')
  if (change.to === 'arrived' && from !== 'departed') requireOrder(departure, stop, stops)
  if (change.to === 'departed' && stop.headcountRequired && !stop.counted && !change.reason) {
    throw refuse('headcount_missing', undefined, { fields: { reason: [fieldIssue('reason_or_count_missing')] } })
  }
}

/** Whether only positions say that it happened: then a person may still say it, and their time counts. */
const isComputed = ({ source, departSource, actualArriveAt, actualDepartAt }: StopRecord, to: StopStatus): boolean =>
  to === 'arrived'
    ? actualArriveAt !== null && source === 'gps'
    : to === 'departed' && actualDepartAt !== null && departSource === 'gps'

/** A stop as people have marked it. A person's mark overrides positions, so positions cannot contradict it. */
const enteredOf = (stop: StopRecord): StopRecord => ({
  ...stop,
  actualArriveAt: stop.source === 'gps' ? null : stop.actualArriveAt,
  actualDepartAt: stop.departSource === 'gps' ? null : stop.actualDepartAt,
})

/** The order of stops is kept; pickups may be reached in any order, optional stops may be passed, and setting out leaves the start. */
function requireOrder({ actualStartAt }: DepartureRecord, stop: StopRecord, stops: readonly StopRecord[]): void {
  const { behind } = whereaboutsOf(stops, actualStartAt)
  const open = stops.find(
    (each, index) =>
      index > behind &&
      each.order < stop.order &&
      (each.status === 'planned' || each.status === 'approaching') &&
      each.kind !== 'pickup' &&
      !each.optional,
  )
  if (!open) return
  throw refuse('earlier_stop_open', { stopId: open.id, placeName: open.placeName })
}

/**
 * When a mark happened. Nobody arrives before what is marked at the stops before, or leaves before they arrived; a time that was typed has
 * minutes, and within the minute of the last mark it counts as that moment.
 */
function momentOfMark(
  call: MemberCall,
  departure: DepartureRecord,
  stop: StopRecord,
  stops: readonly StopRecord[],
  { to, at: given }: Change,
): Date {
  const at = momentGiven(call, departure, given)
  if (given === undefined || (to !== 'arrived' && to !== 'departed')) return at
  const said = enteredOf(stop)
  if (to === 'departed' && isMarkBefore(at, said.actualArriveAt)) {
    throw fieldError('at', 'left_before_arrival')
  }
  const last = lastMarkBefore(said, stops.map(enteredOf), to === 'departed')
  if (isMarkBefore(at, last)) {
    throw fieldError('at', 'before_last_stop')
  }
  return last !== null && at < last ? last : at
}

async function writeMark(call: MemberCall, stop: StopRecord, change: Change, at: Date): Promise<void> {
  const source = call.role === 'guide' ? 'guide' : 'dispatcher'
  // a time from positions is replaced by the marked one
  await sql`
    update departure_stops set
      status = case when status = 'departed' then status else ${change.to} end,
      source = case when ${change.to} = 'departed' then coalesce(source, ${source}) else ${source} end,
      depart_source = case when ${change.to} = 'departed' then ${source} else depart_source end,
      withdrawn_at = case when ${change.to} = 'planned' then app_now() else withdrawn_at end,
      actual_arrive_at = case
        when ${change.to} = 'arrived' then case when depart_source = 'gps' then ${at}::timestamptz else least(${at}::timestamptz, actual_depart_at) end
        when ${change.to} = 'planned' then null
        when ${change.to} = 'departed' and source = 'gps' then least(actual_arrive_at, ${at}::timestamptz) else actual_arrive_at end,
      actual_depart_at = case when ${change.to} = 'departed' then ${at}::timestamptz
        when ${change.to} = 'arrived' and depart_source = 'gps' then greatest(actual_depart_at, ${at}::timestamptz) else actual_depart_at end,
      skip_reason = case when ${change.to} = 'skipped' then ${change.reason} else skip_reason end,
      note = case when ${change.to}::text in ('planned', 'departed') and ${change.reason}::text is not null
        then concat_ws(' · ', note, ${change.reason}::text) else note end
    where org_id = ${call.orgId} and id = ${stop.id}`.execute(call.tx)
}

/**
 * A head count at a stop: how many were expected aboard, how many were seen. A mismatch needs a reason and opens an alert, a
 * later count that fits closes it. See docs/domain.md, "Head counts".
 */
export const recordCount = verb(recordHeadcount, async (call, { departureId, stopId, counted, reason, at: given }) => {
  const departure = await lockDeparture(call, departureId)
  if (!isRunning(departure)) {
    throw refuse('not_running')
  }
  const stops = await selectRunSheet(call.tx, call.orgId, departureId)
  const stop = stopId ? stops.find((each) => each.id === stopId) : currentStop(stops)
  if (!stop) throw notFound('stop')
  const at = momentGiven(call, departure, given)
  const expected = await countAboard(call, departureId)
  if (counted !== expected && !reason) {
    throw refuse(
      'headcount_mismatch',
      { expected, counted },
      { fields: { reason: [fieldIssue('mismatch_reason_missing')] } },
    )
  }
  await sql`insert into headcounts (org_id, id, departure_stop_id, expected, counted, reason, by_staff_id, by_user_id, at)
    values (${call.orgId}, ${newId()}, ${stop.id}, ${expected}, ${counted}, ${reason}, ${call.staffId}, ${call.caller.userId}, ${at})`.execute(
    call.tx,
  )
  await sql`update departure_stops set headcount_expected = ${expected}, headcount_actual = ${counted}
    where org_id = ${call.orgId} and id = ${stop.id}`.execute(call.tx)
  await (counted === expected
    ? closeMismatch(call, departureId, { expected, counted })
    : openMismatch(call, departure.code, departureId, { expected, counted, reason }))
  return { expected, counted }
})

/** Where the group is: the stop reached last, else the first. */
const currentStop = (stops: readonly StopRecord[]): StopRecord | undefined =>
  stops.findLast((stop) => stop.status === 'arrived' || stop.status === 'departed') ??
  stops.find((stop) => stop.kind === 'start') ??
  stops[0]

async function countAboard(call: MemberCall, departureId: string): Promise<number> {
  const { rows } = await sql<{ aboard: number }>`select count(*)::int as aboard from manifest_entries
    where org_id = ${call.orgId} and departure_id = ${departureId} and status in ${statuses.present}`.execute(call.tx)
  return rows[0]?.aboard ?? 0
}

const mismatchKey = (departureId: string): string => `headcount_mismatch:${departureId}`

async function openMismatch(call: MemberCall, code: string, departureId: string, evidence: object): Promise<void> {
  await sql`
    insert into alerts (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, evidence, dedupe_key)
    values (${call.orgId}, ${newId()}, 'headcount_mismatch', 'critical', 'departure', ${departureId}, ${departureId},
      ${`Head count differs on ${code}`}, ${JSON.stringify(evidence)}::jsonb, ${mismatchKey(departureId)})
    on conflict (org_id, dedupe_key) where status in ${statuses.unresolved}
    do update set evidence = excluded.evidence`.execute(call.tx)
}

/** @param facts The count that closes it, named as in `facts-now.ts` of monitoring. A snoozed alert is reopened first: that is the only legal way. */
async function closeMismatch(call: MemberCall, departureId: string, facts: object): Promise<void> {
  const key = mismatchKey(departureId)
  await sql`update alerts set status = 'open', snoozed_until = null
    where org_id = ${call.orgId} and dedupe_key = ${key} and status = 'snoozed'`.execute(call.tx)
  await sql`update alerts set status = 'resolved', resolved_at = app_now(), resolved_by = ${call.caller.userId}, resolution = 'auto',
      resolution_note = ${conditionGoneNote}, resolution_facts = ${JSON.stringify(facts)}::jsonb
    where org_id = ${call.orgId} and dedupe_key = ${key} and status in ${statuses.standing}`.execute(call.tx)
}
