import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import type { Overview } from '@tour-ops/contract/overview/overview'
import { isExpectedSilence } from '@tour-ops/contract/tracking/expected-silence'
import { type ReactNode, useEffect } from 'react'
import { m } from '../../paraglide/messages.js'
import { stopTime } from '../../records/stop-time.ts'
import { OnPaper } from '../../ui/on-paper.tsx'
import { Basis, type DepartureSignals, LastSignal, signalFor, useDepartureSignals } from '../monitoring/index.ts'
import { signalOf } from '../tracking/index.ts'
import { DaySheet } from './day-sheet.tsx'

type Signal = NonNullable<Overview['signals']>[number]

/** What the board adds to a row once its code and the live positions are there; nothing for those who may not see positions. */
export interface SignalCells {
  /** What the time of the next stop rests on, and how old that is. */
  readonly basis: (row: DepartureRow, now: number) => ReactNode
  /** How long ago a phone of the departure was heard, and its battery. */
  readonly heard: (row: DepartureRow, now: number) => ReactNode
}

interface Props {
  overview: Overview
  now: number
  /** Is called with new cells whenever the answer or a position changes them. */
  onCells: (cells: SignalCells) => void
}

/** What the overview needs only after its first paint: the signals of phones, for its board, and the sheet for print. */
export function BoardSignals({ overview, now, onCells }: Props) {
  const live = useDepartureSignals()
  const { signals } = overview
  useEffect(() => onCells(cellsOf(signals ?? [], live)), [signals, live, onCells])
  return (
    <OnPaper>
      <DaySheet overview={overview} now={now} />
    </OnPaper>
  )
}

function cellsOf(signals: readonly Signal[], live: DepartureSignals): SignalCells {
  const byId = new Map(signals.map((signal) => [signal.departureId, signal]))
  return {
    basis: ({ id, nextStop }, now) => {
      const signal = byId.get(id)
      return signal && nextStop && <Basis basis={signal.basis} now={now} />
    },
    heard: (row, now) => {
      const signal = byId.get(row.id)
      return signal && <Heard row={row} signal={signal} live={live} now={now} />
    },
  }
}

interface HeardProps {
  row: DepartureRow
  signal: Signal
  live: DepartureSignals
  now: number
}

function Heard({ row, signal, live, now }: HeardProps) {
  const { at, batteryPct } = signalFor({ ...signal, ...row }, live)
  if (at === null) return null
  const state = signalOf({ recordedAt: at }, now)
  if (isExpectedSilence(state, signal.quietUntil, now)) {
    const time = stopTime(signal.quietUntil, row.timeZone, now)
    return <span title={m.tracking_no_signal_expected({ time })}>{m.tracking_no_signal_short({ time })}</span>
  }
  return (
    <span className="inline-flex items-center gap-1.5">
      <i className={state === 'live' ? 'dot' : 'dot bg-transparent ring-1 ring-[var(--mark-neutral)]'} aria-hidden />
      <span className="sr-only">{m.monitoring_col_seen()}</span>
      <LastSignal {...{ at, batteryPct, now }} />
    </span>
  )
}
