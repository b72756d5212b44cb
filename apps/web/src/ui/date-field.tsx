import { Calendar as CalendarIcon, Clock3 } from 'lucide-react'
import { useId, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { flushSync } from 'react-dom'
import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'
import { dateOrder, isDate, readDate, readTime, segmentAt, stepDate, stepTime, writeDate } from './date-text.ts'
import { useFieldControl, type InputLook } from './field.tsx'
import { formatLocalTime, localDateOf, timeFormat } from './format.ts'
import { loadLater, onIntent } from './load-later.tsx'
import { Popover } from './popover.tsx'

const Calendar = loadLater(() => import('./calendar.tsx').then((module) => module.Calendar))
// Not the clock icon of the states: that one is in the first screen's chunk and would pull the fields into it.
const TimesIcon = Clock3
const TimeList = loadLater(() => import('./time-list.tsx').then((module) => module.TimeList))

interface TypedInputProps extends InputLook {
  /** `2026-11-20` or `09:00`; empty without one. */
  value: string
  onChange: (value: string) => void
  /** What cannot be read is passed on as typed, so that the rule of the field refuses it; an empty value otherwise. */
  passText?: boolean | undefined
  /** What was chosen goes elsewhere: the field is empty again. */
  empties?: boolean | undefined
  onBlur?: (() => void) | undefined
  /** Id of what says that this is missing. */
  missingNote?: string | undefined
  /** Name in addition to the label of the field, of which this is a part; ends with its own. */
  partLabel?: string | undefined
  name?: string | undefined
  ref?: Ref<HTMLInputElement> | undefined
  disabled?: boolean | undefined
  className?: string | undefined
}

/** How a kind of value is written, read and moved with the arrow keys. */
interface Kind {
  readonly write: (value: string) => string
  readonly read: (text: string, isFinal: boolean) => string | null
  /** The value with the part (from 0) moved; what an empty field begins with when there is no value. */
  readonly step: (value: string | null, part: number, by: number) => string
  readonly pattern: () => string
  /** Says how to write it, after something that cannot be read. */
  readonly advice: () => string
  /** Which keys a phone shows. */
  readonly keys: () => 'numeric' | 'text'
}

const today = (): string => localDateOf(Date.now())

const dateKind: Kind = {
  write: writeDate,
  read: (text, isFinal) => readDate(text, { isFinal, today: today() }),
  step: (value, part, by) => (value === null ? today() : stepDate(value, dateOrder()[part] ?? 'day', by)),
  pattern: m.ui_date_pattern,
  advice: () => m.ui_date_like({ example: writeDate(today()) }),
  keys: () => 'numeric',
}

const isTime = (value: string): boolean => /^\d\d:\d\d(?::\d\d)?$/.test(value)

const timeKind: Kind = {
  write: (value) => (isTime(value) ? formatLocalTime(value) : value),
  read: (text, isFinal) => readTime(text, { isFinal }),
  step: (value, part, by) => (value === null ? '12:00' : stepTime(value, part === 0 ? 'hour' : 'minute', by)),
  pattern: () => (timeFormat() === '24h' ? m.ui_time_pattern() : formatLocalTime('09:30')),
  advice: () => m.ui_time_like({ example: formatLocalTime('09:30') }),
  // am and pm are letters
  keys: () => (timeFormat() === '24h' ? 'numeric' : 'text'),
}

interface Typed {
  readonly text: string
  /** The value when this was typed, and the one that was handed on: any other one came from elsewhere and is shown instead. */
  readonly before: string
  readonly sent: string
  readonly isWrong?: boolean
}

/** The typed text and its parsed value: the text stays until it can be parsed. */
function useTyped(kind: Kind, { value, onChange, passText = false, empties = false }: TypedInputProps) {
  const [typed, setTyped] = useState<Typed | null>(null)
  const current = typed && (value === typed.before || value === typed.sent) ? typed : null
  const text = current ? current.text : kind.write(value)
  const send = (next: string, shown: Typed | null) => {
    setTyped(empties && next !== '' ? null : shown)
    if (next !== value) onChange(next)
  }
  const type = (next: string) => {
    const found = kind.read(next, false)
    send(found ?? value, { text: next, before: value, sent: found ?? value })
  }
  const finish = () => {
    if (!current) return
    const found = text.trim() === '' ? '' : kind.read(text, true)
    if (found !== null) return send(found, null)
    const sent = passText ? text.trim() : ''
    setTyped({ text, before: value, sent, isWrong: true })
    if (sent !== value) onChange(sent)
  }
  return { text, type, finish, isWrong: current?.isWrong ?? false }
}

/** One line in which a date or a time is typed; arrow keys move the part that the caret is in. */
function TypedInput({ kind, children, ...props }: TypedInputProps & { kind: Kind; children?: ReactNode }) {
  const { quiet, changed, missingNote, partLabel, name, ref, disabled, className } = props
  const control = useFieldControl()
  const id = useId()
  const noteId = `${id}-note`
  const { text, type, finish, isWrong } = useTyped(kind, props)
  // A field with an error of its own says that one.
  const isNoted = isWrong && !control['aria-invalid']
  const step = (event: KeyboardEvent<HTMLInputElement>, by: number) => {
    const input = event.currentTarget
    event.preventDefault()
    const { at } = segmentAt(text, input.selectionStart ?? 0)
    flushSync(() => type(kind.write(kind.step(kind.read(text, true), at, by))))
    const [part] = [...input.value.matchAll(/\d+/g)].slice(at)
    if (part) input.setSelectionRange(part.index, part.index + part[0].length)
  }
  return (
    <span className={classNames('block min-w-0', className)}>
      <span className="relative block">
        <input
          {...control}
          {...(partLabel !== undefined && {
            id,
            'aria-label': partLabel,
            'aria-labelledby': `${control.id}-label ${id}`,
          })}
          ref={ref}
          type="text"
          name={name}
          aria-invalid={isNoted || missingNote !== undefined || control['aria-invalid']}
          aria-describedby={isNoted ? noteId : (missingNote ?? control['aria-describedby'])}
          className={classNames(
            'inp num',
            children !== undefined && 'pe-9',
            quiet && 'inp-quiet',
            changed && 'inp-changed',
          )}
          inputMode={kind.keys()}
          autoComplete="off"
          placeholder={kind.pattern()}
          disabled={disabled}
          value={text}
          onChange={(event) => type(event.target.value)}
          onBlur={() => {
            finish()
            props.onBlur?.()
          }}
          onKeyDown={(event) => {
            if (event.altKey || event.ctrlKey || event.metaKey) return
            if (event.key === 'Enter') finish()
            else if (event.key === 'ArrowUp') step(event, 1)
            else if (event.key === 'ArrowDown') step(event, -1)
          }}
        />
        {children}
      </span>
      {isNoted && (
        <span id={noteId} role="alert" className="mt-1 block text-xs font-medium text-bad">
          {kind.advice()}
        </span>
      )}
    </span>
  )
}

interface ChooserProps {
  label: string
  icon: typeof CalendarIcon
  /** Pixels. */
  width: number
  /** Gets the focus when it opens. */
  focusOn: string
  /** Called with a function that closes it. */
  children: (close: () => void) => ReactNode
}

/** The button in a field that opens what can be chosen instead of being typed; Alt and the down arrow press it. */
const Chooser = ({ icon, ...props }: ChooserProps) => (
  <Popover
    {...props}
    icon={icon}
    buttonClassName="icon-btn icon-btn-sm absolute inset-y-0 end-0.5 my-auto"
    align="end"
  />
)

/** Presses the button in the field that was typed in. */
function openChooser(event: KeyboardEvent<HTMLElement>): void {
  if (!event.altKey || event.key !== 'ArrowDown') return
  event.preventDefault()
  event.currentTarget.querySelector('button')?.click()
}

export interface DateInputProps extends TypedInputProps {
  /** First and last day that the calendar offers, `2026-11-20`; what is typed outside of them is for the rule of the field. */
  min?: string | undefined
  max?: string | undefined
}

/**
 * A civil date, value `2026-11-20`, without zone: typed in the order of the reader's language, or chosen in the calendar (Alt and the
 * down arrow open it).
 */
export function DateInput({ min, max, ...props }: DateInputProps) {
  const { value, onChange, disabled } = props
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- the field in it gets the keys; this only opens its calendar
    <span className={classNames('block min-w-0', props.className)} {...onIntent(Calendar)} onKeyDown={openChooser}>
      <TypedInput {...props} className={undefined} kind={dateKind}>
        {!disabled && (
          <Chooser label={m.ui_calendar()} icon={CalendarIcon} width={268} focusOn="td [tabindex='0']">
            {(close) => (
              <Calendar
                value={isDate(value) ? value : null}
                today={today()}
                {...{ min, max }}
                onChoose={(date) => {
                  onChange(date)
                  close()
                }}
              />
            )}
          </Chooser>
        )}
      </TypedInput>
    </span>
  )
}

