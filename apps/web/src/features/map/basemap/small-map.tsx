import { Map as MapLibre, type MapOptions, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { useTheme } from '../../../ui/theme.ts'
import { basemapStyle, type Ground } from './basemap.ts'
import { readPalette } from './map-palette.ts'
import { type GroundedMap, OwnGround } from './own-ground.tsx'
import './map.css'

// A real address instead of a blob, which the Content-Security-Policy would refuse.
setWorkerUrl(workerUrl)

interface SmallMap {
  /** The element that it fills. */
  readonly box: RefObject<HTMLDivElement | null>
  /** Null before it is made, and in browsers without WebGL. */
  readonly map: MapLibre | null
  readonly hasFailed: boolean
  readonly grounded: RefObject<GroundedMap | null>
}

/**
 * A small map in a form or a dialog, in the reader's theme.
 *
 * @param view What it shows at first; asked again in another theme, for which the map is made again.
 */
export function useSmallMap(
  view: () => Pick<MapOptions, 'center' | 'zoom' | 'maxZoom' | 'bounds' | 'fitBoundsOptions'> & { label: string },
): SmallMap {
  const box = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<MapLibre | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const isDark = useTheme((theme) => theme.isDark)
  const begin = useEffectEvent((container: HTMLElement, dark: boolean) => {
    const { label, ...options } = view()
    try {
      return new MapLibre({
        container,
        style: basemapStyle(readPalette(dark)),
        attributionControl: false,
        dragRotate: false,
        touchPitch: false,
        maxPitch: 0,
        fadeDuration: 0,
        locale: { 'Map.Title': label },
        ...options,
      })
    } catch (error) {
      // Without WebGL the controls next to the map have the same content.
      console.info('The map cannot be drawn in this browser.', error)
      setFailed(true)
      return null
    }
  })
  useEffect(() => {
    if (!box.current) return undefined
    const made = begin(box.current, isDark)
    made?.touchZoomRotate.disableRotation()
    setMap(made)
    return () => made?.remove()
    // Another theme is another style: this small map is made again.
  }, [isDark])
  const grounded = useMemo(
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
  return { box, map, hasFailed, grounded }
}

interface SmallMapFrameProps extends Pick<SmallMap, 'box' | 'grounded'> {
  /** What can be done with it. */
  caption: string
  /** Of the map, with its height. */
  mapClassName: string
  className?: string | undefined
  /** Over the map. */
  children?: ReactNode
}

/** The map with what can be done with it and who made it. */
export function SmallMapFrame({ box, grounded, caption, mapClassName, className, children }: SmallMapFrameProps) {
  return (
    <figure className={classNames('group grid gap-1', className)}>
      <div className="relative">
        <div ref={box} className={classNames('overflow-hidden rounded-lg border border-line', mapClassName)} />
        <OwnGround map={grounded} />
        {children}
      </div>
      <figcaption className="flex flex-wrap justify-between gap-x-2 text-xs text-ink-2">
        {caption} <span className="group-has-data-own-tiles:hidden">Natural Earth · GeoNames</span>
      </figcaption>
    </figure>
  )
}
