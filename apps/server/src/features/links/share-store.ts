import { guestLinkKinds, LinkScopes } from '@tour-ops/contract/links/links'
import { type SharedPage } from '@tour-ops/contract/links/shared-page'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { selectMeetingPoint } from '../../platform/operations/meeting-point.ts'
import { leavesAt } from '../../platform/operations/stops-in-order.ts'
import { departureOf, headOf, type PageFacts, selectFacts, stateOf } from './share-facts.ts'
import { selectGuestEmails } from './guest-emails-choice.ts'
import { selectGuestDocuments } from './guest-documents.ts'
import { selectGuestFeedback } from './guest-feedback.ts'
import { selectGuestOffer } from './guest-offer.ts'
import { selectGuestParty } from './guest-party.ts'
import { selectGuestProposal } from './guest-proposal.ts'
import { selectGuestPosition } from './guest-position.ts'
import { selectGuestPayment } from './guest-payment.ts'
import { selectGuestNews } from './guest-news.ts'
import { selectGuestThread } from './guest-thread.ts'
import { selectOwnTours } from './own-tours.ts'
import { selectGuestRollCall } from './guest-roll-call.ts'
import { type AnyLink, isOfDeparture, type OpenLink } from '../../platform/operations/open-link.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

function stateFor(facts: PageFacts): SharedPage['state'] {
  const { bookingHasEnded, bookingWaits } = facts
  if (bookingHasEnded) return 'not_booked'
  const state = stateOf(facts)
  return bookingWaits && (state === 'before' || state === 'during') ? 'waiting' : state
}

/** Who has no seats, any more or yet, learns whom to call, where the link says that, and nothing of the day. */
const withoutSeats = ({ contacts }: LinkScopes): LinkScopes =>
  LinkScopes.parse({ map: false, stops: false, crew: false, contacts })

/** A link of somebody who takes part in a departure. */
export type GuestLink = OpenLink & { readonly kind: SharedPage['kind'] }

export const isGuestLink = (link: AnyLink): link is GuestLink =>
  isOfDeparture(link) && (guestLinkKinds as readonly string[]).includes(link.kind)

/** The page of a link, with what its scopes allow and nothing more. */
export async function selectPageOf(
  tx: Tx,
  opened: GuestLink,
  now: Date,
): Promise<Omit<SharedPage, 'isPreview'> | undefined> {
  const facts = await selectFacts(tx, opened)
  if (!facts) return undefined
  const hasNoSeats = facts.bookingHasEnded || facts.bookingWaits
  const link = hasNoSeats ? { ...opened, scopes: withoutSeats(opened.scopes) } : opened
  const { scopes } = link
  return {
    kind: link.kind,
    ...headOf(facts, facts.timeZone, link, now),
    state: stateFor(facts),
    departure: { ...departureOf(facts), vehicleName: scopes.crew ? facts.vehicleName : null },
    meeting: hasNoSeats ? null : await selectMeeting(tx, link),
    position: await selectGuestPosition(tx, link),
    stops: scopes.stops ? await selectStops(tx, link) : [],
    crew: scopes.crew ? await selectCrew(tx, link) : [],
    meetingNote: facts.meetingNote,
    whatToBring: facts.whatToBring,
    guests: scopes.manifestNames || link.kind === 'booking_guest' ? await selectGuests(tx, link) : [],
    bookingRef: facts.bookingRef,
    rollCall: await selectGuestRollCall(tx, link),
    party: await selectGuestParty(tx, link),
    offer: await selectGuestOffer(tx, link),
    proposal: await selectGuestProposal(tx, link),
    feedback: await selectGuestFeedback(tx, link),
    payment: await selectGuestPayment(tx, link),
    news: await selectGuestNews(tx, opened),
    documents: await selectGuestDocuments(tx, opened),
    // a party that has no seats any more still asks about its money
    thread: await selectGuestThread(tx, opened),
    emails: await selectGuestEmails(tx, link),
    ownTours: await selectOwnTours(tx, opened),
  }
}

