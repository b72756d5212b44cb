import type { Given } from '@tour-ops/contract/callable'
import type { giveFeedback, SharedFeedback } from '@tour-ops/contract/links/shared-page'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { type OpenLink, linkOver, partyOf } from '../../platform/operations/open-link.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { tookPart } from '../../platform/operations/took-part.ts'
import { updateVersioned, assigned } from '../../platform/version-conflict.ts'

type Opinion = Omit<Given<typeof giveFeedback>, 'token' | 'version' | 'idempotencyKey'>

interface AskedRow {
  guideId: string | null
  guideName: string | null
  id: string | null
  version: number | null
  tourRating: number | null
  guideRating: number | null
  nps: number | null
  comment: string | null
}

/** Whom the party is asked about, and what it has said; undefined before the tour is over, and for a party that was not there. */
async function selectAsked(tx: Tx, link: OpenLink): Promise<AskedRow | undefined> {
  const { orgId, departureId } = link
  const { rows } = await sql<AskedRow>`
    select guide.id as "guideId", guide.first_name as "guideName", f.id, f.version, f.tour_rating as "tourRating", f.guide_rating as "guideRating", f.nps, f.comment
    from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id
      left join lateral (select s.id, s.first_name from assignments a join field_staff s on s.org_id = a.org_id and s.id = a.staff_id
        where a.org_id = d.org_id and a.departure_id = d.id and a.status in ${statuses.binding} and a.role in ('lead_guide', 'tour_leader', 'guide')
        order by array_position(array['lead_guide', 'tour_leader', 'guide'], a.role), a.id limit 1) guide on true
      left join feedback f on f.org_id = b.org_id and f.booking_id = b.id and f.departure_id = d.id and f.source = 'link'
    where b.org_id = ${orgId} and b.id = ${partyOf(link)} and d.id = ${departureId} and d.status = 'completed' and ${tookPart}`.execute(
    tx,
  )
  return rows[0]
}

const mayAsk = (link: OpenLink): boolean => partyOf(link) !== null && link.scopes.feedback

/** The question how it was, with what the party has said; null on other links, and where nobody is asked. */
export async function selectGuestFeedback(tx: Tx, link: OpenLink): Promise<SharedFeedback | null> {
  const asked = mayAsk(link) ? await selectAsked(tx, link) : undefined
  if (!asked) return null
  const { guideName, version, tourRating, guideRating, nps, comment } = asked
  return {
    guideName,
    said: version === null || tourRating === null ? null : { version, tourRating, guideRating, nps, comment },
  }
}

/**
 * Writes what the party says. Somebody of the party who was faster, on another phone, is not overwritten.
 *
 * @param seen Version of what was said before; null where nothing was.
 * @throws AppError `not-found` where nobody is asked; `aborted`, reason `version_conflict` or `conflict`.
 */
export async function writeGuestFeedback(
  tx: Tx,
  link: OpenLink,
  seen: number | null,
  opinion: Opinion,
): Promise<SharedFeedback> {
  const asked = mayAsk(link) ? await selectAsked(tx, link) : undefined
  if (!asked) throw linkOver()
  const { orgId, departureId, language } = link
  const guideRating = asked.guideId === null ? null : opinion.guideRating
  const said = {
    tour_rating: opinion.tourRating,
    guide_rating: guideRating,
    nps: opinion.nps,
    comment: opinion.comment,
  }
  if (seen === null) {
    const { rows } = await sql`
      insert into feedback (org_id, id, departure_id, booking_id, staff_id, tour_rating, guide_rating, nps, comment, language)
      values (${orgId}, ${newId()}, ${departureId}, ${partyOf(link)}, ${asked.guideId}, ${said.tour_rating}, ${said.guide_rating}, ${said.nps}, ${said.comment}, ${language})
      on conflict (org_id, booking_id, departure_id) where source = 'link' and booking_id is not null do nothing returning id`.execute(
      tx,
    )
    if (rows.length === 0) throw refuse('conflict')
  } else {
    if (asked.id === null) throw linkOver()
    await updateVersioned(tx, 'feedback', { orgId, id: asked.id, version: seen }, assigned(said))
  }
  const written = await selectGuestFeedback(tx, link)
  if (!written) throw linkOver()
  return written
}
