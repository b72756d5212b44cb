import * as z from 'zod/mini'
import { answerWrites, namesDeparture, ProposalAnswer } from '../bookings/proposals.ts'
import { ThreadMessage, ThreadText } from '../bookings/booking-thread.ts'
import { BillingDocument, Printed } from '../bookings/billing.ts'
import { callable } from '../callable.ts'
import { Count, Id, Instant, optionalText, orNull, Version, whole, write } from '../fields.ts'
import { guestChannels } from '../notifications/phone-channels.ts'
import { statusesOf } from '../state-machines.ts'
import { dietaryNeeds } from '../travelers/needs.ts'
import { TravelerFields } from '../travelers/travelers.ts'
import { unitTypes } from '../units.ts'
import { staffRoles } from '../tours/tour-terms.ts'
import { LinkKey } from './link-key.ts'
import { guestLinkKinds } from './links.ts'
import { SharedManifest } from './shared-manifest.ts'
import { SharedMap } from './shared-map.ts'
import { SharedReport } from './shared-report.ts'
import { SharedDeparture, sharedHead, SharedMeeting, SharedStop } from './shared-parts.ts'

/** Answers that a guest gives; guests who have not answered have no entry. */
export const guestAnswers = ['safe', 'need_help'] as const

/** The question whether the people of a booking are safe, while the office asks it. */
export const SharedRollCall = z.object({
  askedAt: Instant,
  /** Why it is asked, in the office's words. */
  question: z.nullable(z.string()),
  people: z.array(
    z.object({
      id: Id,
      firstName: z.string(),
      /** Null while nobody has answered for them. */
      answer: z.nullable(z.enum(guestAnswers)),
    }),
  ),
})
export type SharedRollCall = z.output<typeof SharedRollCall>

/** What guests change of their own profile on the link of their booking. */
const PartyDetails = z.pick(TravelerFields, { firstName: true, lastName: true, dietary: true, dietaryNote: true })

/** People of one party at most; it names no more. */
const maxNamed = 500

/** Names and diet of the people of the link's booking. */
export const SharedParty = z.object({
  /** They can be changed before this moment; null once the departure boards. */
  until: z.nullable(Instant),
  isOpen: z.boolean(),
  /** When a guest confirmed them last; null while somebody is not confirmed. */
  confirmedAt: z.nullable(Instant),
  /** Kinds of the seats on which nobody is named yet, one for each seat. */
  openSeats: z.array(z.enum(unitTypes)),
  people: z.array(
    z.object({
      id: Id,
      version: Version,
      firstName: z.nullable(z.string()),
      lastName: z.string(),
      dietary: z.array(z.enum(dietaryNeeds)),
      dietaryNote: z.nullable(z.string()),
    }),
  ),
})
export type SharedParty = z.output<typeof SharedParty>

/** Seats that are held for the booking of the link, which has waited for them. */
export const SharedOffer = z.object({
  seats: Count,
  until: Instant,
  amountMinor: z.int(),
  currency: z.string(),
})
export type SharedOffer = z.output<typeof SharedOffer>

/** What the party of the link is offered instead of its departure, which was cancelled. */
export const SharedProposal = z.object({
  seats: Count,
  until: Instant,
  /** Null where the refund is proposed. */
  proposed: z.nullable(
    z.object({
      departureId: Id,
      tourName: z.string(),
      startsAt: Instant,
      timeZone: z.string(),
      /** What the party pays in all. */
      amountMinor: z.int(),
    }),
  ),
  /** Other departures of its tour with seats for it; the price stays. */
  others: z.array(z.object({ departureId: Id, startsAt: Instant, timeZone: z.string() })),
  amountMinor: z.int(),
  /** What goes back to it if it chooses the refund. */
  refundMinor: z.int(),
  currency: z.string(),
})
export type SharedProposal = z.output<typeof SharedProposal>

/** Days in which guests can say how it was, from when they are asked. */
export const feedbackDays = 14

/** What a party says of its tour. */
const Opinion = {
  /** Stars. */
  tourRating: whole(1, 5),
  /** Null where no guide is named, or nothing is said of them. */
  guideRating: orNull(whole(1, 5)),
  /** Whether they would recommend us, from "not at all" to "by all means". Source: Reichheld, "The One Number You Need to Grow", 2003. */
  nps: orNull(whole(0, 10)),
  comment: optionalText(2000),
}

/** The question how the tour was, once it is over. */
export const SharedFeedback = z.object({
  /** First name of who led it; null where nobody did. */
  guideName: z.nullable(z.string()),
  /** Null while nobody of the party has said anything. */
  said: z.nullable(
    z.object({
      version: Version,
      tourRating: z.int(),
      guideRating: z.nullable(z.int()),
      nps: z.nullable(z.int()),
      comment: z.nullable(z.string()),
    }),
  ),
})
export type SharedFeedback = z.output<typeof SharedFeedback>

