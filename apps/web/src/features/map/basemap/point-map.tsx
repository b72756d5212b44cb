import { type Map as MapLibre, Marker } from 'maplibre-gl'
import { useEffect, useEffectEvent } from 'react'
import { m } from '../../../paraglide/messages.js'
import { SmallMapFrame, useSmallMap } from './small-map.tsx'

interface Point {
  readonly lat: number
  readonly lng: number
}

interface PointMapProps {
  point: Point | null
  onPick: (point: Point) => void
  className?: string | undefined
}

/** How near to look at a point; names of towns are readable. */
const pointZoom = 9

/** One point on a small map: a press sets it. Typed coordinates say the same for those who use no pointer. */
export function PointMap({ point, onPick, className }: PointMapProps) {
  const { box, map, grounded } = useSmallMap(() => ({
    label: m.tours_point_map(),
    center: point ? [point.lng, point.lat] : [0, 30],
    zoom: point ? pointZoom : 1,
    maxZoom: 14,
  }))
  const pick = useEffectEvent((at: Point) => onPick(at))
  useEffect(() => {
    const pressed = map?.on('click', ({ lngLat }) => pick({ lat: lngLat.lat, lng: lngLat.wrap().lng }))
    return () => pressed?.unsubscribe()
  }, [map])
  useMarker(map, point)
  return (
    <SmallMapFrame
      box={box}
      grounded={grounded}
      caption={m.tours_point_map_hint()}
      mapClassName="h-[220px]"
      className={className}
    />
  )
}

function useMarker(map: MapLibre | null, point: Point | null): void {
  const { lat, lng } = point ?? {}
  useEffect(() => {
    if (!map || lat === undefined || lng === undefined) return undefined
    const marker = new Marker({ color: getComputedStyle(document.documentElement).getPropertyValue('--brand-strong') })
      .setLngLat([lng, lat])
      .addTo(map)
    if (!map.getBounds().contains([lng, lat]) || map.getZoom() < pointZoom - 2) {
      map.jumpTo({ center: [lng, lat], zoom: pointZoom })
    }
    return () => void marker.remove()
  }, [map, lat, lng])
}
