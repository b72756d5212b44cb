import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import {
  ById,
  changedText,
  Count,
  Id,
  Instant,
  Named,
  optionalText,
  orNull,
  Saved,
  text,
  Version,
  whole,
  write,
} from '../fields.ts'
import { anyOf, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { IncidentFile } from './incident-files.ts'
import { IncidentRef } from './incident-merge.ts'
import { IncidentTask } from './incident-tasks.ts'
import { DepartureRef, MemberRef } from './refs.ts'
import { RollCall } from './roll-calls.ts'

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

/** What somebody sets; "merged" is what merging leaves. */
export const incidentSteps = statusesOf('incidents').filter((status) => status !== 'merged')

/** What an entry of the log is about; of a task it has the text, of a file the name, of a merge the number of the other incident. */
export const incidentEntryKinds = [
  'note',
  'call',
  'status',
  'file',
  'file_removed',
  'message',
  'task_done',
  'task_reopened',
  'task_removed',
  'merged',
] as const

/** Entries of a log in one answer, the newest: more are only in the database. */
export const maxIncidentEntries = 500

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
      /** What was added with the line; null for all other lines, and once it was removed. */
      file: z.nullable(IncidentFile),
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
  rowTopics: ['departures', 'files', 'incidents', 'places', 'travelers'],
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
  input: write({
    id: Id,
    version: Version,
    to: z.enum(incidentSteps),
    note: optionalText(2000),
    /** What was behind it; what is recorded stays where this is left out, and an empty one removes it. */
    rootCause: changedText(2000),
  }),
  output: Saved,
  writes: ['deliveries', 'incident_entries', 'incidents', 'messages'],
})

export const noteIncident = callable({
  name: 'incidents-note',
  kind: 'write',
  permission: 'incidents:manage',
  summary: 'Adds a line to the timeline of an incident.',
  input: write({ id: Id, kind: z._default(z.enum(['note', 'call']), 'note'), text: text(4000, 'text_missing') }),
  output: z.object({ id: Id }),
  writes: ['deliveries', 'incident_entries', 'messages'],
})