/** Messages between the party of the link and the office, the oldest first. */
export const SharedThread = z.object({ messages: z.array(ThreadMessage) })
export type SharedThread = z.output<typeof SharedThread>

/** What the party of the link still pays, and how. */
const SharedPayment = z.object({ dueMinor: z.int(), currency: z.string(), note: z.string() })
export type SharedPayment = z.output<typeof SharedPayment>

/** An invoice, credit note or receipt of the booking of the link. */
const SharedDocument = z.extend(
  z.pick(BillingDocument, {
    id: true,
    kind: true,
    number: true,
    issuedOn: true,
    totalMinor: true,
    currency: true,
    cancelledByNumber: true,
  }),
  {
    /** Of a receipt whose payment was voided since. */
    isVoid: z.boolean(),
  },
)
export type SharedDocument = z.output<typeof SharedDocument>

/** What the office has written to the party of the link, alone or with others. */
const SharedNews = z.object({ id: Id, subject: z.string(), body: z.string(), at: Instant })
export type SharedNews = z.output<typeof SharedNews>

/** Which e-mails, or texts to their phone, the contact of the link's booking gets. */
export const SharedEmails = z.object({
  channel: z.enum(guestChannels),
  /** As far as it tells its owner which one it is: `a…@example.com`, `…118`. */
  address: z.string(),
  /** Reminders and questions do not come any more: only what they must know. */
  isOptedOut: z.boolean(),
  /** They wrote STOP: nothing comes until they write START. */
  isStopped: z.boolean(),
})
export type SharedEmails = z.output<typeof SharedEmails>

/** Another tour of the traveler of the link, which is still to come. */
const OwnTour = z.object({
  tourName: z.string(),
  startsAt: Instant,
  timeZone: z.string(),
  /** Where this traveler joins. */
  placeName: z.nullable(z.string()),
  isCancelled: z.boolean(),
})

/** What a guest sees; fields outside the scopes of the link are null or empty. Never surnames of another party. */
export const SharedPage = z.object({
  kind: z.enum(guestLinkKinds),
  ...sharedHead,
  /** `not_booked`: the booking of the link was cancelled, has expired or was rejected. `waiting`: it is on the waitlist. */
  state: z.enum(['before', 'during', 'after', 'cancelled', 'not_booked', 'waiting']),
  departure: z.extend(SharedDeparture, { vehicleName: z.nullable(z.string()) }),
  /** Where and when this guest joins. */
  meeting: z.nullable(SharedMeeting),
  /** Where the tour was a while ago, in the middle of a circle of this many meters. */
  position: z.nullable(z.object({ lat: z.number(), lng: z.number(), radiusM: Count, seenAt: Instant })),
  stops: z.array(SharedStop),
  crew: z.array(z.object({ firstName: z.string(), role: z.enum(staffRoles), languages: z.array(z.string()) })),
  /** How to find the meeting point. */
  meetingNote: z.nullable(z.string()),
  whatToBring: z.nullable(z.string()),
  guests: z.array(z.object({ firstName: z.string(), status: z.enum(statusesOf('manifest_entries')) })),
  /** Reference of the booking, which the crew scans; null on links that are not a booking's, and before it is booked. */
  bookingRef: z.nullable(z.string()),
  /** On the links of a booking only: other links do not know who reads them. */
  rollCall: z.nullable(SharedRollCall),
  /** On the links of a booking with `details`, until the tour begins. */
  party: z.nullable(SharedParty),
  /** On the links of a booking with `offer`, until they are taken, left, or no longer held. */
  offer: z.nullable(SharedOffer),
  /** On the links of a booking with `offer`, from when its cancelled departure is proposed another until it has answered. */
  proposal: z.nullable(SharedProposal),
  /** On the links of a booking with `feedback`, once the tour is over, for a party that took part. */
  feedback: z.nullable(SharedFeedback),
  /** On the links of a booking that is confirmed and not paid, where the organization says how that is paid at the start. */
  payment: z.nullable(SharedPayment),
  /** On the links of a booking with `messages`, the newest first. */
  news: z.array(SharedNews),
  /** On the links of a booking with `documents`, the newest first; also of one that has ended. */
  documents: z.array(SharedDocument),
  /** Null where guests cannot write. */
  thread: z.nullable(SharedThread),
  /** On the links of a booking whose contact has an e-mail address. */
  emails: z.nullable(SharedEmails),
  /** On the link of a traveler: what they have booked after this. */
  ownTours: z.array(OwnTour),
})
export type SharedPage = z.output<typeof SharedPage>

/** What the page of a link answers, by the kind of the link. */
export const SharedAnswer = z.discriminatedUnion('kind', [SharedPage, SharedManifest, SharedMap, SharedReport])
export type SharedAnswer = z.output<typeof SharedAnswer>

