import { CloudOff } from 'lucide-react'
import { useLiveState } from '../../backend/live.ts'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { formatTime } from '../../ui/format.ts'
import { useNow } from '../../ui/clock.ts'

/** "2 s ago" within a minute, then minutes. */
function ageOf(lastEventAt: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - lastEventAt) / 1000))
  return seconds < 60 ? m.app_seconds_ago({ seconds }) : m.app_minutes_ago({ minutes: Math.floor(seconds / 60) })
}

function connectionText(state: ReturnType<typeof useLiveState>, now: number): { label: string; age: string } {
  const { connection, lastEventAt } = state
  if (connection === 'offline') {
    return { label: m.app_offline(), age: lastEventAt === null ? '' : m.app_since({ time: formatTime(lastEventAt) }) }
  }
  if (connection === 'reconnecting' || lastEventAt === null) return { label: m.app_connecting(), age: '' }
  return { label: m.app_live(), age: ageOf(lastEventAt, now) }
}

/** Whether what is on screen follows the server, and how old it is: word and age, never color alone. */
export function LiveIndicator({ isCompact = false }: { isCompact?: boolean }) {
  const state = useLiveState()
  const { label, age } = connectionText(state, useNow(1_000))
  if (isCompact) {
    return <span className="num block truncate text-xs text-ink-2">{age ? `${label} · ${age}` : label}</span>
  }
  return (
    <span
      className="hidden items-center gap-2 text-xs whitespace-nowrap text-ink-2 lg:flex"
      data-connection={state.connection}
    >
      {state.connection === 'offline' ? (
        <CloudOff size={16} aria-hidden />
      ) : (
        <i className={classNames('dot', state.connection !== 'live' && 'bg-[var(--mark-warn)]')} aria-hidden />
      )}
      <span className={state.connection === 'offline' ? 'font-medium text-ink-strong' : undefined}>{label}</span>
      {age && <bdi className="num">{state.connection === 'offline' ? age : `· ${age}`}</bdi>}
    </span>
  )
}
