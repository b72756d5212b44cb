import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, optionalText, orNull, Version, whole, write } from '../fields.ts'
import { statusesOf } from '../state-machines.ts'
import { tourStopKinds, travelModes } from '../tours/tour-terms.ts'

/** Who says when a stop was reached or left. */
export const stopSources = ['gps', 'guide', 'dispatcher', 'inferred'] as const
export type StopSource = (typeof stopSources)[number]

export const DepartureStop = z.object({
  id: Id,
  version: Version,
  order: Count,
  dayIndex: Count,
  placeId: z.nullable(Id),
  placeName: z.string(),
  lat: z.nullable(z.number()),
  lng: z.nullable(z.number()),
  kind: z.enum(tourStopKinds),
  status: z.enum(statusesOf('departure_stops')),
  plannedArriveAt: Instant,
  plannedDepartAt: Instant,
  actualArriveAt: z.nullable(Instant),
  actualDepartAt: z.nullable(Instant),
  source: z.nullable(z.enum(stopSources)),
  /** Plan plus the delay carried on; null once the stop is done. */
  etaAt: z.nullable(Instant),
  /** Of the next stop: when they were seen where its estimate knows them to be. Null where it rests on marks and the plan alone. */
  seenAt: z.nullable(Instant),
  /**
   * Of a stop that is marked as reached and not as left: when they leave it by the present estimate; null elsewhere, and at the end. Show the
   * one of the stop where they are (`whereaboutsOf`): a stop behind it has one too while nobody has marked that they left.
   */
  leavesAt: z.nullable(Instant),
  delaySeconds: z.int(),
  dwellMin: Count,
  slackMin: Count,
  headcountRequired: z.boolean(),
  headcountExpected: z.nullable(Count),
  headcountActual: z.nullable(Count),
  timedEntry: z.boolean(),
  /** How guests come here where that differs from the tour. */
  travelMode: z.nullable(z.enum(travelModes)),
  signalGap: z.boolean(),
  skipReason: z.nullable(z.string()),
  note: z.nullable(z.string()),
})
export type DepartureStop = z.output<typeof DepartureStop>

/** Of a tour's plan, from 1. */
export const RevisionNumber = whole(1, 1_000_000)

export const seeRunSheet = callable({
  name: 'departures-see-run-sheet',
  kind: 'write',
  permission: 'departures:read',
  summary:
    'Receipt of the run sheet: the caller, a member of the crew, has seen this revision, or the current one where none is named.',
  input: write({ id: Id, revisionNumber: orNull(RevisionNumber) }),
  output: z.object({ seenVersion: z.nullable(Count) }),
  writes: ['assignments'],
})

/** Nothing of a tour happens longer than this before its start; pickups begin an hour or two ahead. */
export const earliestMarkMs = 6 * 60 * 60 * 1000

export const markStop = callable({
  name: 'departures-mark-stop',
  kind: 'write',
  permission: 'checkin:write',
  summary: 'Marks a stop approaching, arrived, departed or skipped, or undoes an arrival with a reason.',
  input: write({
    id: Id,
    version: Version,
    to: z.enum(statusesOf('departure_stops')),
    /** When it happened; now when left out. */
    at: z.optional(Instant),
    reason: optionalText(300),
  }),
  output: z.object({ id: Id, version: Version, departureId: Id, delaySeconds: z.int() }),
  writes: ['departure_stops', 'departures'],
})

export const recordHeadcount = callable({
  name: 'departures-record-headcount',
  kind: 'write',
  permission: 'checkin:write',
  summary: 'Writes a head count at a stop; a mismatch needs a reason.',
  input: write({
    departureId: Id,
    stopId: orNull(Id),
    counted: whole(0, 2000),
    reason: optionalText(300),
    /** When it was counted; now when left out. */
    at: z.optional(Instant),
  }),
  output: z.object({ expected: Count, counted: Count }),
  writes: ['alerts', 'departure_stops', 'headcounts'],
})

export const listDepartureStops = callable({
  name: 'departures-stops',
  kind: 'read',
  permission: 'departures:read',
  summary: 'Stops of several departures, for expanded rows.',
  input: z.object({ departureIds: z.array(Id).check(z.minLength(1), z.maxLength(100)) }),
  output: z.object({ stops: z.array(z.object({ departureId: Id, ...DepartureStop.shape })) }),
  topics: ['departure_stops', 'places'],
  rowTopics: ['departures'],
})
