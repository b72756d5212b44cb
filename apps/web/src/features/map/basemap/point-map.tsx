import { Map as MapLibre, Marker, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { classNames } from '../../../ui/class-names.ts'
import { useTheme } from '../../../ui/theme.ts'
import { basemapStyle, type Ground } from './basemap.ts'
import { readPalette } from './map-palette.ts'
import { OwnGround } from './own-ground.tsx'
import './map.css'

// A real address instead of a blob, which the Content-Security-Policy would refuse.
setWorkerUrl(workerUrl)

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
  const box = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<MapLibre | null>(null)
  const isDark = useTheme((theme) => theme.isDark)
  const pick = useEffectEvent((at: Point) => onPick(at))
  const begin = useEffectEvent((container: HTMLElement, dark: boolean) => {
    try {
      return new MapLibre({
        container,
        style: basemapStyle(readPalette(dark)),
        center: point ? [point.lng, point.lat] : [0, 30],
        zoom: point ? pointZoom : 1,
        attributionControl: false,
        dragRotate: false,
        maxPitch: 0,
        maxZoom: 14,
        fadeDuration: 0,
        locale: { 'Map.Title': m.tours_point_map() },
      })
    } catch (error) {
      // Without WebGL the fields below do.
      console.info('The map cannot be drawn in this browser.', error)
      return null
    }
  })
  useEffect(() => {
    if (!box.current) return undefined
    const made = begin(box.current, isDark)
    made?.on('click', ({ lngLat }) => pick({ lat: lngLat.lat, lng: lngLat.wrap().lng }))
    setMap(made)
    return () => made?.remove()
    // Another theme is another style: this small map is made again.
  }, [isDark])
  useMarker(map, point)
  const drawn = useMemo(
    () => ({
      current: map && {
        layered: {
          map,
          setGround: (ground: Ground) => void map.setStyle(ground(readPalette(isDark)), { diff: false }),
        },
      },
    }),
    [map, isDark],
  )
  return (
    <figure className={classNames('group grid gap-1', className)}>
      <div className="relative">
        <div ref={box} className="h-[220px] overflow-hidden rounded-lg border border-line" />
        <OwnGround map={drawn} />
      </div>
      <figcaption className="flex justify-between gap-2 text-xs text-ink-2">
        {m.tours_point_map_hint()} <span className="group-has-data-own-tiles:hidden">Natural Earth · GeoNames</span>
      </figcaption>
    </figure>
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
