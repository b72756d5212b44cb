import { Check, ChevronDown } from 'lucide-react'
import { Fragment, useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { formatTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { rowsOf, type RunSheetRow } from './run-sheet.ts'
import { StopMenu } from './stop-actions.tsx'
import {
  dayText,
  Late,
  lookOf,
  RailMark,
  Source,
  startsDay,
  type StopRowProps,
  type StopsProps,
} from './stop-parts.tsx'
import { stopDetail } from './stop-labels.tsx'

/** The same on a phone: the time that counts large, the plan under it, what is done folded to one line. */
export function StopList({ departure, onAction }: StopsProps) {
  const [isUnfolded, setUnfolded] = useState(false)
  const rows = rowsOf(departure, true)
  const lastDone = rows.findLastIndex((row) => lookOf(row) === 'done')
  const folded = isUnfolded || lastDone < 2 ? [] : rows.slice(0, lastDone)
  const [first, last] = [folded[0], folded.at(-1)]
  return (
    <ol>
      {first && last && (
        <li>
          <button
            type="button"
            className="flex min-h-11 w-full items-center gap-3 border-b border-line px-4 py-2"
            aria-expanded={false}
            onClick={() => setUnfolded(true)}
          >
            <Check size={16} className="text-ok" aria-hidden />
            <span className="min-w-0 flex-1">
              {m.departures_stops_done({ count: folded.length, first: nameOf(first), last: nameOf(last) })}
            </span>
            <ChevronDown size={16} className="text-ink-2" aria-hidden />
          </button>
        </li>
      )}
      {rows.slice(folded.length).map((row, index, shown) =>
        row.kind === 'stop' ? (
          <Fragment key={row.stop.id}>
            {startsDay(rows, folded.length + index) && (
              <li className="bg-surface-2 px-4 py-1.5 text-xs font-medium text-ink-strong">
                {dayText(row, departure.timeZone)}
              </li>
            )}
            <StopListItem
              row={row}
              departure={departure}
              onAction={onAction}
              rail={
                <RailMark
                  look={lookOf(row)}
                  before={index > 0 || folded.length > 0 ? lookOf(row) : null}
                  after={shown[index + 1] ? lookOf(shown[index + 1] as RunSheetRow) : null}
                />
              }
            />
          </Fragment>
        ) : null,
      )}
    </ol>
  )
}

const nameOf = (row: RunSheetRow): string =>
  row.kind === 'stop' ? row.stop.placeName : (row.stops[0]?.placeName ?? '')

function StopListItem({ row: { stop, isNext }, departure, rail, onAction }: StopRowProps) {
  const zone = departure.timeZone
  const shownAt = stop.actualArriveAt ?? stop.etaAt ?? stop.plannedArriveAt
  return (
    <li
      className={classNames(
        'grid grid-cols-[calc(72px+var(--hours))_28px_minmax(0,1fr)_minmax(36px,auto)] items-start gap-x-1 border-b border-line py-2.5 ps-4 pe-1',
        isNext && 'selected',
      )}
    >
      <span>
        <Ltr className="block text-base font-semibold text-ink-strong">{formatTime(shownAt, zone)}</Ltr>
        <span className="text-xs text-ink-2">
          {m.departures_plan_time({ time: formatTime(stop.plannedArriveAt, zone) })}
        </span>
      </span>
      <span className="relative -my-2.5 self-stretch">{rail}</span>
      <span className="min-w-0">
        <span className="flex items-baseline justify-between gap-2">
          <span className={classNames('font-medium text-ink-strong', stop.status === 'skipped' && 'line-through')}>
            {stop.placeName}
          </span>
          <Late stop={stop} withUnit />
        </span>
        <span className="block text-xs text-ink-2">{stopDetail(stop)}</span>
        <span className="block text-xs text-ink-2">
          <Source stop={stop} />
        </span>
      </span>
      <StopMenu departure={departure} stop={stop} onAction={onAction} />
    </li>
  )
}
