import { isExpectedSilence } from '@tour-ops/contract/tracking/expected-silence'
import { type LinkState, signalOfAge } from '@tour-ops/contract/tracking/link-state'
import type { TrackedSubject } from '@tour-ops/contract/tracking/tracked-subjects'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { DepartureLink } from '../../../records/departure-link.tsx'
import { linkStateLabels } from '../../../records/link-state-labels.ts'
import { m } from '../../../paraglide/messages.js'
import { Calm } from '../../../ui/chip.tsx'
import { formatDuration, formatPastAge, formatPercent, formatSpeed, formatTimeThere } from '../../../ui/format.ts'
import { loadLater } from '../../../ui/load-later.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import type { DataColumn } from '../../../ui/table/table-types.ts'
import type { SeenSubject } from '../../tracking/index.ts'
import { kindLabels } from '../staff-labels.ts'

// Few are where no signal is expected.
const QuietText = loadLater(() => import('./quiet-text.tsx').then((module) => module.QuietText))

/** What the stream says of people and vehicles on duty, and the moment at which it is shown. */
export interface Seen {
  readonly byId: ReadonlyMap<string, SeenSubject>
  readonly now: number
}

/** The signal as it is now; the list's value is as old as its answer. */
export function TrackedState({ row, seen }: { row: TrackedSubject; seen: Seen }) {
  const position = seen.byId.get(row.subject.id)
  const state = position
    ? signalOfAge(seen.now - Date.parse(position.recordedAt), row.intervalS ?? undefined)
    : row.state
  return (
    <Calm icon={state === 'live' ? CircleCheck : CircleDashed} tone={state === 'live' ? 'ok' : 'neutral'}>
      {row.isOnBreak ? m.tracking_duty_on_break() : <StateText {...{ state, row }} now={seen.now} />}
    </Calm>
  )
}

/** The state; where no signal is expected on their way, until about when. */
function StateText({ state, row: { departure }, now }: { state: LinkState; row: TrackedSubject; now: number }) {
  const { quietUntil, timeZone = '' } = departure ?? {}
  return isExpectedSilence(state, quietUntil, now) ? (
    <QuietText {...{ quietUntil, timeZone, now }} />
  ) : (
    linkStateLabels[state]()
  )
}

function Signal({ row, seen: { byId, now } }: { row: TrackedSubject; seen: Seen }) {
  const at = byId.get(row.subject.id)?.recordedAt ?? row.lastFixAt
  return at !== null && <span className="num text-ink-2">{formatPastAge(at, now)}</span>
}

/** When the last signal came, and the battery with it. */
const LastSignal = ({ row, seen }: { row: TrackedSubject; seen: Seen }) => (
  <span className="flex flex-col text-xs leading-4">
    <Signal row={row} seen={seen} />
    <Battery row={row} seen={seen} />
  </span>
)

function Battery({ row, seen }: { row: TrackedSubject; seen: Seen }) {
  const percent = seen.byId.get(row.subject.id)?.batteryPct ?? row.batteryPct
  return percent !== null && <span className="num text-ink-2">{formatPercent(percent / 100)}</span>
}

function Speed({ row, seen }: { row: TrackedSubject; seen: Seen }) {
  const speed = seen.byId.get(row.subject.id)?.speedMps ?? row.speedMps
  return speed !== null && <span className="num text-ink-2">{formatSpeed(speed)}</span>
}

const NextStop = ({ departure }: Pick<TrackedSubject, 'departure'>) =>
  departure?.nextStop && (
    <span className="text-ink-2">
      <span className="num">{formatTimeThere(departure.nextStop.at, departure.timeZone)}</span>{' '}
      {departure.nextStop.name}
    </span>
  )

const Departure = ({ departure }: Pick<TrackedSubject, 'departure'>) =>
  departure && (
    <DepartureLink id={departure.id} className="link">
      <Ltr>{departure.code}</Ltr>
    </DepartureLink>
  )

/** The departure, and how late it is. */
const DepartureAndDelay = ({ departure }: Pick<TrackedSubject, 'departure'>) => (
  <span className="flex flex-col text-xs leading-4">
    <Departure departure={departure} />
    <span className="text-ink-2">{late(departure?.delaySeconds ?? 0)}</span>
  </span>
)

const late = (seconds: number) => seconds >= 60 && <Ltr>+{formatDuration(seconds / 60)}</Ltr>

/** Columns of the list of tracked people and vehicles. */
export const trackedColumns = (seen: Seen): DataColumn<TrackedSubject>[] => [
  {
    id: 'name',
    header: m.field_staff_name(),
    width: 124,
    grow: true,
    pinned: true,
    alwaysShown: true,
    sortable: true,
    cell: ({ subject }) => <b className="font-medium text-ink-strong">{subject.name}</b>,
  },
  {
    id: 'state',
    header: m.field_staff_duty(),
    width: 112,
    sortable: true,
    cell: (row) => <TrackedState row={row} seen={seen} />,
  },
  {
    id: 'signal',
    header: m.tracking_column_signal(),
    width: 100,
    sortable: 'lastFixAt',
    cell: (row) => <LastSignal row={row} seen={seen} />,
  },
  {
    id: 'battery',
    header: m.tracking_column_battery(),
    width: 100,
    sortable: 'batteryPct',
    align: 'end',
    initiallyHidden: true,
    cell: (row) => <Battery row={row} seen={seen} />,
  },
  {
    id: 'departure',
    header: m.field_staff_on_departure(),
    width: 140,
    sortable: true,
    cell: (row) => <DepartureAndDelay departure={row.departure} />,
  },
  {
    id: 'delay',
    header: m.tracking_column_delay(),
    width: 100,
    sortable: true,
    align: 'end',
    initiallyHidden: true,
    cell: ({ departure }) => late(departure?.delaySeconds ?? 0),
  },
  {
    id: 'next',
    header: m.tracking_column_next(),
    width: 230,
    initiallyHidden: true,
    cell: ({ departure }) => <NextStop departure={departure} />,
  },
  {
    id: 'speed',
    header: m.tracking_measure_speed(),
    width: 100,
    align: 'end',
    initiallyHidden: true,
    cell: (row) => <Speed row={row} seen={seen} />,
  },
  {
    id: 'kinds',
    header: m.field_staff_kinds(),
    width: 160,
    initiallyHidden: true,
    cell: ({ subject, kinds }) =>
      subject.kind === 'vehicle' ? m.tracking_kind_vehicle() : kinds.map((kind) => kindLabels[kind]()).join(', '),
  },
]
