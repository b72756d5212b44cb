import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { DepartureRow, departureRowTopics } from '../departures/departures.ts'
import { Count, CsvFile, Id, Instant } from '../fields.ts'
import { anyOf, exportInput, listInput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { EstimateBasis, lastSignal } from '../tracking/last-signal.ts'
import { linkStates } from '../tracking/link-state.ts'
import { severities } from './alerts.ts'

/** A moving thing in one dense row. */
export const MonitoringRow = z.object({
  ...DepartureRow.shape,
  openAlerts: Count,
  /** People on the manifest who are not cancelled. */
  expected: Count,
  lastHeadcount: z.nullable(z.object({ expected: Count, counted: Count, at: Instant })),
  /** Null while nobody leads. */
  guideState: z.nullable(z.enum(linkStates)),
  ...lastSignal,
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
      basis: EstimateBasis,
    }),
  ),
  /** Titles of the weather warnings that hold for it, then what somebody wrote. */
  weatherNote: z.nullable(z.string()),
  /** Of its guests, which nobody of the office has read. */
  unreadMessages: Count,
})

export type MonitoringRow = z.output<typeof MonitoringRow>

export const monitoringStates = ['on_time', 'late', 'no_signal', 'not_ready'] as const

export const monitoringFilters = {
  tourId: anyOf(Id),
  staffId: anyOf(Id),
  status: anyOf(z.enum(statusesOf('departures'))),
  state: anyOf(z.enum(monitoringStates)),
}

export const monitoringSortable = ['startsAt', 'delay', 'tourName', 'status', 'openAlerts', 'unreadMessages'] as const

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
  topics: [
    ...departureRowTopics,
    'booking_messages',
    'bookings',
    'devices',
    'duty_sessions',
    'headcounts',
    'org_settings',
  ],
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
