import { CircleDashed, MapPin, Pause, WifiOff, type LucideIcon } from 'lucide-react'
import { m } from '../../../paraglide/messages.js'
import { classNames } from '../../../ui/class-names.ts'
import { formatDuration, formatTime } from '../../../ui/format.ts'
import { eventAt, type TrackEvent } from './track-events.ts'
import { TrackNumber } from './track-number.tsx'

interface DayCourseProps {
  events: readonly TrackEvent[]
  at: number
  onSeek: (at: number) => void
}

/** The day as text: where they stayed, arrivals, and what nobody knows. A press goes there; what the cursor is in is marked. */
export function DayCourse({ events, at, onSeek }: DayCourseProps) {
  const current = eventAt(events, at)
  return (
    <section
      aria-label={m.tracking_course()}
      className="card flex max-h-80 shrink-0 flex-col overflow-hidden lg:h-[168px]"
    >
      <h2 className="border-b border-line px-4 py-2 font-semibold">{m.tracking_course()}</h2>
      {events.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">{m.tracking_course_none()}</p>
      ) : (
        <ol className="min-h-0 flex-1 overflow-y-auto">
          {events.map((event) => (
            <li key={event.key} ref={event.key === current?.key ? reveal : undefined}>
              <button
                type="button"
                aria-current={event.key === current?.key || undefined}
                className={classNames(
                  'flex w-full items-center gap-2 px-4 py-1.5 text-start hover:bg-surface-2',
                  event.key === current?.key && 'bg-brand-tint',
                )}
                onClick={() => onSeek(event.at)}
              >
                <span className="num w-12 shrink-0 text-ink-2">{formatTime(event.at)}</span>
                <Line event={event} />
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** The list follows the moment; the page around it stays. */
function reveal(row: HTMLElement | null): void {
  const list = row?.parentElement
  if (!list) return
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()]
  if (inner.top < outer.top) list.scrollTop += inner.top - outer.top
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom
}

const gapLabels = {
  no_signal: m.tracking_gap_no_signal,
  break: m.tracking_gap_break,
  off_duty: m.tracking_gap_off_duty,
} as const

const gapIcons: Record<keyof typeof gapLabels, LucideIcon> = {
  no_signal: WifiOff,
  break: Pause,
  off_duty: CircleDashed,
}

function Line({ event }: { event: TrackEvent }) {
  if (event.kind === 'arrival') {
    return (
      <span className="min-w-0">
        {m.tracking_arrival({ code: event.code, place: event.place })}{' '}
        <span className="num text-ink-2">{m.tracking_arrival_planned({ time: formatTime(event.plannedAt) })}</span>
      </span>
    )
  }
  const time = formatDuration((event.to - event.at) / 60_000)
  const Icon = event.kind === 'stay' ? MapPin : gapIcons[event.reason]
  return (
    <>
      <TrackNumber at={event.track} />
      <Icon size={15} className="shrink-0 text-ink-2" aria-hidden />
      <span className="min-w-0 flex-1">
        {event.kind === 'gap'
          ? gapLabels[event.reason]()
          : event.place === null
            ? m.tracking_stay()
            : m.tracking_stay_at({ place: event.place })}
      </span>
      <span className="num shrink-0 text-ink-2">{time}</span>
    </>
  )
}
