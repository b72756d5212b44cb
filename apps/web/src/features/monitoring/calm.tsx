import type { Out } from '@tour-ops/contract/callable'
import type { monitoringBoard } from '@tour-ops/contract/monitoring/alerts'
import { CircleCheck } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { formatPastAge, formatMoment, formatTime, localTimeOf } from '../../ui/format.ts'
import { type RunningDepartures, RunningTable } from './running-departures.tsx'

type Board = Out<typeof monitoringBoard>

interface CalmProps {
  board: Board
  running: RunningDepartures
  now: number
}

/** Nothing waits, and the proof of it under the words: when it was checked, what ran, what there was today. */
export function Calm({ board, running, now }: CalmProps) {
  const { calmSince, evaluatedAt, timeZone, resolvedToday } = board
  return (
    <>
      <section className="card flex flex-col items-center px-4 py-16 text-center">
        <span className="grid size-16 place-items-center rounded-full bg-ok-bg text-ok">
          <CircleCheck size={32} strokeWidth={2} aria-hidden />
        </span>
        <h2 className="mt-4 text-[32px] leading-10 font-semibold tracking-tight text-ink-strong md:text-[40px] md:leading-[48px]">
          {calmSince ? m.monitoring_calm_since({ time: formatMoment(calmSince, timeZone, now) }) : m.monitoring_calm()}
        </h2>
        <p className="mt-1 text-lg text-ink-2">
          {running.total > 0
            ? m.monitoring_calm_running({
                departures: m.monitoring_departures({ count: running.total }),
                guests: m.monitoring_guests({ count: running.guests }),
              })
            : m.monitoring_calm_nothing_runs()}{' '}
          {evaluatedAt && <span className="num">{m.monitoring_checked({ age: formatPastAge(evaluatedAt, now) })}</span>}
        </p>
        {resolvedToday > 0 && <DayLine board={board} now={now} />}
      </section>
      {(running.rows ?? []).length > 0 && <RunningTable running={running} now={now} />}
    </>
  )
}

const minutesOf = (moment: string | number, zone: string): number => {
  const [hours = 0, minutes = 0] = localTimeOf(moment, zone).split(':').map(Number)
  return hours * 60 + minutes
}

const hourMarks = [0, 6, 12, 18, 24]

/** The day from midnight to midnight: each alert of today a dot where it was opened, the part without alerts solid. */
function DayLine({ board: { alerts, calmSince, timeZone, resolvedToday }, now }: Omit<CalmProps, 'running'>) {
  const place = (minutes: number) => `${(minutes / 1440) * 100}%`
  const from = calmSince ? minutesOf(calmSince, timeZone) : 0
  const to = minutesOf(now, timeZone)
  return (
    <figure className="mt-8 w-full max-w-[760px]">
      <figcaption className="mb-3 text-xs text-ink-2">
        {m.monitoring_resolved_count({ count: resolvedToday })}
      </figcaption>
      <div className="day-line" aria-hidden>
        {to > from && <i className="calm-part" style={{ insetInlineStart: place(from), width: place(to - from) }} />}
        {alerts.map((alert) => (
          <i
            key={alert.id}
            className={`size-2.5 rounded-full ${alert.severity === 'critical' ? 'bg-[var(--mark-bad)]' : 'bg-[var(--mark-neutral)]'}`}
            style={{ insetInlineStart: place(minutesOf(alert.openedAt, timeZone)) }}
          />
        ))}
        <i className="h-6 w-0.5 bg-[var(--ink-strong)]" style={{ insetInlineStart: place(to) }} />
      </div>
      <div className="num relative mt-3 flex justify-between text-xs text-ink-2">
        {hourMarks.map((hour) => (
          <bdi key={hour}>{String(hour).padStart(2, '0')}:00</bdi>
        ))}
      </div>
      <p className="num sr-only">{m.monitoring_now_time({ time: formatTime(now, timeZone) })}</p>
    </figure>
  )
}
