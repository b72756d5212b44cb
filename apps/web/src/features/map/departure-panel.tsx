import type { MapDeparture, MapStop } from '@tour-ops/contract/map/map'
import { useEffect, useRef } from 'react'
import { DepartureLink } from '../../records/departure-link.tsx'
import { m } from '../../paraglide/messages.js'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatTime, formatZone, zonesDiffer, formatLocalTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { crewOf, MapStatus } from './day-panel.tsx'
import { PanelHead } from './panel-head.tsx'
import { useEscape } from './use-escape.ts'
import { lastKnownStop, nextStop, progressOf, type StopProgress } from './day-groups.ts'

export interface DeparturePanelProps {
  departure: MapDeparture
  now: number
  officeZone: string | undefined
  onBack: () => void
  onStop: (stop: MapStop) => void
}

/** One departure as text: where it is, and every stop with its time. The accessible twin of the way on the map. */
export function DeparturePanel({ departure, now, officeZone, onBack, onStop }: DeparturePanelProps) {
  const { timeZone } = departure
  const back = useRef<HTMLButtonElement>(null)
  // The keyboard follows what was pressed in the list or on the map.
  useEffect(() => back.current?.focus({ preventScroll: true }), [])
  useEscape(onBack)
  return (
    <>
      <div className="shrink-0 border-b border-line px-4 pb-3 lg:pt-3">
        <PanelHead
          className="-ms-2"
          backLabel={m.map_back()}
          onBack={onBack}
          backRef={back}
          title={
            <>
              <Ltr className="num">{formatLocalTime(departure.startTimeLocal)}</Ltr>{' '}
              <ZoneNote moment={departure.startsAt} zone={timeZone} /> {departure.tourName}
            </>
          }
        >
          <MapStatus departure={departure} now={now} />
        </PanelHead>
        <p className="text-ink-2">
          {crewOf(departure)} ·{' '}
          <span className="num">{m.map_aboard({ aboard: departure.aboard, expected: departure.seatsConfirmed })}</span>
        </p>
        <Whereabouts departure={departure} />
        {officeZone && zonesDiffer(now, timeZone, officeZone) && (
          <p className="text-xs text-ink-2">{m.map_times_in({ zone: formatZone(timeZone) })}</p>
        )}
      </div>
      <ol className="min-h-0 flex-1 overflow-y-auto py-1" aria-label={m.map_stops()}>
        {departure.stops.map((stop) => (
          <StopRow key={stop.id} departure={departure} stop={stop} onPress={() => onStop(stop)} />
        ))}
        {departure.stops.length === 0 && <li className="p-4 text-ink-2">{m.map_no_stops()}</li>}
      </ol>
      <div className="shrink-0 border-t border-line p-3">
        <DepartureLink id={departure.id} className={buttonClass({ className: 'w-full' })}>
          {m.map_open_departure()}
        </DepartureLink>
      </div>
    </>
  )
}

/** What is known of the place: from marks of the crew and the office, never guessed. */
function Whereabouts({ departure }: { departure: MapDeparture }) {
  const { timeZone } = departure
  const at = lastKnownStop(departure)
  const next = nextStop(departure)
  if (!at || departure.status === 'completed' || departure.status === 'aborted') return null
  const time = (moment: string) => formatTime(moment, timeZone)
  const ahead = next && m.map_next_about({ place: next.name, time: time(next.etaAt ?? next.plannedArriveAt) })
  if (at.actualArriveAt && progressOf(departure, at) === 'here')
    return <Words first={m.map_here_since({ place: at.name, time: time(at.actualArriveAt) })} then={ahead} />
  if (at.status === 'departed' && at.actualDepartAt)
    return <Words first={m.map_left_at({ place: at.name, time: time(at.actualDepartAt) })} then={ahead} />
  if (departure.startedAt)
    return <Words first={m.map_left_at({ place: at.name, time: time(departure.startedAt) })} then={ahead} />
  return <Words first={m.map_not_started({ place: at.name })} />
}

const Words = ({ first, then }: { first: string; then?: string | undefined }) => (
  <p className="num mt-1 font-medium text-ink-strong">{[first, then].filter(Boolean).join(' · ')}</p>
)

const dotLook: Record<StopProgress, string> = {
  done: 'border-brand bg-brand',
  here: 'border-brand bg-surface ring-4 ring-brand-tint',
  next: 'border-brand bg-surface',
  ahead: 'border-ctl bg-surface',
  skipped: 'border-line bg-surface',
}
const progressLabel: Record<StopProgress, () => string> = {
  done: m.map_stop_done,
  here: m.map_stop_here,
  next: m.map_stop_next,
  ahead: m.map_stop_ahead,
  skipped: m.map_stop_skipped,
}

function StopRow({ departure, stop, onPress }: { departure: MapDeparture; stop: MapStop; onPress: () => void }) {
  const progress = progressOf(departure, stop)
  const { timeZone, dayCount } = departure
  const actual = stop.actualArriveAt ?? stop.actualDepartAt
  const shown = actual ?? stop.etaAt ?? stop.plannedArriveAt
  const planned = formatTime(stop.plannedArriveAt, timeZone)
  const time = formatTime(shown, timeZone)
  return (
    <li>
      <button type="button" className="flex w-full items-center gap-3 px-4 py-2 hover:bg-surface-2" onClick={onPress}>
        <span className="num w-14 shrink-0 text-end">
          <Ltr
            className={classNames(
              'font-semibold',
              progress === 'skipped' ? 'text-ink-2 line-through' : 'text-ink-strong',
            )}
          >
            {time}
          </Ltr>
          {time !== planned && (
            <Ltr className="block text-xs text-ink-2">
              <span className="sr-only">{m.map_planned()} </span>
              <s>{planned}</s>
            </Ltr>
          )}
        </span>
        <span className={classNames('size-3 shrink-0 rounded-full border-2', dotLook[progress])} aria-hidden />
        <span className="min-w-0 flex-1">
          <span className="block text-ink-strong">{stop.name}</span>
          <span className="block text-xs text-ink-2">
            {dayCount > 1
              ? `${m.map_day({ day: stop.dayIndex })} · ${progressLabel[progress]()}`
              : progressLabel[progress]()}
          </span>
        </span>
      </button>
    </li>
  )
}
