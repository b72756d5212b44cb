import type { Audience } from '@tour-ops/contract/notifications/guest-messages'
import { type RawBuilder, sql } from 'kysely'
import { statuses } from './status-sets.ts'

/**
 * Whether a booking `b` is among those that a message is for: those that were chosen, and of the chosen departures those that are confirmed
 * or over. The others are who holds seats or waits, and who did until the departure was cancelled.
 */
export const isMeant = ({ departureIds, bookingIds, withUnconfirmed }: Audience): RawBuilder<boolean> => sql<boolean>`
  (b.id = any (${bookingIds}::uuid[]) or b.departure_id = any (${departureIds}::uuid[]) and (b.status in ${statuses.sold}
    or ${withUnconfirmed}::boolean and (b.status in ('on_hold', 'requested', 'waitlisted')
      or b.status = 'cancelled' and b.cancel_reason = 'departure_cancelled')))`
