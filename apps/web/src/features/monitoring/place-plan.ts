import { edgeOf } from '@tour-ops/contract/map/areas'
import type { AlertPlace } from '@tour-ops/contract/monitoring/alerts'

/** Units of the drawing. */
export const planWidth = 404
export const planHeight = 180
const margin = 28
/** Labels nearer to each other than this would overlap. */
const labelHeight = 16
const metersPerDegree = 111_195
/** Around a place with nothing else to show. */
const leastMeters = 400

interface Spot {
  readonly x: number
  readonly y: number
}

export interface PlacePlan {
  /** Points of each drawn way, as SVG takes them. */
  readonly ways: readonly string[]
  readonly stops: readonly (Spot & {
    readonly key: string
    readonly name: string
    readonly isDone: boolean
    /** False where a previous stop's name is. */
    readonly isNamed: boolean
    /** The name is before the mark, because there is no room behind it. */
    readonly isAtEnd: boolean
  })[]
  /** Points of the edge of the no-go area; null without one. */
  readonly area: string | null
  readonly seen: Spot
  readonly scale: { readonly meters: number; readonly width: number }
}

/**
 * The position of everything on the plan: north is up, one scale for both directions. The place that was seen fits together with the no-go
 * area, or else with the stops.
 */
export function drawPlace({ lat, lng, stops, routes, noGo }: AlertPlace): PlacePlan {
  const perLng = metersPerDegree * Math.cos((lat * Math.PI) / 180)
  const meters = (at: { lat: number; lng: number }): Spot => ({
    x: (at.lng - lng) * perLng,
    y: (lat - at.lat) * metersPerDegree,
  })
  const edge = noGo && edgeOf(noGo.area).map(([east, north]) => ({ lat: north, lng: nearTo(lng, east) }))
  const marks = [{ lat, lng }, ...(edge ?? stops)].map(meters)
  const [left, right] = span(marks.map(({ x }) => x))
  const [top, bottom] = span(marks.map(({ y }) => y))
  const perMeter = Math.min((planWidth - 2 * margin) / (right - left), (planHeight - 2 * margin) / (bottom - top))
  const place = (at: { lat: number; lng: number }): Spot => {
    const { x, y } = meters(at)
    return {
      x: planWidth / 2 + (x - (left + right) / 2) * perMeter,
      y: planHeight / 2 + (y - (top + bottom) / 2) * perMeter,
    }
  }
  const named: Spot[] = []
  return {
    ways: routes.map(({ line }) => line.map(([east, north]) => textOf(place({ lat: north, lng: east }))).join(' ')),
    stops: stops.map((stop, index) => {
      const spot = place(stop)
      const isNamed = named.every(({ x, y }) => Math.abs(y - spot.y) >= labelHeight || Math.abs(x - spot.x) >= 120)
      if (isNamed) named.push(spot)
      return {
        ...spot,
        key: `${index} ${stop.name}`,
        name: stop.name,
        isDone: stop.isDone,
        isNamed,
        isAtEnd: spot.x > planWidth * 0.6,
      }
    }),
    area: edge && edge.map((corner) => textOf(place(corner))).join(' '),
    seen: place({ lat, lng }),
    scale: scaleOf(perMeter),
  }
}

/** A longitude on the near side of the world. */
const nearTo = (lng: number, other: number): number => other + Math.round((lng - other) / 360) * 360

const textOf = ({ x, y }: Spot): string => `${x.toFixed(1)},${y.toFixed(1)}`

function span(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const missing = Math.max(0, leastMeters - (high - low)) / 2
  return [low - missing, high + missing]
}

/** A round distance of a fifth of the plan at most. */
function scaleOf(perMeter: number): PlacePlan['scale'] {
  const most = planWidth / 5 / perMeter
  const step = 10 ** Math.floor(Math.log10(most))
  const meters = ([5, 2, 1].find((factor) => factor * step <= most) ?? 1) * step
  return { meters, width: meters * perMeter }
}
