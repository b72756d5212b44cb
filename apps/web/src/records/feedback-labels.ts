import type { FeedbackRow } from '@tour-ops/contract/reports/feedback'
import { m } from '../paraglide/messages.js'
import { formatDayTime } from '../ui/format.ts'

type FollowUp = NonNullable<FeedbackRow['followUp']>

export const followUpLabels: Record<FollowUp['state'], () => string> = {
  open: m.reports_follow_up_state_open,
  taken: m.reports_follow_up_state_taken,
  closed: m.reports_follow_up_state_closed,
}

/** What has become of a poor rating, in a sentence. */
export function followUpText({ state, ownerName, note, closedAt, closedByName }: FollowUp): string {
  if (state === 'closed' && closedAt !== null) {
    return m.reports_follow_up_closed_by({ name: closedByName ?? '', time: formatDayTime(closedAt), note: note ?? '' })
  }
  return ownerName === null ? followUpLabels[state]() : m.reports_follow_up_owner({ name: ownerName })
}
