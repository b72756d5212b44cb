import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { ById, Count, Id, Instant, LocalDate, Named, OpaqueId, orNull, Saved, text, Version, write } from '../fields.ts'
import { AreaShape } from '../map/area-shape.ts'
import { anyOf, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { TourRoute } from '../tours/tour-route.ts'
import { DepartureRef, MemberRef } from './refs.ts'
import { ShiftNote } from './shift-notes.ts'

/** How old "everything is evaluated" gets while nothing is due: alerts are evaluated once a second, but that is written less often. */
const heartbeatMs = 10_000

/**
 * A check older than this shows as "monitoring delayed": the evaluation is behind by more than 60 s.
 * See docs/domain.md, "Alerts".
 */
export const monitoringDelayedAfterMs = heartbeatMs + 60_000

/** Their meaning and which are evaluated: docs/domain.md, "Alerts". */
export const alertKinds = [
  'late_start',
  'running_late',
  'eta_miss',
  'off_route',
  'long_stop',
  'geofence_absent',
  'no_go_area',
  'signal_lost',
  'battery_low',
  'overspeed',
  'sos',
  'headcount_mismatch',
  'no_show',
  'no_lead_guide',
  'assignment_unanswered',
  'certificate_expiring',
  'rest_violation',
  'capacity_conflict',
  'service_unconfirmed',
  'below_min_pax',
  'hold_expiring',
  'document_missing',
  'message_failed',
  'weather_warning',
] as const

/** Why an alert ended by itself: codes in place of the note that a person writes. */
export const conditionGoneNote = 'condition_gone'

export const departureCancelledNote = 'departure_cancelled'

export type AlertKind = (typeof alertKinds)[number]

/**
 * Kinds whose rule may keep quiet about a departure. Where somebody asks for help, or somebody is missing, nobody may look away; the others are about
 * a person, a vehicle, a booking or a message.
 */
export const mutableKinds: readonly AlertKind[] = [
  'late_start',
  'running_late',
  'eta_miss',
  'off_route',
  'long_stop',
  'geofence_absent',
  'no_go_area',
  'signal_lost',
  'battery_low',
  'overspeed',
  'no_show',
  'no_lead_guide',
  'assignment_unanswered',
  'capacity_conflict',
  'service_unconfirmed',
  'below_min_pax',
  'document_missing',
  'weather_warning',
]

export const severities = ['info', 'warning', 'critical'] as const

export const alertStatuses = statusesOf('alerts')

export const AlertRow = z.object({
  id: Id,
  version: Version,
  kind: z.enum(alertKinds),
  severity: z.enum(severities),
  status: z.enum(alertStatuses),
  title: z.string(),
  /** Values that explain why it fired; keys depend on the kind. */
  evidence: z.record(z.string(), z.unknown()),
  subjectType: z.string(),
  subjectId: z.nullable(z.string()),
  departure: z.nullable(DepartureRef),
  owner: z.nullable(MemberRef),
  openedAt: Instant,
  acknowledgedAt: z.nullable(Instant),
  snoozedUntil: z.nullable(Instant),
  /** It is reopened when the departure has reached this stop, at the latest at `snoozedUntil`. */
  snoozedStop: z.nullable(Named),
  resolvedAt: z.nullable(Instant),
  resolvedByName: z.nullable(z.string()),
  resolution: z.nullable(z.enum(['auto', 'manual', 'merged', 'false_alarm', 'muted'])),
  resolutionNote: z.nullable(z.string()),
  /** The values when it ended by itself; empty otherwise. */
  resolutionFacts: z.record(z.string(), z.unknown()),
  escalationLevel: Count,
  incident: z.nullable(z.object({ id: Id, number: z.string() })),
})

export type AlertRow = z.output<typeof AlertRow>

export const alertFilters = {
  status: anyOf(z.enum(alertStatuses)),
  severity: anyOf(z.enum(severities)),
  kind: anyOf(z.enum(alertKinds)),
  departureId: anyOf(Id),
  ownerId: anyOf(OpaqueId),
  /** Resolved on this local day of the organization. */
  resolvedOn: z.optional(LocalDate),
}

/** A rule that keeps quiet about a departure: its alerts are not opened there, unless they get graver than the one that was muted. */
export const AlertMute = z.object({
  id: Id,
  version: Version,
  kind: z.enum(alertKinds),
  departure: z.object({ id: Id, code: z.string(), tourName: z.string(), startsAt: Instant, timeZone: z.string() }),
  reason: z.string(),
  /** Null: as long as the departure lasts. */
  endsAt: z.nullable(Instant),
  mutedAt: Instant,
  mutedByName: z.nullable(z.string()),
})
export type AlertMute = z.output<typeof AlertMute>

export const monitoringBoard = callable({
  name: 'monitoring-board',
  kind: 'read',
  permission: 'monitoring:read',
  summary: 'The exceptions board: new, acknowledged, snoozed, resolved today, and since when all is clear.',
  input: z.object({}),
  output: z.object({
    alerts: z.array(AlertRow),
    counts: z.object({ critical: Count, warning: Count, info: Count }),
    runningDepartures: Count,
    openIncidents: Count,
    oldestOpenAt: z.nullable(Instant),
    medianAcknowledgeSeconds: z.nullable(z.number()),
    /** Rules that keep quiet about a departure which is ahead or out. */
    muted: z.array(AlertMute),
    /** What the shift before has left; null when there is nothing, or when it was read long ago. */
    shiftNote: z.nullable(ShiftNote),
    /** How many were resolved on this day of the organization; `alerts` holds the newest of them. */
    resolvedToday: Count,
    /** When the last alert was resolved; null while one waits, and where there was never one. */
    calmSince: z.nullable(Instant),
    /** Everything that was due up to then has been evaluated; older than `monitoringDelayedAfterMs` must be shown as "monitoring delayed". Null before the first. */
    evaluatedAt: z.nullable(Instant),
    /** The server's clock: ages are counted against it. */
    now: Instant,
    /** Zone of the organization: it decides which day is today. */
    timeZone: z.string(),
  }),
  topics: [
    'alert_mutes',
    'alerts',
    'departures',
    'incidents',
    'members',
    'org_settings',
    'shift_notes',
    'tours',
    'vehicle_assignments',
    'vehicle_calendar_entries',
    'vehicles',
  ],
})

export const listAlerts = callable({
  name: 'alerts-list',
  kind: 'read',
  permission: 'monitoring:read',
  summary: 'Alerts.',
  input: listInput(alertFilters, ['openedAt', 'severity', 'status', 'kind']),
  output: listOutput(AlertRow),
  topics: ['alerts', 'members', 'org_settings', 'tours', 'vehicle_assignments', 'vehicle_calendar_entries', 'vehicles'],
  rowTopics: ['departures', 'incidents'],
})

const AlertPlace = z.object({
  lat: z.number(),
  lng: z.number(),
  at: Instant,
  stops: z.array(z.object({ name: z.string(), lat: z.number(), lng: z.number(), isDone: z.boolean() })),
  routes: z.array(TourRoute),
  /** Where nobody may go, of an alert about that. */
  noGo: z.nullable(z.object({ name: z.string(), area: AreaShape })),
})

export type AlertPlace = z.output<typeof AlertPlace>

export const AlertDetail = z.object({
  ...AlertRow.shape,
  /** Where it was seen, when, and the ways and stops of the departure around it; null where that is not known, or not for the reader. */
  place: z.nullable(AlertPlace),
  /** Whom to call: the person who called for help, else the lead guide of the departure. */
  contact: z.nullable(z.object({ id: Id, name: z.string(), phone: z.nullable(z.string()) })),
  timeline: z.array(
    z.object({
      at: Instant,
      what: z.enum(['opened', 'acknowledged', 'snoozed', 'reopened', 'resolved', 'escalated', 'changed']),
      /** Null for what the evaluation did by itself. */
      actorName: z.nullable(z.string()),
      /** To which it was escalated; null for everything else. */
      level: z.nullable(z.int()),
    }),
  ),
})

export type AlertDetail = z.output<typeof AlertDetail>

export const getAlert = callable({
  name: 'alerts-get',
  kind: 'read',
  permission: 'monitoring:read',
  summary: 'One alert with its timeline and whom to call.',
  input: ById,
  output: AlertDetail,
  topics: [
    'assignments',
    'departure_stops',
    'field_staff',
    'geofences',
    'members',
    'places',
    'tour_revisions',
    'tours',
    'vehicle_assignments',
    'vehicle_calendar_entries',
    'vehicles',
  ],
  rowTopics: ['alerts', 'departures', 'incidents'],
})

/** A snoozed alert is reopened after a day at the latest. */
export const maxSnoozeHours = 24

export const acknowledgeAlert = callable({
  name: 'alerts-acknowledge',
  kind: 'write',
  permission: 'alerts:manage',
  summary: 'Acknowledges an alert, with the caller as owner.',
  input: write({ id: Id, version: Version }),
  output: Saved,
  writes: ['alerts'],
})

export const snoozeAlert = callable({
  name: 'alerts-snooze',
  kind: 'write',
  permission: 'alerts:manage',
  summary: 'Snoozes an alert until a moment, at most 24 hours, or until its departure has reached a stop before that.',
  input: write({ id: Id, version: Version, until: Instant, stopId: orNull(Id) }),
  output: Saved,
  writes: ['alerts'],
})

export const reopenAlert = callable({
  name: 'alerts-reopen',
  kind: 'write',
  permission: 'alerts:manage',
  summary: 'Returns an acknowledged or snoozed alert to "new".',
  input: write({ id: Id, version: Version }),
  output: Saved,
  writes: ['alerts'],
})

export const resolveAlert = callable({
  name: 'alerts-resolve',
  kind: 'write',
  permission: 'alerts:manage',
  summary: 'Resolves an alert with a reason.',
  input: write({
    id: Id,
    version: Version,
    resolution: z._default(z.enum(['manual', 'false_alarm']), 'manual'),
    reason: text(300, 'outcome_missing'),
  }),
  output: Saved,
  writes: ['alerts'],
})

/** How long a rule keeps quiet: to the end of the organization's day, or to that of the departure. */
export const muteSpans = ['today', 'departure'] as const

export const muteAlert = callable({
  name: 'alerts-mute',
  kind: 'write',
  permission: 'alerts:manage',
  summary:
    'Resolves an alert, and all others of its kind about its departure, and lets none of them open again today or as long as the departure lasts; a graver one is opened all the same. Refused for kinds that are about people in need: `aborted`, reason `alert_not_mutable`.',
  input: write({ id: Id, version: Version, lasts: z.enum(muteSpans), reason: text(300, 'reason_missing') }),
  output: AlertMute,
  writes: ['alert_mutes', 'alerts'],
})

export const unmuteAlerts = callable({
  name: 'alerts-unmute',
  kind: 'write',
  permission: 'alerts:manage',
  summary: 'Ends that a rule keeps quiet about a departure; what is true is opened within seconds.',
  input: write({ id: Id, version: Version }),
  output: Saved,
  writes: ['alert_mutes'],
})
