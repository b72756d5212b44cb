import { useEffect, useEffectEvent, useRef } from 'react'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import type { Bounds, Position } from './basemap/geometry.ts'
import type { MapAddition, MapPadding } from './basemap/layered-map.ts'
import { OwnGround } from './basemap/own-ground.tsx'
import { useDrawnMap } from './basemap/use-drawn-map.ts'
import './basemap/map.css'
import type { SeenSubject } from '../tracking/index.ts'
import { type MapContent, type MapPeople, OperationsMap } from './operations-map.ts'

/** Where to go; a new object is a new wish, also for the same place. */
export type MapTarget =
  | { readonly kind: 'fit'; readonly bounds: Bounds }
  /** Goes there only if it cannot be seen; a circle smaller than `leastPx` pixels cannot. */
  | { readonly kind: 'see'; readonly bounds: Bounds; readonly leastPx: number }
  | { readonly kind: 'place'; readonly position: Position }
  | { readonly kind: 'zoom'; readonly steps: number }

export interface MapCanvasProps {
  content: MapContent
  people: MapPeople
  target: MapTarget | undefined
  view: { lat: number; lng: number; zoom: number }
  padding: MapPadding
  onMark: (key: string) => void
  /** Stays in the middle. */
  followed: SeenSubject | undefined
  /** Whether an area is drawn. */
  isDrawing: boolean
  /** By name: open incidents, circles of stops and no-go areas as soon as they are known, the area that is drawn. */
  additions: Readonly<Record<string, MapAddition | undefined>>
  onPerson: (subjectId: string) => void
  onIncident: (id: string) => void
  /** A place was pressed while an area is drawn. */
  onPlace: (position: Position) => void
  /** The reader moved the map. */
  onMoved: () => void
  onZoom: (zoom: number) => void
  /** It is on the screen. */
  onReady: () => void
}

/** The drawn map; without WebGL the list is the whole screen. Loads the map library, so it is imported only when a map is shown. */
export function MapCanvas(props: MapCanvasProps) {
  const { content, people, target, followed, isDrawing, view, padding, additions } = props
  const map = useRef<OperationsMap>(null)
  const press = useEffectEvent((key: string) => props.onMark(key))
  const pressPerson = useEffectEvent((subjectId: string) => props.onPerson(subjectId))
  const pressIncident = useEffectEvent((id: string) => props.onIncident(id))
  const pressPlace = useEffectEvent((position: Position) => props.onPlace(position))
  const move = useEffectEvent(() => props.onMoved())
  const zoom = useEffectEvent((level: number) => props.onZoom(level))
  const { box, hasFailed } = useDrawnMap(
    map,
    (container, isDark) =>
      new OperationsMap({
        container,
        isDark,
        view,
        padding,
        label: m.map_region(),
        onMark: (key) => press(key),
        onPerson: (subjectId) => pressPerson(subjectId),
        onIncident: (id) => pressIncident(id),
        onPlace: (position) => pressPlace(position),
        onMoved: () => move(),
        onZoom: (level) => zoom(level),
      }),
  )
  const ready = useEffectEvent(() => props.onReady())
  useEffect(() => ready(), [])
  useEffect(() => map.current?.setContent(content), [content])
  useEffect(() => map.current?.setPeople(people), [people])
  useEffect(() => {
    for (const [name, addition] of Object.entries(additions)) map.current?.add(name, addition)
  }, [additions])
  useEffect(() => map.current?.setPadding(padding), [padding])
  useEffect(() => map.current?.setDrawing(isDrawing), [isDrawing])
  const { subjectId, lng, lat } = followed ?? {}
  useEffect(() => {
    const isSomebody = subjectId !== undefined && lng !== undefined && lat !== undefined
    map.current?.follow(isSomebody ? { id: subjectId, position: [lng, lat] } : undefined)
  }, [subjectId, lng, lat])
  useEffect(() => {
    if (!target) return
    if (target.kind === 'fit') map.current?.fit(target.bounds)
    else if (target.kind === 'see') map.current?.see(target.bounds, target.leastPx)
    else if (target.kind === 'place') map.current?.flyTo(target.position)
    else map.current?.zoomBy(target.steps)
  }, [target])
  return (
    <>
      <div ref={box} className="size-full" />
      <OwnGround map={map} isPage />
      {hasFailed && (
        <div className="absolute inset-x-4 top-4 lg:start-[412px]">
          <Banner role="status" title={m.map_not_drawn()}>
            {m.map_not_drawn_text()}
          </Banner>
        </div>
      )}
    </>
  )
}
