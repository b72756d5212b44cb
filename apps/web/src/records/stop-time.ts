import { formatTime, formatWeekday, localDateOf } from '../ui/format.ts'

/** `14:03`, or `Sun 07:00` when that is on another day at the tour than it is there now. */
export function stopTime(moment: string, timeZone: string, now: number): string {
  const time = formatTime(moment, timeZone)
  const date = localDateOf(moment, timeZone)
  if (date === localDateOf(now, timeZone)) return time
  return `${formatWeekday(new Date(`${date}T12:00:00Z`).getUTCDay())} ${time}`
}
