import type { SharedPage } from '@tour-ops/contract/links/shared-page'
import { m } from '../../../paraglide/messages.js'
import { formatDuration } from '../../../ui/format.ts'
import { projectionOf, type SketchPoint } from '../../../ui/sketch/projection.ts'
import { placesOf } from './headline.ts'
import { SketchNames } from './sketch-names.tsx'

interface WaySketchProps {
  page: SharedPage
  /** The server's clock now, milliseconds. */
  now: number
}

const size = { width: 390, height: 300 }
/** Half of the mark that says where the tour is; a circle of what is not known is never smaller. */
const markRadius = 14

interface Spot extends SketchPoint {
  readonly key: string
  readonly name: string
  readonly isMine: boolean
  readonly isBehind: boolean
}

/** Where the tour was a while ago, between the last stop and what comes next for the reader. A drawing: it asks nobody else for a map. */
export function WaySketch({ page, now }: WaySketchProps) {
  const { position } = page
  if (position === null) return null
  const { spots, framed } = waysOf(page)
  const { at, unitsPerMeter } = projectionOf([position, ...framed], size)
  const placed = spots.map((spot) => ({ ...spot, ...at(spot) }))
  // a round trip ends where it began: one mark and one name
  const marks = placed.filter((spot, index) => !placed.slice(index + 1).some((later) => isSame(spot, later)))
  const inSight = marks.filter(({ x, y }) => x > 0 && x < size.width && y > 0 && y < size.height)
  const bus = at(position)
  const behind = placed.filter(({ isBehind }) => isBehind)
  const ahead = placed.filter(({ isBehind, isMine }) => !isBehind && !isMine)
  const minutes = Math.max(1, Math.round((now - Date.parse(position.seenAt)) / 60_000))
  const seen = m.links_guest_seen({ duration: formatDuration(minutes), meters: position.radiusM })
  return (
    <figure className="share-way">
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        className="block w-full"
        role="img"
        aria-label={m.links_guest_way()}
      >
        <Line points={[...behind, bus]} className="share-way-done" />
        <Line points={[bus, ...ahead]} className="share-way-ahead" />
        {inSight.map(({ key, x, y, isMine }) => (
          <circle key={key} cx={x} cy={y} r={isMine ? 9 : 6} className={isMine ? 'share-way-me' : 'share-way-stop'} />
        ))}
        <circle
          cx={bus.x}
          cy={bus.y}
          r={Math.max(markRadius + 6, position.radiusM * unitsPerMeter)}
          className="share-way-about"
        />
        <circle cx={bus.x} cy={bus.y} r={markRadius} className="share-way-bus" />
        <SketchNames marks={inSight} width={size.width} isMine={({ isMine }) => isMine} />
      </svg>
      <figcaption className="px-4 pt-2 text-ink-2">{seen}</figcaption>
    </figure>
  )
}

function Line({ points, className }: { points: readonly { x: number; y: number }[]; className: string }) {
  return points.length < 2 ? null : (
    <polyline points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} className={className} />
  )
}

/** The stops in their order with the reader's own place, and those of them that have to be in sight. */
function waysOf(page: SharedPage): { spots: readonly Spot[]; framed: readonly SketchPoint[] } {
  const { meeting, stops } = page
  const { here, next, isBehind } = placesOf(page)
  const spots = stops.flatMap((stop): Spot[] => {
    const { id, name, lat, lng } = stop
    return lat === null || lng === null ? [] : [{ key: id, name, lat, lng, isMine: false, isBehind: isBehind(stop) }]
  })
  const isWaiting = meeting !== null && !meeting.isPast && here === undefined
  if (isWaiting && meeting.lat !== null && meeting.lng !== null) {
    const mine = {
      key: 'meeting',
      name: m.links_guest_you(),
      lat: meeting.lat,
      lng: meeting.lng,
      isMine: true,
      isBehind: false,
    }
    return { spots: [...spots.filter((spot) => !isSame(spot, mine)), mine], framed: [mine] }
  }
  const last = spots.findLast((spot) => spot.isBehind)
  const ahead = spots.find(({ key }) => key === (here ?? next)?.id)
  return { spots, framed: [last, ahead].filter((spot) => spot !== undefined) }
}

/** Two marks on one another could not be read. */
const isSame = (a: SketchPoint, b: SketchPoint): boolean =>
  Math.abs(a.lat - b.lat) < 0.0002 && Math.abs(a.lng - b.lng) < 0.0004
