import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { monitoringList, type MonitoringRow } from '@tour-ops/contract/monitoring/monitoring-list'
import { DepartureLink } from '../../records/departure-link.tsx'
import { DepartureStatus } from '../../records/departure-status.tsx'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { foreignOffset, formatLocalTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { stopTime } from '../../records/stop-time.ts'
import { runningStatuses } from '@tour-ops/contract/state-machines'

/** On the strip and on the "All clear" page; the monitoring list has all. */
const maxShown = 12

export function useRunningDepartures() {
  const { data } = useQuery({
    ...callQuery(monitoringList, { filters: { status: [...runningStatuses] }, size: maxShown }),
    placeholderData: keepPreviousData,
  })
  const rows = data?.rows
  return { rows, total: data?.total ?? 0, guests: (rows ?? []).reduce((sum, row) => sum + row.seatsConfirmed, 0) }
}

export type RunningDepartures = ReturnType<typeof useRunningDepartures>

/** `09:00`, or which day of how many. */
function Start({ row }: { row: MonitoringRow }) {
  if (row.dayCount > 1)
    return (
      <b className="font-semibold whitespace-nowrap text-ink-strong">
        {m.monitoring_day_of({ day: row.dayIndex, of: row.dayCount })}
      </b>
    )
  return (
    <>
      <Ltr className="font-semibold text-ink-strong">{formatLocalTime(row.startTimeLocal)}</Ltr>{' '}
      <ZoneNote moment={row.startsAt} zone={row.timeZone} />
    </>
  )
}

/** Where they are or go next, with the time that counts and its zone where the office's clock shows another. */
function nextText({ next, timeZone }: MonitoringRow, now: number): string {
  if (!next) return ''
  const at = (moment: string) =>
    [stopTime(moment, timeZone, now), foreignOffset(moment, timeZone)].filter(Boolean).join(' ')
  if (next.status === 'arrived') {
    return next.leavesAt
      ? m.monitoring_at_stop_leaves({ stop: next.name, time: at(next.leavesAt) })
      : m.monitoring_at_stop({ stop: next.name })
  }
  return m.monitoring_stop_at({ stop: next.name, time: at(next.etaAt ?? next.plannedAt) })
}

interface RunningProps {
  running: RunningDepartures
  now: number
}

/** `12 of 15 departures` where not all that run are shown. */
export const countText = (rows: readonly unknown[], total: number): string =>
  rows.length < total
    ? m.monitoring_departures_shown({ shown: rows.length, count: total })
    : m.monitoring_departures({ count: total })

/** Under the lanes: the board never consists of alerts only. */
export function RunningStrip({ running: { rows = [], total, guests }, now }: RunningProps) {
  if (rows.length === 0) return null
  return (
    <section className="card mt-3 shrink-0 overflow-hidden" aria-labelledby="running-now">
      <div className="flex min-h-10 flex-wrap items-center gap-x-2 px-3 py-1.5">
        <h2 id="running-now" className="font-semibold">
          {m.monitoring_running_now()}
        </h2>
        <span className="num text-ink-2">
          {countText(rows, total)}
          {total <= maxShown && `, ${m.monitoring_guests({ count: guests })}`}
        </span>
        <Link to="/tools/full-monitoring-list" className="link ms-auto">
          {m.monitoring_monitoring_list()}
        </Link>
      </div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <ul className="running-strip" tabIndex={0} aria-labelledby="running-now">
        {rows.map((row) => (
          <li key={row.id} className="relative min-w-0 px-3 py-2">
            <p className="text-xs text-ink-2">
              <Start row={row} /> · {nextText(row, now)}
            </p>
            <DepartureLink id={row.id} className="block font-medium text-ink-strong after:absolute after:inset-0">
              {row.tourName}
            </DepartureLink>
            <DepartureStatus departure={row} now={now} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The same as rows, where there is nothing else to show. */
export function RunningTable({ running: { rows = [], total }, now }: RunningProps) {
  return (
    <section className="card mt-4 overflow-hidden" aria-labelledby="running-now">
      <div className="flex min-h-11 items-center gap-2 px-4">
        <h2 id="running-now" className="font-semibold">
          {m.monitoring_running_now()}
        </h2>
        <span className="num text-ink-2">{countText(rows, total)}</span>
        <Link to="/tools/full-monitoring-list" className="link ms-auto">
          {m.monitoring_monitoring_list()}
        </Link>
      </div>
      {rows.map((row) => (
        <div
          key={row.id}
          className="relative grid grid-cols-[96px_minmax(0,1fr)_auto] items-center gap-x-3 border-t border-line px-4 py-1.5 md:grid-cols-[104px_200px_minmax(0,1fr)_180px_100px_150px]"
        >
          <span>
            <Start row={row} />
          </span>
          <DepartureLink id={row.id} className="truncate font-medium text-ink-strong after:absolute after:inset-0">
            {row.tourName}
          </DepartureLink>
          <span className="max-md:hidden">{nextText(row, now)}</span>
          <span className="truncate text-ink-2 max-md:hidden">
            <bdi>{row.leadGuide?.name}</bdi>
          </span>
          <span className="num text-end text-ink-2 max-md:hidden">
            {m.monitoring_guests({ count: row.seatsConfirmed })}
          </span>
          <span className="text-end">
            <DepartureStatus departure={row} now={now} />
          </span>
        </div>
      ))}
    </section>
  )
}
