import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import {
  ById,
  Count,
  CsvFile,
  Id,
  Instant,
  Language,
  LocalDate,
  LocalTime,
  Named,
  optionalText,
  orNull,
  Saved,
  Version,
  whole,
  write,
} from '../fields.ts'
import { FormHold } from '../bookings/form-hold.ts'
import { IssuedEquipment } from '../equipment/equipment-issues.ts'
import type { LiveTopic } from '../live/live-paths.ts'
import { anyOf, exportInput, listInput, listOutput } from '../paging.ts'
import { DepartureStop } from './run-sheet.ts'
import { statusesOf } from '../state-machines.ts'
import { staffRoles, tourKinds } from '../tours/tour-terms.ts'

export const departureStatuses = statusesOf('departures')
export const cancelReasons = ['low_pax', 'weather', 'staff', 'vehicle', 'safety', 'supplier', 'other'] as const
/** `combined`: its guests go with another departure. Nobody chooses it. */
export const storedCancelReasons = [...cancelReasons, 'combined'] as const

/** The checklist of a departure, computed, never typed; checks that do not apply are left out. See docs/domain.md, "Readiness". */
export const readinessChecks = [
  'lead_guide',
  'language',
  'guide_ratio',
  'vehicle_seats',
  'services_confirmed',
  'documents',
  'weather_note',
  'minimum_pax',
  'messages_delivered',
  'suppliers_informed',
] as const
export type ReadinessCheck = (typeof readinessChecks)[number]

export const Readiness = z.object({
  done: Count,
  total: Count,
  ready: z.boolean(),
  failing: z.array(z.enum(readinessChecks)),
})
export type Readiness = z.output<typeof Readiness>

/** What a `DepartureRow` is made of, for every board that shows some. */
export const departureRowTopics = [
  'alerts',
  'assignments',
  'departure_services',
  'departure_stops',
  'departures',
  'field_staff',
  'manifest_entries',
  'messages',
  'places',
  'tour_options',
  'tours',
  'vehicle_assignments',
  'vehicle_calendar_entries',
  'vehicles',
] as const satisfies readonly LiveTopic[]

/** One running of a tour as boards, tables and calendars show it. Times are local to the tour. */
export const DepartureRow = z.object({
  id: Id,
  version: Version,
  code: z.string(),
  tourId: Id,
  tourCode: z.string(),
  tourName: z.string(),
  tourKind: z.enum(tourKinds),
  tourColor: z.string(),
  optionName: z.nullable(z.string()),
  language: z.nullable(z.string()),
  status: z.enum(departureStatuses),
  salesStatus: z.enum(statusesOf('departure_sales')),
  startsAt: Instant,
  endsAt: Instant,
  timeZone: z.string(),
  localDate: LocalDate,
  startTimeLocal: LocalTime,
  /** Day n of a tour of `dayCount` days on the day asked for; 1 of 1 for day tours. */
  dayIndex: z.int(),
  dayCount: Count,
  capacity: Count,
  minPax: Count,
  overbookLimit: Count,
  seatsConfirmed: Count,
  seatsHeld: Count,
  seatsLeft: Count,
  waitlistCount: Count,
  /** Manifest entries that are aboard (checked in, on tour, finished), and no-shows. */
  aboard: Count,
  noShow: Count,
  decideBy: z.nullable(Instant),
  delaySeconds: z.int(),
  missesTimedEntry: z.boolean(),
  leadGuide: z.nullable(Named),
  vehicle: z.nullable(Named),
  /** The stop where they are (`isHere`) or go next, and when they come there: by the estimate, else the plan. */
  nextStop: z.nullable(z.object({ name: z.string(), number: Count, of: Count, at: Instant, isHere: z.boolean() })),
  readiness: Readiness,
  /** Null without `monitoring:read`. */
  openAlerts: z.nullable(Count),
})
export type DepartureRow = z.output<typeof DepartureRow>

export const CrewMember = z.object({
  assignmentId: Id,
  version: Version,
  staffId: Id,
  name: z.string(),
  role: z.enum(staffRoles),
  status: z.enum(statusesOf('assignments')),
  phone: z.nullable(z.string()),
  languages: z.array(z.string()),
  reportAt: z.nullable(Instant),
  releaseAt: z.nullable(Instant),
  respondBy: z.nullable(Instant),
  /** Revision of the itinerary that this person last had on screen; null before the first time. */
  seenVersion: z.nullable(Count),
  /** Whether the caller is this person. */
  isSelf: z.boolean(),
})

