import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, CsvFile, Id, Instant, Language, orNull, Saved, text, Version, write } from '../fields.ts'
import { anyOf, exportInput, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { ReportOfLink } from './report-of-link.ts'

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
export type LinkKind = (typeof linkKinds)[number]
/** Kinds that the office makes. */
export const creatableLinkKinds = [
  'departure_guest',
  'booking_guest',
  'traveler',
  'staff_runsheet',
  'supplier_manifest',
  'live_map',
  'report',
] as const
/** Kinds whose page is that of somebody who takes part in a departure, as a guest or in the crew. */
export const guestLinkKinds = ['departure_guest', 'booking_guest', 'traveler', 'staff_runsheet', 'roll_call'] as const
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
  /** First names of the guests; for a supplier their full names, as in a rooming list. */
  manifestNames: z._default(z.boolean(), false),
  /** For a supplier: how many guests need which diet, and how many do not walk easily. */
  needs: z._default(z.boolean(), false),
  /** For a supplier: the rooms of each night. */
  rooms: z._default(z.boolean(), false),
  /** For a supplier: where and when guests are picked up. */
  pickups: z._default(z.boolean(), false),
  /** Of a run sheet: the guide's phone with the guests' names and check-in, for a freelancer without an account. */
  checkin: z._default(z.boolean(), false),
  /** Of a booking: names and diet of the party, to be corrected and confirmed. Not on links that were sent out without it. */
  details: z._default(z.boolean(), false),
  /** Of a booking that has waited: seats that are held for it can be booked or left to others; and what it is offered where its departure is cancelled. Not on links that were sent out without it. */
  offer: z._default(z.boolean(), false),
  /** Of a booking: how it was, asked once the tour is over. Not on links that were sent out without it. */
  feedback: z._default(z.boolean(), false),
  /** Of a booking: messages to the office and its answers. Not on links that were sent out without it. */
  messages: z._default(z.boolean(), false),
  /** Of a booking: its invoices and receipts. Not on links that were sent out without it. */
  documents: z._default(z.boolean(), false),
  /** Of a report: booked revenue, and revenue per guest. */
  money: z._default(z.boolean(), false),
})
export type LinkScopes = z.output<typeof LinkScopes>
export type LinkScope = keyof LinkScopes

const isReport = (kind: LinkKind): boolean => kind === 'report'
const isForTakingPart = (kind: LinkKind): boolean =>
  kind !== 'supplier_manifest' && kind !== 'live_map' && !isReport(kind)
const isOfBooking = (kind: LinkKind): boolean => kind === 'booking_guest'
/** Of people who are known: a whole party, or one of them. */
const isPersonal = (kind: LinkKind): boolean => isOfBooking(kind) || kind === 'traveler'
const isForSupplier = (kind: LinkKind): boolean => kind === 'supplier_manifest'

/** What only links of some kinds can show: check-in is for the crew, who know where they are; details, offers and feedback are those of one party. */
const onlyFor: { readonly [Scope in LinkScope]?: (kind: LinkKind) => boolean } = {
  stops: (kind) => !isReport(kind),
  contacts: (kind) => kind !== 'live_map' && !isReport(kind),
  map: (kind) => !isForSupplier(kind) && !isReport(kind),
  crew: isForTakingPart,
  position: (kind) => !isForSupplier(kind) && !isReport(kind) && kind !== 'staff_runsheet',
  needs: isForSupplier,
  rooms: isForSupplier,
  pickups: isForSupplier,
  manifestNames: (kind) => kind !== 'traveler' && kind !== 'live_map' && !isReport(kind),
  details: isPersonal,
  offer: isOfBooking,
  feedback: isPersonal,
  messages: isPersonal,
  documents: isOfBooking,
  checkin: (kind) => kind === 'staff_runsheet',
  money: isReport,
}

/** Whether a link of this kind can show it. */
export const canShow = (kind: LinkKind, scope: LinkScope): boolean => onlyFor[scope]?.(kind) ?? true

/** The scopes that are chosen for a link, without those that its kind does not have. */
export const scopesOfKind = (kind: LinkKind, scopes: LinkScopes): LinkScopes =>
  Object.fromEntries(
    Object.entries(scopes).map(([scope, isShown]) => [scope, isShown && canShow(kind, scope as LinkScope)]),
  ) as LinkScopes

/** How much later guests see where the tour is, seconds; and how precisely, meters. Never at once and exactly: the crew has agreed to less. */
export const positionDelays = [60, 300, 900] as const
export const positionBlurs = [100, 500] as const

/** A link lives 400 days at most. See docs/domain.md, "Invariants", I12. */
export const maxLinkDays = 400