export const getSharedPage = callable({
  name: 'share-get',
  kind: 'read',
  permission: 'public',
  summary:
    'The public page of a shared link. Unknown, paused, expired and revoked links answer the same `not-found`; one that opens later says when.',
  input: z.object({
    token: LinkKey,
    /**
     * Made by the tab for its visit. The first answer to it counts one view, and a repetition (the answer got lost on its way) no other.
     * Left out when an open page asks again.
     */
    visit: z.optional(z.string().check(z.minLength(16), z.maxLength(64))),
  }),
  output: SharedAnswer,
  topics: [],
})

export const getSharedDocument = callable({
  name: 'share-document',
  kind: 'read',
  permission: 'public',
  summary:
    'One invoice, credit note or receipt of the booking of the link, with all that is printed on it. Any other document, and a link that does not show them, answers `not-found`.',
  input: z.object({ token: LinkKey, id: Id }),
  output: Printed,
  topics: [],
})

export const answerRollCall = callable({
  name: 'share-answer',
  kind: 'write',
  permission: 'public',
  summary:
    'Records for people of the booking of the link whether they are safe. "I need help" alerts the office at once. Anything else answers `not-found`.',
  input: write({
    token: LinkKey,
    people: z.array(Id).check(z.minLength(1), z.maxLength(50)),
    answer: z.enum(guestAnswers),
  }),
  output: SharedRollCall,
  writes: ['alerts', 'roll_call_responses'],
})

export const confirmParty = callable({
  name: 'share-confirm',
  kind: 'write',
  permission: 'public',
  summary:
    'Corrects and confirms names and diet of everybody in the party of the link, and names who comes on its other seats, until the hours before the departure that the settings say. Anybody else answers `not-found`.',
  input: write({
    token: LinkKey,
    /** The whole party, as it is right: everybody who was named before. */
    people: z.array(z.object({ id: Id, version: Version, ...PartyDetails.shape })).check(z.maxLength(maxNamed)),
    /** Who comes on seats that were open. */
    named: z._default(
      z.array(z.object({ unitType: z.enum(unitTypes), ...PartyDetails.shape })).check(z.maxLength(maxNamed)),
      [],
    ),
    /** How many seats were open when they were named: what was named meanwhile is not named twice. */
    openSeats: z._default(whole(0, maxNamed), 0),
  }),
  output: SharedParty,
  writes: ['manifest_entries', 'travelers'],
})

export const giveFeedback = callable({
  name: 'share-feedback',
  kind: 'write',
  permission: 'public',
  summary:
    'Says how the tour was, for the party of the link; what the party said before is replaced where it was seen. Anybody else answers `not-found`.',
  input: write({
    token: LinkKey,
    /** Of what the party has said before; null for the first time. */
    version: orNull(Version),
    ...Opinion,
  }),
  output: SharedFeedback,
  writes: ['feedback'],
})

export const answerOffer = callable({
  name: 'share-offer',
  kind: 'write',
  permission: 'public',
  summary:
    'Books the seats that are held for the booking of the link, or leaves them to others. Refused where they are no longer held: `aborted`, reason `offer_over`; anybody else is answered `not-found`.',
  input: write({ token: LinkKey, take: z.boolean() }),
  output: z.object({ isBooked: z.boolean() }),
  writes: ['bookings', 'deliveries', 'departures', 'manifest_entries', 'messages', 'notification_rules', 'proposals'],
})

export const answerSharedProposal = callable({
  name: 'share-proposal',
  kind: 'write',
  permission: 'public',
  summary:
    'Chooses for the party of the link, whose departure was cancelled, the departure that is proposed, another one with seats, or its money back. Refused where that was answered or its time is over: `aborted`, reason `proposal_over`; anybody else is answered `not-found`.',
  input: write({ token: LinkKey, ...ProposalAnswer }).check(namesDeparture),
  output: z.object({ isMoved: z.boolean() }),
  writes: [...answerWrites],
})

export const setGuestEmails = callable({
  name: 'share-emails',
  kind: 'write',
  permission: 'public',
  summary:
    'Says for the contact of the booking of the link that they want only the e-mails that are needed, or all of them again. Anybody else is answered `not-found`.',
  input: write({ token: LinkKey, isOptedOut: z.boolean() }),
  output: SharedEmails,
  writes: ['opt_outs'],
})

export const writeSharedMessage = callable({
  name: 'share-write',
  kind: 'write',
  permission: 'public',
  summary:
    'Writes a message of the party of the link to the office. More than ten within an hour are refused: `aborted`, reason `too_many_messages`; anybody else is answered `not-found`.',
  input: write({ token: LinkKey, body: ThreadText }),
  output: SharedThread,
  writes: ['booking_messages', 'deliveries', 'messages'],
})
