import { monitoringStates, type MonitoringRow } from '@tour-ops/contract/monitoring/monitoring-list'
import { isExpectedSilence } from '@tour-ops/contract/tracking/expected-silence'
import { TriangleAlert } from 'lucide-react'
import { DepartureStatus } from '../../records/departure-status.tsx'
import { linkStateLabels } from '../../records/link-state-labels.ts'
import { signalText } from '../../records/signal-text.ts'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { formatLocalTime, formatWeekday, localDateOf } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import type { DataColumn, TableFilter } from '../../ui/table/table-types.ts'
import { signalAge } from './ages.ts'
import { Basis, Battery, LastSignal } from './signal-parts.tsx'
import { type DepartureSignals, guideStateOf, signalFor } from './departure-signals.ts'
import { stopTime } from '../../records/stop-time.ts'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { awaitedStatuses, hasStatus } from '@tour-ops/contract/state-machines'

/** What is shown in addition to the rows: the moment, and the positions since the rows were read. */
export interface Watched {
  readonly now: number
  readonly signals: DepartureSignals
}

const dash = <span className="text-ink-2">–</span>
const isBefore = ({ status }: MonitoringRow): boolean => hasStatus(awaitedStatuses, status)

export const stateFilter = (): TableFilter => ({
  id: 'state',
  label: m.monitoring_state(),
  kind: 'choice',
  options: monitoringStates.map((value) => ({ value, label: stateLabels[value]() })),
})

const stateLabels: Record<(typeof monitoringStates)[number], () => string> = {
  on_time: m.monitoring_state_on_time,
  late: m.monitoring_state_late,
  no_signal: m.monitoring_state_no_signal,
  not_ready: m.monitoring_state_not_ready,
}

/** `09:00 Sat`, or which day of how many. */
function Start({ row, isStacked = false }: { row: MonitoringRow; isStacked?: boolean }) {
  const day = formatWeekday(new Date(`${localDateOf(row.startsAt, row.timeZone)}T12:00:00Z`).getUTCDay())
  return row.dayCount > 1 && !isBefore(row) ? (
    <span className="font-semibold text-ink-strong">
      {m.monitoring_day_of({ day: row.dayIndex, of: row.dayCount })}
    </span>
  ) : (
    <>
      <Ltr className="font-semibold text-ink-strong">{formatLocalTime(row.startTimeLocal)}</Ltr>{' '}
      <span className="text-ink-2">{day}</span>{' '}
      <span className={isStacked ? 'block text-xs leading-4' : undefined}>
        <ZoneNote moment={row.startsAt} zone={row.timeZone} />
      </span>
    </>
  )
}

/** Which stop of how many and when; the place below it in a column, so that neither is cut, and next to it on a card, where it wraps. */
function Next({ row, now, isStacked = false }: { row: MonitoringRow; now: number; isStacked?: boolean }) {
  const { next, nextStop, timeZone } = row
  if (!next) return dash
  const isHere = next.status === 'arrived'
  const at = next.etaAt ?? next.plannedAt
  return (
    <span className={isStacked ? 'flex min-w-0 flex-col text-xs leading-4' : undefined}>
      <span className="whitespace-nowrap">
        {nextStop && (
          <Ltr className="text-ink-2">
            {nextStop.number}/{nextStop.of}{' '}
          </Ltr>
        )}
        <b className="num font-semibold text-ink-strong">
          {isHere ? m.monitoring_here() : stopTime(at, timeZone, now)}
        </b>{' '}
        {!isHere && <ZoneNote moment={at} zone={timeZone} />}
      </span>{' '}
      {/* What a time rests on is there where it has room next to the name: it wraps into a line that is not shown. */}
      <span className={isStacked ? 'flex h-4 min-w-0 flex-wrap items-center gap-x-2 overflow-hidden' : undefined}>
        <span className={isStacked ? 'max-w-full truncate' : undefined} data-whole>
          {next.name}
        </span>{' '}
        {!isBefore(row) && <Basis basis={next.basis} now={now} />}
      </span>
    </span>
  )
}

function Count({ row: { lastHeadcount } }: { row: MonitoringRow }) {
  if (!lastHeadcount) return dash
  const { counted, expected } = lastHeadcount
  return (
    <Ltr className={classNames(counted !== expected && 'font-semibold text-bad')}>
      {counted}/{expected}
    </Ltr>
  )
}

