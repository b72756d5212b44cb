import { answerProposal, listProposals, sendProposals } from '@tour-ops/contract/bookings/proposals'
import type { Given } from '@tour-ops/contract/callable'
import { fieldError } from '@tour-ops/contract/field-rules'
import { answerSharedProposal } from '@tour-ops/contract/links/shared-page'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { addMinutes } from '../../platform/local-time.ts'
import { openForGuest } from '../../platform/operations/guest-link.ts'
import { linkOver } from '../../platform/operations/open-link.ts'
import { selectOpenProposal, withdrawProposals } from '../../platform/operations/proposals.ts'
import { type LockedDeparture, promoteWaitlist } from '../../platform/operations/seats.ts'
import { tellProposal } from '../../platform/operations/tell-guests.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { answerOpenProposal } from './answer-proposal.ts'
import { lockBookings } from './bookings-changes.ts'
import { selectTerms } from './selling-terms.ts'
import type { BookingRecord } from './bookings-store.ts'
import { requireUnbooked } from './guests.ts'
import { travelersOf } from './move-party.ts'
import { priceThereMinor } from './price-there.ts'
import { selectProposals } from './proposals-store.ts'
import { selectSold } from './sold-party.ts'
import { lockOne, requireOnSale, requireSeats } from './seat-rules.ts'

const list = verb(listProposals, async (call, { departureId }) => selectProposals(call, departureId))

type Wanted = Given<typeof sendProposals>

/** All parties or none: seats are held for each in the step that looks whether there are enough for all. */
const send = verb(sendProposals, async (call, wanted) => {
  const { departureId, parties } = wanted
  const targetIds = [...new Set(parties.flatMap(({ toDepartureId }) => toDepartureId ?? []))]
  const { bookings, departures } = await lockBookings(call, parties, departureId, ...targetIds)
  const cancelled = departures.get(departureId)
  if (!cancelled) throw notFound('departure')
  if (targetIds.some((id) => !departures.has(id))) throw notFound('departure')
  for (const booking of bookings) requireStranded(booking, cancelled)
  // seats that were proposed to them before are free for what is proposed now
  const held = await withdrawProposals(
    call,
    parties.map(({ id }) => id),
  )
  const targets = new Map<string, LockedDeparture>()
  for (const id of targetIds) targets.set(id, await lockTarget(call, wanted, bookings, id))
  for (const [index, booking] of bookings.entries()) {
    const target = targets.get(parties[index]?.toDepartureId ?? '')
    await propose(call, wanted, { booking, cancelled, target, path: `parties.${index}.toDepartureId` })
  }
  for (const id of held) await promoteWaitlist(call, id)
  return { asked: bookings.length }
})

function requireStranded(booking: BookingRecord, cancelled: LockedDeparture): void {
  const isStranded =
    cancelled.status === 'cancelled' && booking.departureId === cancelled.id && booking.status === 'confirmed'
  if (!isStranded) throw refuse('departure_not_cancelled')
}

/** @throws AppError where it is not on sale, or has too few seats for those who are proposed it. */
async function lockTarget(
  call: MemberCall,
  { parties }: Wanted,
  bookings: readonly BookingRecord[],
  id: string,
): Promise<LockedDeparture> {
  const target = await lockOne(call, id)
  requireOnSale(target, call.clock.now(), 'walk_in')
  const seats = bookings.reduce((sum, { pax }, index) => sum + (parties[index]?.toDepartureId === id ? pax : 0), 0)
  await requireSeats(call, target, seats)
  return target
}

interface Proposed {
  readonly booking: BookingRecord
  readonly cancelled: LockedDeparture
  /** Undefined: the refund. */
  readonly target: LockedDeparture | undefined
  readonly path: string
}

async function propose(
  call: MemberCall,
  { atPriceThere, hours, tellGuests }: Wanted,
  { booking, cancelled, target, path }: Proposed,
): Promise<void> {
  const isOtherTour = target !== undefined && target.tourId !== cancelled.tourId
  const isCharged = isOtherTour && atPriceThere
  const amountMinor = target && (isCharged ? await amountThere(call, booking.id, target) : booking.amountTotalMinor)
  if (amountMinor === null) throw fieldError(path, 'unit_not_sold')
  if (target) await requireUnbooked(call, target.id, await travelersOf(call, booking.id))
  const id = newId()
  const now = call.clock.now()
  // the link of the guests is open until their tour would have been over
  const ends = [
    addMinutes(now, hours * 60),
    ...(target ? [target.startsAt] : []),
    ...(cancelled.endsAt > now ? [cancelled.endsAt] : []),
  ]
  const expiresAt = new Date(Math.min(...ends.map((end) => end.getTime())))
  await sql`insert into proposals (org_id, id, booking_id, from_departure_id, to_departure_id, seats, at_price_there, amount_minor, expires_at)
    values (${call.orgId}, ${id}, ${booking.id}, ${cancelled.id}, ${target?.id ?? null}, ${booking.pax}, ${isCharged}, ${amountMinor ?? null}, ${expiresAt})`.execute(
    call.tx,
  )
  if (!tellGuests) return
  const proposal = await selectOpenProposal(call.tx, call.orgId, sql<boolean>`p.id = ${id}`)
  if (proposal) await tellProposal(call, proposal)
}

async function amountThere(call: MemberCall, bookingId: string, departure: LockedDeparture): Promise<number | null> {
  const { prices } = await selectTerms(call, departure.id)
  return priceThereMinor(await selectSold(call, bookingId), prices)
}

const answer = verb(answerProposal, async (call, { id, answer: said, toDepartureId }) => {
  const { rows } = await sql<{ isChoiceKnown: boolean }>`
    select ${toDepartureId}::uuid is null or exists (select from departures d where d.org_id = p.org_id and d.id = ${toDepartureId}) as "isChoiceKnown"
    from proposals p where p.org_id = ${call.orgId} and p.id = ${id}`.execute(call.tx)
  const [known] = rows
  if (!known) throw notFound('proposal')
  if (!known.isChoiceKnown) throw notFound('departure')
  const how = { answer: said, toDepartureId, by: 'office' } as const
  return { departureCode: await answerOpenProposal(call, sql<boolean>`p.id = ${id}`, how) }
})

const answerOnLink = verb(answerSharedProposal, async (call, { token, answer: said, toDepartureId }) => {
  const link = await openForGuest(call, token)
  if (link.kind !== 'booking_guest' || !link.scopes.offer) throw linkOver()
  const code = await answerOpenProposal(
    { tx: call.tx, orgId: link.orgId, channels: call.channels, clock: call.clock },
    sql<boolean>`p.booking_id::text = ${link.subjectId}`,
    { answer: said, toDepartureId, by: 'guest' },
  )
  return { isMoved: code !== null }
})

export const proposalsVerbs: Verb[] = [list, send, answer, answerOnLink]
