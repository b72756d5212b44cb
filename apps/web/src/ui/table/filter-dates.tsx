import { useEffect, useRef } from 'react'
import { m } from '../../paraglide/messages.js'
import { DateInput } from '../date-field.tsx'
import { Field } from '../field.tsx'

export interface FilterDatesProps {
  /** From and to, `2026-11-20`; empty where the range is open. */
  values: readonly string[]
  onChange: (values: readonly string[]) => void
  /** It was opened by a press, and the keyboard continues here. */
  takesFocus?: boolean | undefined
}

/** The two ends of a filter by dates. */
export function FilterDates({ values: [from = '', to = ''], onChange, takesFocus = false }: FilterDatesProps) {
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) first.current?.focus()
  }, [takesFocus])
  return (
    <div className="grid gap-2">
      <Field label={m.ui_table_filter_from()}>
        <DateInput ref={first} value={from} max={to || undefined} onChange={(day) => onChange([day, to])} />
      </Field>
      <Field label={m.ui_table_filter_to()}>
        <DateInput value={to} min={from || undefined} onChange={(day) => onChange([from, day])} />
      </Field>
    </div>
  )
}
