import * as z from 'zod/mini'
import { checkInMethods, Manifest } from '../bookings/manifest.ts'
import { callable } from '../callable.ts'
import { Departure } from '../departures/departures.ts'
import { RevisionNumber } from '../departures/run-sheet.ts'
import {
  Count,
  Id,
  Instant,
  Latitude,
  Longitude,
  optionalText,
  orNull,
  text,
  timeFormats,
  TimeZone,
  Version,
  whole,
  write,
} from '../fields.ts'
import { LinkKey } from '../links/link-key.ts'
import { incidentCategories } from '../monitoring/incidents.ts'
import { statusesOf } from '../state-machines.ts'
import { ownDuty } from '../tracking/duty.ts'
import { staffRoles } from '../tours/tour-terms.ts'
import { dutySendNames, maxDutyEvents } from './duty-terms.ts'

/** A departure as a phone keeps it, with or without signal. */
export const DutyDeparture = z.object({
  departure: Departure,
  /** Null while the assignment is only offered: guests are named once it is accepted. */
  manifest: z.nullable(Manifest),
  /** The caller's own part; null with a run sheet link, which names nobody. */
  assignment: z.nullable(
    z.object({
      id: Id,
      version: Version,
      role: z.enum(staffRoles),
      status: z.enum(statusesOf('assignments')),
      respondBy: z.nullable(Instant),
      reportAt: z.nullable(Instant),
      /** Revision of the itinerary that was last on screen. */
      seenVersion: z.nullable(Count),
      /** The notes of the people who published the revisions since, oldest first; revisions without a note are left out. */
      changeNotes: z.array(z.string()),
    }),
  ),
  /** What the phone may do there; the office may do all of it. */
  can: z.object({
    /** Check guests in, count heads, mark stops. */
    mark: z.boolean(),
    /** Open boarding, set out and finish. */
    lead: z.boolean(),
  }),
})
export type DutyDeparture = z.output<typeof DutyDeparture>

/** How a call for help from this phone stands at the office. */
export const HelpCall = z.object({
  /** By the server's clock. */
  calledAt: Instant,
  /** Who takes care of it; null while nobody does. */
  takenBy: z.nullable(z.string()),
  /** When the caller said that they need none any more. */
  overAt: z.nullable(Instant),
  /** When the office closed it. */
  closedAt: z.nullable(Instant),
})
export type HelpCall = z.output<typeof HelpCall>

/** Everything that a phone needs for today and tomorrow, in one answer that it keeps. */
export const DutyDay = z.object({
  /** The server's clock when it answered: what a phone sent before is in here. */
  asOf: Instant,
  organization: z.object({
    name: z.string(),
    /** Of the office; null where the settings name none. */
    phone: z.nullable(z.string()),
    timeZone: TimeZone,
    timeFormat: z.enum(timeFormats),
    /** Dialed in danger; null where the settings name none. */
    emergencyNumber: z.nullable(z.string()),
    /** From this many minutes before the planned time somebody may be marked as not come. */
    noShowFromMin: Count,
    /** What the organization calls late: see `LateLimits`. */
    onTimeToleranceMin: Count,
    atRiskMin: Count,
  }),
  person: z.object({ name: z.string(), base: z.nullable(z.string()), staffId: z.nullable(Id) }),
  /** Null with a link: no positions are recorded. */
  duty: z.nullable(ownDuty.output),
  /** Own departures of today and tomorrow and those still out, by start. */
  departures: z.array(DutyDeparture),
  /** The caller's latest call for help, until a while after the office has closed it; null without one. */
  help: z.nullable(HelpCall),
})
export type DutyDay = z.output<typeof DutyDay>

export const getDutyDay = callable({
  name: 'duty-day',
  kind: 'read',
  permission: 'departures:read',
  summary: 'Own departures of today and tomorrow with run sheet and manifest, to be stored on the phone.',
  input: z.object({}),
  output: DutyDay,
  topics: [],
})

export const getLinkedDutyDay = callable({
  name: 'duty-link-day',
  kind: 'read',
  permission: 'public',
  summary:
    'The same for the departure of a run sheet link that opens check-in. Links that have ended answer `not-found`.',
  input: z.object({ token: LinkKey }),
  output: DutyDay,
  topics: [],
})

const stamped = {
  /** Made by the phone, once for each tap. The same id again is answered as the first time and written once. */
  id: Id,
  /** The phone's clock at the tap. */
  at: Instant,
}
const ofDeparture = { ...stamped, departureId: Id }
/** Where the phone was, and when by its clock; sent with a call for help, on duty or not. */
const here = z.object({ lat: Latitude, lng: Longitude, at: Instant })

