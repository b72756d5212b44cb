import type { AppError } from '@tour-ops/contract/errors'
import { refuse, type RefusalParams } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { iso } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { lockSeats, type LockedDeparture } from '../../platform/operations/seats.ts'
import { hasStatus, notLeftStatuses, openStatuses, type StatusOf } from '@tour-ops/contract/state-machines'

/** The departure, locked, with seats of expired holds released. @throws AppError `not-found`. */
export async function lockOne(call: SeatCall, departureId: string): Promise<LockedDeparture> {
  const departure = (await lockSeats(call, [departureId])).get(departureId)
  if (!departure) throw notFound('departure')
  return departure
}

/** Refuses departures that have left, are over or are cancelled. @throws AppError `aborted`, reason `sales_closed`. */
export function requireSold(departure: LockedDeparture): void {
  if (hasStatus(notLeftStatuses, departure.status)) return
  throw salesClosed(departure, 'status')
}

/**
 * Refuses what is no longer sold. The cut-off applies to everybody but walk-ins.
 *
 * @throws AppError `aborted`, reason `sales_closed`, with `because`.
 */
export function requireOnSale(departure: LockedDeparture, now: Date, channel: string): void {
  requireSold(departure)
  if (departure.salesStatus !== 'open') throw salesClosed(departure, departure.salesStatus)
  if (channel !== 'walk_in' && departure.cutoffAt !== null && now >= departure.cutoffAt) {
    throw salesClosed(departure, 'cutoff')
  }
}

const salesClosed = ({ code, status }: LockedDeparture, because: RefusalParams<'sales_closed'>['because']): AppError =>
  refuse('sales_closed', { because, code, status })

/**
 * Refuses a party that does not fit, with what is left and the place on the waitlist.
 *
 * @param hasSeats Whether the party has seats there already, and asks for more.
 * @throws AppError `aborted`, reason `seats_exhausted`. See docs/domain.md, "Seats, holds and the waitlist".
 */
export async function requireSeats(
  call: SeatCall,
  departure: LockedDeparture,
  asked: number,
  hasSeats = false,
): Promise<void> {
  const seatsLeft = hasSeats ? departure.seatsFree : departure.seatsLeft
  if (asked <= seatsLeft) return
  const { rows } = await sql<{ at: Date | null }>`select max(coalesce(confirmed_at, created_at)) as at from bookings
    where org_id = ${call.orgId} and departure_id = ${departure.id} and status in ('on_hold', 'confirmed')`.execute(
    call.tx,
  )
  const lastSoldAt = rows[0]?.at ?? null
  throw refuse('seats_exhausted', {
    seatsLeft,
    asked,
    waitlistRank: departure.waitlistCount + 1,
    lastSoldAt: lastSoldAt && iso(lastSoldAt),
    departureId: departure.id,
  })
}

/** A party that has confirmed is also brought back to a departure that was cancelled, to be moved from there. */
export const isStillAhead = (departure: string, was: StatusOf<'bookings'>): boolean =>
  hasStatus(openStatuses, departure) || (departure === 'cancelled' && was === 'confirmed')
