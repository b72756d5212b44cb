import { ChevronDown, CircleCheck, CircleSlash, CircleSmall } from 'lucide-react'
import { m } from '../../../paraglide/messages.js'
import { formatTime } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { Ticks } from '../components/marks.tsx'
import { stopDetail } from '../components/stop-labels.ts'
import { waitingStopMarkOf } from '../rules/guest-marks.ts'
import { arrivalOf, lateMinOf, leavingOf, type Way } from '../rules/way.ts'
import { phone, usePhone } from '../store/phone.ts'
import type { ShownDeparture, ShownStop } from '../store/shown-day.ts'

/** The other stops: those that are done folded, the last of them with its count, then what comes. */
export function StopList({ shown, way }: { shown: ShownDeparture; way: Way }) {
  const zone = shown.departure.timeZone
  const folded = way.done.slice(0, -1)
  const last = way.done.at(-1)
  const [first] = folded
  return (
    <div className="duty-rows border-t border-line">
      {first && (
        <details className="group">
          <summary className="duty-row cursor-pointer">
            <Ltr className="w-14 shrink-0 text-ink-2">{formatTime(arrivalOf(first).at, zone)}</Ltr>
            <CircleCheck size={22} className="shrink-0 text-ok" aria-hidden />
            <span className="flex-1">{m.duty_stops_done({ count: folded.length })}</span>
            <ChevronDown size={20} className="shrink-0 group-open:rotate-180" aria-hidden />
          </summary>
          <div className="duty-rows border-t border-line">
            {folded.map((stop) => (
              <StopRow key={stop.id} stop={stop} zone={zone} />
            ))}
          </div>
        </details>
      )}
      {last && <StopRow stop={last} zone={zone} />}
      {way.ahead.map((stop) => (
        <StopRow key={stop.id} stop={stop} zone={zone} />
      ))}
    </div>
  )
}

const marks = {
  done: { icon: CircleCheck, tone: 'shrink-0 text-ok' },
  skipped: { icon: CircleSlash, tone: 'shrink-0 text-ink-2' },
  ahead: { icon: CircleSmall, tone: 'shrink-0 text-brand' },
} as const

function nameOf({ status, placeName: place }: ShownStop): string {
  if (status === 'departed') return m.duty_left_place({ place })
  if (status === 'skipped') return m.duty_skipped_place({ place })
  return status === 'arrived' ? m.duty_at_stop({ place }) : place
}

function StopRow({ stop, zone }: { stop: ShownStop; zone: string }) {
  const time = stop.status === 'departed' ? leavingOf(stop) : arrivalOf(stop)
  const late = lateMinOf(stop)
  const isDone = stop.status === 'departed' || stop.status === 'arrived'
  const { icon: Icon, tone } = marks[isDone ? 'done' : stop.status === 'skipped' ? 'skipped' : 'ahead']
  return (
    <div className="duty-row">
      <span className="num w-14 shrink-0">
        <Ltr className="block font-semibold text-ink-strong">
          {time.kind === 'estimate' && '~'}
          {formatTime(time.at, zone)}
        </Ltr>
        {time.struck !== null && <s className="duty-small duty-quiet block">{formatTime(time.struck, zone)}</s>}
      </span>
      <Icon size={22} className={tone} aria-hidden />
      <span className="min-w-0 flex-1">
        <span className="block text-ink-strong">{nameOf(stop)}</span>
        <span className="duty-small duty-quiet">
          {stopDetail(stop)} {isDone && <Ticks mark={stop.mark} size={16} />}
        </span>
      </span>
      {stop.mark === 'phone' && <UndoStop stop={stop} />}
      {late !== null && late !== 0 && (
        <Ltr className={late > 0 ? 'shrink-0 font-semibold text-warn' : 'shrink-0 text-ink-2'}>
          {late > 0 ? m.ui_status_minutes_late({ minutes: late }) : `−${-late}`}
        </Ltr>
      )}
    </div>
  )
}

/** Undoes a mark that the office does not have yet. */
function UndoStop({ stop }: { stop: ShownStop }) {
  const waiting = usePhone(({ kept }) => waitingStopMarkOf(kept, stop.id))
  if (waiting === null) return null
  return (
    <button type="button" className="duty-link px-2" onClick={() => void phone().takeBack([waiting])}>
      {m.duty_undo()}
    </button>
  )
}