/** What somebody did on the phone, in the order of doing. */
export const DutyEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('check_in'),
    ...ofDeparture,
    entryId: Id,
    stopId: orNull(Id),
    method: z._default(z.enum(checkInMethods), 'tap'),
  }),
  z.object({ kind: z.literal('undo_check_in'), ...ofDeparture, entryId: Id }),
  z.object({ kind: z.literal('no_show'), ...ofDeparture, entryId: Id, note: optionalText(300) }),
  z.object({ kind: z.literal('guest'), ...ofDeparture, entryId: Id, to: z.enum(['on_tour', 'left_early', 'missing']) }),
  z.object({
    kind: z.literal('stop'),
    ...ofDeparture,
    stopId: Id,
    to: z.enum(['arrived', 'departed', 'skipped', 'planned']),
    reason: optionalText(300),
  }),
  z.object({
    kind: z.literal('headcount'),
    ...ofDeparture,
    stopId: orNull(Id),
    counted: whole(0, 2000),
    reason: optionalText(300),
  }),
  z.object({
    kind: z.literal('status'),
    ...ofDeparture,
    to: z.enum(['boarding', 'in_progress', 'completed']),
    reason: optionalText(500),
  }),
  /** `revisionNumber` is the one that was on the phone: the office may have published another since. */
  z.object({ kind: z.literal('seen'), ...ofDeparture, revisionNumber: orNull(RevisionNumber) }),
  z.object({ kind: z.literal('note'), ...ofDeparture, text: text(500, 'text_missing') }),
  z.object({
    kind: z.literal('incident'),
    ...ofDeparture,
    category: z.enum(incidentCategories),
    severity: whole(1, 4),
    title: text(160, 'title_missing'),
    note: optionalText(4000),
  }),
  /** A call for help. Another one, while the office has not closed the first, is the same call again. */
  z.object({ kind: z.literal('help'), ...stamped, departureId: orNull(Id), place: orNull(here) }),
  /** Where the phone is, found out after the call. */
  z.object({ kind: z.literal('help_place'), ...stamped, place: here }),
  /** Whoever called needs no help any more; the office closes the call. */
  z.object({ kind: z.literal('help_over'), ...stamped }),
  z.object({
    kind: z.literal('answer'),
    ...stamped,
    assignmentId: Id,
    accept: z.boolean(),
    reason: optionalText(300),
  }),
  z.object({
    kind: z.literal('duty'),
    ...stamped,
    to: z.enum(['begin', 'end', 'break', 'resume']),
    departureId: orNull(Id),
  }),
  z.object({ kind: z.literal('consent'), ...stamped, agrees: z.boolean() }),
])
export type DutyEvent = z.output<typeof DutyEvent>
/** As a phone makes it: what has a default may be left out. */
export type NewDutyEvent = z.input<typeof DutyEvent>
/** What a run sheet link may send: nothing that belongs to a person with an account. */
export const linkEventKinds: readonly DutyEvent['kind'][] = [
  'check_in',
  'undo_check_in',
  'no_show',
  'guest',
  'stop',
  'headcount',
  'note',
  'incident',
  'help',
  'help_place',
  'help_over',
]

export const DutyOutcome = z.object({
  id: Id,
  /** `met`: it is so already, by somebody else or an earlier tap; `refused`: it was not accepted, and `office` says what counts there. */
  outcome: z.enum(['done', 'met', 'refused']),
  /** Of a refusal, as the calls have it, with its parameters. */
  reason: z.nullable(z.string()),
  params: z.nullable(z.record(z.string(), z.unknown())),
  /** What counts at the office now, of the guest, stop, departure or assignment that the event is about; null where there is none. */
  office: z.nullable(z.object({ status: z.string(), at: z.nullable(Instant) })),
})
export type DutyOutcome = z.output<typeof DutyOutcome>

const events = {
  /** The phone's clock when it sends: events of a phone whose clock is wrong are corrected by the difference. */
  sentAt: Instant,
  events: z.array(DutyEvent).check(z.minLength(1), z.maxLength(maxDutyEvents)),
}
const DutyAnswer = z.object({
  now: Instant,
  /** One for each event, in their order. */
  outcomes: z.array(DutyOutcome),
})

const written = [
  'alerts',
  'assignments',
  'bookings',
  'check_ins',
  'deliveries',
  'departure_notes',
  'departure_stops',
  'departures',
  'duty_sessions',
  'equipment_issues',
  'field_staff',
  'headcounts',
  'incident_entries',
  'incident_travelers',
  'incidents',
  'manifest_entries',
  'messages',
  'staff_calendar_entries',
  'travelers',
  'vehicle_calendar_entries',
] as const

export const sendDutyEvents = callable({
  name: dutySendNames.member,
  kind: 'write',
  permission: 'departures:read',
  summary:
    'Events of a phone, recorded with or without signal, in order; each one is accepted or refused separately, and written once however often it is sent.',
  input: write(events),
  output: DutyAnswer,
  writes: written,
})

export const sendLinkedDutyEvents = callable({
  name: dutySendNames.link,
  kind: 'write',
  permission: 'public',
  summary:
    'The same from a phone with a run sheet link: guests, stops, counts, incidents of its departure, and calls for help.',
  input: write({ token: LinkKey, ...events }),
  output: DutyAnswer,
  writes: written,
})
