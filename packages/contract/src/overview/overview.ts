import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { DepartureRow, departureRowTopics, readinessChecks } from '../departures/departures.ts'
import { Count, Id, Instant, LocalDate, Named } from '../fields.ts'
import { EstimateBasis, lastSignal } from '../tracking/last-signal.ts'
import { alertKinds, severities } from '../monitoring/alerts.ts'

/**
 * Something that needs a person, most urgent first: an open alert or incident, a go or no-go to decide, parties of a cancelled
 * departure to move or refund, an unanswered offer, messages of guests that nobody has read, a poor rating that nobody has
 * followed up, a certificate that expires.
 */
export const AttentionItem = z.object({
  /** Stable for the list; the alert's or departure's own id behind a prefix. */
  key: z.string(),
  kind: z.enum([
    'alert',
    'incident',
    'decide',
    'rebook',
    'offer_unanswered',
    'guests_wrote',
    'poor_rating',
    'certificate_expiring',
    'vehicle_inspection',
  ]),
  alertKind: z.nullable(z.enum(alertKinds)),
  severity: z.enum(severities),
  title: z.string(),
  /** What an alert saw, or how many messages wait; empty for the rest. */
  evidence: z.record(z.string(), z.unknown()),
  alertId: z.nullable(Id),
  alertVersion: z.nullable(z.int()),
  incidentId: z.nullable(Id),
  staff: z.nullable(Named),
  ownerName: z.nullable(z.string()),
  departure: z.nullable(
    z.object({
      id: Id,
      code: z.string(),
      tourName: z.string(),
      startsAt: Instant,
      timeZone: z.string(),
      delaySeconds: z.int(),
      seatsConfirmed: Count,
      minPax: Count,
    }),
  ),
  /** Of a poor rating: what a party said, and the version of its follow-up, null before anybody took it. */
  feedback: z.nullable(
    z.object({
      id: Id,
      version: z.nullable(z.int()),
      bookingId: Id,
      contactName: z.string(),
      stars: z.int(),
      comment: z.nullable(z.string()),
    }),
  ),
  since: Instant,
  /** When it must be decided or answered. */
  due: z.nullable(Instant),
})
export type AttentionItem = z.output<typeof AttentionItem>

export const Overview = z.object({
  localDate: LocalDate,
  /** Zone of the organization: it decides which day is today. */
  timeZone: z.string(),
  now: Instant,
  figures: z.object({
    /** Of the day's departures, those that board or are on their way. */
    running: Count,
    departures: Count,
    cancelled: Count,
    guests: Count,
    onTour: Count,
    aboard: Count,
    noShow: Count,
    starts: Count,
    startedOnTime: Count,
    seatsLeft: Count,
    seatsTotal: Count,
    tomorrowReady: Count,
    tomorrowTotal: Count,
    tomorrowNext: z.nullable(z.object({ id: Id, tourName: z.string(), startsAt: Instant, timeZone: z.string() })),
    /** Null without `monitoring:read`. */
    openAlerts: z.nullable(Count),
    oldestAlertAt: z.nullable(Instant),
  }),
  departures: z.array(DepartureRow),
  /** What the estimates of those under way rest on, and their phones, as of this answer. Null without `tracking:read`. */
  signals: z.nullable(z.array(z.object({ departureId: Id, basis: EstimateBasis, ...lastSignal }))),
  /** What they take along. */
  equipment: z.array(z.object({ departureId: Id, name: z.string(), quantity: Count })),
  attention: z.array(AttentionItem),
  /** Departures of the following day with the checks that fail; ready ones are only counted. */
  tomorrow: z.array(
    z.object({
      id: Id,
      code: z.string(),
      tourName: z.string(),
      startsAt: Instant,
      timeZone: z.string(),
      startTimeLocal: z.string(),
      failing: z.array(z.enum(readinessChecks)),
    }),
  ),
  /** Share sold per local day, 14 days from the day shown. */
  load: z.array(z.object({ localDate: LocalDate, departures: Count, seats: Count, taken: Count })),
  /** What a new organization has done of its first steps; all false for those who see their own departures only. */
  start: z.object({
    /** Time zone and currency were chosen. */
    setUp: z.boolean(),
    tours: z.boolean(),
    staff: z.boolean(),
    departures: z.boolean(),
    travelers: z.boolean(),
    colleagues: z.boolean(),
  }),
})
export type Overview = z.output<typeof Overview>

export const getOverview = callable({
  name: 'overview-get',
  kind: 'read',
  permission: 'dashboard:read',
  summary: 'The day board, what needs attention, and whether tomorrow is ready; guides see their own departures.',
  input: z.object({ localDate: z.optional(LocalDate) }),
  output: Overview,
  topics: [
    ...departureRowTopics,
    'booking_messages',
    'bookings',
    'duty_sessions',
    'equipment',
    'equipment_issues',
    'feedback',
    'feedback_follow_ups',
    'incidents',
    'invitations',
    'members',
    'org_settings',
    'staff_certificates',
    'travelers',
  ],
})
