import type { getAvailability } from '@tour-ops/contract/bookings/availability'
import type { Out } from '@tour-ops/contract/callable'
import { ChevronLeft, ChevronRight, CircleSlash, ListEnd, Pause } from 'lucide-react'
import { useId } from 'react'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { addDays, formatLanguage, formatLocalDay, formatLocalTime } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'

export type Availability = Out<typeof getAvailability>
export type OfferedDay = Availability['days'][number]
export type OfferedDeparture = OfferedDay['departures'][number]

/** Days shown at once: two weeks. */
export const shownDays = 14

export interface DayStripProps {
  days: readonly OfferedDay[]
  from: string
  value: string | null
  onChange: (localDate: string) => void
  /** Other days. */
  onFrom: (localDate: string) => void
  /** The first day that can be shown. */
  earliest: string
  /** Seats the party asks for: a day with fewer says so in red. */
  asked: number
}

/** Two weeks with the most seats that one party can get on each day. */
export function DayStrip({ days, from, value, onChange, onFrom, earliest, asked }: DayStripProps) {
  const labelId = useId()
  return (
    <div className="min-w-0">
      <div className="mb-1 flex items-center">
        <span id={labelId} className="lbl !mb-0 flex-1">
          {m.bookings_day_and_seats()}
        </span>
        <IconButton
          small
          className="-my-1.5"
          label={m.bookings_week_before()}
          icon={ChevronLeft}
          iconSize={16}
          disabled={from <= earliest}
          onClick={() => onFrom(addDays(from, -shownDays) < earliest ? earliest : addDays(from, -shownDays))}
        />
        <IconButton
          small
          className="-my-1.5 -me-2"
          label={m.bookings_week_after()}
          icon={ChevronRight}
          iconSize={16}
          onClick={() => onFrom(addDays(from, shownDays))}
        />
      </div>
      <div role="group" aria-labelledby={labelId} className="grid grid-cols-7 gap-1.5">
        {days.map((day) => (
          <DayButton
            key={day.localDate}
            day={day}
            asked={asked}
            isChosen={day.localDate === value}
            onChoose={onChange}
          />
        ))}
      </div>
    </div>
  )
}

interface DayButtonProps {
  day: OfferedDay
  asked: number
  isChosen: boolean
  onChoose: (localDate: string) => void
}

function DayButton({ day, asked, isChosen, onChoose }: DayButtonProps) {
  const has = day.departures.length > 0
  const [weekday, ...rest] = formatLocalDay(day.localDate).split(' ')
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      disabled={!has}
      onClick={() => onChoose(day.localDate)}
      className={classNames(
        'rounded-lg border border-line bg-surface px-1 py-0.5 text-center text-xs leading-4 disabled:bg-surface-2',
        isChosen && '!border-[var(--brand-strong)] !bg-brand-tint',
      )}
    >
      <span className="text-ink-2 max-sm:block">{weekday} </span>
      <span className="text-ink-2 max-sm:block">{rest[0]}</span>
      <span
        className={classNames(
          'num block text-sm font-semibold',
          !has || day.seatsLeft === 0 ? 'text-ink-2' : asked > day.seatsLeft ? 'text-bad' : 'text-ink-strong',
          day.seatsLeft === 0 && has && 'line-through',
        )}
      >
        {has ? day.seatsLeft : '–'}
      </span>
      <span className="sr-only">
        {has ? m.bookings_seats_left({ count: day.seatsLeft }) : m.bookings_no_departure()}
      </span>
    </button>
  )
}

export interface StartListProps {
  label: string
  departures: readonly OfferedDeparture[]
  /** Of the tour. */
  zone: string
  value: string | null
  onChange: (departureId: string) => void
  /** Seats the party asks for: a departure with fewer says so in red. */
  asked?: number
  /** Not offered: the departure a party is on already. */
  exceptId?: string | undefined
  /** Full departures may be chosen, to wait for them. */
  allowsFull?: boolean
}

/** The starts of a day with guide, bar and words. */
export function StartList(props: StartListProps) {
  const { label, departures, zone, value, onChange, asked = 0, exceptId, allowsFull } = props
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className="overflow-hidden rounded-lg border border-line">
      {departures.map((departure) => {
        const isChosen = departure.id === value
        const isClosed = departure.state === 'closed' || departure.id === exceptId
        const isFull = departure.seatsLeft === 0 && !allowsFull
        return (
          <label
            key={departure.id}
            className={classNames(
              'flex min-h-10 items-center gap-3 border-t border-line px-3 py-1.5 first:border-t-0',
              isChosen && 'bg-brand-tint',
              isClosed || isFull ? 'cursor-not-allowed' : 'cursor-pointer',
            )}
          >
            <input
              type="radio"
              className="radio"
              name={name}
              checked={isChosen}
              disabled={isClosed || isFull}
              onChange={() => onChange(departure.id)}
            />
            <span className="whitespace-nowrap max-sm:grid">
              <Ltr className="text-base font-semibold text-ink-strong">{formatLocalTime(departure.startTimeLocal)}</Ltr>{' '}
              <ZoneNote moment={departure.startsAt} zone={zone} />
            </span>
            <span className="min-w-0 flex-1 truncate text-ink-2 max-sm:whitespace-normal">
              {[
                departure.optionName,
                departure.isPrivate && m.departures_one_party(),
                departure.language && formatLanguage(departure.language),
                departure.leadGuide?.name,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <SeatBar departure={departure} />
            <SeatAvailability departure={departure} asked={asked} isHere={departure.id === exceptId} />
          </label>
        )
      })}
    </div>
  )
}

function SeatBar({ departure: { seatsTaken, capacity } }: { departure: OfferedDeparture }) {
  const share = capacity > 0 ? Math.min(1, seatsTaken / capacity) : 0
  return (
    <span aria-hidden className="h-1 w-14 shrink-0 overflow-hidden rounded-full bg-line max-sm:hidden">
      <span className="block h-full rounded-full bg-ink-2" style={{ width: `${share * 100}%` }} />
    </span>
  )
}

interface SeatAvailabilityProps {
  departure: OfferedDeparture
  asked: number
  isHere: boolean
}

function SeatAvailability({ departure, asked, isHere }: SeatAvailabilityProps) {
  const { seatsLeft, waitlistCount, salesStatus, state, isPrivate } = departure
  const row = 'inline-flex w-[132px] shrink-0 items-center justify-end gap-2 text-end max-sm:w-auto'
  if (isHere) return <span className={`${row} text-ink-2`}>{m.bookings_here_now()}</span>
  if (salesStatus === 'paused') {
    return (
      <span className={`${row} text-ink-2`}>
        <Pause size={15} aria-hidden />
        {m.bookings_sales_paused()}
      </span>
    )
  }
  if (state === 'closed') {
    return (
      <span className={`${row} text-ink-2`}>
        <CircleSlash size={15} aria-hidden />
        {m.bookings_sales_closed()}
      </span>
    )
  }
  if (seatsLeft === 0) {
    return (
      <span className={`${row} text-ink-2`}>
        <ListEnd size={15} aria-hidden />
        {waitlistCount > 0
          ? m.bookings_full_waiting({ count: waitlistCount })
          : isPrivate
            ? m.bookings_private_taken()
            : m.bookings_full()}
      </span>
    )
  }
  return (
    <b className={classNames(row, asked > seatsLeft ? 'text-bad' : 'text-ink-strong')}>
      {m.bookings_seats_left({ count: seatsLeft })}
    </b>
  )
}
