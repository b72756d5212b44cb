import type { SharedMap } from '@tour-ops/contract/links/shared-map'
import { m } from '../../../paraglide/messages.js'
import { formatDayTime, formatDuration, formatTime } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { projectionOf } from '../../../ui/sketch/projection.ts'
import { ShareFoot } from './share-block.tsx'
import { SketchNames } from './sketch-names.tsx'

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

const size = { width: 390, height: 300 }
/** Half of the mark of a departure. */
const markRadius = 9

interface Mark {
  readonly key: string
  readonly name: string
  readonly lat: number
  readonly lng: number
  /** Of a departure: how precisely its place is known, meters. Null for a place where one of them goes. */
  readonly radiusM: number | null
}

/** Departures where they were, and the places where they are or go next, each once. */
function marksOf(departures: readonly OnMap[]): readonly Mark[] {
  const seen = departures.flatMap(({ code, position }) => (position ? [{ key: code, name: code, ...position }] : []))
  const places = departures.flatMap(({ position, next }): Mark[] =>
    position === null || next === null || next.lat === null || next.lng === null
      ? []
      : [{ key: `to ${next.name}`, name: next.name, lat: next.lat, lng: next.lng, radiusM: null }],
  )
  return [...seen, ...new Map(places.map((place) => [place.key, place])).values()]
}

/** Where the departures were a while ago, and where they go next, north up. A drawing: it asks nobody else for a map. */
function Drawing({ page: { departures, now } }: { page: SharedMap }) {
  const known = marksOf(departures)
  const { at, unitsPerMeter } = projectionOf(known, size)
  const marks = known.map((mark) => ({ ...mark, ...at(mark) }))
  const newest = Math.max(...departures.flatMap(({ position }) => (position ? [Date.parse(position.seenAt)] : [])))
  const minutes = Math.max(1, Math.round((Date.parse(now) - newest) / 60_000))
  const meters = known.find(({ radiusM }) => radiusM !== null)?.radiusM ?? 0
  return (
    <figure className="share-way">
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        className="block w-full"
        role="img"
        aria-label={m.links_map_drawing()}
      >
        {marks.map(({ key, x, y, radiusM }) =>
          radiusM === null ? (
            <circle key={key} cx={x} cy={y} r={5} className="share-way-stop" />
          ) : (
            <g key={key}>
              <circle cx={x} cy={y} r={Math.max(markRadius + 6, radiusM * unitsPerMeter)} className="share-way-about" />
              <circle cx={x} cy={y} r={markRadius} className="share-way-bus" />
            </g>
          ),
        )}
        <SketchNames marks={marks} width={size.width} isMine={({ radiusM }) => radiusM !== null} />
      </svg>
      <figcaption className="px-4 pt-2 text-ink-2">
        {m.links_map_seen({ duration: formatDuration(minutes), meters })}
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
