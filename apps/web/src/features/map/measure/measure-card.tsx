import { maxAreaPoints } from '@tour-ops/contract/map/areas'
import { Undo2, X } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useImperativeHandle, useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { formatDistance, formatNumber } from '../../../ui/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { CornerFields, type PlacePress } from '../area/area-fields.tsx'
import { areaAddition } from '../area/area-layers.ts'
import { isPlace } from '../../../addresses/area.ts'
import type { Position } from '../basemap/geometry.ts'
import type { MapAddition } from '../basemap/layered-map.ts'
import { useEscape } from '../use-escape.ts'
import { legsOf, lengthOf } from './way-length.ts'

export interface MeasureCardProps {
  onDraw: (addition: MapAddition | undefined) => void
  /** Takes the presses on the map as long as this is shown. */
  onPress: RefObject<PlacePress | null>
  onClose: () => void
}

/** How far it is: points that are pressed on the map or typed, and the length of each leg and of all of them. */
export function MeasureCard({ onDraw, onPress, onClose }: MeasureCardProps) {
  const [points, setPoints] = useState<readonly Position[]>([])
  const add = (point: Position) => setPoints((before) => [...before, point].slice(0, maxAreaPoints))
  useImperativeHandle(onPress, () => (point: Position) => {
    const [lng, lat] = point
    if (isPlace(lat, lng)) add(point)
  })
  const draw = useEffectEvent((addition: MapAddition | undefined) => onDraw(addition))
  useEffect(() => draw(areaAddition(undefined, points)), [points])
  useEffect(() => () => draw(undefined), [])
  useEscape(onClose)
  return (
    <section
      aria-label={m.map_measure()}
      className="absolute end-full top-0 me-2 w-72 max-w-[calc(100vw-5rem)] rounded-xl border border-line bg-surface p-3 shadow-float"
    >
      <div className="flex items-center gap-2">
        <h2 className="min-w-0 flex-1 font-semibold">{m.map_measure()}</h2>
        <IconButton small label={m.map_measure_end()} icon={X} iconSize={15} onClick={onClose} />
      </div>
      <p className="mb-2 text-xs text-ink-2">{m.map_measure_hint()}</p>
      <CornerFields
        label={m.map_measure_point()}
        addLabel={m.map_measure_add()}
        isFull={points.length >= maxAreaPoints}
        onCorner={add}
      />
      <Legs points={points} />
      <div className="mt-2 flex items-center gap-2">
        <b role="status" className="num min-w-0 flex-1 font-medium text-ink-strong">
          {points.length > 1 && m.map_measure_total({ length: formatDistance(lengthOf(points)) })}
        </b>
        <Button
          size="sm"
          variant="ghost"
          icon={Undo2}
          disabled={points.length === 0}
          onClick={() => setPoints(points.slice(0, -1))}
        >
          {m.map_measure_undo()}
        </Button>
      </div>
    </section>
  )
}

const Legs = ({ points }: { points: readonly Position[] }) => (
  <ol aria-label={m.map_measure_legs()} className="num mt-2 max-h-40 overflow-y-auto max-lg:max-h-16" tabIndex={0}>
    {legsOf(points).map((meters, at) => (
      <li key={at} className="flex justify-between gap-3 text-ink-2">
        <span>{m.map_measure_leg({ from: formatNumber(at + 1), to: formatNumber(at + 2) })}</span>
        <span>{formatDistance(meters)}</span>
      </li>
    ))}
  </ol>
)
