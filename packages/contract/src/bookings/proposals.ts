import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, LocalDate, LocalTime, MoneyMinor, orNull, Version, whole, write } from '../fields.ts'
import { BookingRow, tellGuest } from './bookings.ts'

/**
 * How it is with a party of a cancelled departure. `unasked`: nothing is proposed, or no more; `settled`: the office moved or cancelled it without its
 * answer.
 */
export const proposalStates = ['unasked', 'open', 'expired', 'moved', 'refunded', 'settled'] as const
export type ProposalState = (typeof proposalStates)[number]

/** Hours in which parties can answer. */
export const answerHours = { usual: 24, choices: [4, 12, 24, 48, 72] } as const

/** Another departure that takes bookings and has seats. */
export const Alternative = z.object({
  departureId: Id,
  code: z.string(),
  tourName: z.string(),
  isOtherTour: z.boolean(),
  startsAt: Instant,
  timeZone: z.string(),
  localDate: LocalDate,
  startTimeLocal: LocalTime,
  seatsLeft: Count,
})
export type Alternative = z.output<typeof Alternative>

const PartyOfCancelled = z.object({
  ...z.pick(BookingRow, {
    id: true,
    version: true,
    bookingRef: true,
    contact: true,
    pax: true,
    amountTotalMinor: true,
    amountPaidMinor: true,
    currency: true,
  }).shape,
  state: z.enum(proposalStates),
  /** What is proposed at the moment, or was last; null where nothing was. */
  proposal: z.nullable(
    z.object({
      id: Id,
      /** Null where the refund is proposed. */
      toDepartureId: z.nullable(Id),
      expiresAt: Instant,
      endedAt: z.nullable(Instant),
      answeredBy: z.nullable(z.enum(['guest', 'office'])),
    }),
  ),
  /** The departure that it is on by now, or that is proposed; null for the cancelled one. */
  departure: z.nullable(z.object({ id: Id, code: z.string(), startsAt: Instant, timeZone: z.string() })),
  /** What it would pay on departures of other tours at the prices there; null where its seats are not sold there. */
  amountsThere: z.array(z.object({ departureId: Id, amountMinor: z.nullable(MoneyMinor) })),
})
export type PartyOfCancelled = z.output<typeof PartyOfCancelled>

export const listProposals = callable({
  name: 'proposals-list',
  kind: 'read',
  permission: 'bookings:manage',
  summary:
    'Parties of a cancelled departure with what they were offered and answered, and the departures that have seats, the nearest first.',
  input: z.object({ departureId: Id }),
  output: z.object({ parties: z.array(PartyOfCancelled), alternatives: z.array(Alternative) }),
  topics: ['bookings', 'departures', 'proposals', 'tour_options', 'tour_revisions', 'tours'],
})

export const sendProposals = callable({
  name: 'proposals-send',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Proposes to confirmed parties of a cancelled departure another one, whose seats are held for them, or their money back, and tells them. What was proposed to them before ends. Without enough seats: `aborted`, reason `seats_exhausted`.',
  input: write({
    departureId: Id,
    parties: z
      .array(
        z.object({
          id: Id,
          version: Version,
          /** Null: the refund. */
          toDepartureId: orNull(Id),
        }),
      )
      .check(z.minLength(1), z.maxLength(100)),
    /** On other tours seats cost what they do there; otherwise the price stays. */
    atPriceThere: z._default(z.boolean(), false),
    hours: z._default(whole(1, 14 * 24), answerHours.usual),
    tellGuests: tellGuest,
  }),
  output: z.object({ asked: Count }),
  writes: ['bookings', 'deliveries', 'departures', 'manifest_entries', 'messages', 'notification_rules', 'proposals'],
})

export const proposalAnswers = ['accept', 'other', 'refund'] as const

/** What a party chooses. */
export const ProposalAnswer = {
  answer: z.enum(proposalAnswers),
  /** With `other`: which one. */
  toDepartureId: orNull(Id),
}

interface Chosen {
  readonly answer: (typeof proposalAnswers)[number]
  readonly toDepartureId: string | null
}

/** `other` names its departure. */
export const namesDeparture = z.refine<Chosen>(
  ({ answer, toDepartureId }) => answer !== 'other' || toDepartureId !== null,
  { path: ['toDepartureId'], error: 'departure_missing' },
)

/** What an answer writes. */
export const answerWrites = [
  'bookings',
  'deliveries',
  'departures',
  'manifest_entries',
  'messages',
  'notification_rules',
  'proposals',
  'room_assignments',
] as const

export const answerProposal = callable({
  name: 'proposals-answer',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Answers an open proposal for the party, who has called for example. `aborted`, reason `proposal_over`, where it was answered or its time is over.',
  input: write({ id: Id, ...ProposalAnswer }).check(namesDeparture),
  output: z.object({ departureCode: z.nullable(z.string()) }),
  writes: [...answerWrites],
})

interface Wanting {
  readonly id: string
  readonly pax: number
}

/**
 * What is proposed unless somebody chooses otherwise: to each party in turn the first departure that still has seats for it, else null, the refund.
 *
 * @param alternatives In the order in which they suit.
 */
export function usualProposals(
  parties: readonly Wanting[],
  alternatives: readonly Pick<Alternative, 'departureId' | 'seatsLeft'>[],
): Map<string, string | null> {
  const left = new Map(alternatives.map(({ departureId, seatsLeft }) => [departureId, seatsLeft]))
  return new Map(
    parties.map(({ id, pax }) => {
      const found = alternatives.find(({ departureId }) => (left.get(departureId) ?? 0) >= pax)
      if (found) left.set(found.departureId, (left.get(found.departureId) ?? 0) - pax)
      return [id, found?.departureId ?? null]
    }),
  )
}
