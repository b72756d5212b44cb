import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { DepartureRow, departureRowTopics } from '../departures/departures.ts'
import { stopSources } from '../departures/run-sheet.ts'
import {
  ById,
  Count,
  CsvFile,
  Id,
  Instant,
  LocalDate,
  Named,
  OpaqueId,
  optionalText,
  orNull,
  Saved,
  text,
  Version,
  whole,
  write,
} from '../fields.ts'
import { anyOf, exportInput, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { IncidentRef } from './incident-merge.ts'
import { IncidentTask } from './incident-tasks.ts'
import { ShiftNote } from './shift-notes.ts'
import { TourRoute } from '../tours/tours.ts'
import { linkStates } from '../tracking/link-state.ts'

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
export const severities = ['info', 'warning', 'critical'] as const
export const incidentCategories = [
  'medical',
  'missing_person',
  'vehicle',
  'weather',
  'security',
  'supplier',
  'complaint',
  'lost_item',
  'near_miss',
  'other',
] as const
export const alertStatuses = statusesOf('alerts')

const DepartureRef = z.object({
  id: Id,
  code: z.string(),
  tourName: z.string(),
  startsAt: Instant,
  timeZone: z.string(),
  /** Seats confirmed. */
  guests: Count,
  vehicleName: z.nullable(z.string()),
})
export const MemberRef = z.object({ userId: OpaqueId, name: z.string() })

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
  resolution: z.nullable(z.enum(['auto', 'manual', 'merged', 'false_alarm'])),
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
})
export type AlertPlace = z.output<typeof AlertPlace>

export const AlertDetail = z.object({
  ...AlertRow.shape,
  /** Where it was seen, when, and the ways and stops of the departure around it; null where that is not known, or not for the reader. */
  place: z.nullable(AlertPlace),
  leadGuide: z.nullable(z.object({ id: Id, name: z.string(), phone: z.nullable(z.string()) })),
  timeline: z.array(
    z.object({
      at: Instant,
      what: z.enum(['opened', 'acknowledged', 'snoozed', 'reopened', 'resolved', 'escalated', 'changed']),
      /** Null for what the evaluation did by itself. */
      actorName: z.nullable(z.string()),
    }),
  ),
})
export type AlertDetail = z.output<typeof AlertDetail>

