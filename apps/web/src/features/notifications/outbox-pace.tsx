import { useQuery } from '@tanstack/react-query'
import type { Out } from '@tour-ops/contract/callable'
import { getOutboxPace, type OutboxPace as Pace, paceMinutes } from '@tour-ops/contract/notifications/notifications'
import { Info } from 'lucide-react'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { formatDuration, formatNumber, formatPercent, formatTime } from '../../ui/format.ts'
import { Popover } from '../../ui/popover.tsx'

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

const paceMs = paceMinutes * 60_000

/** "Does what we send arrive, and how fast?" Of the last day and the last week; a dash says why there is nothing to count. */
export function OutboxPace() {
  const { data } = useQuery({ ...callQuery(getOutboxPace, {}), staleTime: paceMs, refetchInterval: paceMs })
  if (!data) return null
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      <span>{m.notifications_outbox_pace_day({ pace: paceText(data.day) })}</span>
      <span>{m.notifications_outbox_pace_week({ pace: paceText(data.week) })}</span>
      <HowCounted asOf={data.asOf} />
    </span>
  )
}

/** What the figures mean, for whoever presses it: a tip over the text would not be reached with the keyboard or a finger. */
const HowCounted = ({ asOf }: Pick<Out<typeof getOutboxPace>, 'asOf'>) => (
  <Popover label={m.notifications_outbox_pace_how()} icon={Info} buttonClassName="icon-btn icon-btn-sm" focusOn="p">
    {() => (
      <p tabIndex={-1} className="outline-none">
        {m.notifications_outbox_pace_hint()}{' '}
        {m.notifications_outbox_pace_counted({ time: formatTime(asOf), count: paceMinutes })}
      </p>
    )}
  </Popover>
)
