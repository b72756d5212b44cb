import { useQuery } from '@tanstack/react-query'
import { maxPageSize } from '@tour-ops/contract/paging'
import { shownState } from '@tour-ops/contract/tracking/expected-silence'
import { linesOf } from '@tour-ops/contract/tracking/track-pieces'
import { listTracked } from '@tour-ops/contract/tracking/tracked-subjects'
import type { Track, TrackPoint } from '@tour-ops/contract/tracking/tracks'
import { useMemo } from 'react'
import { callQuery } from '../../../backend/queries.ts'
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

const everyoneOut = callQuery(listTracked, { size: maxPageSize })

/** Until when no signal is expected, by who they are: of everyone, whatever the list next to the map is narrowed to. */
function useQuietUntil(isAsked: boolean): ReadonlyMap<string, string | null> {
  const { data } = useQuery({ ...everyoneOut, enabled: isAsked })
  return useMemo(
    () => new Map(data?.rows.map(({ subject, departure }) => [subject.id, departure?.quietUntil ?? null])),
    [data],
  )
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
  const quietUntil = useQuietUntil(!hasTracks && people.some((person) => signalOf(person, now) !== 'live'))
  const seen = useMemo(
    () =>
      hasTracks
        ? []
        : people.map((person) => ({
            key: keyOf({ kind: person.subjectKind, id: person.subjectId }),
            name: person.name,
            position: positionOf(person),
            signal: shownState(signalOf(person, now), quietUntil.get(person.subjectId), now),
          })),
    [hasTracks, people, quietUntil, now],
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
