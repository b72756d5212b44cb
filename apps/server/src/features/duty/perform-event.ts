import { checkIn, markNoShow, setEntryStatus, undoCheckIn } from '@tour-ops/contract/bookings/manifest'
import type { Given, Out } from '@tour-ops/contract/callable'
import { setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { markStop, recordHeadcount, seeRunSheet } from '@tour-ops/contract/departures/run-sheet'
import type { DutyEvent, DutyOutcome } from '@tour-ops/contract/duty/duty-phone'
import { acceptAssignment, declineAssignment } from '@tour-ops/contract/field-staff/assignments'
import { reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { refuse } from '@tour-ops/contract/refusals'
import { beginDuty, endDuty, setDutyBreak, setTrackingConsent } from '@tour-ops/contract/tracking/duty'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { selectMemberName } from '../../platform/select-member-name.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { reachAs, reachingAsOffice } from '../../platform/own-scope.ts'
import { type FindVerb, runAs } from '../../platform/find-verb.ts'
import { help, helpOver, helpPlace } from './help-events.ts'
import { leads } from './who-leads.ts'

/** It was already in that state, or nothing was to be done. */
export type Met = 'met' | undefined

type Of<K extends DutyEvent['kind']> = Extract<DutyEvent, { kind: K }>
type Handler<K extends DutyEvent['kind']> = (context: Context, event: Of<K>) => Promise<Met>

interface Context {
  readonly call: MemberCall
  readonly find: FindVerb
  /** When it happened, by our clock. */
  readonly at: Date
}

/**
 * Does one event with the verb that the office uses. A phone does not know versions: it says what happened, and the row as it is now takes
 * it or not.
 *
 * @throws AppError as the verb does.
 */
export function perform(call: MemberCall, find: FindVerb, event: DutyEvent, at: Date): Promise<Met> {
  const handler = handlers[event.kind] as Handler<typeof event.kind>
  return handler({ call, find, at }, event)
}

const handlers: { readonly [K in DutyEvent['kind']]: Handler<K> } = {
  check_in: (context, event) => checkInOne(context, checkIn, { ...event, method: event.method, stopId: event.stopId }),
  undo_check_in: (context, event) => checkInOne(context, undoCheckIn, { ...event, method: 'tap', stopId: null }),

  async no_show({ call, find }, { departureId, entryId, note }) {
    const { changed } = await runAs(call, find, markNoShow, { departureId, entryIds: [entryId], note })
    return changed === 0 ? 'met' : undefined
  },

  async guest({ call, find }, { departureId, entryId, to }) {
    const entry = await selectVersion(call, 'manifest_entries', entryId, 'guest', sql`departure_id = ${departureId}`)
    if (entry.status === to) return 'met'
    await runAs(call, find, setEntryStatus, { entryId, version: entry.version, to })
  },

  async stop({ call, find, at }, { departureId, stopId, to, reason }) {
    const { version } = await selectVersion(call, 'departure_stops', stopId, 'stop', sql`departure_id = ${departureId}`)
    await runAs(call, find, markStop, { id: stopId, version, to, at: iso(at), reason })
  },

  async headcount({ call, find, at }, { departureId, stopId, counted, reason }) {
    await runAs(call, find, recordHeadcount, { departureId, stopId, counted, reason, at: iso(at) })
  },

  async status({ call, find, at }, { departureId, to, reason }) {
    await requireLead(call, departureId)
    const { version, status } = await selectVersion(call, 'departures', departureId, 'departure')
    if (status === to) return 'met'
    const asked = { id: departureId, version, to, reason, cancelReason: null, at: iso(at) }
    await reachingAsOffice({ ...call, permission: 'departures:dispatch' }, (wide) =>
      find(setDepartureStatus).run(wide, asked),
    )
  },

  async seen({ call, find }, { departureId, revisionNumber }) {
    await runAs(call, find, seeRunSheet, { id: departureId, revisionNumber })
  },

  async note({ call, at }, { departureId, text }) {
    await reachAs(call, 'checkin:write')
    await selectVersion(call, 'departures', departureId, 'departure')
    await sql`insert into departure_notes (org_id, id, departure_id, at, by_user_id, by_link_id, by_name, text)
      values (${call.orgId}, ${newId()}, ${departureId}, ${at}, ${call.linkId ? null : call.caller.userId}, ${call.linkId ?? null}::uuid,
        ${await nameOf(call)}, ${text})`.execute(call.tx)
  },

  async incident({ call, find }, { departureId, category, severity, title, note }) {
    await reachAs(call, 'checkin:write')
    await selectVersion(call, 'departures', departureId, 'departure')
    await runAs(call, find, reportIncident, {
      departureId,
      category,
      severity,
      title,
      note,
      placeId: null,
      alertId: null,
      affectedTravelerIds: [],
    })
  },

  help: async ({ call, at }, event) => help(call, await nameOf(call), event, at),
  help_place: ({ call, at }, event) => helpPlace(call, event, at),
  help_over: ({ call, at }) => helpOver(call, at),

  async answer({ call, find }, { assignmentId, accept, reason }) {
    await reachAs(call, 'staff:read')
    const { version, status } = await selectVersion(call, 'assignments', assignmentId, 'assignment')
    if (status === (accept ? 'accepted' : 'declined')) return 'met'
    const answered = accept
      ? runAs(call, find, acceptAssignment, { id: assignmentId, version, overrideReason: null })
      : runAs(call, find, declineAssignment, { id: assignmentId, version, reason })
    await answered
  },

  async duty({ call, find }, { to, departureId }) {
    if (to === 'begin') await runAs(call, find, beginDuty, { departureId })
    else if (to === 'end') await runAs(call, find, endDuty, {})
    else await runAs(call, find, setDutyBreak, { onBreak: to === 'break' })
  },

  async consent({ call, find }, { agrees }) {
    await runAs(call, find, setTrackingConsent, { agrees })
  },
}

type OneGuest = Pick<Of<'check_in'>, 'id' | 'departureId' | 'entryId' | 'stopId' | 'method'>

async function checkInOne(
  { call, find, at }: Context,
  callable: typeof checkIn,
  { id, departureId, entryId, stopId, method }: OneGuest,
): Promise<Met> {
  const entries = [{ entryId, clientEventId: id, deviceAt: iso(at) }]
  const input: Given<typeof checkIn> = { departureId, entries, stopId, method, lat: null, lng: null }
  const { entries: answered } = await runAs(call, find, callable, input)
  return metOf(answered[0])
}

/** @throws AppError what kept a guest from being checked in. */
function metOf(answer: Out<typeof checkIn>['entries'][number] | undefined): Met {
  if (!answer || answer.outcome === 'done') return undefined
  if (answer.outcome === 'repeated') return 'met'
  if (answer.reason === 'not_on_this_departure') throw notFound('guest')
  if (answer.reason === 'booking_not_confirmed') throw refuse('booking_not_confirmed')
  throw refuse('guest_status_differs', { status: answer.status ?? 'expected' })
}

/** @throws AppError for a caller who neither leads the departure nor dispatches, and `not-found` for departures that are not theirs. */
async function requireLead(call: MemberCall, departureId: string): Promise<void> {
  await reachAs(call, 'checkin:write')
  const { rows } = await sql<{ role: string | null }>`
    select a.role from departures d left join assignments a on a.org_id = d.org_id and a.departure_id = d.id
      and a.staff_id = ${call.staffId}::uuid and a.status in ('accepted', 'on_duty')
    where d.org_id = ${call.orgId} and d.id = ${departureId}`.execute(call.tx)
  if (rows.length === 0) throw notFound('departure')
  if (!rows.some(({ role }) => leads(call, role))) throw refuse('leads_no_departure')
}

const nameOf = async (call: MemberCall): Promise<string> =>
  call.linkId ? (call.caller.name ?? '') : selectMemberName(call, call.caller.userId)

interface Row {
  readonly version: number
  readonly status: string
}

/** The row as it is now, locked: the office may be changing it at this moment. */
async function selectVersion(
  call: MemberCall,
  table: 'manifest_entries' | 'departure_stops' | 'departures' | 'assignments',
  id: string,
  what: Parameters<typeof notFound>[0],
  also: RawBuilder<unknown> = sql`true`,
): Promise<Row> {
  const { rows } = await sql<Row>`select version, status from ${sql.table(table)}
    where org_id = ${call.orgId} and id = ${id} and ${also} for no key update`.execute(call.tx)
  if (!rows[0]) throw notFound(what)
  return rows[0]
}

/** What counts at the office of the thing that an event is about; null where it is out of reach or the event is about nothing. */
export async function officeOf(call: MemberCall, event: DutyEvent): Promise<DutyOutcome['office']> {
  const row = await officeRow(call, event)
  return row ? { status: row.status, at: isoOrNull(row.at) } : null
}

async function officeRow(call: MemberCall, event: DutyEvent): Promise<{ status: string; at: Date | null } | undefined> {
  const about = subjectOf(event)
  if (!about) return undefined
  const { table, id, at } = about
  const { rows } = await sql<{ status: string; at: Date | null }>`
    select status, ${at} as at from ${sql.table(table)} where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return rows[0]
}

interface Subject {
  readonly table: string
  readonly id: string
  /** When it became so. */
  readonly at: RawBuilder<Date | null>
}

function subjectOf(event: DutyEvent): Subject | undefined {
  if ('entryId' in event) {
    return { table: 'manifest_entries', id: event.entryId, at: sql`coalesce(check_in_at, updated_at)` }
  }
  if (event.kind === 'stop') {
    return { table: 'departure_stops', id: event.stopId, at: sql`coalesce(actual_depart_at, actual_arrive_at)` }
  }
  if (event.kind === 'answer') return { table: 'assignments', id: event.assignmentId, at: sql`responded_at` }
  if (event.kind === 'status' || event.kind === 'headcount' || event.kind === 'seen') {
    return { table: 'departures', id: event.departureId, at: sql`updated_at` }
  }
  return undefined
}
