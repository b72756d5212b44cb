import { m } from '../../../paraglide/messages.js'
import { formatTime } from '../../../ui/format.ts'
import type { ShownHelpCall } from '../rules/help-call.ts'

/** How far a call for help has got, in one sentence. @param isSignedOut Nothing is sent before its person signs in. */
export function helpState(
  { calledAt, isWaiting, takenBy, overAt, closedAt }: ShownHelpCall,
  isSignedOut: boolean,
): string {
  if (closedAt !== null) return m.duty_help_closed({ time: formatTime(closedAt) })
  if (isWaiting) {
    const time = formatTime(calledAt)
    return isSignedOut ? m.duty_help_sign_in({ time }) : m.duty_help_waiting({ time })
  }
  if (overAt !== null) return m.duty_help_over_at({ time: formatTime(overAt) })
  return takenBy === null ? m.duty_help_at_office({ time: formatTime(calledAt) }) : m.duty_help_taken({ name: takenBy })
}
