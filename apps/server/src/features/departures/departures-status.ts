import { hasAccess } from '@tour-ops/contract/identity/access'
import type { Given, Out } from '@tour-ops/contract/callable'
import { setDepartureStatus, type NextStatus, type storedCancelReasons } from '@tour-ops/contract/departures/departures'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import { fieldIssue, fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { requireVersion } from '../../platform/optimistic-lock.ts'
import { beginDutyOfDeparture, endDutyOfDeparture } from '../../platform/operations/duty.ts'
import { closeAlertsOfCancelled } from '../../platform/operations/cancelled-alerts.ts'
import { releaseGuests } from '../../platform/operations/seats.ts'
import { verb } from '../../platform/verb.ts'
import { lockDeparture, selectNextStatuses, type DepartureRecord } from './departures-store.ts'
import { rewriteEstimates } from './run-sheet-store.ts'
import { momentGiven } from './stops-service.ts'

type Status = StatusOf<'departures'>
interface Change extends Omit<Given<typeof setDepartureStatus>, 'cancelReason'> {
  readonly cancelReason: (typeof storedCancelReasons)[number] | null
}

/**
 * Moves a departure along its machine. Guards first, then the row, then what follows from it, all in one transaction.
 * See docs/domain.md, "States".
 */
export const setStatus = verb(setDepartureStatus, async (call, change) => changeStatus(call, change))

/** @throws AppError `aborted` where the status is not legal or a guard is not met. */
export async function changeStatus(call: MemberCall, change: Change): Promise<Out<typeof setDepartureStatus>> {
  const departure = await lockDeparture(call, change.id)
  requireVersion(departure, change.version, 'departure')
  const option = (await selectNextStatuses(call, change.id)).find((each) => each.to === change.to)
  requireAllowed(call, departure, option, change)
  await writeStatus(call, departure, change, momentGiven(call, departure, change.at))
  await sideEffects[change.to]?.(call, departure, change)
  if (change.to === 'in_progress') await rewriteEstimates(call.tx, call.orgId, change.id, call.clock.now())
  const after = await lockDeparture(call, change.id)
  return { id: change.id, version: after.version, status: after.status }
}

function requireAllowed(
  call: MemberCall,
  departure: DepartureRecord,
  option: NextStatus | undefined,
  change: Change,
): void {
  if (!option) {
    throw refuse('illegal_transition', { machine: 'departures', from: departure.status, to: change.to })
  }
  const unmet = { unmet: option.unmet, overridable: option.overridable }
  if (!option.allowed) throw refuse('conditions_unmet', unmet)
  if (change.to === 'cancelled' && !change.cancelReason) throw fieldError('cancelReason', 'reason_not_chosen')
  if (option.needsReason && change.to !== 'cancelled' && !change.reason) {
    throw refuse('conditions_unmet', unmet, { fields: { reason: [fieldIssue('reason_missing')] } })
  }
  // Running below the minimum and reopening are decisions of those who manage departures. See docs/domain.md, "States".
  const needsManager = option.unmet.includes('below_min_pax') || departure.status === 'completed'
  if (needsManager && !hasAccess(call, { permission: 'departures:manage' })) {
    throw refuse('missing_permission', { permission: 'departures:manage' })
  }
}

/** Moments that a status brings with it. */
async function writeStatus(
  call: MemberCall,
  { id, status: from }: DepartureRecord,
  { to, cancelReason }: Change,
  at: Date,
): Promise<void> {
  await sql`
    update departures set status = ${to},
      sales_status = case when ${to}::text in ('in_progress', 'cancelled') then 'closed' else sales_status end,
      guaranteed_at = case when ${to} = 'guaranteed' then app_now() else guaranteed_at end,
      actual_start_at = case when ${to} = 'in_progress' and actual_start_at is null then ${at}::timestamptz else actual_start_at end,
      actual_end_at = case when ${to}::text in ('completed', 'aborted') then greatest(${at}::timestamptz, actual_start_at)
        when ${to} = 'in_progress' and ${from} = 'completed' then null else actual_end_at end,
      cancel_reason = case when ${to} = 'cancelled' then ${cancelReason} else cancel_reason end
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
}

type SideEffect = (call: MemberCall, departure: DepartureRecord, change: Change) => Promise<void>

const beginDuty: SideEffect = (call, { id }) => beginDutyOfDeparture(call.tx, call.orgId, id)
const endDuty: SideEffect = (call, { id }) => endDutyOfDeparture(call.tx, call.orgId, id)

const sideEffects: Partial<Record<Status, SideEffect>> = {
  boarding: beginDuty,
  in_progress: async (call, departure, change) => {
    if (departure.status === 'completed') return
    await closeOpenBookings(call, departure, 'departed')
    await moveEntries(call, departure, 'checked_in', 'on_tour')
    await moveCrew(call, departure, 'accepted', 'on_duty')
    await beginDuty(call, departure, change)
  },
  completed: async (call, departure, change) => {
    await moveEntries(call, departure, 'checked_in', 'on_tour')
    await moveEntries(call, departure, 'on_tour', 'finished')
    await countTours(call, departure)
    await sql`update bookings set status = 'completed' where org_id = ${call.orgId} and departure_id = ${departure.id}
      and status = 'confirmed'`.execute(call.tx)
    await moveCrew(call, departure, 'on_duty', 'completed')
    await endDuty(call, departure, change)
  },
  aborted: async (call, departure, change) => {
    await moveCrew(call, departure, 'on_duty', 'completed')
    await endDuty(call, departure, change)
  },
  cancelled: async (call, departure, change) => {
    const { cancelReason, reason } = change
    await endDuty(call, departure, change)
    await closeOpenBookings(call, departure, 'departure_cancelled')
    await takeBackCheckIns(call, departure)
    await freeCrewAndVehicles(call, departure, reason ?? cancelReason ?? 'cancelled')
    await sql`update departure_services set status = 'cancelled'
      where org_id = ${call.orgId} and departure_id = ${departure.id} and status <> 'cancelled'`.execute(call.tx)
    await closeAlertsOfCancelled(call.tx, call.orgId, [departure.id])
  },
}

/**
 * Ends holds, the waitlist, and what is proposed to parties of other departures. Confirmed parties of a cancelled departure stay confirmed: each is to be moved or refunded, and
 * only a confirmed booking can be moved. The overview lists them until that is done.
 */
async function closeOpenBookings(call: MemberCall, { id }: DepartureRecord, reason: string): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`update bookings set status = 'cancelled', cancel_reason = ${reason}, waitlist_rank = null
    where org_id = ${call.orgId} and departure_id = ${id} and status in ('on_hold', 'waitlisted') returning id`.execute(
    call.tx,
  )
  await releaseGuests(
    call.tx,
    call.orgId,
    rows.map((row) => row.id),
  )
  await sql`update proposals set outcome = 'withdrawn', ended_at = app_now()
    where org_id = ${call.orgId} and coalesce(to_departure_id, from_departure_id) = ${id} and to_departure_id is not null and outcome is null`.execute(
    call.tx,
  )
}

/** Nobody is aboard a departure that does not leave, and who is checked in could not be moved. The log says it with one more row each. */
async function takeBackCheckIns(call: MemberCall, { id }: DepartureRecord): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`update manifest_entries set status = 'expected', check_in_at = null, check_in_by = null
    where org_id = ${call.orgId} and departure_id = ${id} and status = 'checked_in' returning id`.execute(call.tx)
  const events = rows.map((entry) => ({ id: newId(), entry_id: entry.id }))
  await sql`insert into check_ins (org_id, id, manifest_entry_id, kind, by_user_id, method, client_event_id)
    select ${call.orgId}, e.id, e.entry_id, 'undo', ${call.caller.userId}, 'bulk', e.id::text
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e (id uuid, entry_id uuid)`.execute(call.tx)
}

async function moveEntries(call: MemberCall, { id }: DepartureRecord, from: string, to: string): Promise<void> {
  await sql`update manifest_entries set status = ${to}
    where org_id = ${call.orgId} and departure_id = ${id} and status = ${from}`.execute(call.tx)
}

async function moveCrew(call: MemberCall, { id }: DepartureRecord, from: string, to: string): Promise<void> {
  await sql`update assignments set status = ${to}
    where org_id = ${call.orgId} and departure_id = ${id} and status = ${from} and role <> 'backup'`.execute(call.tx)
}

async function countTours(call: MemberCall, { id }: DepartureRecord): Promise<void> {
  // In the order of their ids: two departures that end at once may have had the same guests.
  await sql`
    with guests as materialized (
      select t.org_id, t.id from travelers t
      where t.org_id = ${call.orgId} and t.id in (
        select m.traveler_id from manifest_entries m
        where m.org_id = ${call.orgId} and m.departure_id = ${id} and m.status = 'finished')
      order by t.id for no key update)
    update travelers t set lifetime_tours = t.lifetime_tours + 1, lifetime_last_at = app_now()
    from guests where t.org_id = guests.org_id and t.id = guests.id`.execute(call.tx)
}

/** Crew, vehicles and equipment are free again; an entry that other departures of a group share keeps blocking. */
async function freeCrewAndVehicles(call: MemberCall, { id }: DepartureRecord, reason: string): Promise<void> {
  await sql`delete from equipment_issues where org_id = ${call.orgId} and departure_id = ${id}`.execute(call.tx)
  await sql`update assignments set status = 'withdrawn'
    where org_id = ${call.orgId} and departure_id = ${id} and status = 'offered'`.execute(call.tx)
  await sql`update assignments set status = 'released', release_reason = ${reason}
    where org_id = ${call.orgId} and departure_id = ${id} and status = 'accepted'`.execute(call.tx)
  await sql`update assignments set status = 'completed'
    where org_id = ${call.orgId} and departure_id = ${id} and status = 'on_duty'`.execute(call.tx)
  await sql`delete from assignments where org_id = ${call.orgId} and departure_id = ${id} and status = 'draft'`.execute(
    call.tx,
  )
  await sql`
    update vehicle_calendar_entries e set status = 'cancelled'
    from vehicle_assignments va where va.org_id = ${call.orgId} and va.departure_id = ${id} and e.org_id = va.org_id
      and e.id = va.calendar_entry_id and e.status <> 'cancelled' and not exists (
        select from vehicle_assignments o join departures d on d.org_id = o.org_id and d.id = o.departure_id
        where o.org_id = e.org_id and o.calendar_entry_id = e.id and o.departure_id <> ${id} and d.status <> 'cancelled')`.execute(
    call.tx,
  )
}
