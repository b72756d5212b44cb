import type { Audience } from '@tour-ops/contract/notifications/guest-messages'
import { type RawBuilder, sql } from 'kysely'
import { statuses } from './status-sets.ts'

/** Without what is sent to them. */
type Meant = Omit<Audience, 'documentId'>

/**
 * Whether a booking `b` is among those that a message is for: those that were chosen, and of the chosen departures those that are confirmed
 * or over. The others are who holds seats or waits, and who did until the departure was cancelled. Messages that were
 * stored before there was `onlyAboard` do not have it.
 */
export const isMeant = ({
  departureIds,
  bookingIds,
  withUnconfirmed,
  onlyAboard,
}: Meant): RawBuilder<boolean> => sql<boolean>`
  (b.id = any (${bookingIds}::uuid[]) or b.departure_id = any (${departureIds}::uuid[]) and ${
    onlyAboard
      ? sql<boolean>`b.status in ${statuses.sold} and ${guestsAboard} > 0`
      : sql<boolean>`(b.status in ${statuses.sold} or ${withUnconfirmed}::boolean and (b.status in ('on_hold', 'requested', 'waitlisted')
      or b.status = 'cancelled' and b.cancel_reason = 'departure_cancelled'))`
  })`

/** Guests of a booking `b` who are aboard. */
const guestsAboard: RawBuilder<number> = sql<number>`(select count(*)::int from manifest_entries aboard
  where aboard.org_id = b.org_id and aboard.booking_id = b.id and aboard.status in ${statuses.aboard})`

/** How many guests of a booking `b` a message is for: its seats, or those who are aboard where it is only for them. */
export const guestsMeant = ({
  bookingIds,
  onlyAboard,
}: Pick<Audience, 'bookingIds' | 'onlyAboard'>): RawBuilder<number> =>
  onlyAboard
    ? sql<number>`case when b.id = any (${bookingIds}::uuid[]) then b.pax else ${guestsAboard} end`
    : sql<number>`b.pax`
