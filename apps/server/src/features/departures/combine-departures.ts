import { moveBookings } from '@tour-ops/contract/bookings/bookings'
import { combineDepartures, combineHours } from '@tour-ops/contract/departures/combine'
import { fieldError } from '@tour-ops/contract/field-rules'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { type FindVerb, runAs } from '../../platform/find-verb.ts'
import { lockSeats, type LockedDeparture } from '../../platform/operations/seats.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { changeStatus } from './departures-status.ts'
import { lockDeparture } from './departures-store.ts'

/** Parties that the verb for moving takes at once. */
const atOnce = 100

/** One departure instead of two: parties move as the office moves them, then the empty departure is cancelled, in one transaction. */
export const combineVerbs = (find: FindVerb): Verb[] => [
  verb(combineDepartures, async (call, { id, version, intoId, tellGuests }) => {
    // both before anything is read, in the order of everybody
    const locked = await lockSeats(call, [id, intoId])
    const [from, into] = [locked.get(id), locked.get(intoId)]
    if (!from || !into) throw notFound('departure')
    requireVersion(await lockDeparture(call, id), version, 'departure')
    requireCombinable(from, into)
    const moving = await selectMoving(call, id)
    await moveAll(call, find, moving, intoId, tellGuests)
    const empty = await lockDeparture(call, id)
    const cancelled = await changeStatus(call, {
      id,
      version: empty.version,
      to: 'cancelled',
      cancelReason: 'combined',
      reason: into.code,
    })
    return { code: into.code, seats: seatsOf(moving), version: cancelled.version }
  }),
]

/** Moves parties as the office moves them. */
export async function moveAll(
  call: MemberCall,
  find: FindVerb,
  moving: readonly MovingParty[],
  toDepartureId: string,
  tellGuests: boolean,
): Promise<void> {
  for (let at = 0; at < moving.length; at += atOnce) {
    const parties = moving.slice(at, at + atOnce).map(({ id, version }) => ({ id, version }))
    await runAs(call, find, moveBookings, { parties, toDepartureId, atPriceThere: false, tellGuests })
  }
}

/** Seats that parties have, hold or asked for. */
export const seatsOf = (parties: readonly MovingParty[]): number =>
  parties.reduce((sum, { pax, status }) => sum + (status === 'waitlisted' ? 0 : pax), 0)

/** @throws AppError `invalid-argument` on `intoId`. */
function requireCombinable(from: LockedDeparture, into: LockedDeparture): void {
  if (from.id === into.id) throw fieldError('intoId', 'same_departure')
  if (from.tourId !== into.tourId) throw fieldError('intoId', 'departure_not_of_tour')
  const apartMs = Math.abs(from.startsAt.getTime() - into.startsAt.getTime())
  if (apartMs > combineHours * 3_600_000) throw fieldError('intoId', 'departures_apart', { hours: combineHours })
}

/** A party that goes from one departure to another. */
export interface MovingParty {
  readonly id: string
  readonly version: number
  readonly pax: number
  readonly status: StatusOf<'bookings'>
}

/** Who has seats there, holds them or has asked for them; behind them who waits, in their order: seats are for those who have them. */
async function selectMoving(call: MemberCall, departureId: string): Promise<MovingParty[]> {
  const { rows } = await sql<MovingParty>`
    select id, version, pax, status from bookings where org_id = ${call.orgId} and departure_id = ${departureId}
      and status in ('confirmed', 'on_hold', 'requested', 'waitlisted') order by waitlist_rank nulls first, id`.execute(
    call.tx,
  )
  return rows
}
