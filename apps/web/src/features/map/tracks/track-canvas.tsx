import { useEffect, useEffectEvent, useRef } from 'react'
import { m } from '../../../paraglide/messages.js'
import { Banner } from '../../../ui/banner.tsx'
import { OwnGround } from '../basemap/own-ground.tsx'
import { useDrawnMap } from '../basemap/use-drawn-map.ts'
import '../basemap/map.css'
import type { TrackContent } from './track-layers.ts'
import { TrackMap } from './track-map.ts'

export interface TrackCanvasProps {
  /** Name of the drawing for those who listen. */
  label: string
  content: TrackContent
  /** When it changes, the map moves so that everything is seen. */
  fitKey: string
  /** A track was pressed there. */
  onPick: (place: { lat: number; lng: number }) => void
  /** Somebody on duty was pressed. */
  onPerson: (key: string) => void
}

/** Tracks on the basemap, with markers at one moment; without WebGL list and graph say the same. Loads the map library, so it is imported only when a map is shown. */
export function TrackCanvas({ label, content, fitKey, onPick, onPerson }: TrackCanvasProps) {
  const map = useRef<TrackMap>(null)
  const pick = useEffectEvent((place: { lat: number; lng: number }) => onPick(place))
  const pressPerson = useEffectEvent((key: string) => onPerson(key))
  const { box, hasFailed } = useDrawnMap(
    map,
    (container, isDark) =>
      new TrackMap({
        container,
        isDark,
        label,
        onPick: (place) => pick(place),
        onPerson: (key) => pressPerson(key),
      }),
  )
  const { tracks, stops, people, markers } = content
  useEffect(() => map.current?.set('tracks', { tracks }), [tracks])
  useEffect(() => map.current?.set('stops', { stops }), [stops])
  useEffect(() => map.current?.set('people', { people }), [people])
  useEffect(() => map.current?.set('markers', { markers }), [markers])
  useEffect(() => map.current?.fitOnce(fitKey), [fitKey])
  return (
    <>
      <div ref={box} className="size-full" />
      <OwnGround map={map} />
      {hasFailed && (
        <div className="absolute inset-x-4 top-4">
          <Banner role="status" title={m.map_not_drawn()}>
            {m.map_track_not_drawn_text()}
          </Banner>
        </div>
      )}
    </>
  )
}