export const DepartureVehicle = z.object({
  assignmentId: Id,
  vehicleId: Id,
  label: z.string(),
  plate: z.nullable(z.string()),
  seats: Count,
  wheelchairPlaces: Count,
  childSeats: Count,
  driverName: z.nullable(z.string()),
})

export const DepartureServiceRow = z.object({
  id: Id,
  version: Version,
  dayIndex: Count,
  kind: z.string(),
  supplierId: z.nullable(Id),
  supplierName: z.nullable(z.string()),
  description: z.string(),
  quantity: Count,
  status: z.enum(statusesOf('departure_services')),
  confirmationRef: z.nullable(z.string()),
})

/** What a status change needs before it is allowed. See docs/domain.md, "States". */
export const guardReasons = [
  'below_min_pax',
  'too_early',
  'before_start',
  'no_lead_guide',
  'no_vehicle',
  'headcount_missing',
  'not_enough_seats',
  'guests_undecided',
  'stops_open',
  'reopen_window_over',
  'reason_needed',
  'has_guests',
] as const
export type GuardReason = (typeof guardReasons)[number]

/** A legal next status as the status button offers it. */
export const NextStatus = z.object({
  to: z.enum(departureStatuses),
  /** False when a guard blocks it that a reason cannot override. */
  allowed: z.boolean(),
  /** The guards that are not met; with `overridable` a reason lifts them. */
  unmet: z.array(z.enum(guardReasons)),
  overridable: z.boolean(),
  needsReason: z.boolean(),
})
export type NextStatus = z.output<typeof NextStatus>

export const Departure = z.object({
  ...DepartureRow.shape,
  createdAt: Instant,
  statusSince: Instant,
  statusByName: z.nullable(z.string()),
  nextStatuses: z.array(NextStatus),
  revisionNumber: z.nullable(Count),
  optionId: z.nullable(Id),
  /** Takes one party only. */
  isPrivate: z.boolean(),
  actualStartAt: z.nullable(Instant),
  actualEndAt: z.nullable(Instant),
  guaranteedAt: z.nullable(Instant),
  cancelReason: z.nullable(z.enum(storedCancelReasons)),
  weatherNote: z.nullable(z.string()),
  internalNote: z.nullable(z.string()),
  stops: z.array(DepartureStop),
  crew: z.array(CrewMember),
  vehicles: z.array(DepartureVehicle),
  /** Seats that somebody is about to sell, part of those held. */
  formHolds: z.array(FormHold),
  services: z.array(DepartureServiceRow),
  equipment: z.array(IssuedEquipment),
  checks: z.array(z.object({ check: z.enum(readinessChecks), ok: z.boolean(), detail: z.nullable(z.string()) })),
  counts: z.object({
    expected: Count,
    aboard: Count,
    noShow: Count,
    onHold: Count,
    waitlisted: Count,
    /** Guests of bookings with seats who need a child seat. */
    childSeats: Count,
    /** Guests of bookings with seats who come in a wheelchair. */
    wheelchairs: Count,
    messages: Count,
    /** Null without `monitoring:read`. */
    incidents: z.nullable(Count),
  }),
  lastHeadcount: z.nullable(
    z.object({ stopName: z.string(), expected: Count, counted: Count, at: Instant, reason: z.nullable(z.string()) }),
  ),
  /** Age of the newest position of crew or vehicle, and the battery of the device that sent it. */
  lastPositionAt: z.nullable(Instant),
  batteryPct: z.nullable(z.number()),
  /** What guides wrote on the way, newest first. */
  notes: z.array(z.object({ id: Id, at: Instant, byName: z.string(), text: z.string() })),
})
export type Departure = z.output<typeof Departure>

