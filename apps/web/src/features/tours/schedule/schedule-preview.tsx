import type { Out } from '@tour-ops/contract/callable'
import type { previewSchedule } from '@tour-ops/contract/departures/departure-schedule'
import { ChevronLeft, ChevronRight, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { classNames } from '../../../ui/class-names.ts'
import { formatList, formatLocalDay, formatMonth, formatNumber } from '../../../ui/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { MonthWeeks } from '../../../ui/month-weeks.tsx'
import { addMonths } from '../../../ui/month.ts'

type Preview = Out<typeof previewSchedule>
type Row = Preview['rows'][number]

/** Months next to each other. */
const monthsShown = 4

export interface SchedulePreviewProps {
  preview: Preview
  from: string
  to: string
  exceptDates: readonly string[]
  /** Seats of each departure. */
  capacity: number
  onToggleDate: (date: string) => void
}

/** What would be created: the number, four months at once, and what clashes with its cause. */
export function SchedulePreview(props: SchedulePreviewProps) {
  const { preview, from, to, exceptDates, capacity, onToggleDate } = props
  const [first, setFirst] = useState(from.slice(0, 7))
  const last = to.slice(0, 7)
  const start = first < from.slice(0, 7) || first > last ? from.slice(0, 7) : first
  const months = Array.from({ length: monthsShown }, (_, at) => addMonths(start, at)).filter((month) => month <= last)
  const byDate = Map.groupBy(preview.rows, (row) => row.localDate)
  const hasMore = addMonths(start, monthsShown) <= last
  return (
    <div className="grid gap-4">
      <section className="card overflow-hidden px-4 pt-3 pb-4" aria-labelledby="preview-title">
        <div className="flex items-center gap-2">
          <h3 id="preview-title" className="min-w-0 flex-1">
            <span className="num text-2xl font-semibold tracking-tight text-ink-strong">
              {formatNumber(preview.willCreate)}
            </span>{' '}
            <span className="text-ink-strong">{m.tours_preview_departures({ count: preview.willCreate })}</span>{' '}
            <span className="num text-ink-2">· {m.tours_preview_seats({ count: preview.willCreate * capacity })}</span>
          </h3>
          {(hasMore || start > from.slice(0, 7)) && (
            <>
              <IconButton
                label={m.tours_earlier_months()}
                icon={ChevronLeft}
                small
                disabled={start <= from.slice(0, 7)}
                onClick={() => setFirst(addMonths(start, -monthsShown))}
              />
              <IconButton
                label={m.tours_later_months()}
                icon={ChevronRight}
                small
                disabled={!hasMore}
                onClick={() => setFirst(addMonths(start, monthsShown))}
              />
            </>
          )}
        </div>
        <div className="mt-2 grid gap-x-6 gap-y-3 sm:grid-cols-2">
          {months.map((month) => (
            <MiniMonth
              key={month}
              month={month}
              byDate={byDate}
              exceptDates={exceptDates}
              onToggleDate={onToggleDate}
            />
          ))}
        </div>
        <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-2 text-xs text-ink-2">
          <Legend className="border border-brand bg-brand-tint">{m.tours_legend_runs()}</Legend>
          <Legend className="border-2 border-bad">{m.tours_legend_clash()}</Legend>
          <Legend className="hatch border border-line">{m.tours_legend_left_out()}</Legend>
        </p>
      </section>
      <Clashes rows={preview.rows.filter((row) => row.clash !== null)} />
    </div>
  )
}

const Legend = ({ className, children }: { className: string; children: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={classNames('size-3 rounded-[3px]', className)} aria-hidden />
    {children}
  </span>
)

interface MiniMonthProps extends Pick<SchedulePreviewProps, 'exceptDates' | 'onToggleDate'> {
  month: string
  byDate: ReadonlyMap<string, readonly Row[]>
}

function MiniMonth({ month, byDate, exceptDates, onToggleDate }: MiniMonthProps) {
  const count = [...byDate].reduce(
    (sum, [date, rows]) => sum + (date.startsWith(month) ? rows.filter((row) => row.clash === null).length : 0),
    0,
  )
  return (
    <table className="w-full table-fixed self-start border-separate border-spacing-0.5">
      <caption className="mb-1 text-start">
        <span className="flex justify-between text-xs">
          <b className="font-semibold text-ink-strong">{formatMonth(month)}</b>
          <span className="num text-ink-2">{count}</span>
        </span>
      </caption>
      <MonthWeeks month={month} headClass="text-2xs font-normal text-ink-2" initials>
        {(date) => (
          <td className="h-[26px] p-0 text-center text-xs">
            {date.startsWith(month) && (
              <DayMark
                date={date}
                rows={byDate.get(date)}
                isLeftOut={exceptDates.includes(date)}
                onToggle={onToggleDate}
              />
            )}
          </td>
        )}
      </MonthWeeks>
    </table>
  )
}

interface DayMarkProps {
  date: string
  rows: readonly Row[] | undefined
  isLeftOut: boolean
  onToggle: (date: string) => void
}

/** A day that runs or was left out is a button between the two; other days only show their number. */
function DayMark({ date, rows, isLeftOut, onToggle }: DayMarkProps) {
  const number = Number(date.slice(8))
  if (!rows && !isLeftOut) return <span className="num text-ink-2">{number}</span>
  const isClash = rows?.some((row) => row.clash !== null) ?? false
  const day = formatLocalDay(date)
  return (
    <button
      type="button"
      className={classNames(
        'num h-[26px] w-full rounded-md text-center text-xs',
        isLeftOut
          ? 'hatch border border-line text-ink-2'
          : isClash
            ? 'border-2 border-bad bg-bad-bg font-semibold text-bad'
            : 'border border-brand bg-brand-tint text-ink-strong',
      )}
      aria-pressed={!isLeftOut}
      aria-label={
        isLeftOut ? m.tours_day_left_out({ day }) : isClash ? m.tours_day_clashes({ day }) : m.tours_day_runs({ day })
      }
      onClick={() => onToggle(date)}
    >
      {number}
    </button>
  )
}

const clashLabels: Record<NonNullable<Row['clash']>, { title: () => string; text: () => string }> = {
  exists: { title: m.tours_clash_exists, text: m.tours_clash_exists_text },
  past: { title: m.tours_clash_past, text: m.tours_clash_past_text },
  no_such_time: { title: m.tours_clash_no_time, text: m.tours_clash_no_time_text },
}
/** Days of one cause that are named; the rest are counted. */
const namedDays = 6

function Clashes({ rows }: { rows: readonly Row[] }) {
  if (rows.length === 0) return null
  const byCause = Map.groupBy(rows, (row) => row.clash ?? 'exists')
  return (
    <section className="card overflow-hidden" aria-labelledby="clash-title">
      <div className="flex min-h-11 flex-wrap items-center gap-2 px-4">
        <TriangleAlert size={16} className="text-bad" aria-hidden />
        <h3 id="clash-title" className="text-base font-semibold">
          {m.tours_clashes({ count: rows.length })}
        </h3>
        <span className="ms-auto text-xs text-ink-2">{m.tours_clashes_note()}</span>
      </div>
      <ul>
        {[...byCause].map(([cause, clashing]) => (
          <li key={cause} className="border-t border-line px-4 py-2">
            <p>
              <b className="font-medium text-ink-strong">{clashLabels[cause].title()}</b>{' '}
              <span className="num text-ink-2">{clashing.length}</span>
            </p>
            <p className="num text-ink-2">
              {clashLabels[cause].text()} {daysOf(clashing)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function daysOf(rows: readonly Row[]): string {
  const days = [...new Set(rows.map((row) => formatLocalDay(row.localDate)))]
  const rest = days.length - namedDays
  return rest > 0 ? `${days.slice(0, namedDays).join(', ')} ${m.tours_and_more({ count: rest })}` : formatList(days)
}
