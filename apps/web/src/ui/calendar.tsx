import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'
import { stepDate } from './date-text.ts'
import { addDays, formatLocalLongDay, formatMonth } from './format.ts'
import { IconButton } from './icon-button.tsx'
import { MonthWeeks } from './month-weeks.tsx'
import { weekStartOf } from './month.ts'

export interface CalendarProps {
  /** `2026-11-20`; null while nothing is chosen. */
  value: string | null
  today: string
  /** First and last day that can be chosen. */
  min?: string | undefined
  max?: string | undefined
  onChoose: (date: string) => void
}

/** Where a key leads: days and weeks by arrows, ends of the week by Home and End, months by Page, years with Shift; null for other keys. */
export function dayByKey({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>, date: string): string | null {
  const forth = document.dir === 'rtl' ? -1 : 1
  const page = shiftKey ? 'year' : 'month'
  switch (key) {
    case 'ArrowRight':
      return addDays(date, forth)
    case 'ArrowLeft':
      return addDays(date, -forth)
    case 'ArrowDown':
      return addDays(date, 7)
    case 'ArrowUp':
      return addDays(date, -7)
    case 'Home':
      return weekStartOf(date)
    case 'End':
      return addDays(weekStartOf(date), 6)
    case 'PageDown':
      return stepDate(date, page, 1)
    case 'PageUp':
      return stepDate(date, page, -1)
    default:
      return null
  }
}

/** A month of days of which one is chosen, in the reader's language, from the organization's first weekday. */
export function Calendar({ value, today, min = '', max = '9999', onChoose }: CalendarProps) {
  const within = (date: string) => (date < min ? min : date > max ? max : date)
  // The keyboard focus is in the grid, except after a press on one of the buttons above it.
  const [{ active, isInGrid }, setActive] = useState({ active: value ?? within(today), isInGrid: true })
  const turn = (part: 'month' | 'year', by: number) => () =>
    setActive({ active: stepDate(active, part, by), isInGrid: false })
  const month = active.slice(0, 7)
  return (
    <div>
      <div className="flex items-center">
        <IconButton small label={m.ui_previous_year()} icon={ChevronsLeft} iconSize={16} onClick={turn('year', -1)} />
        <IconButton small label={m.ui_previous_month()} icon={ChevronLeft} iconSize={16} onClick={turn('month', -1)} />
        <span className="min-w-0 flex-1 text-center font-semibold" aria-live="polite">
          {formatMonth(month)}
        </span>
        <IconButton small label={m.ui_next_month()} icon={ChevronRight} iconSize={16} onClick={turn('month', 1)} />
        <IconButton small label={m.ui_next_year()} icon={ChevronsRight} iconSize={16} onClick={turn('year', 1)} />
      </div>
      <table
        // eslint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- keys of a grid move in it
        role="grid"
        aria-label={formatMonth(month)}
        className="mt-1 w-full table-fixed border-collapse"
        onKeyDown={(event) => {
          const next = dayByKey(event, active)
          if (next === null) return
          event.preventDefault()
          setActive({ active: next, isInGrid: true })
        }}
      >
        <MonthWeeks month={month} headClass="h-7 text-center text-xs font-medium text-ink-2">
          {(date) => (
            <Day
              date={date}
              isActive={date === active}
              takesFocus={isInGrid}
              isChosen={date === value}
              isToday={date === today}
              isOutside={!date.startsWith(month)}
              disabled={within(date) !== date}
              onChoose={onChoose}
            />
          )}
        </MonthWeeks>
      </table>
    </div>
  )
}

interface DayProps {
  date: string
  /** The keyboard focus is here, or moves here with Tab. */
  isActive: boolean
  takesFocus: boolean
  isChosen: boolean
  isToday: boolean
  isOutside: boolean
  disabled: boolean
  onChoose: (date: string) => void
}

/** The day that becomes the active one. */
const focus = (day: HTMLElement | null): void => day?.focus({ preventScroll: true })

function Day({ date, isActive, takesFocus, isChosen, isToday, isOutside, disabled, onChoose }: DayProps) {
  return (
    <td aria-selected={isChosen} className="p-0 text-center">
      <button
        type="button"
        ref={isActive && takesFocus ? focus : undefined}
        tabIndex={isActive ? 0 : -1}
        aria-label={`${formatLocalLongDay(date)} ${date.slice(0, 4)}`}
        aria-current={isToday ? 'date' : undefined}
        aria-disabled={disabled || undefined}
        className={classNames('day num', isOutside && 'text-ink-2')}
        onClick={() => {
          if (!disabled) onChoose(date)
        }}
      >
        {Number(date.slice(8))}
      </button>
    </td>
  )
}
