import { useEffect, useId, useRef, useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../button.tsx'
import { Checkbox, RadioCards } from '../choice.tsx'
import { Field, TextInput, type SelectOption } from '../field.tsx'
import { SearchInput } from '../search-input.tsx'
import { formatList, formatLocalDay } from '../format.ts'
import { loadLater } from '../load-later.tsx'
import type { TableFilter } from './table-types.ts'

/** No list needs it to be shown. */
const FilterDates = loadLater(() => import('./filter-dates.tsx').then((module) => module.FilterDates))

/** Options from which on a search field helps. */
const longList = 9

export interface FilterEditorProps {
  filter: TableFilter
  values: readonly string[]
  onChange: (values: readonly string[]) => void
  /** Controls that load later take the focus when they are there. */
  takesFocus?: boolean | undefined
}

/** The controls of one filter. */
export function FilterEditor({ filter, values, onChange, takesFocus }: FilterEditorProps) {
  switch (filter.kind) {
    case 'choice':
      return <ChoiceEditor filter={filter} values={values} onChange={onChange} />
    case 'dates':
      return <FilterDates {...{ values, onChange, takesFocus }} />
    case 'yesNo':
      return (
        <RadioCards
          label={filter.label}
          hideLabel
          options={[
            { value: 'true', label: m.ui_table_filter_yes() },
            { value: 'false', label: m.ui_table_filter_no() },
          ]}
          value={values[0] === 'true' || values[0] === 'false' ? values[0] : null}
          onChange={(value) => onChange([value])}
        />
      )
    case 'text':
      return (
        <Field label={filter.label} hideLabel>
          <TextInput
            value={values[0] ?? ''}
            placeholder={filter.placeholder}
            onChange={(event) => onChange([event.target.value])}
          />
        </Field>
      )
  }
}

interface ChoiceEditorProps extends Omit<FilterEditorProps, 'filter'> {
  filter: TableFilter & { kind: 'choice' }
}

function ChoiceEditor({ filter, values, onChange }: ChoiceEditorProps) {
  const [query, setQuery] = useState('')
  const found = filter.options.filter(({ label }) => label.toLocaleLowerCase().includes(query.toLocaleLowerCase()))
  const toggle = (value: string, isOn: boolean) =>
    onChange(isOn ? [...values, value] : values.filter((other) => other !== value))
  return (
    <fieldset>
      <legend className="sr-only">{filter.label}</legend>
      {filter.options.length >= longList && (
        <SearchInput className="mb-2" label={m.ui_table_find_value()} value={query} onChange={setQuery} />
      )}
      <div className="max-h-[264px] overflow-y-auto">
        {found.map((option) => (
          <Checkbox
            key={option.value}
            className="min-h-8 items-center px-1"
            label={option.label}
            checked={values.includes(option.value)}
            onChange={(event) => toggle(option.value, event.target.checked)}
          />
        ))}
        {found.length === 0 && <p className="px-1 py-2 text-ink-2">{m.ui_nothing_found()}</p>}
      </div>
    </fieldset>
  )
}

interface FilterFormProps extends FilterEditorProps {
  onDone: () => void
}

/** A filter with its own "Apply": a half-made choice does not ask the server. */
export function FilterForm({ filter, values, onChange, onDone }: FilterFormProps) {
  const [draft, setDraft] = useState(values)
  const titleId = useId()
  const form = useRef<HTMLFormElement>(null)
  // What was pressed to come here is gone; the focus continues to the first control.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), [])
  return (
    <form
      ref={form}
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(draft)
        onDone()
      }}
    >
      <p id={titleId} className="mb-2 font-semibold text-ink-strong">
        {filter.label}
      </p>
      <FilterEditor filter={filter} values={draft} onChange={setDraft} takesFocus />
      <div className="mt-3 flex justify-end gap-2">
        <Button size="sm" variant="ghost" onClick={onDone}>
          {m.ui_cancel()}
        </Button>
        <Button size="sm" variant="primary" type="submit">
          {m.ui_table_apply()}
        </Button>
      </div>
    </form>
  )
}

/** The text of a filter's value: "Scheduled, Boarding and 2 more" stays short by the options' own labels. */
export function filterText(filter: TableFilter, values: readonly string[]): string {
  switch (filter.kind) {
    case 'choice':
      return formatList(values.map((value) => labelOf(filter.options, value)))
    case 'dates': {
      const [from, to] = values.map((date) => (/^\d{4}-\d\d-\d\d$/.test(date) ? formatLocalDay(date) : ''))
      if (from && to) return m.ui_table_filter_range_value({ from, to })
      return from ? m.ui_table_filter_from_value({ from }) : m.ui_table_filter_to_value({ to: to ?? '' })
    }
    case 'yesNo':
      return values[0] === 'true' ? m.ui_table_filter_yes() : m.ui_table_filter_no()
    case 'text':
      return values.join(', ')
  }
}

const labelOf = (options: readonly SelectOption[], value: string): string =>
  options.find((option) => option.value === value)?.label ?? value
