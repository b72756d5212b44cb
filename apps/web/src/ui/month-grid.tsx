import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'
import { formatLocalLongDay, formatMonth } from './format.ts'
import { IconButton } from './icon-button.tsx'
import { MonthWeeks } from './month-weeks.tsx'
import { addMonths } from './month.ts'

export interface MonthGridProps {
  /** `2026-11`. */
  month: string
  onMonthChange: (month: string) => void
  /** `2026-11-20`, marked as today. */
  today?: string | undefined
  /** The content of a day. */
  renderDay: (date: string) => ReactNode
  /** Pressed on the number of a day. */
  onDayPress?: ((date: string) => void) | undefined
  /** The label of that action; the day as text without it. */
  dayLabel?: ((day: string) => string) | undefined
  selected?: string | undefined
  /** Next to the month's name. */
  actions?: ReactNode
}

/** A month as a table of days. */
export function MonthGrid(props: MonthGridProps) {
  const { month, onMonthChange, today, renderDay, onDayPress, dayLabel = (day) => day, selected, actions } = props
  return (
    <div className="min-w-0">
      <div className="flex min-h-[52px] flex-wrap items-center gap-1 px-4 py-1">
        <h2 className="min-w-[160px] text-base font-semibold" aria-live="polite">
          {formatMonth(month)}
        </h2>
        <IconButton
          label={m.ui_previous_month()}
          icon={ChevronLeft}
          onClick={() => onMonthChange(addMonths(month, -1))}
        />
        <IconButton label={m.ui_next_month()} icon={ChevronRight} onClick={() => onMonthChange(addMonths(month, 1))} />
        <span className="flex-1" />
        {actions}
      </div>
      <div className="overflow-x-auto" role="region" aria-label={formatMonth(month)} tabIndex={0}>
        <table className="w-full min-w-[660px] table-fixed border-collapse">
          <MonthWeeks month={month} headClass="h-8 border-y border-line px-2 text-start text-xs font-medium text-ink-2">
            {(date) => (
              <Day
                date={date}
                isOutside={!date.startsWith(month)}
                isToday={date === today}
                isSelected={date === selected}
                onPress={onDayPress}
                label={dayLabel(formatLocalLongDay(date))}
              >
                {renderDay(date)}
              </Day>
            )}
          </MonthWeeks>
        </table>
      </div>
    </div>
  )
}

interface DayProps {
  date: string
  isOutside: boolean
  isToday: boolean
  isSelected: boolean
  onPress: ((date: string) => void) | undefined
  /** Of the button. */
  label: string
  children: ReactNode
}

function Day({ date, isOutside, isToday, isSelected, onPress, label, children }: DayProps) {
  const number = (
    <span
      className={classNames(
        'num grid h-6 min-w-6 place-items-center rounded-full px-1 text-xs',
        isToday
          ? 'bg-brand-strong font-semibold text-on-brand'
          : isOutside
            ? 'text-ink-2'
            : 'font-medium text-ink-strong',
      )}
    >
      {Number(date.slice(8))}
    </span>
  )
  const cell = classNames('h-24 border border-line p-1 align-top', isOutside && 'bg-bg', isSelected && 'selected')
  return (
    <td className={cell} aria-current={isToday ? 'date' : undefined}>
      {onPress ? (
        <button type="button" className="rounded-full" aria-label={label} onClick={() => onPress(date)}>
          {number}
        </button>
      ) : (
        number
      )}
      <div>{children}</div>
    </td>
  )
}
