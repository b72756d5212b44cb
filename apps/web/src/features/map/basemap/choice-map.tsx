import { type LngLatBoundsLike, type Map as MapLibre, Marker, MercatorCoordinate } from 'maplibre-gl'
import { Minus, Plus } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { m } from '../../../paraglide/messages.js'
import { Banner } from '../../../ui/banner.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { SmallMapFrame, useSmallMap } from './small-map.tsx'
import { type Spot, spreadMarks } from './spread-marks.ts'

export interface ChoicePlace {
  readonly key: string
  /** On the mark, as in the list next to the map. */
  readonly number: number
  /** Next to the mark while it is pointed at or chosen. */
  readonly label: string
  readonly lat: number
  readonly lng: number
}

export interface ChoiceMapProps {
  /** Name of the map for those who listen. */
  label: string
  caption: string
  places: readonly ChoicePlace[]
  chosen: string
  onChoose: (key: string) => void
  mapClassName: string
  className?: string | undefined
}

/** Streets can be told apart. */
const closestFit = 14
/** Marks are 28 wide; fingers get 44. Pixels. */
const apartPx = { fine: 30, coarse: 44 }
/** Width of the world at zoom 0, pixels. */
const tilePx = 512
/** Room for a mark at the edge, and for the label below it. Pixels. */
const edge = { top: 28, bottom: 56, left: 64, right: 64 }

/** Numbered places on a small map: a press on a mark chooses it. Needs a list with the same choices next to it, for the keyboard and for those who listen. */
export function ChoiceMap({ label, caption, places, chosen, onChoose, mapClassName, className }: ChoiceMapProps) {
  const { box, map, grounded, hasFailed } = useSmallMap(() => ({
    label,
    maxZoom: 17,
    bounds: boundsOf(places),
    fitBoundsOptions: { padding: edge, maxZoom: closestFit },
  }))
  const offsets = useOffsets(map, places)
  useInSight(
    map,
    places.find(({ key }) => key === chosen),
  )
  return (
    <SmallMapFrame box={box} grounded={grounded} caption={caption} mapClassName={mapClassName} className={className}>
      {map && (
        <div className="absolute end-2 top-2 flex flex-col rounded-lg border border-line bg-surface shadow-float">
          <IconButton label={m.map_zoom_in()} icon={Plus} onClick={() => map.zoomIn()} />
          <IconButton label={m.map_zoom_out()} icon={Minus} onClick={() => map.zoomOut()} />
        </div>
      )}
      {hasFailed && (
        <div className="absolute inset-x-3 top-3">
          <Banner role="status" title={m.map_not_drawn()}>
            {m.map_not_drawn_text()}
          </Banner>
        </div>
      )}
      {map &&
        places.map((place, index) => (
          <Mark
            key={place.key}
            map={map}
            place={place}
            offset={offsets[index]}
            isChosen={place.key === chosen}
            onPress={() => onChoose(place.key)}
          />
        ))}
    </SmallMapFrame>
  )
}

function boundsOf(places: readonly ChoicePlace[]): LngLatBoundsLike {
  const [lngs, lats] = [places.map(({ lng }) => lng), places.map(({ lat }) => lat)]
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]
}

interface MarkProps {
  map: MapLibre
  place: ChoicePlace
  /** Pixels. */
  offset: Spot | undefined
  isChosen: boolean
  onPress: () => void
}

/** Filled and with its label where it is chosen; others show their label while they are pointed at. Hidden from those who listen: they have the list. */
function Mark({ map, place: { lng, lat, number, label }, offset, isChosen, onPress }: MarkProps) {
  const [marker] = useState(() => new Marker({ element: markElement() }).setLngLat([lng, lat]))
  useEffect(() => {
    marker.setLngLat([lng, lat]).addTo(map)
    return () => void marker.remove()
  }, [marker, map, lng, lat])
  const { x, y } = offset ?? { x: 0, y: 0 }
  useEffect(() => void marker.setOffset([x, y]), [marker, x, y])
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- see above
    <div
      data-choice-mark
      data-chosen={isChosen || undefined}
      className={classNames(
        'group/mark relative grid size-7 cursor-pointer place-items-center rounded-full border-2 font-sans text-xs font-semibold shadow-float after:absolute after:-inset-0.5 after:content-[""] coarse:after:-inset-2',
        isChosen ? 'border-surface bg-brand-strong text-on-brand' : 'border-ink-strong bg-surface text-ink-strong',
      )}
      onClick={onPress}
    >
      <span className="num">{number}</span>
      <span
        className={classNames(
          'pointer-events-none absolute top-full mt-1 w-max max-w-40 rounded-md border border-line bg-surface px-1.5 py-0.5 text-center text-2xs font-medium text-balance text-ink-strong shadow-float',
          !isChosen && 'hidden group-hover/mark:block',
        )}
      >
        {label}
      </span>
    </div>,
    marker.getElement(),
  )
}

function markElement(): HTMLElement {
  const element = document.createElement('div')
  element.setAttribute('aria-hidden', 'true')
  // what is pointed at is above what is chosen, and that above the rest
  element.className = 'has-data-chosen:z-1 hover:z-2'
  return element
}

/** How far each mark is drawn from its place at the present zoom. */
function useOffsets(map: MapLibre | null, places: readonly ChoicePlace[]): Spot[] {
  const zoom = useSyncExternalStore(
    (notify) => {
      const zoomed = map?.on('zoom', notify)
      return () => zoomed?.unsubscribe()
    },
    () => map?.getZoom() ?? 0,
  )
  const isCoarse = useMedia('(pointer: coarse)')
  const world = tilePx * 2 ** zoom
  const spots = places.map((place) => {
    const { x, y } = MercatorCoordinate.fromLngLat(place)
    return { x: x * world, y: y * world }
  })
  return spreadMarks(spots, isCoarse ? apartPx.coarse : apartPx.fine)
}

/** A place that was chosen in the list is seen on the map. */
function useInSight(map: MapLibre | null, place: ChoicePlace | undefined): void {
  const { lng, lat } = place ?? {}
  useEffect(() => {
    if (!map || lng === undefined || lat === undefined) return
    if (!map.getBounds().contains([lng, lat])) map.easeTo({ center: [lng, lat] })
  }, [map, lng, lat])
}
