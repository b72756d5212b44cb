import type { Departure } from '@tour-ops/contract/departures/departures'
import { type DepartureStop, earliestMarkMs } from '@tour-ops/contract/departures/run-sheet'
import { isMarkBefore, lastMarkBefore } from '@tour-ops/contract/departures/stop-progress'
import { m } from '../../paraglide/messages.js'
import { addDays, formatDay, localDateOf } from '../../ui/format.ts'
import { momentOfWall } from '../../ui/wall-time.ts'

/** A time later than now is of yesterday only within this many hours: "23:50" typed after midnight, but not "03:40" typed at 01:04. */
const yesterdayWithinMs = 12 * 60 * 60 * 1000

/**
 * The last moment since `since` at which the clocks of the zone showed this time, if that is at most 12 hours ago. Any other time later
 * than now stays in the future, where nothing can have happened.
 *
 * @param time `09:00`, as the zone's clocks show it.
 */
export function momentOf(time: string, zone: string, since: Date, now: Date): Date {
  const today = localDateOf(now, zone)
  const moment = momentOn(today, time, zone)
  if (moment <= now) return moment
  const dayBefore = momentOn(addDays(today, -1), time, zone)
  const earliest = Math.max(since.getTime(), now.getTime() - yesterdayWithinMs)
  return dayBefore.getTime() >= earliest ? dayBefore : moment
}

const momentOn = (date: string, time: string, zone: string): Date =>
  new Date(momentOfWall(`${date}T${time}`, zone) ?? Number.NaN)

export interface MarkTime {
  /** Invalid while the time is not typed completely. */
  readonly at: Date
  /** The day as text; empty while there is no time. */
  readonly day: string
  /** Why this cannot have been the time. */
  readonly error: string | undefined
}

/**
 * What a typed time means for a stop, and whether it can be true.
 *
 * @param clockStepMs The clock that says `now` may be so much behind.
 */
export function markTimeOf(
  departure: Pick<Departure, 'startsAt' | 'timeZone' | 'stops'>,
  stop: DepartureStop,
  typed: { readonly time: string; readonly isLeaving: boolean; readonly now: Date; readonly clockStepMs: number },
): MarkTime {
  const { time, isLeaving, now, clockStepMs } = typed
  const zone = departure.timeZone
  const at = momentOf(time, zone, new Date(Date.parse(departure.startsAt) - earliestMarkMs), now)
  if (Number.isNaN(at.getTime())) return { at, day: '', error: m.departures_time_missing() }
  const day =
    localDateOf(at, zone) === localDateOf(now, zone)
      ? m.departures_time_today({ day: formatDay(at, zone) })
      : m.departures_time_yesterday({ day: formatDay(at, zone) })
  return { at, day, error: errorOf(at) }

  function errorOf(moment: Date): string | undefined {
    if (moment.getTime() > now.getTime() + clockStepMs) return m.ui_words_time_in_future()
    if (isLeaving && stop.actualArriveAt !== null && isMarkBefore(moment, new Date(stop.actualArriveAt))) {
      return m.ui_words_left_before()
    }
    if (isMarkBefore(moment, lastMarkBefore(stop, departure.stops, isLeaving))) return m.ui_words_before_last_stop()
    return undefined
  }
}
