import type { Given, Out } from '@tour-ops/contract/callable'
import {
  type DutyEvent,
  type DutyOutcome,
  linkEventKinds,
  type sendDutyEvents,
} from '@tour-ops/contract/duty/duty-phone'
import { oldestDutyEventHours } from '@tour-ops/contract/duty/duty-terms'
import { AppError } from '@tour-ops/contract/errors'
import { isReason, refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { toAppError } from '../../platform/db/violations.ts'
import { ownRole } from '../../platform/db/transaction.ts'
import { iso } from '../../platform/list-query.ts'
import { reachAs, takeRole } from '../../platform/own-scope.ts'
import type { FindVerb } from '../../platform/find-verb.ts'
import { officeOf, perform } from './perform-event.ts'

type Sent = Omit<Given<typeof sendDutyEvents>, 'idempotencyKey'>

/** A difference of clocks below this is the way of the request, ms. */
const unnoticedSkewMs = 30_000

/**
 * Takes what was done on a phone, in its order. Each event lives in a savepoint: one that is refused keeps none of the others back, and is
 * answered with the reason and what counts at the office. An event that came before is answered as it was then.
 *
 * @throws AppError when the database does not answer: nothing of the batch is taken then, and the phone sends it again.
 */
export async function applyEvents(call: MemberCall, find: FindVerb, sent: Sent): Promise<Out<typeof sendDutyEvents>> {
  await waitForOwnTurn(call)
  const known = await selectKnown(call, sent.events)
  const outcomes: DutyOutcome[] = []
  for (const event of sent.events) {
    const answered = known.get(event.id)
    if (answered) {
      outcomes.push(answered)
      continue
    }
    const at = momentOf(call, event, sent.sentAt)
    const outcome = await takeOne(call, find, event, at)
    known.set(event.id, outcome)
    await keep(call, event, at, outcome)
    outcomes.push(outcome)
  }
  return { now: iso(call.clock.now()), outcomes }
}

/** Two tabs, or a page and its worker, may send the same at once: one after the other, so that each event is done once. */
async function waitForOwnTurn({ tx, orgId, caller }: MemberCall): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`duty ${orgId} ${caller.userId}`}, 0))`.execute(tx)
}

async function selectKnown(call: MemberCall, events: readonly DutyEvent[]): Promise<Map<string, DutyOutcome>> {
  const { rows } = await sql<{ id: string; answer: DutyOutcome }>`
    select id, answer from duty_events
    where org_id = ${call.orgId} and id = any (${events.map(({ id }) => id)}::uuid[])
      and author = ${call.caller.userId}`.execute(call.tx)
  return new Map(rows.map(({ id, answer }) => [id, answer]))
}

/** When it happened by our clock. A phone whose clock is wrong is wrong by as much at the tap as when it sends. */
function momentOf(call: MemberCall, event: DutyEvent, sentAt: string): Date {
  const now = call.clock.now()
  const skewMs = now.getTime() - new Date(sentAt).getTime()
  const tappedMs = new Date(event.at).getTime() + (Math.abs(skewMs) > unnoticedSkewMs ? skewMs : 0)
  return new Date(Math.min(tappedMs, now.getTime()))
}

async function takeOne(call: MemberCall, find: FindVerb, event: DutyEvent, at: Date): Promise<DutyOutcome> {
  await sql`savepoint duty_event`.execute(call.tx)
  try {
    requireTakeable(call, event, at)
    const met = await perform(call, find, event, at)
    await sql`release savepoint duty_event`.execute(call.tx)
    return answerOf(event, met === 'met' ? 'met' : 'done')
  } catch (error) {
    const refusal = refusalIn(error)
    await sql`rollback to savepoint duty_event`.execute(call.tx)
    if (call.scope === 'own') await takeRole(call, ownRole)
    return { ...answerOf(event, isMet(refusal) ? 'met' : 'refused', refusal), office: await officeNow(call, event) }
  }
}

function requireTakeable(call: MemberCall, event: DutyEvent, at: Date): void {
  if (call.linkId && !linkEventKinds.includes(event.kind)) throw refuse('link_opens_no_more')
  const oldest = call.clock.now().getTime() - oldestDutyEventHours * 60 * 60 * 1000
  if (at.getTime() < oldest) throw refuse('event_too_old', { hours: oldestDutyEventHours })
}

/** What was refused for one of our reasons; anything else is a failure of the whole batch. */
function refusalIn(error: unknown): AppError {
  const refusal = toAppError(error)
  if (refusal instanceof AppError && isReason(refusal.details.reason) && !isPassing(refusal)) return refusal
  throw error
}

/** What another try may not meet. */
const isPassing = ({ code, details }: AppError): boolean =>
  code === 'unavailable' || code === 'deadline-exceeded' || code === 'cancelled' || details.reason === 'conflict'

/** It is already in that state. */
const isMet = ({ details: why }: AppError): boolean =>
  (why.reason === 'illegal_transition' && why['from'] === why['to']) ||
  why.reason === 'on_duty_already' ||
  why.reason === 'not_on_duty'

function answerOf({ id }: DutyEvent, outcome: DutyOutcome['outcome'], refusal?: AppError): DutyOutcome {
  const { reason = null, fieldErrors: _texts, requestId: _request, ...params } = refusal?.details ?? {}
  const isRefused = outcome === 'refused'
  return { id, outcome, reason: isRefused ? reason : null, params: isRefused ? params : null, office: null }
}

async function officeNow(call: MemberCall, event: DutyEvent): Promise<DutyOutcome['office']> {
  await reachAs(call, 'departures:read')
  return officeOf(call, event)
}

async function keep(call: MemberCall, event: DutyEvent, at: Date, outcome: DutyOutcome): Promise<void> {
  const { id, kind, at: deviceAt, ...whole } = event
  const departureId = 'departureId' in whole ? whole.departureId : null
  // ids that name nothing here may name something of another organization: the typed text is stored, they are not
  const isUnknown = outcome.outcome === 'refused' && (outcome.reason === 'not_found' || outcome.office === null)
  const content = withoutPlace(isUnknown ? withoutIds(whole) : whole)
  await sql`
    insert into duty_events (org_id, id, kind, departure_id, by_user_id, by_link_id, device_at, at, event, answer)
    values (${call.orgId}, ${id}, ${kind}, (select d.id from departures d where d.org_id = ${call.orgId} and d.id = ${departureId}::uuid),
      ${call.linkId ? null : call.caller.userId}, ${call.linkId ?? null}::uuid, ${deviceAt}, ${at},
      ${JSON.stringify(content)}::jsonb, ${JSON.stringify(outcome)}::jsonb)`.execute(call.tx)
}

/** Where somebody called for help from is kept with the call, which has an end, and nowhere else. */
const withoutPlace = (content: object): object =>
  Object.fromEntries(Object.entries(content).filter(([name]) => name !== 'place'))

const withoutIds = (content: object): object =>
  Object.fromEntries(Object.entries(content).filter(([name]) => !name.endsWith('Id')))
