import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  vehicleBlockKinds,
  vehicleCalendar,
  type VehicleBlockKind,
  type VehicleEntry,
} from '@tour-ops/contract/vehicles/vehicle-calendar'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useUrlState } from '../../addresses/url-state.ts'
import { useToday } from '../../app/shell/today.ts'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { DepartureLink } from '../../records/departure-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { formatSpan, formatTimesOrSpan } from '../../ui/format-span.ts'
import { formatTime, localDateOf } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { MonthGrid } from '../../ui/month-grid.tsx'
import { weeksOf } from '../../ui/month.ts'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { BlockDialog, type Block } from './block-dialog.tsx'
import { kindLabels } from './kind-labels.ts'

interface VehicleCalendarProps {
  vehicleId: string
  /** Whether entries may be made and changed. */
  mayManage: boolean
}

/** What the dialog is open for: a day on which something is entered, or an entry that is changed. */
type Asked = { readonly day: string } | { readonly entry: Block }

const isBlock = (entry: VehicleEntry): entry is VehicleEntry & { kind: VehicleBlockKind } =>
  vehicleBlockKinds.some((kind) => kind === entry.kind)

/** A month of one vehicle: its departures, and what else it is reserved for. */
export function VehicleCalendar({ vehicleId, mayManage }: VehicleCalendarProps) {
  const [{ month: chosen }, setAddress] = useUrlState('/_dashboard/vehicles/details/$id')
  const today = useToday()
  const month = chosen ?? today.slice(0, 7)
  const days = weeksOf(month).flat()
  const query = useQuery({
    ...callQuery(vehicleCalendar, { vehicleId, from: days[0] ?? `${month}-01`, days: days.length }),
    placeholderData: keepPreviousData,
  })
  const [asked, setAsked] = useState<Asked | null>(null)
  const zone = query.data?.timeZone
  const entries = query.data?.entries ?? []
  const change = (entry: VehicleEntry) => (mayManage && isBlock(entry) ? () => setAsked({ entry }) : undefined)
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      {query.error && !query.data && (
        <ErrorPanel
          message={refusalText(query.error)}
          requestId={query.error.details.requestId}
          onRetry={() => void query.refetch()}
        />
      )}
      <section className="card min-w-0 overflow-hidden" aria-busy={query.isPending || undefined}>
        <MonthGrid
          month={month}
          today={today}
          onMonthChange={(next) => setAddress({ month: next })}
          onDayPress={mayManage && zone ? (day) => setAsked({ day }) : undefined}
          dayLabel={(day) => m.vehicles_entry_add_on({ day })}
          actions={
            mayManage &&
            zone && (
              <Button
                icon={Plus}
                size="sm"
                onClick={() => setAsked({ day: today.startsWith(month) ? today : `${month}-01` })}
              >
                {m.vehicles_entry_add()}
              </Button>
            )
          }
          renderDay={(date) =>
            zone &&
            entries
              .filter((entry) => touches(entry, date, zone))
              .map((entry) => (
                <DayEntry
                  key={`${entry.id} ${entry.departure?.id}`}
                  {...{ entry, date, zone }}
                  onChange={change(entry)}
                />
              ))
          }
        />
      </section>
      {zone && (
        <Card>
          {entries.length === 0 ? (
            <Empty title={m.vehicles_calendar_empty()} />
          ) : (
            <ul className="divide-y divide-line">
              {entries.map((entry) => (
                <EntryRow
                  key={`${entry.id} ${entry.departure?.id}`}
                  entry={entry}
                  zone={entry.departure?.timeZone ?? zone}
                  onChange={change(entry)}
                />
              ))}
            </ul>
          )}
        </Card>
      )}
      {asked && zone && <BlockDialog {...{ vehicleId, zone, ...asked }} onClose={() => setAsked(null)} />}
    </div>
  )
}

/** Whether it takes place on a day of a zone; what ends at midnight has nothing of the day that begins. */
const touches = ({ startsAt, endsAt }: VehicleEntry, date: string, zone: string): boolean =>
  localDateOf(startsAt, zone) <= date && date <= localDateOf(Date.parse(endsAt) - 1, zone)

interface DayEntryProps {
  entry: VehicleEntry
  date: string
  zone: string
  onChange: (() => void) | undefined
}

/** One day of an entry: from when, on its first; what it is. */
function DayEntry({ entry, date, zone, onChange }: DayEntryProps) {
  const { departure, startsAt } = entry
  const clock = departure?.timeZone ?? zone
  const isFirst = localDateOf(startsAt, zone) === date
  const content = (
    <>
      {isFirst && <Ltr className="font-semibold">{formatTime(startsAt, clock)}</Ltr>}
      <span className="min-w-0 flex-1 truncate text-start">{departure?.tourCode ?? kindLabels[entry.kind]()}</span>
    </>
  )
  const look = classNames(
    'mb-0.5 flex min-h-6 w-full items-center gap-x-1 overflow-hidden rounded px-1 text-2xs whitespace-nowrap text-ink-strong',
    departure ? 'bg-brand-tint' : 'hatch bg-surface-2',
  )
  if (departure) {
    return (
      <DepartureLink
        id={departure.id}
        className={look}
        aria-label={`${formatTimesOrSpan(startsAt, entry.endsAt, clock)} ${departure.tourName}`}
      >
        {content}
      </DepartureLink>
    )
  }
  if (!onChange) return <span className={look}>{content}</span>
  return (
    <button
      type="button"
      className={look}
      aria-label={m.vehicles_entry_change_of({ what: whatOf(entry, clock) })}
      onClick={onChange}
    >
      {content}
    </button>
  )
}

const whatOf = ({ kind, startsAt, endsAt }: VehicleEntry, zone: string): string =>
  `${kindLabels[kind]()}, ${formatSpan(startsAt, endsAt, zone)}`

interface EntryRowProps {
  entry: VehicleEntry
  zone: string
  onChange: (() => void) | undefined
}

function EntryRow({ entry, zone, onChange }: EntryRowProps) {
  const { departure, startsAt, endsAt } = entry
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <span className="min-w-[230px]">
        <Ltr className="font-semibold text-ink-strong">{formatSpan(startsAt, endsAt, zone)}</Ltr>{' '}
        <ZoneNote moment={startsAt} zone={zone} />
      </span>
      {departure ? (
        <DepartureLink id={departure.id} className="link">
          {departure.tourName}
        </DepartureLink>
      ) : (
        <span>{kindLabels[entry.kind]()}</span>
      )}
      <span className="min-w-0 flex-1 break-words text-ink-2">{departure?.code ?? entry.note}</span>
      {onChange && (
        <Button size="sm" aria-label={m.vehicles_entry_change_of({ what: whatOf(entry, zone) })} onClick={onChange}>
          {m.vehicles_entry_change()}
        </Button>
      )}
    </li>
  )
}
