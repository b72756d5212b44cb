import { type RawBuilder, sql } from 'kysely'
import type { SeatCall } from '../../platform/operations/seat-call.ts'

/** The rank behind everybody who waits on a departure. */
export const lastRank = ({ orgId }: SeatCall, departureId: string): RawBuilder<number> =>
  sql`(select coalesce(max(w.waitlist_rank), 0) + 1 from bookings w where w.org_id = ${orgId} and w.departure_id = ${departureId})`
