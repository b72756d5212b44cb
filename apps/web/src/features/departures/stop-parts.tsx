import type { Departure } from '@tour-ops/contract/departures/departures'
import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { useNow } from '../../ui/clock.ts'
import { formatDay } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { lateMinOf, type RunSheetRow } from './run-sheet.ts'
import type { StopAction } from './stop-actions.tsx'
import { sourceOf } from './stop-labels.tsx'
import { useLateLimits } from '../../app/late-limits.ts'

export interface StopsProps {
  departure: Departure
  onAction: (act: StopAction, stop: DepartureStop) => void
}

export type StopRow = Extract<RunSheetRow, { kind: 'stop' }>
export type PickupsRowModel = Extract<RunSheetRow, { kind: 'pickups' }>

export interface StopRowProps extends StopsProps {
  row: StopRow
  rail: ReactNode
}

const stopOf = (row: RunSheetRow): DepartureStop | undefined => (row.kind === 'stop' ? row.stop : row.stops[0])

/** Tours of several days name each day; day tours need not. */
export const stopStartsDay = (stops: readonly (DepartureStop | undefined)[], index: number): boolean => {
  const day = stops[index]?.dayIndex ?? 1
  return (stops.at(-1)?.dayIndex ?? 1) > 1 && (index === 0 || (stops[index - 1]?.dayIndex ?? 1) !== day)
}

export const startsDay = (rows: readonly RunSheetRow[], index: number): boolean =>
  stopStartsDay(rows.map(stopOf), index)

/** `Day 2 · Sun 22 Nov`. */
export const stopDayText = ({ dayIndex, plannedArriveAt }: DepartureStop, zone: string): string =>
  m.departures_day_heading({ day: dayIndex, date: formatDay(plannedArriveAt, zone) })

export const dayText = (row: RunSheetRow, zone: string): string => {
  const first = stopOf(row)
  return first ? stopDayText(first, zone) : ''
}

/** `+18`, bold once it is late enough to matter. */
export function Late({ stop, withUnit }: { stop: DepartureStop; withUnit?: boolean }) {
  const { onTimeToleranceMin } = useLateLimits()
  const minutes = lateMinOf(stop)
  if (minutes === null) return null
  const isLate = stop.delaySeconds > onTimeToleranceMin * 60
  const signed = minutes > 0 ? `+${minutes}` : String(minutes)
  return (
    <Ltr className={isLate ? 'font-semibold text-warn' : 'text-ink-2'}>
      {withUnit ? m.departures_minutes({ minutes: signed }) : signed}
    </Ltr>
  )
}

/** Where the times come from. */
export function Source({ stop }: { stop: DepartureStop }) {
  const now = useNow(15_000)
  const source = sourceOf(stop, now)
  if (!source) return null
  return (
    <span className="inline-flex items-center gap-1.5" title={source.label}>
      <source.icon size={15} aria-hidden />
      <span className="sm:max-lg:sr-only">{source.label}</span>
    </span>
  )
}

export const isOpenStop = (stop: DepartureStop): boolean => stop.status === 'planned' || stop.status === 'approaching'

type Look = 'done' | 'next' | 'later'

/** Behind, next or ahead. */
export const lookOf = (row: RunSheetRow): Look => {
  if (row.isNext) return 'next'
  const stops = row.kind === 'stop' ? [row.stop] : row.stops
  return stops.every((stop) => !isOpenStop(stop)) ? 'done' : 'later'
}

export function Rail({
  row,
  before,
  after,
}: {
  row: RunSheetRow
  before: RunSheetRow | undefined
  after: RunSheetRow | undefined
}) {
  return <RailMark look={lookOf(row)} before={before ? lookOf(row) : null} after={after ? lookOf(after) : null} />
}

/** The line travelled in orange, what is ahead in light orange; done = filled tick, next = ring, later = hollow. */
export function RailMark({ look, before, after }: { look: Look; before: Look | null; after: Look | null }) {
  const line = (state: Look) => (state === 'done' ? 'bg-brand' : 'bg-[var(--map-line)]')
  return (
    <span className="absolute inset-0 grid place-items-center" aria-hidden>
      {before && <span className={`absolute inset-x-0 top-0 bottom-1/2 m-auto w-0.5 ${line(before)}`} />}
      {after && <span className={`absolute inset-x-0 top-1/2 bottom-0 m-auto w-0.5 ${line(after)}`} />}
      {look === 'done' ? (
        <span className="relative grid size-4 place-items-center rounded-full bg-brand-strong text-[var(--on-brand)]">
          <Check size={11} strokeWidth={3} />
        </span>
      ) : look === 'next' ? (
        <span className="relative size-[18px] rounded-full border-[5px] border-[var(--brand-strong)] bg-surface" />
      ) : (
        <span className="relative size-3.5 rounded-full border-2 border-[var(--ctl)] bg-surface" />
      )}
    </span>
  )
}
