import type { AlertPlace as Place } from '@tour-ops/contract/monitoring/alerts'
import { m } from '../../paraglide/messages.js'
import { formatDistance, formatMoment } from '../../ui/format.ts'
import { formatPosition } from '../../ui/format-position.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { drawPlace, planHeight, planWidth } from './place-plan.ts'

interface AlertPlaceProps {
  place: Place
  now: number
  timeZone: string
}

/** A small plan of where an alert was seen, between the stops and on the drawn ways around it; no tiles, so that it opens at once. */
export function AlertPlace({ place, now, timeZone }: AlertPlaceProps) {
  const { ways, stops, area, seen, scale } = drawPlace(place)
  const time = formatMoment(place.at, timeZone, now)
  const label = place.noGo
    ? m.monitoring_place_label_no_go({ time, area: place.noGo.name })
    : m.monitoring_place_label({ time, stops: place.stops.map(({ name }) => name).join(', ') })
  return (
    <figure className="alert-place">
      <svg viewBox={`0 0 ${planWidth} ${planHeight}`} role="img" aria-label={label}>
        {area !== null && <polygon className="alert-place-no-go" points={area} />}
        {ways.map((points) => (
          <polyline key={points} className="alert-place-way" points={points} />
        ))}
        {stops.map(({ key, x, y, name, isDone, isNamed, isAtEnd }) => (
          <g key={key}>
            <circle className="alert-place-stop" data-done={isDone || undefined} cx={x} cy={y} r={5} />
            {isNamed && (
              <text x={x + (isAtEnd ? -9 : 9)} y={y + 4} textAnchor={isAtEnd ? 'end' : 'start'}>
                {name}
              </text>
            )}
          </g>
        ))}
        {place.noGo && (
          <text className="alert-place-name" x={12} y={22}>
            {place.noGo.name}
          </text>
        )}
        <circle className="alert-place-seen" cx={seen.x} cy={seen.y} r={8} />
        <path className="alert-place-scale" d={`M12 ${planHeight - 12}h${scale.width}`} />
        <text x={12} y={planHeight - 18}>
          {formatDistance(scale.meters)}
        </text>
      </svg>
      <figcaption className="num flex flex-wrap gap-x-3 px-4 pt-1 text-xs text-ink-2">
        {m.monitoring_place_seen({ time })}
        <Ltr className="select-all">{formatPosition(place)}</Ltr>
      </figcaption>
    </figure>
  )
}
