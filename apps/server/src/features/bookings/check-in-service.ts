import type { Given, Out } from '@tour-ops/contract/callable'
import { checkIn, undoCheckIn } from '@tour-ops/contract/bookings/manifest'
import { type StatusOf, isRunning } from '@tour-ops/contract/state-machines'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { isoOrNull } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { verb } from '../../platform/verb.ts'
import { selectManifestHead, type ManifestHead } from './manifest-store.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

type Batch = Given<typeof checkIn>
type Event = Batch['entries'][number]
type Outcome = Out<typeof checkIn>['entries'][number]
type Status = StatusOf<'manifest_entries'>

interface EntryRecord {
  id: string
  status: Status
  checkInAt: Date | null
  isConfirmed: boolean
}

/**
 * Takes events of one departure, many at once, and answers each. What the same phone sent before is answered as `repeated` and
 * written once; what cannot be is `refused` with its reason, and does not keep the others back. The log only grows: an undo is
 * one more row. See docs/domain.md, "Invariants", I10.
 */
async function applyEvents(call: MemberCall, batch: Batch, rule: Rule): Promise<{ entries: Outcome[] }> {
  const head = await selectManifestHead(call, batch.departureId)
  requireOpen(head)
  await requireStop(call, batch)
  const known = await knownEvents(call, batch.entries)
  const entries = await lockEntries(call, batch)
  const accepted: Accepted[] = []
  for (const event of batch.entries) {
    const entry = entries.get(event.entryId)
    if (!entry || known.has(event.clientEventId) || accepted.some((each) => sameEvent(each.event, event))) continue
    if (!entry.isConfirmed || !rule.from.includes(entry.status)) continue
    accepted.push({ event, wasStatus: entry.status })
    entry.status = rule.to
    entry.checkInAt = rule.to === 'checked_in' ? checkInTime(call, event) : null
  }
  await writeEvents(call, batch, rule, accepted)
  await writeStatuses(call, head, rule, accepted, entries)
  const done = new Set(accepted.map((each) => each.event.clientEventId))
  return { entries: batch.entries.map((event) => outcomeOf(event, entries.get(event.entryId), { done, known, rule })) }
}

/** From where to where an event takes an entry. */
interface Rule {
  readonly kind: 'board' | 'undo'
  readonly from: readonly Status[]
  readonly to: 'checked_in' | 'expected'
  /** Statuses in which the wish of the event is met already. */
  readonly met: readonly Status[]
}

const boarding: Rule = {
  kind: 'board',
  from: ['expected', 'no_show'],
  to: 'checked_in',
  met: ['checked_in', 'on_tour', 'finished'],
}
const undoing: Rule = { kind: 'undo', from: ['checked_in'], to: 'expected', met: ['expected'] }

interface Accepted {
  readonly event: Event
  readonly wasStatus: Status
}

const sameEvent = (a: Event, b: Event): boolean => a.clientEventId === b.clientEventId || a.entryId === b.entryId

function requireOpen(head: ManifestHead): void {
  if (isRunning(head)) return
  throw refuse('check_in_closed')
}

/** @throws AppError `not-found` for a stop of another departure. */
async function requireStop(call: MemberCall, { departureId, stopId }: Batch): Promise<void> {
  if (stopId === null) return
  const { rows } = await sql`select from departure_stops
    where org_id = ${call.orgId} and id = ${stopId} and departure_id = ${departureId}`.execute(call.tx)
  if (rows.length === 0) throw notFound('stop')
}

