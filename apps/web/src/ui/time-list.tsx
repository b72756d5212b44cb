import { Check } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'
import { offeredNear, offeredTimes } from './date-text.ts'
import { formatLocalTime } from './format.ts'
import { moveInList } from './move-in-list.ts'

export interface TimeListProps {
  /** `09:00`; null while nothing is chosen. */
  value: string | null
  onChoose: (time: string) => void
}

/** Times that a page of the keyboard moves by: an hour. */
const pageSteps = 4

/** Where a key leads: quarters of an hour by arrows, hours by Page, the ends of the day by Home and End; null for other keys. */
export function timeByKey(event: Pick<KeyboardEvent, 'key'>, at: number): number | null {
  const { length } = offeredTimes
  if (event.key === 'PageDown') return (at + pageSteps) % length
  if (event.key === 'PageUp') return (at - pageSteps + length) % length
  return moveInList(event, at, length, 'vertical')
}

/** The option that the keyboard is at; the list opens with it in the middle. */
const focus = (option: HTMLElement | null): void => {
  option?.focus({ preventScroll: true })
  option?.scrollIntoView({ block: 'nearest' })
}

/** The quarters of an hour of a day, of which one is chosen. */
export function TimeList({ value, onChoose }: TimeListProps) {
  const [at, setAt] = useState(() => offeredNear(value))
  return (
    <div
      role="listbox"
      tabIndex={-1}
      aria-label={m.ui_times()}
      className="max-h-64 overflow-y-auto"
      onKeyDown={(event) => {
        const next = timeByKey(event, at)
        if (next === null) return
        event.preventDefault()
        setAt(next)
      }}
    >
      {offeredTimes.map((time, place) => (
        <button
          key={time}
          type="button"
          role="option"
          aria-selected={time === value}
          tabIndex={place === at ? 0 : -1}
          ref={place === at ? focus : undefined}
          className={classNames('menu-item num w-full', place !== at && 'hover:bg-surface-2')}
          onClick={() => onChoose(time)}
        >
          <span className="flex-1 text-start">{formatLocalTime(time)}</span>
          {time === value && <Check size={16} className="shrink-0 text-brand-strong" aria-hidden />}
        </button>
      ))}
    </div>
  )
}
