import type { Departure } from '@tour-ops/contract/departures/departures'
import type { Manifest } from '@tour-ops/contract/bookings/manifest'
import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import { ChevronRight } from 'lucide-react'
import { Fragment, useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { formatAge, formatTimeRange } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { useNow } from '../../ui/clock.ts'
import { rowsOf } from './run-sheet.ts'
import { StopMenu } from './stop-actions.tsx'
import {
  dayText,
  isOpenStop,
  Late,
  type PickupsRowModel,
  Rail,
  RailMark,
  Source,
  startsDay,
  type StopRowProps,
  type StopsProps,
} from './stop-parts.tsx'
import { ActualTime, plannedTime, stopDetail } from './stop-labels.tsx'
import { useDepartureAccess } from './departure-access.ts'
import { useManifest } from './use-manifest.ts'

/** How many of those picked up on the way are aboard; null without the manifest. */
function usePickupText(departure: Departure): string | null {
  const { can } = useDepartureAccess(departure)
  const isFolded = departure.stops.filter((stop) => stop.kind === 'pickup').length > 1
  const { data } = useManifest(departure.id, can('travelers:read') && isFolded)
  return data ? pickupText(data, departure.stops) : null
}

function pickupText({ groups }: Manifest, stops: readonly DepartureStop[]): string {
  const pickups = new Set(stops.filter((stop) => stop.kind === 'pickup').map((stop) => stop.id))
  const entries = groups
    .filter((group) => group.stopId !== null && pickups.has(group.stopId))
    .flatMap((group) => group.parties.flatMap((party) => party.entries))
  const noShow = entries.filter((entry) => entry.status === 'no_show').length
  const toCome = entries.filter((entry) => entry.status === 'expected').length
  const words = m.departures_aboard_of({ aboard: entries.length - noShow - toCome, total: entries.length })
  return noShow > 0 ? `${words} · ${m.departures_no_shows({ count: noShow })}` : words
}

/** The run sheet as a table: plan, reality or estimate, rail, stop, minutes late, source. */
export function StopTable({ departure, onAction }: StopsProps) {
  const [isUnfolded, setUnfolded] = useState(false)
  const rows = rowsOf(departure, isUnfolded)
  const words = usePickupText(departure)
  return (
    <table className="w-full border-collapse text-start">
      <thead>
        <tr className="h-9 border-b border-line text-xs text-ink-2 [&>th]:text-start [&>th]:font-normal">
          <th className="w-[108px] ps-4 lg:w-[112px] lg:ps-6">{m.departures_column_planned()}</th>
          <th className="w-[98px]">{m.departures_column_actual()}</th>
          <th className="w-9">
            <span className="sr-only">{m.departures_column_progress()}</span>
          </th>
          <th>{m.departures_column_stop()}</th>
          <th className="w-[64px] !text-end">{m.departures_column_late()}</th>
          <th className="w-[132px] ps-4 max-lg:w-10">
            <span className="max-lg:sr-only">{m.departures_column_source()}</span>
          </th>
          <th className="w-8 lg:w-6">
            <span className="sr-only">{m.departures_column_acts()}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <Fragment key={row.kind === 'stop' ? row.stop.id : 'pickups'}>
            {startsDay(rows, index) && (
              <tr className="h-8 bg-surface-2 text-xs">
                <th colSpan={7} className="ps-4 text-start font-medium text-ink-strong lg:ps-6">
                  {dayText(row, departure.timeZone)}
                </th>
              </tr>
            )}
            {row.kind === 'pickups' ? (
              <PickupsRow row={row} zone={departure.timeZone} text={words} onUnfold={() => setUnfolded(true)} />
            ) : (
              <StopTableRow
                row={row}
                departure={departure}
                rail={<Rail row={row} before={rows[index - 1]} after={rows[index + 1]} />}
                onAction={onAction}
              />
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

function StopTableRow({ row: { stop, isNext }, departure, rail, onAction }: StopRowProps) {
  const zone = departure.timeZone
  return (
    <tr
      ref={isNext ? showNext : undefined}
      className={classNames('group/row h-14 border-b border-line', isNext && 'selected')}
    >
      <td className="ps-4 text-ink-2 lg:ps-6">
        <Ltr>{plannedTime(stop, zone)}</Ltr>
      </td>
      <td>
        <ActualTime stop={stop} zone={zone} />
      </td>
      <td className="relative">{rail}</td>
      <td className="py-1.5">
        <StopName stop={stop} isNext={isNext} />
        <span className="block text-xs text-ink-2">{stopDetail(stop)}</span>
      </td>
      <td className="text-end">
        <Late stop={stop} />
      </td>
      <td className="ps-4 text-xs text-ink-2">
        <Source stop={stop} />
      </td>
      <td className="relative text-end">
        <StopMenu departure={departure} stop={stop} onAction={onAction} />
      </td>
    </tr>
  )
}

/** The next stop of a long run sheet must not be below the fold. */
const showNext = (row: HTMLElement | null): void => row?.scrollIntoView({ block: 'nearest' })

function StopName({ stop, isNext }: { stop: DepartureStop; isNext: boolean }) {
  const now = useNow(15_000)
  return (
    <span className={classNames('font-medium text-ink-strong', stop.status === 'skipped' && 'line-through')}>
      {stop.placeName}
      {isNext && (
        <span className="ms-2 font-normal">
          {stop.etaAt ? m.departures_next_in({ age: formatAge(stop.etaAt, now) }) : m.departures_next_stop()}
        </span>
      )}
    </span>
  )
}

function PickupsRow({
  row,
  zone,
  text,
  onUnfold,
}: {
  row: PickupsRowModel
  zone: string
  text: string | null
  onUnfold: () => void
}) {
  const { stops, isNext } = row
  const [first, last] = [stops[0], stops.at(-1)]
  if (!first || !last) return null
  const arrived = stops.find((stop) => stop.actualArriveAt)?.actualArriveAt
  const left = stops.findLast((stop) => stop.actualDepartAt ?? stop.actualArriveAt)
  const leftAt = left?.actualDepartAt ?? left?.actualArriveAt
  return (
    <tr className={classNames('h-14 border-b border-line', isNext && 'selected')}>
      <td className="ps-4 text-ink-2 lg:ps-6">
        <Ltr>{formatTimeRange(first.plannedArriveAt, last.plannedDepartAt, zone)}</Ltr>
      </td>
      <td>
        {arrived && leftAt && (
          <Ltr className="font-semibold text-ink-strong">{formatTimeRange(arrived, leftAt, zone)}</Ltr>
        )}
      </td>
      <td className="relative">
        <RailMark
          look={stops.every((stop) => !isOpenStop(stop)) ? 'done' : isNext ? 'next' : 'later'}
          before={null}
          after="done"
        />
      </td>
      <td className="py-1.5">
        <button
          type="button"
          className="inline-flex items-center gap-2 font-medium text-ink-strong"
          aria-expanded={false}
          onClick={onUnfold}
        >
          {m.departures_pickups({ count: stops.length })}
          <ChevronRight size={15} className="text-ink-2" aria-hidden />
        </button>
        <span className="block text-xs text-ink-2">{text}</span>
      </td>
      <td className="text-end">{left && <Late stop={left} />}</td>
      <td className="ps-4 text-xs text-ink-2">{left && <Source stop={left} />}</td>
      <td />
    </tr>
  )
}
