import { maxLinkDays } from '@tour-ops/contract/links/links'
import { sql, type RawBuilder } from 'kysely'

/**
 * Joins booking `b` and departure `d` of a shared link `l`: the departure of its booking, whose party may have been moved since, or the
 * link's own.
 */
export const linkDeparture: RawBuilder<unknown> = sql`
  left join bookings b on b.org_id = l.org_id and b.id = case when l.kind = 'booking_guest' then l.subject_id::uuid end
  left join departures d on d.org_id = l.org_id and d.id = coalesce(b.departure_id, l.departure_id)`

/**
 * When a link `l` with its departure `d` ends: as chosen, or two hours after its departure, however late that is. Never before
 * `expires_at`. Source: decision 0038.
 */
export const linkEnd: RawBuilder<Date> = sql<Date>`shared_link_end(l, d)`

const dayMs = 86_400_000
/** A guest may still look something up after the tour. See docs/domain.md, "Shared links". */
const afterTourMs = 2 * 3_600_000

/** When a link ends at the earliest that nobody gave an end (`linkEnd`). A tour that is over can still be shown for as long. */
export function usualLinkEnd(now: Date, endsAt: Date): Date {
  const end = Math.max(now.getTime(), endsAt.getTime()) + afterTourMs
  return new Date(Math.min(end, now.getTime() + maxLinkDays * dayMs))
}