async function knownEvents(call: MemberCall, events: readonly Event[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select client_event_id as id from check_ins
    where org_id = ${call.orgId} and client_event_id = any (${events.map((event) => event.clientEventId)}::text[])`.execute(
    call.tx,
  )
  return new Set(rows.map((row) => row.id))
}

/** Locked in one order, so that two phones with the same list wait for each other. */
async function lockEntries(call: MemberCall, { departureId, entries }: Batch): Promise<Map<string, EntryRecord>> {
  const { rows } = await sql<EntryRecord>`
    select m.id, m.status, m.check_in_at as "checkInAt", b.status in ${statuses.sold} as "isConfirmed"
    from manifest_entries m join bookings b on b.org_id = m.org_id and b.id = m.booking_id
    where m.org_id = ${call.orgId} and m.departure_id = ${departureId} and m.id = any (${entries.map((event) => event.entryId)}::uuid[])
    order by m.id for no key update of m`.execute(call.tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** A phone's clock is accepted up to a day back; nothing happens in the future. */
const trustedMs = 24 * 60 * 60 * 1000

function checkInTime(call: MemberCall, { deviceAt }: Event): Date {
  const now = call.clock.now()
  if (deviceAt === undefined) return now
  const given = new Date(deviceAt)
  return given <= now && now.getTime() - given.getTime() < trustedMs ? given : now
}

async function writeEvents(call: MemberCall, batch: Batch, rule: Rule, accepted: readonly Accepted[]): Promise<void> {
  if (accepted.length === 0) return
  const rows = accepted.map(({ event }) => ({
    id: newId(),
    manifest_entry_id: event.entryId,
    client_event_id: event.clientEventId,
    device_at: event.deviceAt ?? null,
  }))
  await sql`
    insert into check_ins (org_id, id, manifest_entry_id, departure_stop_id, kind, by_staff_id, by_user_id, by_link_id, method, client_event_id, device_at, lat, lng)
    select ${call.orgId}, e.id, e.manifest_entry_id, ${batch.stopId}::uuid, ${rule.kind}, ${call.staffId}::uuid, ${call.linkId ? null : call.caller.userId},
      ${call.linkId ?? null}::uuid, ${batch.method}, e.client_event_id, e.device_at, ${batch.lat}::float8, ${batch.lng}::float8
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (id uuid, manifest_entry_id uuid, client_event_id text, device_at timestamptz)`.execute(
    call.tx,
  )
}

/** Guests who arrive after the start are on tour at once. */
async function writeStatuses(
  call: MemberCall,
  head: ManifestHead,
  rule: Rule,
  accepted: readonly Accepted[],
  entries: ReadonlyMap<string, EntryRecord>,
): Promise<void> {
  if (accepted.length === 0) return
  const rows = accepted.map(({ event }) => ({ id: event.entryId, at: entries.get(event.entryId)?.checkInAt ?? null }))
  await sql`
    update manifest_entries m set status = ${rule.to}, check_in_at = e.at, check_in_by = ${rule.kind === 'board' ? call.caller.userId : null}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (id uuid, at timestamptz)
    where m.org_id = ${call.orgId} and m.id = e.id`.execute(call.tx)
  if (rule.kind !== 'board' || head.status !== 'in_progress') return
  const ids = rows.map((row) => row.id)
  await sql`update manifest_entries set status = 'on_tour' where org_id = ${call.orgId} and id = any (${ids}::uuid[])`.execute(
    call.tx,
  )
  for (const id of ids) {
    const entry = entries.get(id)
    if (entry) entry.status = 'on_tour'
  }
}

interface Results {
  readonly done: ReadonlySet<string>
  readonly known: ReadonlySet<string>
  readonly rule: Rule
}

function outcomeOf(event: Event, entry: EntryRecord | undefined, { done, known, rule }: Results): Outcome {
  const state = {
    entryId: event.entryId,
    clientEventId: event.clientEventId,
    status: entry?.status ?? null,
    checkInAt: isoOrNull(entry?.checkInAt ?? null),
  }
  if (!entry) return { ...state, outcome: 'refused', reason: 'not_on_this_departure' }
  if (done.has(event.clientEventId)) return { ...state, outcome: 'done', reason: null }
  if (known.has(event.clientEventId)) return { ...state, outcome: 'repeated', reason: null }
  if (!entry.isConfirmed) return { ...state, outcome: 'refused', reason: 'booking_not_confirmed' }
  if (rule.met.includes(entry.status)) return { ...state, outcome: 'repeated', reason: 'already' }
  return { ...state, outcome: 'refused', reason: `is_${entry.status}` }
}

export const checkInGuests = verb(checkIn, (call, batch) => applyEvents(call, batch, boarding))
export const undoGuests = verb(undoCheckIn, (call, batch) => applyEvents(call, batch, undoing))
