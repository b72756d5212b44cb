import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant } from '../fields.ts'
import { staffKinds } from '../field-staff/staff-terms.ts'
import { anyOf, listInput, listOutput } from '../paging.ts'
import { shownStates } from './expected-silence.ts'
import { linkStates } from './link-state.ts'
import { TrackedRef } from './tracked-ref.ts'

/** Kinds of field staff, and vehicles. */
export const trackedKinds = [...staffKinds, 'vehicle'] as const

export const TrackedSubject = z.object({
  subject: TrackedRef,
  /** Of a person; none of a vehicle. */
  kinds: z.array(z.enum(staffKinds)),
  state: z.enum(linkStates),
  /** On duty and unseen on purpose. */
  isOnBreak: z.boolean(),
  /** Of this duty; null before the first position. */
  lastFixAt: z.nullable(Instant),
  batteryPct: z.nullable(Count),
  speedMps: z.nullable(z.number()),
  /** How often the device reports, seconds; null without one. */
  intervalS: z.nullable(Count),
  /** The one of the duty, else the one that is out with them. */
  departure: z.nullable(
    z.object({
      id: Id,
      code: z.string(),
      tourName: z.string(),
      timeZone: z.string(),
      /** Where no signal is expected on the way ahead: until about when. */
      quietUntil: z.nullable(Instant),
      delaySeconds: z.int(),
      /** Where they are or come next, and when by the estimate. */
      nextStop: z.nullable(z.object({ name: z.string(), number: Count, of: Count, at: Instant })),
    }),
  ),
})
export type TrackedSubject = z.output<typeof TrackedSubject>

export const trackedSubjectFilters = {
  state: anyOf(z.enum(shownStates)),
  kind: anyOf(z.enum(trackedKinds)),
  departureId: anyOf(Id),
}

export const listTracked = callable({
  name: 'tracking-list',
  kind: 'read',
  permission: 'tracking:read',
  summary:
    'People and vehicles with the state of their signal: those on duty or on a departure under way; all of them when searched or filtered. Guides see themselves.',
  input: listInput(trackedSubjectFilters, ['name', 'state', 'lastFixAt', 'batteryPct', 'departure', 'delay']),
  output: listOutput(TrackedSubject),
  topics: [
    'assignments',
    'departure_stops',
    'departures',
    'devices',
    'duty_sessions',
    'field_staff',
    'places',
    'tours',
    'vehicle_assignments',
    'vehicle_calendar_entries',
    'vehicles',
  ],
})
