import { m } from '../../../paraglide/messages.js'
import { stopTime } from '../../../records/stop-time.ts'

interface QuietTextProps {
  quietUntil: string
  /** Of the departure. */
  timeZone: string
  now: number
}

/** Until about when no signal is expected of somebody, for a cell. */
export function QuietText({ quietUntil, timeZone, now }: QuietTextProps) {
  const time = stopTime(quietUntil, timeZone, now)
  return <span title={m.tracking_no_signal_expected({ time })}>{m.tracking_no_signal_short({ time })}</span>
}
