import type { Alternative } from '@tour-ops/contract/bookings/proposals'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { iso } from '../list-query.ts'
import type { SeatCall } from './seat-call.ts'
import { seatsLeftOf } from './seats-left.ts'
import { statuses } from './status-sets.ts'

/** Whether a proposal `p` may still be answered. */
export const isOpenProposal: RawBuilder<boolean> = sql<boolean>`(p.outcome is null and p.expires_at > app_now())`

/** What a party of a cancelled departure may answer now. */
export interface OpenProposal {
  readonly id: string
  readonly bookingId: string
  readonly fromDepartureId: string
  readonly seats: number
  readonly expiresAt: Date
  readonly atPriceThere: boolean
  /** Null where the refund is proposed. */
  readonly to: {
    readonly departureId: string
    readonly tourName: string
    readonly startsAt: Date
    readonly timeZone: string
    readonly amountMinor: number
  } | null
}

interface OpenRow extends Omit<OpenProposal, 'to'> {
  toDepartureId: string | null
  tourName: string | null
  startsAt: Date | null
  timeZone: string | null
  amountMinor: number | null
}

/** @param which Over a proposal `p`. */
export async function selectOpenProposal(
  tx: Tx,
  orgId: string,
  which: RawBuilder<boolean>,
): Promise<OpenProposal | undefined> {
  const { rows } = await sql<OpenRow>`
    select p.id, p.booking_id as "bookingId", p.from_departure_id as "fromDepartureId", p.seats, p.expires_at as "expiresAt",
      p.at_price_there as "atPriceThere", p.to_departure_id as "toDepartureId", t.name as "tourName", d.starts_at as "startsAt",
      d.time_zone as "timeZone", p.amount_minor as "amountMinor"
    from proposals p left join departures d on d.org_id = p.org_id and d.id = p.to_departure_id
      left join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where p.org_id = ${orgId} and ${isOpenProposal} and ${which}`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const { toDepartureId, tourName, startsAt, timeZone, amountMinor, ...proposal } = row
  // all of them, or none
  const to =
    toDepartureId === null || tourName === null || startsAt === null || timeZone === null || amountMinor === null
      ? null
      : { departureId: toDepartureId, tourName, startsAt, timeZone, amountMinor }
  return { ...proposal, to }
}

/** Days around a cancelled departure in which others of its tour are offered instead. */
const daysAround = 14

type AlternativeRow = Omit<Alternative, 'startsAt'> & { startsAt: Date }

/**
 * Departures that can be booked now instead of a cancelled one: of its tour the nearest days first, then those of other tours on its day.
 *
 * @param forBookingId Those with seats for this booking, on which nobody of it is.
 */
export async function selectAlternatives(
  tx: Tx,
  orgId: string,
  departureId: string,
  forBookingId: string | null = null,
): Promise<Alternative[]> {
  const { rows } = await sql<AlternativeRow>`
    select c.id as "departureId", c.code, t.name as "tourName", c.tour_id <> d.tour_id as "isOtherTour", c.starts_at as "startsAt",
      c.time_zone as "timeZone", c.local_date as "localDate", to_char(c.local_start_time, 'HH24:MI') as "startTimeLocal",
      ${seatsLeftOf(sql`c`)} as "seatsLeft"
    from departures d
    join departures c on c.org_id = d.org_id and c.id <> d.id and c.local_date between d.local_date - ${daysAround}::int and d.local_date + ${daysAround}::int
      and (c.tour_id = d.tour_id or c.local_date = d.local_date)
    join tours t on t.org_id = c.org_id and t.id = c.tour_id
    where d.org_id = ${orgId} and d.id = ${departureId} and c.status in ${statuses.notLeft} and c.sales_status = 'open'
      and c.starts_at > app_now() and (c.cutoff_at is null or c.cutoff_at > app_now())
      and ${seatsLeftOf(sql`c`)} >= coalesce((select b.pax from bookings b where b.org_id = d.org_id and b.id = ${forBookingId}), 1)
      and not exists (select from manifest_entries m join manifest_entries there on there.org_id = m.org_id and there.traveler_id = m.traveler_id
        where m.org_id = d.org_id and m.booking_id = ${forBookingId} and m.status <> 'cancelled' and there.departure_id = c.id and there.status <> 'cancelled')
    order by c.tour_id <> d.tour_id, abs(c.local_date - d.local_date), abs(extract(epoch from c.starts_at - d.starts_at)), c.starts_at, c.id
    limit 60`.execute(tx)
  return rows.map((row) => ({ ...row, startsAt: iso(row.startsAt) }))
}

/** Other departures on which seats are held for bookings, with open proposals. */
export async function departuresHeldFor({ tx, orgId }: SeatCall, bookingIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct to_departure_id as id from proposals
    where org_id = ${orgId} and booking_id = any (${[...bookingIds]}::uuid[]) and outcome is null and to_departure_id is not null`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Ends what bookings are proposed, because something else is done with them. @returns the locked departures whose seats are free again. */
export async function withdrawProposals(call: SeatCall, bookingIds: readonly string[]): Promise<string[]> {
  const departureIds = await departuresHeldFor(call, bookingIds)
  await sql`update proposals set outcome = 'withdrawn', ended_at = app_now()
    where org_id = ${call.orgId} and booking_id = any (${[...bookingIds]}::uuid[]) and outcome is null`.execute(call.tx)
  return departureIds
}
