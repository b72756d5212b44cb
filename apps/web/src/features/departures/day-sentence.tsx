import type { Departure } from '@tour-ops/contract/departures/departures'
import { Ban, CalendarClock, CircleCheck, Clock, LogIn, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { formatPastAge, formatPercent, formatTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { useLateLimits } from '../../app/late-limits.ts'
import { useNow } from '../../ui/clock.ts'
import { daySentence, type DaySentence } from './run-sheet.ts'
import { cancelReasonLabels } from './status-labels.ts'

/** One sentence for the day, with the age of the last position next to it. */
export function DaySentenceBar({ departure }: { departure: Departure }) {
  const { onTimeToleranceMin } = useLateLimits()
  const sentence = daySentence(departure)
  if (!sentence) return null
  const { icon: Icon, tone, strong, rest } = sentenceParts(sentence, departure, onTimeToleranceMin)
  return (
    <div className="flex min-h-11 flex-wrap items-start gap-x-3 gap-y-1 border-b border-line px-4 py-3 lg:px-6">
      <Icon size={16} className={`mt-0.5 shrink-0 ${tone}`} aria-hidden />
      <p className="min-w-0 flex-1" role="status">
        <b className="text-ink-strong">{strong}</b> {rest}
      </p>
      {departure.lastPositionAt && <PositionAge at={departure.lastPositionAt} batteryPct={departure.batteryPct} />}
    </div>
  )
}

function PositionAge({ at, batteryPct }: { at: string; batteryPct: number | null }) {
  const now = useNow(10_000)
  return (
    <span className="inline-flex items-center gap-2 text-xs text-ink-2">
      <span className="dot" aria-hidden />
      {m.departures_position_age({ age: formatPastAge(at, now) })}
      {batteryPct !== null && m.departures_position_battery({ percent: formatPercent(batteryPct / 100) })}
    </span>
  )
}

interface SentenceParts {
  icon: LucideIcon
  tone: string
  strong: string
  rest?: ReactNode
}

function sentenceParts(
  sentence: DaySentence,
  { timeZone, cancelReason }: Departure,
  toleranceMin: number,
): SentenceParts {
  const isOff = (minutes: number): boolean => minutes > toleranceMin
  const lateLook = (minutes: number): Pick<SentenceParts, 'icon' | 'tone'> =>
    isOff(minutes) ? { icon: Clock, tone: 'text-warn' } : { icon: CircleCheck, tone: 'text-ok' }
  const time = (moment: string) => <Ltr className="font-semibold text-ink-strong">{formatTime(moment, timeZone)}</Ltr>
  switch (sentence.kind) {
    case 'cancelled':
      return {
        icon: Ban,
        tone: 'text-ink-2',
        strong: m.departures_day_cancelled(),
        rest: cancelReason && cancelReasonLabels[cancelReason](),
      }
    case 'aborted':
      return { icon: Ban, tone: 'text-bad', strong: m.departures_day_aborted() }
    case 'ahead':
      return {
        icon: CalendarClock,
        tone: 'text-ink-2',
        strong: m.departures_day_ahead({ count: sentence.stops }),
        rest: m.departures_day_ahead_first({
          place: sentence.firstName,
          time: formatTime(sentence.firstAt, timeZone),
        }),
      }
    case 'boarding':
      return {
        icon: LogIn,
        tone: 'text-info',
        strong: m.departures_day_boarding({ aboard: sentence.aboard, expected: sentence.expected }),
      }
    case 'started':
      return {
        ...lateLook(sentence.lateMin),
        strong: isOff(sentence.lateMin)
          ? m.departures_day_started_late({ minutes: sentence.lateMin })
          : m.departures_day_started(),
        rest: (
          <>
            {m.departures_day_end({ place: sentence.endName })} {time(sentence.endAt)}
          </>
        ),
      }
    case 'at':
      return {
        ...lateLook(sentence.lateMin),
        strong: isOff(sentence.lateMin)
          ? m.departures_day_at_late({ place: sentence.name, minutes: sentence.lateMin })
          : m.departures_day_at({ place: sentence.name }),
        rest: sentence.leavesAt && (
          <>
            {m.departures_day_leaves()} {time(sentence.leavesAt)}
          </>
        ),
      }
    case 'overdue':
      return {
        ...lateLook(sentence.lateMin),
        strong: isOff(sentence.lateMin)
          ? m.departures_day_overdue({ place: sentence.name, minutes: sentence.lateMin })
          : m.departures_day_next({ place: sentence.name }),
        rest: (
          <>
            {m.departures_day_end({ place: sentence.endName })} {time(sentence.endAt)}
          </>
        ),
      }
    case 'left':
      return {
        ...lateLook(sentence.lateMin),
        strong: isOff(sentence.lateMin)
          ? m.departures_day_left_late({ place: sentence.name, minutes: sentence.lateMin })
          : m.departures_day_left({ place: sentence.name }),
        rest: (
          <>
            {isOff(sentence.lateMin) && sentence.wonMin > 0
              ? m.departures_day_wins({ minutes: sentence.wonMin, place: sentence.endName })
              : m.departures_day_end({ place: sentence.endName })}{' '}
            {time(sentence.endAt)}
          </>
        ),
      }
    case 'over':
      return {
        ...lateLook(sentence.lateMin),
        strong: m.departures_day_over({ time: formatTime(sentence.at, timeZone) }),
        rest: isOff(sentence.lateMin)
          ? m.departures_day_over_late({ minutes: sentence.lateMin })
          : m.departures_day_over_on_time(),
      }
  }
}
