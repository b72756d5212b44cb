import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import {
  Count,
  CsvFile,
  Id,
  Instant,
  Language,
  LocalDate,
  LocalTime,
  optionalText,
  orNull,
  Saved,
  text,
  Version,
  whole,
  write,
  timeFormats,
} from '../fields.ts'
import { anyOf, exportInput, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { dietaryNeeds } from '../travelers/needs.ts'
import { TravelerFields } from '../travelers/travelers.ts'
import { staffRoles, tourStopKinds } from '../tours/tour-terms.ts'

export const linkKinds = [
  'departure_guest',
  'booking_guest',
  'traveler',
  'staff_runsheet',
  'supplier_manifest',
  'live_map',
  'report',
  'roll_call',
] as const
/** Kinds that can be made so far. */
export const creatableLinkKinds = ['departure_guest', 'booking_guest', 'staff_runsheet'] as const
export const linkStatuses = statusesOf('shared_links')

/** What the page of a link shows. */
export const LinkScopes = z.object({
  /** Coordinates of the places, for walking directions. */
  map: z._default(z.boolean(), true),
  stops: z._default(z.boolean(), true),
  /** Where the tour is while it is under way; needs `map`. */
  position: z._default(z.boolean(), false),
  /** First names, roles and languages of the crew, and the vehicle. */
  crew: z._default(z.boolean(), true),
  /** The office's phone. */
  contacts: z._default(z.boolean(), true),
  /** First names of the guests. */
  manifestNames: z._default(z.boolean(), false),
  /** Of a run sheet: the guide's phone with the guests' names and check-in, for a freelancer without an account. */
  checkin: z._default(z.boolean(), false),
  /** Of a booking: names and diet of the party, to be corrected and confirmed. Not on links that were sent out without it. */
  details: z._default(z.boolean(), false),
  /** Of a booking that has waited: seats that are held for it can be booked or left to others. Not on links that were sent out without it. */
  offer: z._default(z.boolean(), false),
  /** Of a booking: how it was, asked once the tour is over. Not on links that were sent out without it. */
  feedback: z._default(z.boolean(), false),
})
export type LinkScopes = z.output<typeof LinkScopes>

/** How much later guests see where the tour is, seconds; and how precisely, meters. Never at once and exactly: the crew has agreed to less. */
export const positionDelays = [60, 300, 900] as const
export const positionBlurs = [100, 500] as const

/** A link lives 400 days at most. See docs/domain.md, "Invariants", I12. */
export const maxLinkDays = 400

export const LinkRow = z.object({
  id: Id,
  version: Version,
  label: z.string(),
  kind: z.enum(linkKinds),
  status: z.enum(linkStatuses),
  subject: z.string(),
  departureId: z.nullable(Id),
  /** Of the departure that the page shows. */
  departureStatus: z.nullable(z.enum(statusesOf('departures'))),
  scopes: LinkScopes,
  positionDelayS: z.int(),
  positionBlurM: z.int(),
  language: z.nullable(z.string()),
  /** The last four characters of the newest token, to distinguish links. */
  tokenHint: z.nullable(z.string()),
  startsAt: Instant,
  expiresAt: Instant,
  createdByName: z.nullable(z.string()),
  createdAt: Instant,
  /** Visits; a page that stays open counts once. */
  viewCount: Count,
  lastViewedAt: z.nullable(Instant),
})
export type LinkRow = z.output<typeof LinkRow>

/** Whether a link has not ended: it is open, paused, or opens later. */
export const isLiveLink = ({ status }: Pick<LinkRow, 'status'>): boolean =>
  status === 'active' || status === 'paused' || status === 'scheduled'

/** What a list says of a link: the live page of a cancelled departure only says that it is cancelled. */
export const statusShown = (link: Pick<LinkRow, 'status' | 'departureStatus'>): LinkRow['status'] | 'cancelled' =>
  isLiveLink(link) && link.departureStatus === 'cancelled' ? 'cancelled' : link.status

/** What `statusShown` answers, for the filter. */
export const shownLinkStatuses = [...linkStatuses, 'cancelled'] as const

export const linkFilters = {
  status: anyOf(z.enum(shownLinkStatuses)),
  kind: anyOf(z.enum(linkKinds)),
  departureId: anyOf(Id),
  /** Live links that end within 24 hours, and live links that nobody has opened. */
  expiring: z.optional(z.boolean()),
  neverOpened: z.optional(z.boolean()),
}
export const linkSortable = ['label', 'kind', 'status', 'expiresAt', 'createdAt', 'viewCount', 'lastViewedAt'] as const

export const listLinks = callable({
  name: 'links-list',
  kind: 'read',
  permission: 'links:read',
  summary: 'Shared links.',
  input: listInput(linkFilters, linkSortable),
  output: z.object({
    ...listOutput(LinkRow).shape,
    counts: z.object({ active: Count, expiring: Count, neverOpened: Count, viewsOfWeek: Count }),
  }),
  topics: ['bookings', 'departures', 'members', 'shared_link_tokens', 'shared_links', 'tours'],
})

export const exportLinks = callable({
  name: 'links-export',
  kind: 'read',
  permission: 'links:read',
  summary: 'The filtered links as CSV, without addresses.',
  input: exportInput(linkFilters, linkSortable),
  output: CsvFile,
  topics: [],
})

/** The token is returned once; the database stores its hash. */
const Issued = z.object({ id: Id, version: Version, token: z.string(), path: z.string() })

export const createLink = callable({
  name: 'links-create',
  kind: 'write',
  permission: 'links:manage',
  summary: 'Creates a public link to a departure, a booking or a run sheet.',
  input: write({
    kind: z.enum(creatableLinkKinds),
    /** Departure or booking, by kind. */
    subjectId: Id,
    label: text(120, 'link_unnamed'),
    scopes: z.prefault(LinkScopes, {}),
    positionDelayS: z._default(z.literal(positionDelays), 60),
    positionBlurM: z._default(z.literal(positionBlurs), 100),
    /** Left out: two hours after the departure has ended, however late that is. */
    expiresAt: z.optional(Instant),
    language: orNull(Language),
  }),
  output: Issued,
  repeated: 'same-answer-briefly',
  writes: ['shared_link_tokens', 'shared_links'],
})

export const copyLink = callable({
  name: 'links-copy',
  kind: 'write',
  permission: 'links:manage',
  summary: 'Issues one more token for the same link; `rotate` ends the older ones.',
  input: write({ id: Id, rotate: z._default(z.boolean(), false) }),
  output: Issued,
  repeated: 'same-answer-briefly',
  writes: ['shared_link_tokens'],
})

export const revokeLink = callable({
  name: 'links-revoke',
  kind: 'write',
  permission: 'links:manage',
  summary: 'Revokes links; open pages close within seconds.',
  input: write({ ids: z.array(Id).check(z.minLength(1), z.maxLength(200)) }),
  output: z.object({ changed: Count }),
  writes: ['shared_links'],
})

export const pauseLink = callable({
  name: 'links-pause',
  kind: 'write',
  permission: 'links:manage',
  summary: 'Pauses or resumes a link.',
  input: write({ id: Id, version: Version, paused: z.boolean() }),
  output: Saved,
  writes: ['shared_links'],
})

export const extendLink = callable({
  name: 'links-extend',
  kind: 'write',
  permission: 'links:manage',
  summary: 'Changes the expiry of a link, at most 400 days ahead.',
  input: write({ id: Id, version: Version, expiresAt: Instant }),
  output: Saved,
  writes: ['shared_links'],
})

export const linkAccesses = callable({
  name: 'links-accesses',
  kind: 'read',
  permission: 'links:read',
  summary: 'Who opened a link, by time, browser family and country; no addresses.',
  input: z.object({ id: Id }),
  output: z.object({
    accesses: z.array(
      z.object({ at: Instant, userAgentFamily: z.nullable(z.string()), country: z.nullable(z.string()) }),
    ),
  }),
  topics: [],
  rowTopics: ['shared_links'],
})

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

/** Names and diet of the people of the link's booking. */
export const SharedParty = z.object({
  /** They can be changed before this moment; null once the departure boards. */
  until: z.nullable(Instant),
  isOpen: z.boolean(),
  /** When a guest confirmed them last; null while somebody is not confirmed. */
  confirmedAt: z.nullable(Instant),
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

/** What a guest sees; fields outside the scopes of the link are null or empty. Never surnames of another party. */
export const SharedPage = z.object({
  kind: z.enum(linkKinds),
  /** The server's clock: minutes to go are counted against it. */
  now: Instant,
  /** What the sender chose; null leaves it to the guest's browser. */
  language: z.nullable(z.string()),
  organization: z.object({
    name: z.string(),
    phone: z.nullable(z.string()),
    /** When somebody answers the phone, as the clocks show it at the tour, where the reader is. */
    officeHours: z.object({ from: LocalTime, to: LocalTime }),
    timeFormat: z.enum(timeFormats),
  }),
  /** `not_booked`: the booking of the link was cancelled, has expired or was rejected. */
  state: z.enum(['before', 'during', 'after', 'cancelled', 'not_booked']),
  departure: z.object({
    code: z.string(),
    tourName: z.string(),
    startsAt: Instant,
    endsAt: Instant,
    /** When it really set out; null before. */
    startedAt: z.nullable(Instant),
    timeZone: z.string(),
    localDate: LocalDate,
    delaySeconds: z.int(),
    /** Up to here the organization calls it on time, minutes. */
    onTimeToleranceMin: Count,
    vehicleName: z.nullable(z.string()),
  }),
  /** Where and when this guest joins. */
  meeting: z.nullable(
    z.object({
      placeName: z.string(),
      address: z.nullable(z.string()),
      at: Instant,
      /** The plan plus the delay that is known. */
      expectedAt: Instant,
      isPickup: z.boolean(),
      /** The bus has been and gone. */
      isPast: z.boolean(),
      /** Stops that come before it and are not done. */
      stopsBefore: Count,
      lat: z.nullable(z.number()),
      lng: z.nullable(z.number()),
    }),
  ),
  /** Where the tour was a while ago, in the middle of a circle of this many meters. */
  position: z.nullable(z.object({ lat: z.number(), lng: z.number(), radiusM: Count, seenAt: Instant })),
  stops: z.array(
    z.object({
      id: Id,
      name: z.string(),
      kind: z.enum(tourStopKinds),
      status: z.enum(statusesOf('departure_stops')),
      plannedAt: Instant,
      etaAt: z.nullable(Instant),
      arrivedAt: z.nullable(Instant),
      departedAt: z.nullable(Instant),
      /** Of the stop where they are: when to be back. As `leavesAt` of the run sheet. */
      leavesAt: z.nullable(Instant),
      stayMin: Count,
      lat: z.nullable(z.number()),
      lng: z.nullable(z.number()),
    }),
  ),
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
  /** On the links of a booking with `feedback`, once the tour is over, for a party that took part. */
  feedback: z.nullable(SharedFeedback),
  expiresAt: Instant,
  /** A member of the organization looks at it: nothing that guests may do is done. */
  isPreview: z.boolean(),
})
export type SharedPage = z.output<typeof SharedPage>

export const getSharedPage = callable({
  name: 'share-get',
  kind: 'read',
  permission: 'public',
  summary:
    'The public page of a shared link. Unknown, early, paused, expired and revoked links answer the same `not-found`.',
  input: z.object({
    token: z.string().check(z.minLength(1), z.maxLength(200)),
    /**
     * Made by the tab for its visit. The first answer to it counts one view, and a repetition (the answer got lost on its way) no other.
     * Left out when an open page asks again.
     */
    visit: z.optional(z.string().check(z.minLength(16), z.maxLength(64))),
  }),
  output: SharedPage,
  topics: [],
})

export const answerRollCall = callable({
  name: 'share-answer',
  kind: 'write',
  permission: 'public',
  summary:
    'Records for people of the booking of the link whether they are safe. "I need help" alerts the office at once. Anything else answers `not-found`.',
  input: write({
    token: z.string().check(z.minLength(1), z.maxLength(200)),
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
    'Corrects and confirms names and diet of everybody in the party of the link, until a day before the departure. Anybody else answers `not-found`.',
  input: write({
    token: z.string().check(z.minLength(1), z.maxLength(200)),
    /** The whole party, as it is right. */
    people: z
      .array(z.object({ id: Id, version: Version, ...PartyDetails.shape }))
      .check(z.minLength(1), z.maxLength(500)),
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
    token: z.string().check(z.minLength(1), z.maxLength(200)),
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
  input: write({ token: z.string().check(z.minLength(1), z.maxLength(200)), take: z.boolean() }),
  output: z.object({ isBooked: z.boolean() }),
  writes: ['bookings', 'deliveries', 'departures', 'manifest_entries', 'messages', 'notification_rules'],
})
