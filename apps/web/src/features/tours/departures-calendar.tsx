import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { In } from '@tour-ops/contract/callable'
import { listDepartures, type DepartureRow } from '@tour-ops/contract/departures/departures'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { DepartureLink } from '../../records/departure-link.tsx'
import { DepartureStatus } from '../../records/departure-status.tsx'
import { useNow } from '../../ui/clock.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { Field, Select } from '../../ui/field.tsx'
import { addDays, formatLocalDay, formatTimeThere, formatLocalTime } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { LoadBar } from '../../ui/load-bar.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { weeksOf } from '../../ui/month.ts'
import { MonthGrid } from '../../ui/month-grid.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { useToday } from '../../app/shell/today.ts'
import { isRunning } from '@tour-ops/contract/state-machines'

/** Departures of one week at most; a large operator has 1,200. See docs/domain.md, "Sizes". */
const maxOfWeek = 500

interface Days {
  byDay: ReadonlyMap<string, readonly DepartureRow[]>
  isLoading: boolean
  /** Departures that did not fit into the answers. */
  missing: number
}

/** The day it is planned to end, or today while it is still out. */
export function lastDayOf(row: Pick<DepartureRow, 'localDate' | 'dayCount' | 'status'>, today: string): string {
  const planned = addDays(row.localDate, row.dayCount - 1)
  return isRunning(row) && planned < today ? today : planned
}

/** Departures by local day; one of several days is shown on each of them. A request per week, so that no week crowds out another. */
function useDays(weeks: readonly (readonly string[])[]): Days {
  const [url] = useUrlState('/_dashboard/tours/all')
  const needs = url['f.needs']?.split(',')
  const tourId = url['f.tourId']?.split(',')
  const inputOf = (week: readonly string[]) =>
    ({
      size: maxOfWeek,
      ...(url.q !== undefined && { q: url.q }),
      filters: { from: week[0], to: week.at(-1), ...(tourId && { tourId }), ...(needs && { needs }) },
    }) as In<typeof listDepartures>
  const answers = useQueries({
    queries: weeks.map((week) => ({ ...callQuery(listDepartures, inputOf(week)), placeholderData: keepPreviousData })),
  })
  const today = useToday()
  const byDay = new Map<string, DepartureRow[]>()
  for (const [at, week] of weeks.entries()) {
    for (const row of answers[at]?.data?.rows ?? []) {
      for (const day of week) {
        if (day < row.localDate || day > lastDayOf(row, today)) continue
        byDay.set(day, [...(byDay.get(day) ?? []), row])
      }
    }
  }
  return {
    byDay,
    isLoading: answers.some((answer) => answer.isPending),
    missing: answers.reduce((sum, { data }) => sum + (data ? data.total - data.rows.length : 0), 0),
  }
}

export interface DeparturesCalendarProps {
  as: 'month' | 'week'
  /** A day of the month or week shown; today without it. */
  on: string | undefined
  onChange: (change: { on?: string; as?: 'week' | 'month' }) => void
}

/** All departures by day: bars say how full, a press opens the drawer. */
export function DeparturesCalendar({ as, on, onChange }: DeparturesCalendarProps) {
  const today = useToday()
  const day = on ?? today
  return (
    <div className="card min-w-0 overflow-hidden">
      <CalendarFilters />
      {as === 'month' ? (
        <Month month={day.slice(0, 7)} today={today} onChange={onChange} />
      ) : (
        <Week day={day} today={today} onChange={onChange} />
      )}
    </div>
  )
}

function CalendarFilters() {
  const { data } = useQuery(callQuery(tourOptionsForPickers, {}))
  const [url, setUrl] = useUrlState('/_dashboard/tours/all')
  return (
    <div className="flex flex-wrap items-end gap-3 border-b border-line px-4 py-3">
      <Field label={m.tours_tour()} className="w-full sm:w-60">
        <Select
          value={url['f.tourId'] ?? ''}
          placeholder={m.tours_all_tours()}
          onChange={(event) => setUrl({ 'f.tourId': event.target.value || undefined })}
          options={(data?.tours ?? []).map((tour) => ({ value: tour.id, label: tour.name }))}
        />
      </Field>
      <Field label={m.tours_needs()} className="w-full sm:w-48">
        <Select
          value={url['f.needs'] ?? ''}
          placeholder={m.tours_needs_any()}
          onChange={(event) => setUrl({ 'f.needs': event.target.value || undefined })}
          options={[
            { value: 'lead_guide', label: m.tours_view_no_guide() },
            { value: 'vehicle', label: m.tours_needs_vehicle() },
            { value: 'minimum_pax', label: m.tours_view_below() },
            { value: 'waitlist_decision', label: m.tours_view_waitlist() },
          ]}
        />
      </Field>
    </div>
  )
}

/** Departures that a day of the month shows before it counts the rest. */
const shownOfDay = 4

interface PartProps extends Pick<DeparturesCalendarProps, 'onChange'> {
  today: string
}

function Month({ month, today, onChange }: PartProps & { month: string }) {
  const { byDay, missing } = useDays(weeksOf(month))
  return (
    <>
      <MonthGrid
        month={month}
        today={today}
        onMonthChange={(next) => onChange({ on: `${next}-01` })}
        onDayPress={(date) => onChange({ as: 'week', on: date })}
        renderDay={(date) => (
          <DayEntries date={date} rows={byDay.get(date) ?? []} onMore={() => onChange({ as: 'week', on: date })} />
        )}
      />
      <Missing count={missing} />
    </>
  )
}

interface DayEntriesProps {
  date: string
  rows: readonly DepartureRow[]
  onMore: () => void
}