export const departureFilters = {
  /** First and last local day, both included. A departure of several days counts on each of them. */
  from: z.optional(LocalDate),
  to: z.optional(LocalDate),
  status: anyOf(z.enum(departureStatuses)),
  salesStatus: anyOf(z.enum(statusesOf('departure_sales'))),
  tourId: anyOf(Id),
  staffId: anyOf(Id),
  language: anyOf(Language),
  readiness: anyOf(z.enum(['ready', 'not_ready'])),
  needs: anyOf(z.enum(['lead_guide', 'minimum_pax', 'vehicle', 'waitlist_decision'])),
  load: anyOf(z.enum(['none', 'low', 'medium', 'full'])),
}
export const departureSortable = [
  'startsAt',
  'code',
  'tourName',
  'status',
  'seatsLeft',
  'load',
  'delay',
  'waitlist',
] as const

export const listDepartures = callable({
  name: 'departures-list',
  kind: 'read',
  permission: 'departures:read',
  summary: 'Departures for tables, boards and calendars; guides see their own.',
  input: listInput(departureFilters, departureSortable),
  output: listOutput(DepartureRow),
  topics: [...departureRowTopics, 'traveler_documents'],
})

export const exportDepartures = callable({
  name: 'departures-export',
  kind: 'read',
  permission: 'departures:read',
  summary: 'The filtered departures as CSV.',
  input: exportInput(departureFilters, departureSortable),
  output: CsvFile,
  topics: [],
})

export const getDeparture = callable({
  name: 'departures-get',
  kind: 'read',
  permission: 'departures:read',
  summary: 'The departure drawer: head, run sheet, crew, vehicles, services, equipment, readiness, legal next states.',
  input: ById,
  output: Departure,
  topics: [
    ...departureRowTopics,
    'bookings',
    'departure_notes',
    'duty_sessions',
    'equipment',
    'equipment_issues',
    'headcounts',
    'incidents',
    'members',
    'org_settings',
    'suppliers',
    'tour_revisions',
    'travelers',
  ],
})

export const HistoryEntry = z.object({
  id: z.string(),
  at: Instant,
  actorName: z.nullable(z.string()),
  actorKind: z.enum(['user', 'guest_link', 'system', 'api']),
  action: z.string(),
  entityType: z.string(),
  entityId: z.string(),
  /** Changed fields, before and after. */
  changes: z.array(z.object({ field: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })),
})
export type HistoryEntry = z.output<typeof HistoryEntry>

export const departureHistory = callable({
  name: 'departures-history',
  kind: 'read',
  permission: 'departures:read',
  summary: 'What happened to a departure, its stops, bookings and crew, newest first.',
  input: z.object({ id: Id, page: z._default(whole(1, 10_000), 1), size: z._default(whole(1, 200), 50) }),
  output: listOutput(HistoryEntry),
  topics: ['assignments', 'bookings', 'departure_services', 'departure_stops', 'manifest_entries', 'members'],
  rowTopics: ['departures'],
})

/** A weather or internal note is the dispatcher's daily work and needs less than changing capacity. */
export const noteDeparture = callable({
  name: 'departures-note',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Writes the weather note and the internal note of a departure.',
  input: write({ id: Id, version: Version, weatherNote: optionalText(1000), internalNote: optionalText(2000) }),
  output: Saved,
  writes: ['departures'],
})

export const setDepartureStatus = callable({
  name: 'departures-set-status',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Moves a departure to a legal next status; a reason overrides the guards that may be overridden.',
  input: write({
    id: Id,
    version: Version,
    to: z.enum(departureStatuses),
    reason: optionalText(500),
    cancelReason: orNull(z.enum(cancelReasons)),
    /** When it happened; now when left out. */
    at: z.optional(Instant),
  }),
  output: z.object({ id: Id, version: Version, status: z.enum(departureStatuses) }),
  writes: [
    'alerts',
    'assignments',
    'bookings',
    'check_ins',
    'departure_services',
    'departure_stops',
    'departures',
    'duty_sessions',
    'equipment_issues',
    'manifest_entries',
    'staff_calendar_entries',
    'travelers',
    'vehicle_calendar_entries',
    'proposals',
  ],
})

export const setDepartureSales = callable({
  name: 'departures-set-sales',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Opens, pauses or closes sales of up to 200 departures.',
  input: write({
    ids: z.array(Id).check(z.minLength(1), z.maxLength(200)),
    to: z.enum(statusesOf('departure_sales')),
  }),
  output: z.object({ changed: Count }),
  writes: ['departures'],
})