/**
 * A wall-clock time, value `09:00`, in the zone of what it belongs to: typed with 24 hours or with am and pm, shown as the organization
 * writes times, or chosen from the quarters of an hour (Alt and the down arrow open them).
 */
export function TimeInput(props: TypedInputProps) {
  const { value, onChange, disabled } = props
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- the field in it gets the keys; this only opens its list
    <span className={classNames('block min-w-0', props.className)} {...onIntent(TimeList)} onKeyDown={openChooser}>
      <TypedInput {...props} className={undefined} kind={timeKind}>
        {!disabled && (
          <Chooser label={m.ui_times()} icon={TimesIcon} width={148} focusOn="[role='option'][tabindex='0']">
            {(close) => (
              <TimeList
                value={isTime(value) ? value.slice(0, 5) : null}
                onChoose={(time) => {
                  onChange(time)
                  close()
                }}
              />
            )}
          </Chooser>
        )}
      </TypedInput>
    </span>
  )
}

/** A date and a time together, value `2026-11-20T09:00`; empty until both are there, and says so when only one is left behind. */
export function DateTimeInput({ value, onChange, disabled, className }: TypedInputProps) {
  const noteId = useId()
  const [kept, setKept] = useState(value)
  const [isLeft, setLeft] = useState(false)
  const [date = '', time = ''] = (value === '' ? kept : value).split('T')
  const isHalf = isLeft && (date === '') !== (time === '')
  const change = (nextDate: string, nextTime: string) => {
    setKept(`${nextDate}T${nextTime}`)
    onChange(nextDate && nextTime ? `${nextDate}T${nextTime}` : '')
  }
  return (
    <span
      className={classNames('block min-w-0', className)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setLeft(true)
      }}
    >
      <span className="grid grid-cols-[minmax(0,1fr)_112px] items-start gap-1.5">
        <DateInput
          value={date}
          disabled={disabled}
          missingNote={isHalf && date === '' ? noteId : undefined}
          onChange={(next) => change(next, time)}
        />
        <TimeInput
          partLabel={m.ui_time()}
          value={time}
          disabled={disabled}
          missingNote={isHalf && time === '' ? noteId : undefined}
          onChange={(next) => change(date, next)}
        />
      </span>
      {isHalf && (
        <span id={noteId} role="alert" className="mt-1 block text-xs font-medium text-bad">
          {m.ui_date_time_both()}
        </span>
      )}
    </span>
  )
}
