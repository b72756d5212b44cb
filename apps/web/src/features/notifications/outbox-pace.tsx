import type { Out } from '@tour-ops/contract/callable'
import type { listOutbox, OutboxPace as Pace } from '@tour-ops/contract/notifications/notifications'
import { m } from '../../paraglide/messages.js'
import { formatDuration, formatNumber, formatPercent } from '../../ui/format.ts'

/** Never a hundred where something failed. */
const shareOf = ({ delivered, ended }: Pace): string => formatPercent(Math.floor((delivered / ended) * 1000) / 1000, 1)

const timeOf = (seconds: number): string =>
  seconds < 60
    ? m.notifications_outbox_pace_seconds({ seconds: formatNumber(Math.max(1, Math.round(seconds))) })
    : formatDuration(seconds / 60)

function paceText(pace: Pace): string {
  if (pace.ended === 0) return m.notifications_outbox_pace_nothing()
  const { medianSeconds } = pace
  return medianSeconds === null
    ? m.notifications_outbox_pace_share({ share: shareOf(pace) })
    : m.notifications_outbox_pace_both({ share: shareOf(pace), time: timeOf(medianSeconds) })
}

/** "Does what we send arrive, and how fast?" Of the last day and the last week; a dash says why there is nothing to count. */
export const OutboxPace = ({ pace: { day, week } }: { pace: Out<typeof listOutbox>['pace'] }) => (
  <span title={m.notifications_outbox_pace_hint()} className="flex flex-wrap gap-x-4">
    <span>{m.notifications_outbox_pace_day({ pace: paceText(day) })}</span>
    <span>{m.notifications_outbox_pace_week({ pace: paceText(week) })}</span>
  </span>
)
