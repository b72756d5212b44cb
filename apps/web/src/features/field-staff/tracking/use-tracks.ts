import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listDepartureStops } from '@tour-ops/contract/departures/run-sheet'
import { getTracks, type Track } from '@tour-ops/contract/tracking/tracks'
import { useMemo } from 'react'
import { callQuery } from '../../../backend/queries.ts'
import { useAccess } from '../../../identity/access.ts'
import { viewerZone } from '../../../ui/format.ts'
import { spanOf, type Span } from '../../tracking/index.ts'
import { askedOf, keyOf, type TrackKey } from './chosen-tracks.ts'
import { eventsOf, type TrackEvent } from './track-events.ts'

/** A day that lasts is requested again this often. */
const refetchMs = 30_000
/** Enough for a screen: the server leaves out what says least. */
const points = 1_500
const mostDepartures = 100

export interface ChosenTracks {
  readonly query: ReturnType<typeof useTracksQuery>
  /** In the order in which they were chosen. */
  readonly tracks: readonly Track[]
  readonly span: Span
  readonly events: readonly TrackEvent[]
  readonly stops: readonly { readonly name: string; readonly position: [number, number] }[]
}

function useTracksQuery(keys: readonly TrackKey[], day: string, isLasting: boolean) {
  const { can } = useAccess()
  return useQuery({
    ...callQuery(getTracks, { ...askedOf(keys, day, viewerZone()), points }),
    enabled: keys.length > 0 && can('tracking:history'),
    placeholderData: keepPreviousData,
    refetchInterval: isLasting ? refetchMs : false,
  })
}

/** Tracks of a day with the course of that day. Each look is in the audit log. @param isLasting The day is not over. */
export function useTracks(keys: readonly TrackKey[], day: string, isLasting: boolean): ChosenTracks {
  const { can } = useAccess()
  const query = useTracksQuery(keys, day, isLasting)
  const tracks = useMemo(
    () => keys.flatMap((key) => query.data?.tracks.find(({ subject }) => keyOf(subject) === key) ?? []),
    [keys, query.data],
  )
  const departureIds = useMemo(
    () => [...new Set(tracks.flatMap(({ departures }) => departures.map(({ id }) => id)))].slice(0, mostDepartures),
    [tracks],
  )
  const stops = useQuery({
    ...callQuery(listDepartureStops, { departureIds }),
    enabled: departureIds.length > 0 && can('departures:read'),
  }).data?.stops
  const span = useMemo(() => {
    const { from, to } = askedOf(keys, day, viewerZone())
    return spanOf(tracks, { from: Date.parse(from), to: Date.parse(to) })
  }, [tracks, keys, day])
  const events = useMemo(() => eventsOf(tracks, stops ?? [], span), [tracks, stops, span])
  const places = useMemo(() => placesOf(stops ?? []), [stops])
  return { query, tracks, span, events, stops: departureIds.length > 0 ? places : [] }
}

/** Each place once: tours end where they start. */
function placesOf(stops: readonly { placeName: string; lat: number | null; lng: number | null }[]) {
  const places = stops.flatMap(({ placeName, lat, lng }) =>
    lat === null || lng === null ? [] : [{ name: placeName, position: [lng, lat] as [number, number] }],
  )
  return [...new Map(places.map((place) => [place.position.join(), place])).values()]
}