/** Days after which the link of a report ends to which nobody gives an end. */
export const reportLinkDays = 30

/** What guests are asked for before they see a page. Whoever shares it says it on the phone: it may be short, because attempts are limited. */
const Passcode = text(12).check(z.minLength(4))

export const LinkRow = z.object({
  id: Id,
  version: Version,
  label: z.string(),
  kind: z.enum(linkKinds),
  status: z.enum(linkStatuses),
  subject: z.string(),
  /** Null for links that show no report. */
  report: z.nullable(ReportOfLink),
  departureId: z.nullable(Id),
  /** Of the departure that the page shows. */
  departureStatus: z.nullable(z.enum(statusesOf('departures'))),
  scopes: LinkScopes,
  /** Guests are asked for a passcode. */
  hasPasscode: z.boolean(),
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
  topics: [
    'bookings',
    'departures',
    'manifest_entries',
    'members',
    'shared_link_tokens',
    'shared_links',
    'suppliers',
    'tours',
    'travelers',
  ],
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
  summary:
    'Creates a public link to a departure, a booking, the tours of a traveler, a run sheet, the manifest for a supplier, the live map, or a report; a report needs `reports:read` for the whole organization.',
  input: write({
    kind: z.enum(creatableLinkKinds),
    /** Departure, booking, traveler or tour, by kind. Null for the live map of all tours, and for a report. */
    subjectId: orNull(Id),
    /** Of a report: which one, of which days. */
    report: orNull(ReportOfLink),
    /** Of a supplier manifest: for whom it is, one of those with services on the departure. */
    supplierId: orNull(Id),
    label: text(120, 'link_unnamed'),
    scopes: z.prefault(LinkScopes, {}),
    positionDelayS: z._default(z.literal(positionDelays), 60),
    positionBlurM: z._default(z.literal(positionBlurs), 100),
    /** Left out: two hours after the departure has ended, however late that is; the live map a day from now, a report 30 days. */
    expiresAt: z.optional(Instant),
    language: orNull(Language),
    /** Not for the guide's phone, which works without a network. */
    passcode: orNull(Passcode),
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

/** Most links of one act on several. */
export const maxLinksAtOnce = 200
const Several = z.array(Id).check(z.minLength(1), z.maxLength(maxLinksAtOnce))

/** Why a link of a choice stayed as it is: it is over, has not begun, or it was so already. */
export const linkSkipReasons = ['ended', 'not_started', 'unchanged'] as const
const SkippedLink = z.object({ id: Id, label: z.string(), reason: z.enum(linkSkipReasons) })
export type SkippedLink = z.output<typeof SkippedLink>
const Skipped = z.array(SkippedLink)

export const revokeLink = callable({
  name: 'links-revoke',
  kind: 'write',
  permission: 'links:manage',
  summary: 'Revokes links; open pages close within seconds. Links that are over are skipped.',
  input: write({ ids: Several }),
  output: z.object({ changed: Count, skipped: Skipped }),
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

export const pauseLinks = callable({
  name: 'links-pause-several',
  kind: 'write',
  permission: 'links:manage',
  summary: 'Pauses or resumes several links; open pages close within seconds. Links that are over are skipped.',
  input: write({ ids: Several, paused: z.boolean() }),
  output: z.object({ changed: z.array(Id), skipped: Skipped }),
  writes: ['shared_links'],
})

export const rotateLinks = callable({
  name: 'links-rotate',
  kind: 'write',
  permission: 'links:manage',
  summary: 'Ends the addresses of several links and issues a new one for each. Links that are over are skipped.',
  input: write({ ids: Several }),
  output: z.object({ issued: z.array(z.extend(Issued, { label: z.string() })), skipped: Skipped }),
  repeated: 'same-answer-briefly',
  writes: ['shared_link_tokens'],
})

export const setLinkPasscode = callable({
  name: 'links-passcode',
  kind: 'write',
  permission: 'links:manage',
  summary: 'Sets, changes or removes the passcode of a link; pages that are open ask for the new one within seconds.',
  input: write({ id: Id, version: Version, passcode: z.nullable(Passcode) }),
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
  summary: 'Who opened a link, and who entered a wrong passcode, by time, browser family and country; no addresses.',
  input: z.object({ id: Id }),
  output: z.object({
    accesses: z.array(
      z.object({
        at: Instant,
        userAgentFamily: z.nullable(z.string()),
        country: z.nullable(z.string()),
        isWrongPasscode: z.boolean(),
      }),
    ),
  }),
  topics: [],
  rowTopics: ['shared_links'],
})
