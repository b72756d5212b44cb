import { RotateCcw } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { TimeInput } from '../../ui/date-field.tsx'
import { Field, NumberInput, Select, TextArea, TextInput } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { SettingField, SettingValue } from './settings-model.ts'

/** A value in the words of its control, for lists of changes. */
export function wordsOf(field: SettingField, value: SettingValue | string): string {
  if (value === null || value === '') return m.settings_empty_value()
  const option = field.options?.().find((one) => one.value === String(value))
  if (option) return option.label
  if (field.text) return field.text(String(value))
  return field.unit ? `${value} ${field.unit({ count: Number(value) })}` : String(value)
}

export interface SettingControlProps {
  field: SettingField
  value: SettingValue
  saved: SettingValue
  isChanged: boolean
  disabled: boolean
  error: string | undefined
  onChange: (value: SettingValue) => void
  onUndo: () => void
}

/** One row: label at the start, control at the end; a changed one is framed, marked and can be reset. */
export function SettingControl(props: SettingControlProps) {
  const { field, isChanged, disabled, onUndo } = props
  const hint = field.hint?.()
  return (
    <div
      id={idOf(field)}
      className="flex flex-wrap items-start gap-x-4 gap-y-1.5 border-t border-line px-4 py-3 lg:px-5"
    >
      <div className="min-w-[180px] flex-1 pt-1.5" aria-hidden>
        <p className="font-medium text-ink-strong">{field.label()}</p>
        {hint !== undefined && <p className="text-xs text-ink-2">{hint}</p>}
      </div>
      <div className="flex w-full items-start justify-end gap-1 sm:w-auto">
        {isChanged && !disabled && (
          <IconButton
            label={m.settings_undo({ name: field.label() })}
            icon={RotateCcw}
            iconSize={15}
            className="text-brand-strong"
            onClick={onUndo}
          />
        )}
        <span className={classNames('relative min-w-0 max-sm:flex-1', widthOf(field))}>
          <Control {...props} />
          {isChanged && <span className="dot absolute -end-1 -top-1 bg-brand" aria-hidden />}
        </span>
      </div>
    </div>
  )
}

/** Anchor of a field in its page. */
export const idOf = ({ path, anchor }: Pick<SettingField, 'path' | 'anchor'>): string =>
  anchor ?? `setting-${path.replaceAll('.', '-')}`

const widthOf = ({ kind, options }: SettingField): string =>
  kind === 'number' || kind === 'time' ? 'sm:w-[150px]' : options || kind === 'email' ? 'sm:w-[260px]' : 'sm:w-[320px]'

function Control({ field, value, saved, isChanged, disabled, error, onChange }: SettingControlProps) {
  const hint = field.hint?.()
  const text = value === null ? '' : String(value)
  const common = { value: text, changed: isChanged, disabled }
  return (
    <Field
      label={
        <>
          {field.label()}
          {hint !== undefined && `, ${hint}`}
        </>
      }
      hideLabel
      error={error}
    >
      {field.kind === 'number' ? (
        <span className="relative block">
          <NumberInput
            {...common}
            unit={field.unit?.({ count: Number(text) })}
            step={field.step}
            onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
          />
          {isChanged && saved !== null && (
            <s className="num pointer-events-none absolute inset-y-0 end-14 flex items-center text-ink-2">
              <span className="sr-only">{m.settings_was()} </span>
              {saved}
            </s>
          )}
        </span>
      ) : field.kind === 'time' ? (
        <TimeInput {...common} passText onChange={onChange} />
      ) : field.kind === 'choice' ? (
        <Select
          {...common}
          options={field.options?.() ?? []}
          onChange={(event) => onChange(field.isNumeric ? Number(event.target.value) : event.target.value)}
        />
      ) : field.kind === 'search' ? (
        <SearchControl {...{ field, value, disabled, onChange }} />
      ) : field.kind === 'lines' ? (
        <TextArea {...common} onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)} />
      ) : (
        <TextInput
          {...common}
          type={field.kind}
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
        />
      )}
    </Field>
  )
}

function SearchControl({
  field,
  value,
  disabled,
  onChange,
}: Pick<SettingControlProps, 'field' | 'value' | 'disabled' | 'onChange'>) {
  const options = field.options?.() ?? []
  const chosen = options.find((option) => option.value === value)
  return (
    <Combobox
      options={options}
      value={chosen ?? (value === null ? null : { value: String(value), label: String(value) })}
      disabled={disabled}
      onChange={(option) => option && onChange(option.value)}
    />
  )
}
