import type { StatusOf } from '@tour-ops/contract/state-machines'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { SeatCall } from './seat-call.ts'
import { seatsLeftOf } from './seats-left.ts'
import { statuses } from './status-sets.ts'
import { tellOffer } from './tell-guests.ts'

/** A departure whose seats nobody else can change until the transaction ends. */
export interface LockedDeparture {
  id: string
  code: string
  tourId: string
  tourName: string
  revisionId: string
  status: string
  salesStatus: StatusOf<'departure_sales'>
  startsAt: Date
  endsAt: Date
  cutoffAt: Date | null
  /** For a party that has none yet: of a private departure none as soon as anybody has some. */
  seatsLeft: number
  /** For the party that has seats already. */
  seatsFree: number
  waitlistCount: number
}

/**
 * Locks departures, gives back the seats of holds that have expired by the database's clock, and offers them to those who wait,
 * before anybody reads what is left. Several are locked in one order, so that two moves in opposite directions wait for each
 * other instead of deadlocking. Ids that do not exist are missing from the answer.
 */
export async function lockSeats(call: SeatCall, ids: readonly string[]): Promise<Map<string, LockedDeparture>> {
  const { tx, orgId } = call
  const wanted = [...new Set(ids)]
  const { rows } = await sql<{ id: string; hasExpired: boolean }>`
    select d.id, exists (select from bookings b where b.org_id = d.org_id and b.departure_id = d.id and b.status = 'on_hold'
      and b.expires_at <= app_now())
      or exists (select from proposals p where p.org_id = d.org_id and coalesce(p.to_departure_id, p.from_departure_id) = d.id and p.outcome is null
        and p.expires_at <= app_now())
      or exists (select from form_holds f where f.org_id = d.org_id and f.departure_id = d.id and f.expires_at <= app_now()) as "hasExpired"
    from departures d where d.org_id = ${orgId} and d.id = any (${wanted}::uuid[]) order by d.id for no key update of d`.execute(
    tx,
  )
  // A hold may have been made while we waited for the lock, but none can have expired meanwhile: app_now() does not move within a transaction.
  const stale = rows.filter((row) => row.hasExpired).map((row) => row.id)
  if (stale.length > 0) await expireHolds(tx, orgId, stale)
  for (const id of stale) await promoteWaitlist(call, id)
  return readSeats(tx, orgId, wanted)
}

async function readSeats(tx: Tx, orgId: string, ids: readonly string[]): Promise<Map<string, LockedDeparture>> {
  const { rows } = await sql<LockedDeparture>`
    select d.id, d.code, d.tour_id as "tourId", t.name as "tourName", d.revision_id as "revisionId", d.status, d.sales_status as "salesStatus",
      d.starts_at as "startsAt", d.ends_at as "endsAt", d.cutoff_at as "cutoffAt", d.waitlist_count as "waitlistCount",
      ${seatsLeftOf(sql`d`)} as "seatsLeft",
      greatest(0, d.capacity + d.overbook_limit - d.seats_confirmed - d.seats_held) as "seatsFree"
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where d.org_id = ${orgId} and d.id = any (${[...ids]}::uuid[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Ends holds whose time is over, and takes their guests off the manifest; what is proposed to parties of cancelled departures, and what forms hold that nobody has open any more. */
async function expireHolds(tx: Tx, orgId: string, departureIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update bookings set status = 'expired' where org_id = ${orgId} and departure_id = any (${[...departureIds]}::uuid[])
      and status = 'on_hold' and expires_at <= app_now() returning id`.execute(tx)
  await releaseGuests(
    tx,
    orgId,
    rows.map((row) => row.id),
  )
  await sql`update proposals set outcome = 'expired', ended_at = app_now()
    where org_id = ${orgId} and coalesce(to_departure_id, from_departure_id) = any (${[...departureIds]}::uuid[]) and outcome is null
      and expires_at <= app_now()`.execute(tx)
  await sql`delete from form_holds where org_id = ${orgId} and departure_id = any (${[...departureIds]}::uuid[])
    and expires_at <= app_now()`.execute(tx)
}

/** Takes the guests of bookings off the manifest; those who were aboard or marked as not come stay as they are. */
export async function releaseGuests(tx: Tx, orgId: string, bookingIds: readonly string[]): Promise<void> {
  if (bookingIds.length === 0) return
  await sql`update manifest_entries set status = 'cancelled'
    where org_id = ${orgId} and booking_id = any (${[...bookingIds]}::uuid[]) and status = 'expected'`.execute(tx)
}

interface WaitingParty {
  id: string
  bookingRef: string
  pax: number
}

interface OpenDeparture {
  seatsLeft: number
  isPrivate: boolean
  expiresAt: Date
}

/**
 * Holds free seats for those who wait, first come first served, and writes to them; a party that does not fit lets smaller ones
 * pass. The caller has locked the departure. Offers end after the time that settings give, at the latest with the start.
 *
 * @returns references of the parties that now have a hold.
 * @see docs/domain.md, "Seats, holds and the waitlist"
 */
export async function promoteWaitlist(call: SeatCall, departureId: string): Promise<string[]> {
  const departure = await selectOpen(call, departureId)
  if (!departure || departure.seatsLeft <= 0) return []
  const { rows: waiting } = await sql<WaitingParty>`
    select id, booking_ref as "bookingRef", pax from bookings where org_id = ${call.orgId} and departure_id = ${departureId} and status = 'waitlisted'
    order by waitlist_rank nulls last, id`.execute(call.tx)
  const promoted = fitting(waiting, departure)
  if (promoted.length === 0) return []
  await sql`update bookings set status = 'on_hold', expires_at = ${departure.expiresAt}, offered_at = app_now(), waitlist_rank = null
    where org_id = ${call.orgId} and id = any (${promoted.map((party) => party.id)}::uuid[])`.execute(call.tx)
  // written in the same transaction as the seats: neither exists without the other
  for (const { id } of promoted) await tellOffer(call, id)
  return promoted.map((party) => party.bookingRef)
}

async function selectOpen({ tx, orgId }: SeatCall, departureId: string): Promise<OpenDeparture | undefined> {
  const { rows } = await sql<OpenDeparture>`
    select ${seatsLeftOf(sql`d`)} as "seatsLeft", d.private as "isPrivate",
      least(app_now() + make_interval(mins => s.waitlist_offer_minutes), d.starts_at) as "expiresAt"
    from departures d join org_settings s on s.org_id = d.org_id
    where d.org_id = ${orgId} and d.id = ${departureId} and d.waitlist_count > 0 and d.starts_at > app_now()
      and d.status in ${statuses.notLeft} and d.sales_status <> 'closed'`.execute(tx)
  return rows[0]
}

/** The parties that get seats, in their order. */
function fitting<P extends { readonly pax: number }>(waiting: readonly P[], departure: OpenDeparture): P[] {
  let left = departure.seatsLeft
  return waiting.filter((party) => {
    if (party.pax > left) return false
    left = departure.isPrivate ? 0 : left - party.pax
    return true
  })
}
