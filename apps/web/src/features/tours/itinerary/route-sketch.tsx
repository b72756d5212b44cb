import { m } from '../../../paraglide/messages.js'
import { formatDistance } from '../../../ui/format.ts'
import { placeLabels, type LabelPlace } from '../../../ui/sketch/label-places.ts'
import { projectionOf } from '../../../ui/sketch/projection.ts'
import { useMedia } from '../../../ui/use-media.ts'
import type { EditStop } from './itinerary.ts'
import type { PlaceBook } from './use-places.ts'

/** Size of the drawing in its own units, so that its letters are read at any width of the column. */
const sizes = { wide: { width: 560, height: 340 }, narrow: { width: 340, height: 280 } }

interface Spot {
  key: string
  x: number
  y: number
  /** Numbers of the stops here; a round trip begins and ends at one place. */
  numbers: number[]
  name: string
}

/** A round length about a fifth of the picture, in meters. */
function scaleLength(unitsPerMeter: number, width: number): number {
  const rough = width / 5 / unitsPerMeter
  const power = 10 ** Math.floor(Math.log10(rough))
  return [5, 2, 1].map((step) => step * power).find((length) => length <= rough) ?? power
}

export interface RouteSketchProps {
  stops: readonly EditStop[]
  places: PlaceBook
  chosen: string | undefined
  onChoose: (key: string) => void
}

/** The day seen from above: where the stops are and in which order, without a map behind them. */
export function RouteSketch({ stops, places, chosen, onChoose }: RouteSketchProps) {
  const size = useMedia('(min-width: 600px)') ? sizes.wide : sizes.narrow
  const { width, height } = size
  const known = stops.flatMap((stop) => {
    const point = places.pointOf(stop.placeId)
    return point ? [{ stop, point }] : []
  })
  if (known.length === 0) {
    return (
      <p className="grid min-h-40 flex-1 place-items-center px-4 text-center text-ink-2">{m.tours_sketch_empty()}</p>
    )
  }
  const { at, unitsPerMeter } = projectionOf(
    known.map(({ point }) => point),
    size,
  )
  const spots: Spot[] = []
  known.forEach(({ stop, point }) => {
    const number = stops.indexOf(stop) + 1
    const { x, y } = at(point)
    const same = spots.find((spot) => Math.hypot(spot.x - x, spot.y - y) < 10)
    if (same) same.numbers.push(number)
    else spots.push({ key: stop.key, x, y, numbers: [number], name: places.nameOf(stop.placeId) })
  })
  const line = known.map(({ point }) => at(point)).map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`)
  const labels = placeLabels(spots, width)
  const scaleM = scaleLength(unitsPerMeter, width)
  return (
    <div className="min-w-0 flex-1 bg-bg">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className="block max-h-[420px] w-full"
        role="img"
        aria-label={m.tours_sketch({ places: known.map(({ stop }) => places.nameOf(stop.placeId)).join(', ') })}
      >
        <polyline
          points={line.join(' ')}
          fill="none"
          stroke="var(--brand)"
          strokeWidth={3}
          strokeLinejoin="round"
          strokeLinecap="round"
        />
        {spots.map((spot, index) => (
          <SpotMark
            key={spot.key}
            spot={spot}
            label={labels[index]}
            isChosen={spot.numbers.some((number) => stops[number - 1]?.key === chosen)}
            onChoose={() => onChoose(spot.key)}
          />
        ))}
        <g transform={`translate(${width - 16 - scaleM * unitsPerMeter} ${height - 16})`} fill="var(--ink-2)">
          <path d={`M0 -4V0H${scaleM * unitsPerMeter}V-4`} fill="none" stroke="var(--ink-2)" />
          <text x={(scaleM * unitsPerMeter) / 2} y={-6} fontSize={11} textAnchor="middle">
            {formatDistance(scaleM)}
          </text>
        </g>
      </svg>
    </div>
  )
}

interface SpotMarkProps {
  spot: Spot
  label: LabelPlace | undefined
  isChosen: boolean
  onChoose: () => void
}

function SpotMark({ spot, label, isChosen, onChoose }: SpotMarkProps) {
  const { x, y, numbers, name } = spot
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the list next to it holds the same choice for the keyboard
    <g onClick={onChoose} className="cursor-pointer">
      <circle
        cx={x}
        cy={y}
        r={12}
        fill={isChosen ? 'var(--brand-strong)' : 'var(--surface)'}
        stroke="var(--brand)"
        strokeWidth={2.5}
      />
      <text
        x={x}
        y={y + 4}
        fontSize={11}
        fontWeight={600}
        textAnchor="middle"
        fill={isChosen ? 'var(--on-brand)' : 'var(--ink-strong)'}
      >
        {numbers.slice(0, 2).join('·')}
      </text>
      {label && (
        <text
          x={label.x}
          y={label.y}
          fontSize={12}
          fontWeight={600}
          textAnchor={label.anchor}
          fill="var(--ink-strong)"
          stroke="var(--bg)"
          strokeWidth={3}
          paintOrder="stroke"
        >
          {name}
        </text>
      )}
    </g>
  )
}