export async function selectMeeting(tx: Tx, link: OpenLink): Promise<SharedPage['meeting']> {
  const { orgId, departureId, bookingId, scopes } = link
  const row = await selectMeetingPoint(tx, orgId, departureId, bookingId)
  if (!row) return null
  const place = scopes.map ? { lat: row.lat, lng: row.lng } : { lat: null, lng: null }
  const { placeName, address, isPickup, isPast, stopsBefore, at, expectedAt } = row
  return { placeName, address, isPickup, isPast, stopsBefore, ...place, at: iso(at), expectedAt: iso(expectedAt) }
}

interface StopRow extends Omit<
  SharedPage['stops'][number],
  'plannedAt' | 'etaAt' | 'arrivedAt' | 'departedAt' | 'leavesAt'
> {
  plannedAt: Date
  etaAt: Date | null
  arrivedAt: Date | null
  departedAt: Date | null
  leavesAt: Date | null
}

/** Guests see the way without the other parties' pickups; the crew's run sheet shows everything. */
export async function selectStops(
  tx: Tx,
  { orgId, kind, departureId, scopes }: OpenLink,
): Promise<SharedPage['stops']> {
  const isForCrew = kind === 'staff_runsheet'
  const { rows } = await sql<StopRow>`
    select s.id, p.name, s.kind, s.status, s.planned_arrive_at as "plannedAt", s.eta_at as "etaAt", s.actual_arrive_at as "arrivedAt",
      s.actual_depart_at as "departedAt", (extract(epoch from s.planned_depart_at - s.planned_arrive_at) / 60)::int as "stayMin",
      s.travel_mode as "travelMode",
      ${leavesAt(sql`d.actual_start_at`)} as "leavesAt", p.lat, p.lng
    from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
      join departures d on d.org_id = s.org_id and d.id = s.departure_id
    where s.org_id = ${orgId} and s.departure_id = ${departureId} and (${isForCrew} or (s.guest_visible and (s.kind <> 'pickup' or ${scopes.pickups}) and s.status <> 'skipped'))
    order by s.stop_order`.execute(tx)
  return rows.map((row) => ({
    ...row,
    ...(scopes.map ? {} : { lat: null, lng: null }),
    plannedAt: iso(row.plannedAt),
    etaAt: isoOrNull(row.etaAt),
    arrivedAt: isoOrNull(row.arrivedAt),
    departedAt: isoOrNull(row.departedAt),
    leavesAt: isoOrNull(row.leavesAt),
  }))
}

async function selectCrew(tx: Tx, { orgId, departureId }: OpenLink): Promise<SharedPage['crew']> {
  const { rows } = await sql<SharedPage['crew'][number]>`
    select f.first_name as "firstName", a.role,
      coalesce((select jsonb_agg(spoken ->> 'tag') from jsonb_array_elements(f.languages) spoken), '[]') as languages
    from assignments a join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
    where a.org_id = ${orgId} and a.departure_id = ${departureId} and a.status in ${statuses.binding} and a.role <> 'backup'
    order by array_position(array['lead_guide', 'tour_leader', 'guide', 'driver', 'porter'], a.role), f.first_name, a.id`.execute(
    tx,
  )
  return rows
}

/** First names only: a guest never learns another guest's surname. See docs/domain.md, "Shared links". */
async function selectGuests(tx: Tx, { orgId, kind, subjectId, departureId }: OpenLink): Promise<SharedPage['guests']> {
  const { rows } = await sql<SharedPage['guests'][number]>`
    select coalesce(nullif(v.preferred_name, ''), v.first_name) as "firstName", e.status
    from manifest_entries e join travelers v on v.org_id = e.org_id and v.id = e.traveler_id
    where e.org_id = ${orgId} and e.departure_id = ${departureId} and e.status <> 'cancelled'
      and (${kind !== 'booking_guest'} or e.booking_id::text = ${subjectId})
    order by 1, e.id`.execute(tx)
  return rows
}