function DayEntries({ date, rows, onMore }: DayEntriesProps) {
  const rest = rows.length - shownOfDay
  return (
    <>
      {rows.slice(0, rest === 1 ? undefined : shownOfDay).map((row) => (
        <DepartureLink
          key={row.id}
          id={row.id}
          aria-label={`${startThere(row, date)} ${row.tourName}, ${m.tours_seats_of({ taken: row.seatsConfirmed, capacity: row.capacity })}`}
          className={classNames(
            'mb-0.5 flex min-h-6 flex-wrap items-center gap-x-1 overflow-hidden rounded px-1 text-2xs whitespace-nowrap',
            bandOf(row),
          )}
        >
          <Ltr className="font-semibold">{startOn(row, date)}</Ltr>
          <span className={classNames('min-w-0 flex-1 truncate', isStruck(row) && 'line-through')}>{row.tourCode}</span>
          <Ltr className="max-sm:hidden">
            {row.seatsConfirmed}/{row.capacity}
          </Ltr>
          {/* below: next to the time it would cut the tour's code */}
          <span className="basis-full pb-0.5 leading-3 empty:hidden">
            <StartZone row={row} date={date} />
          </span>
        </DepartureLink>
      ))}
      {rest > 1 && (
        <button type="button" className="link min-h-6 px-1 text-2xs" onClick={onMore}>
          {m.tours_more({ count: rest })}
        </button>
      )}
    </>
  )
}

const isStruck = (row: DepartureRow): boolean => row.status === 'cancelled' || row.status === 'aborted'

/** Bands of load; the figures say the same in numbers. See docs/screens.md, "Tours". */
function bandOf(row: DepartureRow): string {
  const share = row.capacity > 0 ? row.seatsConfirmed / row.capacity : 0
  if (isStruck(row) || share === 0) return 'bg-surface-2 text-ink-2'
  if (share < 0.35) return 'bg-surface-2 text-ink'
  return share < 0.95 ? 'bg-brand-tint text-ink-strong' : 'bg-brand-strong text-on-brand'
}

function Week({ day, today, onChange }: PartProps & { day: string }) {
  const week = weeksOf(day.slice(0, 7)).find((days) => days.includes(day)) ?? []
  const { byDay, missing, isLoading } = useDays([week])
  const now = useNow(30_000)
  const [first = day] = week
  const last = week.at(-1) ?? day
  return (
    <>
      <div className="flex min-h-[52px] items-center gap-1 px-4">
        <h2 className="num min-w-[160px] text-base font-semibold" aria-live="polite">
          {formatLocalDay(first)} – {formatLocalDay(last)}
        </h2>
        <IconButton
          label={m.tours_previous_week()}
          icon={ChevronLeft}
          onClick={() => onChange({ on: addDays(first, -7) })}
        />
        <IconButton
          label={m.tours_next_week()}
          icon={ChevronRight}
          onClick={() => onChange({ on: addDays(first, 7) })}
        />
      </div>
      <ol className="grid border-t border-line lg:grid-cols-7" aria-busy={isLoading || undefined}>
        {week.map((date) => (
          <li key={date} className="min-w-0 border-line p-2 max-lg:border-b lg:min-h-[420px] lg:not-first:border-s">
            <h3 className={classNames('num px-1 pb-1 text-xs font-medium', date === today && 'text-brand-strong')}>
              {formatLocalDay(date)}
            </h3>
            {(byDay.get(date) ?? []).map((row) => (
              <DepartureLink
                key={row.id}
                id={row.id}
                className="mb-1 block rounded-lg border border-line p-2 text-xs hover:bg-surface-2"
              >
                <span className="flex flex-wrap items-center justify-between gap-1">
                  <span>
                    <Ltr className="text-sm font-semibold text-ink-strong">{startOn(row, date)}</Ltr>{' '}
                    <StartZone row={row} date={date} />
                  </span>
                  <LoadBar value={row.seatsConfirmed} capacity={row.capacity} hideBar />
                </span>
                <b className="block font-medium text-ink-strong">{row.tourName}</b>
                <span className="block truncate text-ink-2">
                  {row.leadGuide?.name ?? <span className="font-medium text-gap">{m.tours_no_guide()}</span>}
                </span>
                {row.status !== 'scheduled' && (
                  <span className="mt-1 block">
                    <DepartureStatus departure={row} now={now} />
                  </span>
                )}
              </DepartureLink>
            ))}
            {!isLoading && !byDay.has(date) && <p className="px-1 text-xs text-ink-2">{m.tours_no_departures_day()}</p>}
          </li>
        ))}
      </ol>
      <Missing count={missing} />
    </>
  )
}

/** `09:00` on the first day, `Day 2` on the days after. */
const startOn = (row: DepartureRow, date: string): string =>
  date === row.localDate ? formatLocalTime(row.startTimeLocal) : m.tours_day_n({ number: dayOf(row, date) })

/** The same as text, with the zone's name where the office's clock shows another time. */
const startThere = (row: DepartureRow, date: string): string =>
  date === row.localDate ? formatTimeThere(row.startsAt, row.timeZone) : startOn(row, date)

/** Next to a start, where there is one. */
const StartZone = ({ row, date }: { row: DepartureRow; date: string }) =>
  date === row.localDate ? <ZoneNote moment={row.startsAt} zone={row.timeZone} /> : null

const dayOf = (row: DepartureRow, date: string): number =>
  Math.round((Date.parse(date) - Date.parse(row.localDate)) / 86_400_000) + 1

const Missing = ({ count }: { count: number }) =>
  count > 0 ? <p className="border-t border-line px-4 py-2 text-xs text-ink-2">{m.tours_not_shown({ count })}</p> : null
