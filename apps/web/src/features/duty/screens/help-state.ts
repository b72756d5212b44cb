import { m } from '../../../paraglide/messages.js'
import { formatTime } from '../../../ui/format.ts'
import type { ShownHelpCall } from '../rules/help-call.ts'

/** How far a call for help has got, in one sentence. */
export function helpState({ calledAt, isWaiting, takenBy, overAt, closedAt }: ShownHelpCall): string {
  if (closedAt !== null) return m.duty_help_closed({ time: formatTime(closedAt) })
  if (isWaiting) return m.duty_help_waiting({ time: formatTime(calledAt) })
  if (overAt !== null) return m.duty_help_over_at({ time: formatTime(overAt) })
  return takenBy === null ? m.duty_help_at_office({ time: formatTime(calledAt) }) : m.duty_help_taken({ name: takenBy })
}
