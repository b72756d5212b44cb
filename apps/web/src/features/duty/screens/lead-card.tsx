import { isRunning } from '@tour-ops/contract/state-machines'
import { ChevronRight, Leaf } from 'lucide-react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { formatTime } from '../../../ui/format.ts'
import { formatTimesOrSpan } from '../../../ui/format-span.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { StatusTag } from '../components/marks.tsx'
import { guestsOf, needsOf } from '../rules/guest-list.ts'
import { arrivalOf, leavingOf, stopInFront, wayOf } from '../rules/way.ts'
import type { ShownDeparture } from '../store/shown-day.ts'

/** The departure that is the message of My day: its next time, how far it is, who is on it. */
export function LeadCard({ shown, now }: { shown: ShownDeparture; now: number }) {
  const { departure, counts } = shown
  const { startsAt, endsAt, timeZone } = departure
  const [vehicle] = departure.vehicles
  const needs = guestsOf(shown).filter((entry) => needsOf(entry).length > 0).length
  return (
    <section className="duty-card" aria-label={departure.tourName}>
      <div className="grid gap-3 p-4">
        <div className="flex flex-wrap items-start justify-between gap-2">
          <div className="min-w-0">
            <p className="duty-small duty-quiet">
              <Ltr>{formatTimesOrSpan(startsAt, endsAt, timeZone)}</Ltr>
              {isRunning(departure) && ` · ${m.duty_now()}`}
            </p>
            <h2 className="duty-title">{departure.tourName}</h2>
          </div>
          <StatusTag shown={shown} now={now} />
        </div>
        <NextTime shown={shown} />
      </div>
      <div className="grid gap-3 border-t border-line p-4">
        <p className="flex flex-wrap justify-between gap-x-4 gap-y-1">
          <span>
            {isRunning(departure)
              ? m.duty_on_board({ count: counts.aboard })
              : m.duty_expected({ count: shown.groups ? counts.total : departure.counts.expected })}
          </span>
          {vehicle && <span>{vehicle.label}</span>}
          {needs > 0 && (
            <span className="duty-need">
              <Leaf size={18} aria-hidden />
              {m.duty_needs_count({ count: needs })}
            </span>
          )}
        </p>
        <Link href={`/tours/${shown.id}`} className="duty-btn duty-btn-main">
          {m.duty_open_run_sheet()}
          <ChevronRight size={20} aria-hidden />
        </Link>
      </div>
    </section>
  )
}

function NextTime({ shown }: { shown: ShownDeparture }) {
  const { stops, timeZone, startsAt } = shown.departure
  const way = wayOf(shown)
  const stop = stopInFront(way)
  if (!stop) {
    return <p className="font-semibold text-ink-strong">{stops.length > 0 && m.duty_all_stops_done()}</p>
  }
  const isRunningNow = isRunning(shown.departure)
  const time = way.here ? leavingOf(stop) : isRunningNow ? arrivalOf(stop) : null
  const number = stops.indexOf(stop) + 1
  const place = stop.placeName
  const title = !isRunningNow
    ? m.duty_starts_at_place({ place })
    : way.here
      ? m.duty_at_place({ place })
      : m.duty_next_is({ place })
  const plan = time?.struck ? m.duty_plan({ time: formatTime(time.struck, timeZone) }) : null
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Ltr className="duty-time-lead">{formatTime(time?.at ?? startsAt, timeZone)}</Ltr>
        <p className="min-w-0">
          <span className="block text-ink-strong">{title}</span>
          <span className="duty-quiet block">
            {[m.duty_stop_of({ number, of: stops.length }), plan].filter(Boolean).join(', ')}
          </span>
        </p>
      </div>
      <div
        className="duty-segments"
        role="img"
        aria-label={m.duty_progress({ done: way.done.length, of: stops.length })}
      >
        {stops.map((one) => (
          <span key={one.id} data-is={way.done.includes(one) ? 'done' : one === stop ? 'next' : undefined} />
        ))}
      </div>
    </>
  )
}