/** The guide, and below whether the phone reports, since when it has not, and its battery; or until when no signal is expected. */
function Guide({ row, watched }: { row: MonitoringRow; watched: Watched }) {
  const { leadGuide } = row
  const guideState = guideStateOf(row, watched.signals, watched.now)
  const { at, batteryPct } = signalFor(row, watched.signals)
  if (!leadGuide) return <span className="font-medium text-gap">{m.monitoring_no_lead_guide()}</span>
  return (
    <span className="block leading-4">
      <bdi className="block truncate" data-whole>
        {leadGuide.name}
      </bdi>
      {guideState && guideState !== 'no_device' && (
        <span className="flex items-center gap-1.5 text-xs text-ink-2">
          <i
            className={guideState === 'live' ? 'dot' : 'dot bg-transparent ring-1 ring-[var(--mark-neutral)]'}
            aria-hidden
          />
          {isExpectedSilence(guideState, row.quietUntil, watched.now) ? (
            <span className="whitespace-nowrap" title={signalText(guideState, row, watched.now)}>
              {m.tracking_no_signal_short({ time: stopTime(row.quietUntil, row.timeZone, watched.now) })}
            </span>
          ) : (
            <>
              {linkStateLabels[guideState]()}
              {at !== null && <LastSignal {...{ at, batteryPct, now: watched.now }} />}
            </>
          )}
        </span>
      )}
    </span>
  )
}

/** Who is in, of those who are due, and who did not come. */
function Aboard({ row }: { row: MonitoringRow }) {
  const { aboard, expected, noShow } = row
  if (isBefore(row)) return <Ltr className="text-ink-2">{expected}</Ltr>
  return (
    <span className="block leading-4">
      <Ltr className="text-ink-strong">
        {aboard}/{expected}
      </Ltr>
      {noShow > 0 && (
        <span className="num block text-xs font-semibold text-warn">
          {m.monitoring_no_show_count({ count: noShow })}
        </span>
      )}
    </span>
  )
}

const Vehicle = ({ row: { vehicle } }: { row: MonitoringRow }) =>
  vehicle ? (
    <span className="line-clamp-2 leading-4 whitespace-normal" data-whole>
      {vehicle.name}
    </span>
  ) : (
    dash
  )

const alertTone = { critical: 'text-bad', warning: 'text-warn', info: 'text-info' }

function OpenAlerts({ row: { openAlerts, worstSeverity } }: { row: MonitoringRow }) {
  if (openAlerts === 0) return <span className="num text-ink-2">0</span>
  return (
    <span
      className={classNames(
        'num inline-flex items-center gap-1 font-semibold',
        worstSeverity && alertTone[worstSeverity],
      )}
    >
      <TriangleAlert size={14} aria-hidden />
      {openAlerts}
    </span>
  )
}