export const getAlert = callable({
  name: 'alerts-get',
  kind: 'read',
  permission: 'monitoring:read',
  summary: 'One alert with its timeline and the lead guide of the departure.',
  input: ById,
  output: AlertDetail,
  topics: [
    'assignments',
    'departure_stops',
    'field_staff',
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

export const IncidentRow = z.object({
  id: Id,
  version: Version,
  number: z.string(),
  title: z.string(),
  category: z.enum(incidentCategories),
  /** 1 is the gravest. */
  severity: z.int(),
  status: z.enum(statusesOf('incidents')),
  departure: z.nullable(DepartureRef),
  place: z.nullable(Named),
  owner: z.nullable(MemberRef),
  reportedByName: z.nullable(z.string()),
  affected: Count,
  openTasks: Count,
  /** The earliest end of an open task; null where none has one. */
  taskDueAt: z.nullable(Instant),
  reportedAt: Instant,
  closedAt: z.nullable(Instant),
  /** Which incident this one belongs to since it was merged; null otherwise. */
  mergedInto: z.nullable(IncidentRef),
})
export type IncidentRow = z.output<typeof IncidentRow>

export const rollCallAnswers = ['need_help', 'no_answer', 'safe'] as const

/** Who of a departure is safe: one for each incident. */
export const RollCall = z.object({
  id: Id,
  /** What guests read under "Are you safe?"; null asks nothing more. */
  question: z.nullable(z.string()),
  askedAt: Instant,
  askedByName: z.nullable(z.string()),
  people: z.array(
    z.object({
      id: Id,
      version: Version,
      name: z.string(),
      /** Null for crew. */
      travelerId: z.nullable(Id),
      answer: z.enum(rollCallAnswers),
      answeredAt: z.nullable(Instant),
      /** Null while nobody answered. */
      answeredBy: z.nullable(z.enum(['guest', 'office'])),
      /** Whether a link of their booking is open, on which they can answer themselves. */
      hasLink: z.boolean(),
    }),
  ),
})
export type RollCall = z.output<typeof RollCall>

/** What somebody sets; "merged" is what merging leaves. */
export const incidentSteps = statusesOf('incidents').filter((status) => status !== 'merged')

/** What an entry of the log is about; of a task it has the text, of a merge the number of the other incident. */
export const incidentEntryKinds = [
  'note',
  'call',
  'status',
  'file',
  'message',
  'task_done',
  'task_reopened',
  'merged',
] as const

export const Incident = z.object({
  ...IncidentRow.shape,
  lat: z.nullable(z.number()),
  lng: z.nullable(z.number()),
  rootCause: z.nullable(z.string()),
  affectedTravelers: z.array(Named),
  /** What was merged into it, the latest first. */
  merged: z.array(IncidentRef),
  nextStatuses: z.array(z.enum(incidentSteps)),
  /** In the order in which they were added. */
  tasks: z.array(IncidentTask),
  /** Null while nobody was asked. */
  rollCall: z.nullable(RollCall),
  timeline: z.array(
    z.object({
      id: Id,
      at: Instant,
      authorName: z.nullable(z.string()),
      kind: z.enum(incidentEntryKinds),
      /** Where it was written: of what was merged into this incident; null for its own. */
      incident: z.nullable(IncidentRef),
      text: z.string(),
    }),
  ),
})
export type Incident = z.output<typeof Incident>

export const incidentFilters = {
  status: anyOf(z.enum(statusesOf('incidents'))),
  category: anyOf(z.enum(incidentCategories)),
  severity: anyOf(whole(1, 4)),
  departureId: anyOf(Id),
}

export const listIncidents = callable({
  name: 'incidents-list',
  kind: 'read',
  permission: 'monitoring:read',
  summary: 'Incidents.',
  input: listInput(incidentFilters, ['reportedAt', 'severity', 'status', 'number']),
  output: listOutput(IncidentRow),
  topics: [
    'incident_tasks',
    'incident_travelers',
    'incidents',
    'members',
    'tours',
    'vehicle_assignments',
    'vehicle_calendar_entries',
    'vehicles',
  ],
  rowTopics: ['departures', 'places'],
})

export const getIncident = callable({
  name: 'incidents-get',
  kind: 'read',
  permission: 'monitoring:read',
  summary: 'The incident room: facts, people, timeline.',
  input: ById,
  output: Incident,
  topics: [
    'field_staff',
    'incident_entries',
    'incident_tasks',
    'incident_travelers',
    'manifest_entries',
    'members',
    'roll_call_responses',
    'roll_calls',
    'shared_links',
    'tours',
    'vehicle_assignments',
    'vehicle_calendar_entries',
    'vehicles',
  ],
  rowTopics: ['departures', 'incidents', 'places', 'travelers'],
})

/** Guides report incidents of their own departures, the office all. */
export const reportIncident = callable({
  name: 'incidents-report',
  kind: 'write',
  permission: 'departures:read',
  summary: 'Opens an incident.',
  input: write({
    category: z.enum(incidentCategories),
    severity: whole(1, 4),
    title: text(160, 'title_missing'),
    note: optionalText(4000),
    departureId: orNull(Id),
    placeId: orNull(Id),
    alertId: orNull(Id),
    affectedTravelerIds: z._default(z.array(Id).check(z.maxLength(500)), []),
  }),
  output: z.object({ id: Id, version: Version, number: z.string() }),
  writes: ['alerts', 'incident_entries', 'incidents', 'incident_travelers'],
})

export const setIncidentStatus = callable({
  name: 'incidents-set-status',
  kind: 'write',
  permission: 'incidents:manage',
  summary: 'Moves an incident to a legal next status; to "resolved" with open tasks only with a note.',
  input: write({ id: Id, version: Version, to: z.enum(incidentSteps), note: optionalText(2000) }),
  output: Saved,
  writes: ['incident_entries', 'incidents'],
})

export const noteIncident = callable({
  name: 'incidents-note',
  kind: 'write',
  permission: 'incidents:manage',
  summary: 'Adds a line to the timeline of an incident.',
  input: write({ id: Id, kind: z._default(z.enum(['note', 'call']), 'note'), text: text(4000, 'text_missing') }),
  output: z.object({ id: Id }),
  writes: ['incident_entries'],
})

export const askRollCall = callable({
  name: 'roll-calls-ask',
  kind: 'write',
  permission: 'incidents:manage',
  summary:
    "Asks everybody on the incident's departure whether they are safe. Repeated, it adds people who have joined and keeps earlier answers.",
  input: write({ incidentId: Id, question: optionalText(300) }),
  output: z.object({ id: Id, people: Count }),
  writes: ['roll_call_responses', 'roll_calls'],
})

export const recordRollCallAnswer = callable({
  name: 'roll-calls-record',
  kind: 'write',
  permission: 'incidents:manage',
  summary: 'Records an answer given on the phone or to the guide.',
  input: write({ id: Id, version: Version, answer: z.enum(rollCallAnswers) }),
  output: Saved,
  writes: ['roll_call_responses'],
})

/** A moving thing in one dense row. */
export const MonitoringRow = z.object({
  ...DepartureRow.shape,
  openAlerts: Count,
  /** People on the manifest who are not cancelled. */
  expected: Count,
  lastHeadcount: z.nullable(z.object({ expected: Count, counted: Count, at: Instant })),
  /** Null while nobody leads. */
  guideState: z.nullable(z.enum(linkStates)),
  /** Of the newest position of crew or vehicle, and the battery of the device that sent it. */
  lastFixAt: z.nullable(Instant),
  batteryPct: z.nullable(z.number()),
  worstSeverity: z.nullable(z.enum(severities)),
  /** The stop where they are, or the next one. */
  next: z.nullable(
    z.object({
      id: Id,
      name: z.string(),
      status: z.enum(statusesOf('departure_stops')),
      plannedAt: Instant,
      etaAt: z.nullable(Instant),
      /** For the stop where they are: the plan, and what is left of the delay after its slack. */
      leavesAt: z.nullable(Instant),
      /**
       * What the time rests on, and of when that is: where they were seen (`gps`), or the last mark of a stop. Null where nothing but the plan
       * is known.
       */
      basis: z.nullable(z.object({ source: z.enum(stopSources), at: Instant })),
    }),
  ),
  weatherNote: z.nullable(z.string()),
})
export type MonitoringRow = z.output<typeof MonitoringRow>

export const monitoringStates = ['on_time', 'late', 'no_signal', 'not_ready'] as const
export const monitoringFilters = {
  tourId: anyOf(Id),
  staffId: anyOf(Id),
  status: anyOf(z.enum(statusesOf('departures'))),
  state: anyOf(z.enum(monitoringStates)),
}
export const monitoringSortable = ['startsAt', 'delay', 'tourName', 'status', 'openAlerts'] as const

/** The list is watched as a whole: this many rows in one answer at most. */
export const maxMonitored = 2_000

export const monitoringList = callable({
  name: 'monitoring-list',
  kind: 'read',
  permission: 'monitoring:read',
  summary: 'Every departure that is running or starts within 24 hours.',
  input: listInput(monitoringFilters, monitoringSortable, maxMonitored),
  output: z.object({
    rows: z.array(MonitoringRow),
    total: Count,
    /** Of all departures of the list, whatever the filters. */
    counts: z.object({ all: Count, onTime: Count, late: Count, noSignal: Count, notReady: Count }),
    /** The first start after the list ends, and the zone of its tour; null when nothing is planned. */
    nextStart: z.nullable(z.object({ startsAt: Instant, timeZone: z.string() })),
  }),
  topics: [...departureRowTopics, 'bookings', 'devices', 'headcounts', 'org_settings'],
})

export const exportMonitoring = callable({
  name: 'monitoring-export',
  kind: 'read',
  permission: 'monitoring:read',
  summary: 'The filtered monitoring list as CSV.',
  input: exportInput(monitoringFilters, monitoringSortable),
  output: CsvFile,
  topics: [],
})
