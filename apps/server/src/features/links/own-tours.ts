import type { SharedPage } from '@tour-ops/contract/links/shared-page'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso } from '../../platform/list-query.ts'
import { meetingPointOf } from '../../platform/operations/meeting-point.ts'
import type { OpenLink } from '../../platform/operations/open-link.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

type OwnTour = SharedPage['ownTours'][number]

/** Tours that one page lists at most. */
const maxTours = 50

/** What the traveler of a link has booked and is still to come, besides the departure that the page shows; empty on other links. */
export async function selectOwnTours(tx: Tx, { orgId, travelerId, departureId }: OpenLink): Promise<OwnTour[]> {
  if (travelerId === null) return []
  const { rows } = await sql<Omit<OwnTour, 'startsAt'> & { startsAt: Date }>`
    select t.name as "tourName", coalesce(meeting.at, d.starts_at) as "startsAt", d.time_zone as "timeZone", meeting."placeName",
      d.status = 'cancelled' as "isCancelled"
    from manifest_entries e
      join bookings k on k.org_id = e.org_id and k.id = e.booking_id and k.status in ${statuses.sold}
      join departures d on d.org_id = e.org_id and d.id = e.departure_id
      join tours t on t.org_id = d.org_id and t.id = d.tour_id
      left join lateral (${meetingPointOf(orgId, sql`e.departure_id`, sql`e.booking_id`)}) meeting on true
    where e.org_id = ${orgId} and e.traveler_id = ${travelerId} and e.status <> 'cancelled' and d.id <> ${departureId}
      and d.status <> 'draft' and d.starts_at > app_now()
    order by d.starts_at, e.id limit ${maxTours}`.execute(tx)
  return rows.map((row) => ({ ...row, startsAt: iso(row.startsAt) }))
}