export const monitoringColumns = ({ now, signals }: Watched): DataColumn<MonitoringRow>[] => [
  {
    id: 'start',
    header: m.monitoring_col_start(),
    width: 108,
    pinned: true,
    alwaysShown: true,
    sortable: 'startsAt',
    cell: (row) => <Start row={row} isStacked />,
  },
  {
    id: 'status',
    header: m.monitoring_status(),
    width: 168,
    sortable: true,
    cell: (row) => <DepartureStatus departure={row} now={now} />,
  },
  {
    id: 'tour',
    header: m.monitoring_col_tour(),
    width: 112,
    alwaysShown: true,
    sortable: 'tourName',
    cell: (row) => (
      <b className="line-clamp-2 leading-4 font-medium whitespace-normal text-ink-strong" data-whole>
        {row.tourName}
      </b>
    ),
  },
  {
    id: 'next',
    header: m.monitoring_col_next(),
    width: 188,
    grow: true,
    cell: (row) => <Next row={row} now={now} isStacked />,
  },
  { id: 'aboard', header: m.monitoring_col_aboard(), width: 80, align: 'end', cell: (row) => <Aboard row={row} /> },
  {
    id: 'due',
    header: m.monitoring_col_due(),
    width: 54,
    align: 'end',
    initiallyHidden: true,
    cell: (row) => <span className="num">{row.expected}</span>,
  },
  {
    id: 'in',
    header: m.monitoring_col_in(),
    width: 48,
    align: 'end',
    initiallyHidden: true,
    cell: (row) => (isBefore(row) ? dash : <span className="num text-ink-strong">{row.aboard}</span>),
  },
  {
    id: 'noShow',
    header: m.monitoring_col_no_show(),
    width: 78,
    align: 'end',
    initiallyHidden: true,
    cell: (row) =>
      isBefore(row) ? (
        dash
      ) : (
        <span className={row.noShow > 0 ? 'num font-semibold text-warn' : 'num text-ink-2'}>{row.noShow}</span>
      ),
  },
  { id: 'count', header: m.monitoring_col_count(), width: 64, align: 'end', cell: (row) => <Count row={row} /> },
  {
    id: 'guide',
    header: m.monitoring_col_guide(),
    width: 164,
    cell: (row) => <Guide row={row} watched={{ now, signals }} />,
  },
  { id: 'vehicle', header: m.monitoring_col_vehicle(), width: 84, cell: (row) => <Vehicle row={row} /> },
  {
    id: 'seen',
    header: m.monitoring_col_seen(),
    width: 64,
    align: 'end',
    initiallyHidden: true,
    cell: (row) => {
      const { at } = signalFor(row, signals)
      return at === null ? dash : <span className="num">{signalAge(at, now)}</span>
    },
  },
  {
    id: 'battery',
    header: m.monitoring_col_battery(),
    width: 76,
    align: 'end',
    initiallyHidden: true,
    cell: (row) => {
      const { batteryPct } = signalFor(row, signals)
      return batteryPct === null ? dash : <Battery percent={batteryPct} />
    },
  },
  {
    id: 'ready',
    header: m.monitoring_col_ready(),
    width: 60,
    align: 'end',
    cell: ({ readiness }) =>
      readiness.total === 0 ? (
        dash
      ) : (
        <Ltr className={readiness.ready ? 'text-ink-2' : 'font-semibold text-warn'}>
          {readiness.done}/{readiness.total}
        </Ltr>
      ),
  },
  {
    id: 'alerts',
    header: m.monitoring_alerts(),
    width: 74,
    align: 'end',
    sortable: 'openAlerts',
    cell: (row) => <OpenAlerts row={row} />,
  },
  {
    id: 'unread',
    header: m.monitoring_col_unread(),
    width: 84,
    align: 'end',
    sortable: 'unreadMessages',
    initiallyHidden: true,
    cell: ({ unreadMessages }) => (
      <span className={unreadMessages > 0 ? 'num font-semibold text-warn' : 'num text-ink-2'}>{unreadMessages}</span>
    ),
  },
  {
    id: 'weather',
    header: m.monitoring_col_weather(),
    width: 200,
    initiallyHidden: true,
    cell: (row) => row.weatherNote ?? dash,
  },
  {
    id: 'delay',
    header: m.monitoring_col_delay(),
    width: 84,
    align: 'end',
    sortable: true,
    initiallyHidden: true,
    cell: (row) => <Ltr>{row.delaySeconds === 0 ? '0' : `+${Math.round(row.delaySeconds / 60)}`}</Ltr>,
  },
]

/** When their last signal came, on a card. */
function CardSignal({ row, watched: { now, signals } }: { row: MonitoringRow; watched: Watched }) {
  const { at, batteryPct } = signalFor(row, signals)
  if (at === null || isBefore(row)) return null
  const guideState = guideStateOf(row, signals, now)
  if (guideState && isExpectedSilence(guideState, row.quietUntil, now)) return signalText(guideState, row, now)
  return <LastSignal {...{ at, batteryPct, now }} />
}

/** A row below 1280 px. */
export const MonitoringCard = ({ row, watched }: { row: MonitoringRow; watched: Watched }) => (
  <span className="grid grid-cols-[92px_minmax(0,1fr)] gap-x-2 gap-y-0.5">
    <span className="whitespace-nowrap">
      <Start row={row} />
    </span>
    <span className="flex items-center justify-between gap-2">
      <b className="min-w-0 font-medium text-ink-strong" data-whole>
        {row.tourName}
      </b>
      <DepartureStatus departure={row} now={watched.now} />
    </span>
    <span className="col-start-2 flex items-center justify-between gap-2 text-xs text-ink-2">
      <span className="min-w-0">
        <Next row={row} now={watched.now} />
      </span>
      <span className="flex shrink-0 items-center gap-2">
        <Ltr>
          {row.aboard}/{row.expected}
        </Ltr>
        <CardSignal row={row} watched={watched} />
        {row.openAlerts > 0 && <OpenAlerts row={row} />}
      </span>
    </span>
  </span>
)
