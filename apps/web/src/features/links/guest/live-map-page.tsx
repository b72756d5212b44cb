import type { SharedMap } from '@tour-ops/contract/links/shared-map'
import { m } from '../../../paraglide/messages.js'
import { formatDayTime, formatDuration, formatTime } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { placeLabels } from '../../../ui/sketch/label-places.ts'
import { projectionOf } from '../../../ui/sketch/projection.ts'
import { ShareFoot } from './share-block.tsx'

type OnMap = SharedMap['departures'][number]

/** What is out now, as a drawing and as a list, large enough to be read from across the office. */
export function LiveMapPage({ page }: { page: SharedMap }) {
  const { departures, tourName, upcoming } = page
  const isDrawn = departures.some(({ position }) => position !== null)
  return (
    <>
      <div className="share-live" data-drawn={isDrawn || undefined}>
        <div className="share-block">
          <h1 className="text-[26px] leading-8 font-semibold tracking-tight text-ink-strong">
            {tourName ?? m.links_map_title()}
          </h1>
          <p className="text-lg text-ink-2" role="status">
            {departures.length > 0 ? m.links_map_count({ count: departures.length }) : m.links_map_none()}
          </p>
          {upcoming && (
            <p className="text-ink-2">
              {m.links_map_upcoming({
                tour: upcoming.tourName,
                time: formatDayTime(upcoming.startsAt, upcoming.timeZone),
              })}
            </p>
          )}
        </div>
        {isDrawn && <Drawing page={page} />}
        {departures.length > 0 && (
          <ul className="share-live-list">
            {departures.map((departure) => (
              <Row key={departure.code} departure={departure} toleranceMin={page.onTimeToleranceMin} />
            ))}
          </ul>
        )}
      </div>
      <ShareFoot page={page} timeZone={page.timeZone} />
    </>
  )
}

const size = { width: 640, height: 480 }
/** Half of the mark of a departure. */
const markRadius = 12

/** Where the departures were a while ago, north up. A drawing: it asks nobody else for a map. */
function Drawing({ page: { departures, now } }: { page: SharedMap }) {
  const seen = departures.flatMap(({ code, position }) => (position ? [{ code, ...position }] : []))
  const { at, unitsPerMeter } = projectionOf(seen, size)
  const marks = seen.map((one) => ({ name: one.code, radiusM: one.radiusM, ...at(one) }))
  const labels = placeLabels(marks, size.width)
  const newest = Math.max(...seen.map(({ seenAt }) => Date.parse(seenAt)))
  const minutes = Math.max(1, Math.round((Date.parse(now) - newest) / 60_000))
  return (
    <figure className="share-way">
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        className="block w-full"
        role="img"
        aria-label={m.links_map_drawing()}
      >
        {marks.map(({ name, x, y, radiusM }) => (
          <g key={name}>
            <circle cx={x} cy={y} r={Math.max(markRadius + 6, radiusM * unitsPerMeter)} className="share-way-about" />
            <circle cx={x} cy={y} r={markRadius} className="share-way-bus" />
          </g>
        ))}
        {marks.map(({ name }, index) => {
          const label = labels[index]
          return (
            label && (
              <text key={name} x={label.x} y={label.y} textAnchor={label.anchor} className="share-way-name" data-mine>
                {name}
              </text>
            )
          )
        })}
      </svg>
      <figcaption className="px-4 pt-2 text-ink-2">
        {m.links_map_seen({ duration: formatDuration(minutes), meters: seen[0]?.radiusM ?? 0 })}
      </figcaption>
    </figure>
  )
}

function Row({ departure, toleranceMin }: { departure: OnMap; toleranceMin: number }) {
  const { code, tourName, status, startsAt, timeZone, delaySeconds, next } = departure
  const lateMin = Math.round(delaySeconds / 60)
  const isLate = lateMin > toleranceMin
  return (
    <li className="share-live-row">
      <span className="min-w-0">
        <b className="block truncate text-[17px] font-semibold text-ink-strong">{tourName}</b>
        <span className="block truncate text-ink-2">
          <Ltr>{code}</Ltr> · <Ltr>{formatTime(startsAt, timeZone)}</Ltr>
        </span>
        <span className="block truncate text-ink-2">
          {[
            status === 'boarding' ? m.links_map_boarding() : m.links_map_under_way(),
            next &&
              (next.isHere
                ? m.links_map_at({ place: next.name })
                : m.links_map_next({ place: next.name, time: formatTime(next.at, timeZone) })),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className={isLate ? 'font-semibold whitespace-nowrap text-warn' : 'whitespace-nowrap text-ok'}>
        {isLate ? m.links_supplier_late({ minutes: lateMin }) : m.links_map_on_time()}
      </span>
    </li>
  )
}
