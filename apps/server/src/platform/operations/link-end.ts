import { maxLinkDays } from '@tour-ops/contract/links/links'
import { sql, type RawBuilder } from 'kysely'
import { statuses } from './status-sets.ts'

/**
 * The seat of a traveler `l.traveler_id` that their link shows: where they are now or within a day, where they were until two days ago, what
 * comes next, else the latest; one that they gave up only where there is no other.
 */
const shownSeat: RawBuilder<unknown> = sql`
    select e.booking_id, e.departure_id, not exists (select from manifest_entries o where o.org_id = e.org_id and o.booking_id = e.booking_id
        and o.departure_id = e.departure_id and o.traveler_id <> e.traveler_id and o.status <> 'cancelled') and k.pax <= 1 as is_alone,
      first_value(x.id) over (order by e.status = 'cancelled' or k.status in ${statuses.ended} or x.status = 'cancelled', x.ends_at desc, e.id) as last_id
    from manifest_entries e
      join departures x on x.org_id = e.org_id and x.id = e.departure_id and x.status <> 'draft'
      join bookings k on k.org_id = e.org_id and k.id = e.booking_id
    where e.org_id = l.org_id and e.traveler_id = l.traveler_id
    order by e.status = 'cancelled' or k.status in ${statuses.ended},
      case when x.status in ${statuses.running} then 0
        when x.status <> 'cancelled' and x.starts_at between app_now() and app_now() + interval '24 hours' then 1
        when x.starts_at <= app_now() and x.ends_at > app_now() - interval '48 hours' then 2
        when x.status <> 'cancelled' and x.starts_at > app_now() then 3
        when x.starts_at > app_now() then 4 else 5 end,
      case when x.starts_at > app_now() then x.starts_at end, x.starts_at desc, e.id
    limit 1`

/**
 * Joins booking `b` and departure `d` of a shared link `l`: the departure of its booking, whose party may have been moved since, that of the
 * seat which its traveler has now (`seat`), or the link's own; with the `last` departure of a traveler.
 */
export const linkDeparture: RawBuilder<unknown> = sql`
  left join lateral (${shownSeat}) seat on l.traveler_id is not null
  left join bookings b on b.org_id = l.org_id and b.id = case l.kind when 'booking_guest' then l.subject_id::uuid when 'traveler' then seat.booking_id end
  left join departures d on d.org_id = l.org_id and d.id = coalesce(b.departure_id, l.departure_id)
  left join departures last on last.org_id = l.org_id and last.id = seat.last_id`

/**
 * When a link `l` with its departure `d` ends (`linkDeparture`): as chosen, or two hours after its departure, of a traveler's the last one, however late that is. Never before
 * `expires_at`. Source: decision 0038.
 */
export const linkEnd: RawBuilder<Date> = sql<Date>`(case when l.traveler_id is null then shared_link_end(l, d) else shared_link_end(l, last) end)`

const dayMs = 86_400_000
/** A guest may still look something up after the tour. See docs/domain.md, "Shared links". */
const afterTourMs = 2 * 3_600_000

/** When a link ends at the earliest that nobody gave an end (`linkEnd`). A tour that is over can still be shown for as long. */
export function usualLinkEnd(now: Date, endsAt: Date): Date {
  const end = Math.max(now.getTime(), endsAt.getTime()) + afterTourMs
  return new Date(Math.min(end, now.getTime() + maxLinkDays * dayMs))
}
