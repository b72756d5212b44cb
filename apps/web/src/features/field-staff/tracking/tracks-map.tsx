import { linesOf } from '@tour-ops/contract/tracking/track-pieces'
import type { Track, TrackPoint } from '@tour-ops/contract/tracking/tracks'
import { useMemo } from 'react'
import { m } from '../../../paraglide/messages.js'
import { loadLater } from '../../../ui/load-later.tsx'
import { type SeenSubject, signalOf } from '../../tracking/index.ts'
import { keyOf, type TrackKey } from './chosen-tracks.ts'
import { nearestMoment, type TrackMoment } from './track-at.ts'

const TrackCanvas = loadLater(() => import('../../map/tracks/track-canvas.tsx').then((loaded) => loaded.TrackCanvas))

const positionOf = ({ lng, lat }: Pick<TrackPoint, 'lng' | 'lat'>): [number, number] => [lng, lat]

const drawnOf = ({ subject, points, gaps }: Track, at: number) => ({
  name: subject.name,
  at,
  ...linesOf(points, gaps),
})

interface TracksMapProps {
  tracks: readonly Track[]
  moments: readonly (TrackMoment | null)[]
  stops: readonly { readonly name: string; readonly position: [number, number] }[]
  /** Everyone on duty now; shown while no track is. */
  people: readonly SeenSubject[]
  now: number
  fitKey: string
  onSeek: (at: number) => void
  onChoose: ((key: TrackKey) => void) | undefined
}

/** The map of the page: tracks with a marker at the moment of the replay, or everyone on duty now. */
export function TracksMap({ tracks, moments, stops, people, now, fitKey, onSeek, onChoose }: TracksMapProps) {
  const drawn = useMemo(() => tracks.map(drawnOf), [tracks])
  const markers = moments.flatMap((moment, at) =>
    moment === null
      ? []
      : [{ name: tracks[at]?.subject.name ?? '', at, position: positionOf(moment), isSilent: moment.isSilent }],
  )
  const hasTracks = tracks.length > 0
  const seen = useMemo(
    () =>
      hasTracks
        ? []
        : people.map((person) => ({
            key: keyOf({ kind: person.subjectKind, id: person.subjectId }),
            name: person.name,
            position: positionOf(person),
            signal: signalOf(person, now),
          })),
    [hasTracks, people, now],
  )
  const pick = (place: { lat: number; lng: number }) => {
    const at = nearestMoment(
      tracks.flatMap(({ points }) => points),
      place,
    )
    if (at !== null) onSeek(at)
  }
  return (
    <TrackCanvas
      label={m.tracking_map()}
      content={{ tracks: drawn, stops, markers, people: seen }}
      fitKey={`${fitKey} ${seen.length > 0}`}
      onPick={pick}
      onPerson={(key) => onChoose?.(key as TrackKey)}
    />
  )
}
