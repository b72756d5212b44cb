import { takeBackMinutes } from '@tour-ops/contract/bookings/bookings'
import { combineDepartures, separateDepartures } from '@tour-ops/contract/departures/combine'
import { refuse } from '@tour-ops/contract/refusals'
import { hasStatus, notLeftStatuses, type StatusOf } from '@tour-ops/contract/state-machines'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import type { FindVerb } from '../../platform/find-verb.ts'
import { beginDutyOfDeparture } from '../../platform/operations/duty.ts'
import { lockSeats } from '../../platform/operations/seats.ts'
import { requireVersion } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { moveAll, type MovingParty, seatsOf } from './combine-departures.ts'
import { restoreCrew, restoreEquipment, restoreServices, restoreVehicles } from './restore-duties.ts'
import { lockDeparture } from './departures-store.ts'

/** Two departures again instead of one: the cancelled one is what it was, then its parties come back as the office moves them back, in one transaction. */
export const separateVerbs = (find: FindVerb): Verb[] => [
  verb(separateDepartures, async (call, { id, version }) => {
    requireVersion(await lockDeparture(call, id), version, 'departure')
    const combined = await selectCombination(call, id)
    if (!combined) throw refuse('cancellation_stays')
    const locked = await lockSeats(call, [id, ...(await selectParties(call, id, combined)).map((it) => it.departureId)])
    const from = locked.get(id)
    if (!from || from.startsAt <= call.clock.now()) throw refuse('cancellation_stays')
    // as they are now that nobody else can change them
    const parties = await selectParties(call, id, combined)
    if (parties.some((party) => !party.isUntouched || !locked.has(party.departureId)))
      throw refuse('cancellation_stays')
    const missing = await revive(call, id, combined)
    await moveAll(call, find, parties, id, true)
    return { code: from.code, seats: seatsOf(parties), missing }
  }),
]

interface Combination {
  readonly requestId: string
  readonly status: StatusOf<'departures'>
  readonly salesStatus: StatusOf<'departure_sales'> | null
  readonly at: Date
}

/** Undefined where the departure was cancelled otherwise, or too long ago. */
async function selectCombination({ tx, orgId }: MemberCall, id: string): Promise<Combination | undefined> {
  const { rows } = await sql<Combination>`
    select last.request_id as "requestId", last.diff #>> '{status,0}' as status, last.diff #>> '{sales_status,0}' as "salesStatus", last.at
    from (select e.request_id, e.action, e.diff, e.at from audit_entries e where e.org_id = ${orgId} and e.entity_type = 'departures'
      and e.entity_id = ${id} and e.diff ? 'status' order by e.id desc limit 1) last
    where last.action = ${combineDepartures.name} and last.request_id is not null
      and last.at > app_now() - make_interval(mins => ${takeBackMinutes})`.execute(tx)
  const [found] = rows
  return found && hasStatus(notLeftStatuses, found.status) ? found : undefined
}

interface CombinedParty extends MovingParty {
  readonly departureId: string
  /** Nothing has changed it since it moved. */
  readonly isUntouched: boolean
}

/**
 * Parties that moved, in the order in which they did. Who waited and was offered seats since then keeps them where they are, and a hold that has run out
 * meanwhile is over.
 */
async function selectParties(
  { tx, orgId }: MemberCall,
  id: string,
  { requestId, at }: Combination,
): Promise<CombinedParty[]> {
  const { rows } = await sql<CombinedParty>`
    select b.id, b.version, b.pax, b.status, b.departure_id as "departureId", last.request_id is not distinct from ${requestId} as "isUntouched"
    from audit_entries e join bookings b on b.org_id = e.org_id and b.id = e.entity_id::uuid
    join lateral (select l.request_id from audit_entries l where l.org_id = e.org_id and l.entity_type = e.entity_type and l.entity_id = e.entity_id
      order by l.id desc limit 1) last on true
    where e.org_id = ${orgId} and e.entity_type = 'bookings' and e.request_id = ${requestId} and e.diff #>> '{departure_id,0}' = ${id}
      and b.status <> 'expired' and (b.offered_at is null or b.offered_at < ${at})
    order by e.id`.execute(tx)
  return rows
}

/** @returns How many of crew and vehicles are not free any more. */
async function revive(call: MemberCall, id: string, { requestId, status, salesStatus }: Combination): Promise<number> {
  const { tx, orgId } = call
  await sql`select set_config('app.restored_departure_id', ${id}, true)`.execute(tx)
  await sql`update departures set status = ${status}, sales_status = coalesce(${salesStatus}, sales_status), cancel_reason = null
    where org_id = ${orgId} and id = ${id}`.execute(tx)
  const of = { orgId, tx, departureId: id, requestId }
  const missing = (await restoreCrew(of)) + (await restoreVehicles(of))
  await restoreEquipment(of)
  await restoreServices(of)
  await sql`select set_config('app.restored_departure_id', '', true)`.execute(tx)
  if (status === 'boarding') await beginDutyOfDeparture(tx, orgId, id)
  return missing
}
