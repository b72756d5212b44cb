import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id } from '../fields.ts'
import { TrackedRef } from './tracked-ref.ts'
import { TrackGap, TrackPoint } from './tracks.ts'

/** Tracks of one answer: a map with more of them shows hardly more. */
export const maxDayTracks = 1_000
/** Points of one answer, all tracks together. */
export const maxDayPoints = 60_000
/** Points of one track, where there are few of them. */
export const maxPointsOfDay = 300

/** Where somebody, or a vehicle, was today. */
export const DayTrack = z.object({
  subject: TrackedRef,
  /** Those that they were on duty for today. */
  departureIds: z.array(Id),
  /**
   * By time, simplified. Each duty ends with where they were last known at its end, or at the end of the answer: so what is between is a gap, or none,
   * as everywhere else.
   */
  points: z.array(z.pick(TrackPoint, { at: true, lat: true, lng: true })),
  gaps: z.array(TrackGap),
})
export type DayTrack = z.output<typeof DayTrack>

export const tracksOfDay = callable({
  name: 'tracks-day',
  kind: 'read',
  permission: 'tracking:history',
  summary:
    'Where everyone on duty was today, from midnight of the office until now, simplified. Each track of another person is in the audit log as a look; guides see their own.',
  input: z.object({}),
  output: z.object({
    /** Milliseconds since 1970: the first moment of the day, and the one up to which it is known. */
    from: z.number(),
    to: z.number(),
    tracks: z.array(DayTrack),
    /** Tracks for which the answer has no room, the last ones by name. */
    leftOut: Count,
    /** There are so many of them that places are rough, and short silences no gaps. */
    isRough: z.boolean(),
  }),
  topics: [],
})
