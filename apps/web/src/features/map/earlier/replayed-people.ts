import type { MapDeparture } from '@tour-ops/contract/map/map'
import type { DayTrack } from '@tour-ops/contract/tracking/day-tracks'
import { positionAt, type Span, speedBetween } from '../../tracking/index.ts'
import { containsEach, matches } from '../day-groups.ts'
import type { WatchedSubject } from '../watched-subjects.ts'

/** Where everyone of these was at a moment, as the live map has them now; nobody on a break, off duty, or not yet seen. */
export const peopleAt = (tracks: readonly DayTrack[], at: number): WatchedSubject[] =>
  tracks.flatMap((track): WatchedSubject | [] => {
    const position = positionAt(track, at)
    if (!position) return []
    const { lat, lng, headingDeg, isSilent, before, after } = position
    const seenAt = new Date(isSilent ? before.at : at).toISOString()
    const { kind, id, name } = track.subject
    return {
      subjectKind: kind,
      subjectId: id,
      name,
      recordedAt: seenAt,
      receivedAt: seenAt,
      lat,
      lng,
      headingDeg,
      speedMps: isSilent ? null : speedBetween(before, after),
      isSilent,
    }
  })

/** What the list next to the map is narrowed to. */
export interface Narrowed {
  readonly departures: readonly MapDeparture[]
  readonly selectedId: string | undefined
  /** Words that were typed. */
  readonly q: string
}

/** Tracks of whom the list shows: those of the selected departure, else those whose name or departure was searched for. */
export function tracksListed(
  tracks: readonly DayTrack[],
  { departures, selectedId, q }: Narrowed,
): readonly DayTrack[] {
  if (selectedId !== undefined) return tracks.filter(({ departureIds }) => departureIds.includes(selectedId))
  if (q === '') return tracks
  const found = new Set(departures.filter((departure) => matches(departure, q)).map(({ id }) => id))
  return tracks.filter(
    ({ subject, departureIds }) => containsEach(subject.name, q) || departureIds.some((id) => found.has(id)),
  )
}

/** From the first position of the day to the moment at which it was read. */
export function spanOfDay(tracks: readonly DayTrack[], { from, to }: Span): Span {
  const first = Math.min(...tracks.map(({ points }) => points[0]?.at ?? to))
  return { from: Math.max(from, Math.min(first, to - 60_000)), to }
}

/** Frames of the map in a second while a replay plays; the slider has as many as the screen. */
const mapFrames = 10

/** The moment that the map draws while the replay is at one: a thousand marks are not drawn anew with each frame of the screen. */
export const drawnMoment = (at: number, speed: number, isPlaying: boolean, { from }: Span): number => {
  const stepMs = (1000 / mapFrames) * speed
  return isPlaying ? from + Math.floor((at - from) / stepMs) * stepMs : at
}

/** The plan of a departure, without what is known now of how far it is. */
export const planOf = (departure: MapDeparture): MapDeparture => ({
  ...departure,
  status: 'scheduled',
  startedAt: null,
  stops: departure.stops.map((stop) => ({ ...stop, status: 'planned' })),
})
