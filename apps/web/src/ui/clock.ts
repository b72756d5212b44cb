import { useEffect, useState } from 'react'
import { formatDay, formatTime, localTimeOf, type Moment } from './format.ts'
import { currentLocale } from './locale.ts'

/** `Fri 13:52` in a zone. */
export const formatWeekdayTime = (moment: Moment, zone: string): string => {
  const weekday = new Date(moment).toLocaleDateString(currentLocale(), { weekday: 'short', timeZone: zone })
  return `${weekday} ${formatTime(moment, zone)}`
}

/** `Fri 20 Nov 13:52:07`, for error pages: with 24 hours in any case, as logs have it. */
export const formatToTheSecond = (moment: Moment): string =>
  `${formatDay(moment)} ${localTimeOf(moment)}:${String(new Date(moment).getSeconds()).padStart(2, '0')}`

/** The present time, renewed every `intervalMs`; with null it does not change. */
export function useNow(intervalMs: number | null): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (intervalMs === null) return
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now
}
