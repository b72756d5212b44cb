import type { Overview } from '@tour-ops/contract/overview/overview'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { Flash } from '../../ui/flash.tsx'
import { formatPastAge, formatNumber, formatPercent, formatTimeThere } from '../../ui/format.ts'

interface Figure {
  label: string
  value: string
  note: string
}

/** Joined by a middle dot; what is nothing is left out. */
const notes = (...parts: (string | false)[]): string => parts.filter(Boolean).join(' · ')

export interface DayFiguresProps {
  overview: Overview
  isToday: boolean
  now: number
}

/**
 * The strip over the board: six figures, each with a line that explains it. Readers who may not read alerts see five, without a
 * gap where the sixth would be.
 */
export function DayFigures({ overview, isToday, now }: DayFiguresProps) {
  const figures = figuresOf(overview, isToday, now)
  return (
    <ul
      className={classNames(
        'card grid grid-cols-2 overflow-hidden',
        figures.length === 6 ? 'sm:grid-cols-3 lg:grid-cols-6' : 'sm:grid-cols-6 lg:grid-cols-5',
      )}
    >
      {figures.map(({ label, value, note }, index) => (
        <li
          key={label}
          className={classNames(
            '-mt-px -ms-px min-w-0 border-s border-t border-line px-4 py-3.5',
            figures.length === 5 && (index < 2 ? 'sm:col-span-3 lg:col-span-1' : 'sm:col-span-2 lg:col-span-1'),
            figures.length === 5 && index === 4 && 'max-sm:col-span-2',
          )}
        >
          <p className="text-xs text-ink-2">{label}</p>
          <p className="num text-2xl leading-9 font-semibold tracking-tight text-ink-strong">
            <Flash value={value}>{value}</Flash>
          </p>
          <p className="num text-xs text-balance text-ink-2">{note}</p>
        </li>
      ))}
    </ul>
  )
}

/** What runs now, today; of another day the departures that it has, since nothing of it runs "now" but what is still out. */
export function departuresFigure({ running, departures, cancelled }: Overview['figures'], isToday: boolean): Figure {
  const cancelledNote = cancelled > 0 && m.overview_cancelled_note({ count: cancelled })
  if (isToday) {
    const total = m.overview_running_note({ count: departures })
    return { label: m.overview_running(), value: formatNumber(running), note: notes(total, cancelledNote) }
  }
  return {
    label: m.overview_departures_of_day(),
    value: formatNumber(departures),
    note: notes(running > 0 && m.overview_running_of_day({ count: running }), cancelledNote),
  }
}

function figuresOf({ figures }: Overview, isToday: boolean, now: number): Figure[] {
  const { starts, startedOnTime, seatsLeft, seatsTotal, tomorrowNext } = figures
  return [
    departuresFigure(figures, isToday),
    {
      label: isToday ? m.overview_guests_today() : m.overview_guests(),
      value: formatNumber(figures.guests),
      note: notes(
        figures.onTour > 0
          ? m.overview_on_tour({ count: figures.onTour })
          : m.overview_aboard({ count: figures.aboard }),
        figures.noShow > 0 && m.overview_no_show({ count: figures.noShow }),
      ),
    },
    {
      label: m.overview_started_on_time(),
      value: starts > 0 ? formatPercent(startedOnTime / starts) : '–',
      note: starts > 0 ? m.overview_starts({ onTime: startedOnTime, starts }) : m.overview_no_starts(),
    },
    {
      label: m.overview_seats_left(),
      value: formatNumber(seatsLeft),
      note:
        seatsTotal > 0
          ? m.overview_sold({ share: formatPercent(Math.max(0, 1 - seatsLeft / seatsTotal)) })
          : m.overview_nothing_on_sale(),
    },
    {
      label: isToday ? m.overview_ready_tomorrow() : m.overview_ready_next(),
      value: m.overview_ready_of({ ready: figures.tomorrowReady, total: figures.tomorrowTotal }),
      note: tomorrowNext
        ? m.overview_next({
            tour: tomorrowNext.tourName,
            time: formatTimeThere(tomorrowNext.startsAt, tomorrowNext.timeZone),
          })
        : m.overview_no_departures_note(),
    },
    ...(figures.openAlerts === null
      ? []
      : [
          {
            label: m.overview_open_alerts(),
            value: formatNumber(figures.openAlerts),
            note: figures.oldestAlertAt
              ? m.overview_oldest({ age: formatPastAge(figures.oldestAlertAt, now) })
              : m.overview_all_calm(),
          },
        ]),
  ]
}
