import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, whole } from '../fields.ts'
import { TrackedRef } from './tracked-ref.ts'

/** Tracks on one screen or in one file. */
export const maxTracksAtOnce = 8
/** Of the time that is requested. */
export const maxTrackHours = 48
/** Points of one track on a screen. */
export const maxTrackPoints = 2_000
/** Points of one file, all tracks together; where there are more positions, the best one of each few seconds. */
export const maxExportPoints = 20_000

/** Milliseconds since 1970: a track has thousands of them. */
const Moment = z.number()

export const TrackPoint = z.object({
  at: Moment,
  lat: z.number(),
  lng: z.number(),
  speedMps: z.nullable(z.number()),
  altitudeM: z.nullable(z.number()),
  batteryPct: z.nullable(Count),
})
export type TrackPoint = z.output<typeof TrackPoint>

/** Why nothing is known between two points. */
export const gapReasons = ['no_signal', 'break', 'off_duty'] as const

/** From one point to the next one. */
export const TrackGap = z.object({ from: Moment, to: Moment, reason: z.enum(gapReasons) })
export type TrackGap = z.output<typeof TrackGap>

/** Somewhere they stayed; `place` is one of the organization's, where it is at one. */
export const TrackStay = z.object({
  from: Moment,
  to: Moment,
  lat: z.number(),
  lng: z.number(),
  place: z.nullable(z.string()),
})
export type TrackStay = z.output<typeof TrackStay>

export const Track = z.object({
  subject: TrackedRef,
  departures: z.array(z.object({ id: Id, code: z.string() })),
  /** By time. Simplified: the ones left out are on the line between the others, in place, height and time. */
  points: z.array(TrackPoint),
  gaps: z.array(TrackGap),
  stays: z.array(TrackStay),
  /** Positions that the track is made of. */
  fixes: Count,
  /** Positions that are no part of it because nobody can have been there. */
  implausible: Count,
  /** Length of the way, meters: without a signal the straight line, and nothing of breaks and of the time off duty. */
  meters: Count,
})
export type Track = z.output<typeof Track>

const ids = z._default(z.array(Id).check(z.maxLength(maxTracksAtOnce)), [])
const asked = { staffId: ids, vehicleId: ids, from: Instant, to: Instant }

export const getTracks = callable({
  name: 'tracks-get',
  kind: 'read',
  permission: 'tracking:history',
  summary:
    'Where people and vehicles were in at most two days, simplified. Each access to the track of another person is in the audit log; guides see their own.',
  input: z.object({ ...asked, points: z._default(whole(50, maxTrackPoints), 1_000) }),
  output: z.object({ tracks: z.array(Track) }),
  topics: [],
})

export const trackFormats = ['gpx', 'kml', 'geojson', 'csv'] as const
export type TrackFormat = (typeof trackFormats)[number]

export const exportTracks = callable({
  name: 'tracks-download',
  kind: 'read',
  permission: 'tracking:history',
  summary: 'The same as a file for maps, navigation devices or spreadsheets. In the audit log each time.',
  input: z.object({ ...asked, format: z.enum(trackFormats) }),
  output: z.object({ fileName: z.string(), mediaType: z.string(), content: z.string(), points: Count }),
  topics: [],
})
