/** Spans of time: what ends on another day says so, since a time alone reads as the same day. */
import {
  dateFormat,
  formatDay,
  formatDayTime,
  formatTime,
  formatTimeRange,
  localDateOf,
  type Moment,
} from './format.ts'

/** Whether both moments have the same civil date in the zone given. */
const isOneDay = (start: Moment, end: Moment, zone?: string): boolean =>
  localDateOf(start, zone) === localDateOf(end, zone)

/** `Fri 20 Nov, 09:00–17:00`; `Sat 21 Nov 07:00 – Wed 25 Nov 16:00` where it ends on another day. */
export const formatSpan = (start: Moment, end: Moment, zone?: string): string =>
  isOneDay(start, end, zone)
    ? `${formatDay(start, zone)}, ${formatTimeRange(start, end, zone)}`
    : `${formatDayTime(start, zone)} – ${formatDayTime(end, zone)}`

/** `09:00–17:00` where the day is shown elsewhere; both days where it ends on another one. */
export const formatTimesOrSpan = (start: Moment, end: Moment, zone?: string): string =>
  isOneDay(start, end, zone) ? formatTimeRange(start, end, zone) : formatSpan(start, end, zone)

/** `18:00` today, `24 Nov` on other days, both as the zone counts them: what fits into a chip. */
export const formatTimeOrDate = (moment: Moment, timeZone: string): string =>
  localDateOf(moment, timeZone) === localDateOf(Date.now(), timeZone)
    ? formatTime(moment, timeZone)
    : dateFormat({ day: 'numeric', month: 'short', timeZone }).format(new Date(moment))

/** `17:00`, or `Wed 25 Nov 16:00` where that is not the civil date `date` next to which it is shown. */
export const formatTimeBeside = (date: string, moment: Moment, zone?: string): string =>
  localDateOf(moment, zone) === date ? formatTime(moment, zone) : formatDayTime(moment, zone)
