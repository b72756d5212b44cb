import type { SharedProposal } from '@tour-ops/contract/links/shared-page'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso } from '../../platform/list-query.ts'
import type { OpenLink } from '../../platform/operations/open-link.ts'
import { selectAlternatives, selectOpenProposal } from '../../platform/operations/proposals.ts'

/** Departures that guests choose from: more would be a search. */
const choices = 8

/** What the party of the link is offered instead of its cancelled departure; null on other links, and once it has answered. */
export async function selectGuestProposal(tx: Tx, link: OpenLink): Promise<SharedProposal | null> {
  if (link.kind !== 'booking_guest' || !link.scopes.offer) return null
  const proposal = await selectOpenProposal(tx, link.orgId, sql<boolean>`p.booking_id::text = ${link.subjectId}`)
  if (!proposal) return null
  const { rows } = await sql<Pick<SharedProposal, 'amountMinor' | 'refundMinor' | 'currency'>>`
    select amount_total_minor as "amountMinor", amount_paid_minor as "refundMinor", currency from bookings
    where org_id = ${link.orgId} and id = ${proposal.bookingId}`.execute(tx)
  const [price] = rows
  if (!price) return null
  const { seats, expiresAt, to, fromDepartureId, bookingId } = proposal
  const alternatives = await selectAlternatives(tx, link.orgId, fromDepartureId, bookingId)
  return {
    seats,
    until: iso(expiresAt),
    proposed: to && { ...to, startsAt: iso(to.startsAt) },
    others: alternatives
      .filter(({ departureId, isOtherTour }) => !isOtherTour && departureId !== to?.departureId)
      .slice(0, choices)
      .map(({ departureId, startsAt, timeZone }) => ({ departureId, startsAt, timeZone })),
    ...price,
  }
}
