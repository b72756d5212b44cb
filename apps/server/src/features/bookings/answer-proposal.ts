import type { proposalAnswers } from '@tour-ops/contract/bookings/proposals'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import {
  departuresHeldFor,
  type OpenProposal,
  selectAlternatives,
  selectOpenProposal,
} from '../../platform/operations/proposals.ts'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { lockSeats, promoteWaitlist } from '../../platform/operations/seats.ts'
import { tellingChange } from '../../platform/operations/tell-guests.ts'
import { type BookingRecord, selectRecord } from './bookings-store.ts'
import { cancelParty } from './cancel-party.ts'
import { moveParty, requireNobodyAboard, samePlace } from './move-party.ts'
import { chargePriceThere } from './price-there.ts'
import { lockOne, requireOnSale, requireSeats, requireSold } from './seat-rules.ts'

export interface Answer {
  readonly answer: (typeof proposalAnswers)[number]
  readonly toDepartureId: string | null
  readonly by: 'guest' | 'office'
}

type AnswerCall = SeatCall & { readonly clock: Clock }

/**
 * Does what a party of a cancelled departure has chosen, once: whoever answers second, or too late, is told so. The departures are locked
 * first, as for every sale, and what has run out ends before it is read.
 *
 * @param which Over a proposal `p`.
 * @returns code of the departure that the party is on now; null for the refund.
 * @throws AppError `aborted`, reason `proposal_over`; `seats_exhausted` or `sales_closed` where the departure cannot be had any more.
 */
export async function answerOpenProposal(
  call: AnswerCall,
  which: RawBuilder<boolean>,
  wanted: Answer,
): Promise<string | null> {
  const proposal = await lockProposal(call, which, wanted.toDepartureId)
  const targetId = targetOf(proposal, wanted)
  const booking = await selectRecord(call, proposal.bookingId)
  await requireNobodyAboard(call, booking.id)
  if (wanted.answer === 'other') await requireOffered(call, proposal, targetId)
  await sql`update proposals set outcome = ${targetId === null ? 'refunded' : 'moved'}, ended_at = app_now(), answered_by = ${wanted.by}
    where org_id = ${call.orgId} and id = ${proposal.id}`.execute(call.tx)
  const code = targetId === null ? await refund(call, booking) : await moveTo(call, booking, proposal, targetId)
  if (proposal.to && proposal.to.departureId !== targetId) await promoteWaitlist(call, proposal.to.departureId)
  return code
}

async function lockProposal(
  call: AnswerCall,
  which: RawBuilder<boolean>,
  chosenId: string | null,
): Promise<OpenProposal> {
  const before = await selectOpenProposal(call.tx, call.orgId, which)
  if (!before) throw refuse('proposal_over')
  const held = await departuresHeldFor(call, [before.bookingId])
  await lockSeats(call, [before.fromDepartureId, ...held, ...(chosenId === null ? [] : [chosenId])])
  const proposal = await selectOpenProposal(call.tx, call.orgId, which)
  // another one was sent meanwhile, with seats that are not locked: it was not seen
  if (proposal?.id !== before.id) throw refuse('proposal_over')
  return proposal
}

/** Null for the refund: asked for, or accepted. */
function targetOf({ to }: OpenProposal, { answer, toDepartureId }: Answer): string | null {
  if (answer === 'other') return toDepartureId
  return answer === 'accept' && to ? to.departureId : null
}

/** Only what is offered to this party can be chosen instead. @throws AppError `invalid-argument` on `toDepartureId`. */
async function requireOffered(call: AnswerCall, proposal: OpenProposal, targetId: string | null): Promise<void> {
  const offered = await selectAlternatives(call.tx, call.orgId, proposal.fromDepartureId, proposal.bookingId)
  const isHeld = proposal.to?.departureId === targetId
  if (isHeld || offered.some(({ departureId, isOtherTour }) => departureId === targetId && !isOtherTour)) return
  throw fieldError('toDepartureId', 'departure_not_offered')
}

async function moveTo(
  call: AnswerCall,
  booking: BookingRecord,
  proposal: OpenProposal,
  targetId: string,
): Promise<string> {
  const target = await lockOne(call, targetId)
  const isHeld = proposal.to?.departureId === targetId
  // seats that were held are theirs, also where sales are closed by now
  if (isHeld) requireSold(target)
  else requireOnSale(target, call.clock.now(), 'direct')
  await requireSeats(call, target, booking.pax)
  await tellingChange(call, booking, true, async () => {
    if (isHeld && proposal.atPriceThere) await chargePriceThere(call, booking.id, target)
    await moveParty(call, booking, target, await samePlace(call, booking, target))
  })
  return target.code
}

async function refund(call: AnswerCall, booking: BookingRecord): Promise<null> {
  await cancelParty(call, booking, { reason: 'departure_cancelled', note: null, feeReason: null, tellGuest: true })
  return null
}
