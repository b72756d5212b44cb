import type { AppError } from '@tour-ops/contract/errors'
import { Plus, X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { entryProblem } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { ChoiceChip, Tag } from '../../../ui/chip.tsx'
import { DateInput, TimeInput } from '../../../ui/date-field.tsx'
import { Field, NumberInput, Select } from '../../../ui/field.tsx'
import { firstWeekday, formatLocalDay, formatWeekday } from '../../../ui/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { gapOf, toggleDate, type ScheduleFields } from './schedule-rule.ts'
import { gapLabel, sentenceOf } from './schedule-text.ts'

export interface ScheduleFormProps {
  fields: ScheduleFields
  onChange: (change: Partial<ScheduleFields>) => void
  /** Seats that the tour gives when none are typed. */
  defaultCapacity: number | undefined
  /** The call that the server refused, for what is wrong with its entries. */
  refused?: AppError | null | undefined
}

/** When a tour runs: the rule as one sentence, then the fields that make it. */
export function ScheduleForm({ fields, onChange, defaultCapacity, refused }: ScheduleFormProps) {
  const gap = gapOf(fields)
  return (
    <div>
      <p className="rounded-lg bg-surface-2 px-3 py-2.5 text-base text-ink-strong" role="status">
        {gap ? gapLabel(gap) : sentenceOf(fields)}
      </p>
      <Line label={m.tours_repeats()}>
        <div className="grid max-w-80 grid-cols-2 gap-2">
          <Field label={m.tours_repeats()} hideLabel>
            <Select
              value={fields.repeats}
              onChange={(event) => onChange({ repeats: event.target.value === 'weekly' ? 'weekly' : 'daily' })}
              options={[
                { value: 'daily', label: m.tours_repeats_daily() },
                { value: 'weekly', label: m.tours_repeats_weekly() },
              ]}
            />
          </Field>
          <Field label={m.tours_interval()} hideLabel>
            <Select
              value={String(fields.interval)}
              onChange={(event) => onChange({ interval: Number(event.target.value) })}
              options={[1, 2, 3, 4].map((count) => ({
                value: String(count),
                label: fields.repeats === 'daily' ? m.tours_every_day({ count }) : m.tours_every_week({ count }),
              }))}
            />
          </Field>
        </div>
      </Line>
      {fields.repeats === 'weekly' && (
        <Line label={m.tours_on()}>
          <Weekdays chosen={fields.weekdays} onChange={(weekdays) => onChange({ weekdays })} />
        </Line>
      )}
      <Line label={m.tours_start()} error={entryProblem(refused, 'startTimesLocal')}>
        <Times times={fields.startTimes} onChange={(startTimes) => onChange({ startTimes })} />
      </Line>
      <Line label={m.tours_from_to()} error={entryProblem(refused, 'from') ?? entryProblem(refused, 'to')}>
        <div className="grid max-w-96 grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-1.5">
          <Field label={m.tours_from()} hideLabel>
            <DateInput value={fields.from} onChange={(day) => onChange({ from: day })} />
          </Field>
          <span aria-hidden>–</span>
          <Field label={m.tours_to()} hideLabel>
            <DateInput value={fields.to} min={fields.from || undefined} onChange={(day) => onChange({ to: day })} />
          </Field>
        </div>
      </Line>
      <Line label={m.tours_not_on()} hint={m.tours_not_on_hint()}>
        <ExceptDates fields={fields} onChange={(exceptDates) => onChange({ exceptDates })} />
      </Line>
      <Line label={m.tours_seats()} error={entryProblem(refused, 'capacity')}>
        <Field label={m.tours_seats()} hideLabel className="w-32">
          <NumberInput
            min={1}
            max={1000}
            placeholder={defaultCapacity === undefined ? '' : String(defaultCapacity)}
            value={fields.capacity ?? ''}
            onChange={(event) => onChange({ capacity: event.target.value === '' ? null : Number(event.target.value) })}
          />
        </Field>
      </Line>
    </div>
  )
}

interface LineProps {
  label: string
  hint?: string
  error?: string | undefined
  children: ReactNode
}

/** One line of the rule: its name at the side, its controls, what is to be known below. */
function Line({ label, hint, error, children }: LineProps) {
  const id = useId()
  return (
    <div
      role="group"
      aria-labelledby={id}
      className="grid gap-x-3 gap-y-1 border-b border-line py-2.5 last:border-0 sm:grid-cols-[96px_minmax(0,1fr)]"
    >
      <span id={id} className="pt-2 text-ink-2">
        {label}
      </span>
      <div className="min-w-0">
        {children}
        {error ? (
          <p className="mt-1 text-xs font-medium text-bad">{error}</p>
        ) : (
          hint && <p className="mt-1 text-xs text-ink-2">{hint}</p>
        )}
      </div>
    </div>
  )
}

function Weekdays({ chosen, onChange }: { chosen: readonly number[]; onChange: (days: number[]) => void }) {
  const first = firstWeekday()
  const days = Array.from({ length: 7 }, (_, at) => ((first - 1 + at) % 7) + 1)
  const toggle = (day: number) =>
    onChange(chosen.includes(day) ? chosen.filter((each) => each !== day) : [...chosen, day])
  return (
    <div className="flex flex-wrap gap-1.5">
      {days.map((day) => (
        <ChoiceChip key={day} pressed={chosen.includes(day)} onClick={() => toggle(day)}>
          {formatWeekday(day)}
        </ChoiceChip>
      ))}
    </div>
  )
}

function Times({ times, onChange }: { times: readonly string[]; onChange: (times: string[]) => void }) {
  const set = (at: number, time: string) => onChange(times.map((each, index) => (index === at ? time : each)))
  return (
    <div className="flex flex-wrap items-center gap-2">
      {times.map((time, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a time is known only by its place: two may be the same while one is typed
        <span key={at} className="inline-flex items-center">
          <Field label={m.tours_start_time_n({ number: at + 1 })} hideLabel className="w-32">
            <TimeInput value={time} onChange={(changed) => set(at, changed)} />
          </Field>
          {times.length > 1 && (
            <IconButton
              label={m.tours_remove_time({ time })}
              icon={X}
              small
              onClick={() => onChange(times.filter((_, index) => index !== at))}
            />
          )}
        </span>
      ))}
      <Button
        variant="ghost"
        icon={Plus}
        disabled={times.length >= 24}
        onClick={() => onChange([...times, times.includes('14:00') ? '18:00' : '14:00'])}
      >
        {m.tours_add_time()}
      </Button>
    </div>
  )
}

interface ExceptDatesProps {
  fields: ScheduleFields
  onChange: (dates: string[]) => void
}

/** Days left out: typed here, or pressed in the preview. */
function ExceptDates({ fields, onChange }: ExceptDatesProps) {
  const { exceptDates, from, to } = fields
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {exceptDates.map((date) => (
        <Tag
          key={date}
          removeLabel={m.tours_put_back({ day: formatLocalDay(date) })}
          onRemove={() => onChange(toggleDate(exceptDates, date))}
        >
          {formatLocalDay(date)}
        </Tag>
      ))}
      <Field label={m.tours_leave_out_day()} hideLabel className="w-40">
        <DateInput
          value=""
          min={from || undefined}
          max={to || undefined}
          empties
          onChange={(date) => {
            if (date !== '' && !exceptDates.includes(date)) onChange(toggleDate(exceptDates, date))
          }}
        />
      </Field>
    </div>
  )
}
