import { m } from '../../paraglide/messages.js'
import { addDays, formatMoment, formatTimeThere, localDateOf } from '../../ui/format.ts'

interface Start {
  readonly startsAt: string
  readonly timeZone: string
}

/** `09:00`, `09:00 tomorrow` or `Sat 21 Nov 09:00`, by the clock of the departure. @param now Epoch milliseconds. */
export const nextTime = ({ startsAt, timeZone }: Start, now: number): string =>
  localDateOf(startsAt, timeZone) === addDays(localDateOf(now, timeZone), 1)
    ? m.map_tomorrow({ time: formatTimeThere(startsAt, timeZone) })
    : formatMoment(startsAt, timeZone, now)
