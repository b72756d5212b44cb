import { useEffect, useState, type ReactNode } from 'react'
import { get, useController, useFormState, type Control, type FieldPath, type FieldValues } from 'react-hook-form'
import { m } from '../../paraglide/messages.js'
import { ChipRemove } from '../chip.tsx'
import { Checkbox, RadioCards, Stepper, Switch, type RadioOption } from '../choice.tsx'
import { Combobox, type ComboboxOption, type ComboboxProps } from '../combobox.tsx'
import { DateInput, TimeInput } from '../date-field.tsx'
import {
  Field,
  NumberInput,
  PasswordInput,
  Select,
  TextArea,
  TextInput,
  type SelectOption,
  useFieldControl,
  type TextInputProps,
} from '../field.tsx'
import { MoneyInput } from './money-input.tsx'
import type { AppForm } from './use-app-form.ts'

interface ForProps<Values extends FieldValues, Output> {
  form: AppForm<Values, Output>
  /** Path of the value, `contact.email`; wrong ones do not compile. */
  name: FieldPath<Values>
  label: string
  hint?: ReactNode
  required?: boolean | undefined
  /** An emptied field is null and not an empty text. */
  nullable?: boolean | undefined
  disabled?: boolean | undefined
  className?: string | undefined
}

const labels = new WeakMap<object, Map<string, string>>()

/** The words of a field by its path, for the list of errors. */
export const labelOfField = (control: object, path: string): string | undefined => labels.get(control)?.get(path)

function useLabel(control: object, name: string, label: string): void {
  useEffect(() => {
    const known = labels.get(control) ?? new Map<string, string>()
    labels.set(control, known.set(name, label))
  }, [control, name, label])
}

function useProblem<Values extends FieldValues, Output>(
  control: Control<Values, unknown, Output>,
  name: FieldPath<Values>,
): string | undefined {
  'use no memo' // The library changes its error object in place.
  const state = useFormState({ control, name, exact: true })
  const error: unknown = get(state.errors, name)
  if (typeof error !== 'object' || error === null) return undefined
  return 'message' in error && typeof error.message === 'string' ? error.message : m.ui_form_check()
}

type InputExtras = Pick<
  TextInputProps,
  'placeholder' | 'unit' | 'autoComplete' | 'inputMode' | 'min' | 'max' | 'step' | 'maxLength' | 'autoFocus'
>

type TextForProps<Values extends FieldValues, Output> = ForProps<Values, Output> &
  InputExtras & { type?: 'text' | 'email' | 'tel' | 'url' | undefined }

/** Label, hint, error around a control that the form library registers by itself. */
function useRegistered<Values extends FieldValues, Output>(props: ForProps<Values, Output>, isNumber = false) {
  'use no memo' // See useProblem.
  const { form, name, label, hint, required, nullable, disabled, className } = props
  useLabel(form.control, name, label)
  const error = useProblem(form.control, name)
  const setValueAs = isNumber ? numberOf : nullable ? nullWhenEmpty : undefined
  const registered = form.register(name, setValueAs ? { setValueAs } : {})
  return {
    field: { label, hint, required, error, className },
    registered: { ...registered, disabled: disabled ?? false },
  }
}

/** An empty number field is null; the schema says whether that may be. */
const numberOf = (typed: unknown): unknown => (typed === '' || typed === null ? null : Number(typed))

const nullWhenEmpty = (typed: unknown): unknown => (typed === '' ? null : typed)

/** One line of text. */
export function TextFor<Values extends FieldValues, Output>(props: TextForProps<Values, Output>) {
  const {
    form: _form,
    name: _name,
    label: _label,
    hint: _hint,
    required: _required,
    nullable: _nullable,
    className: _class,
    ...extras
  } = props
  const { field, registered } = useRegistered(props)
  return (
    <Field {...field}>
      <TextInput {...extras} {...registered} />
    </Field>
  )
}

/** A password. */
export function PasswordFor<Values extends FieldValues, Output>(props: TextForProps<Values, Output>) {
  const { field, registered } = useRegistered(props)
  return (
    <Field {...field}>
      <PasswordInput autoComplete={props.autoComplete} {...registered} />
    </Field>
  )
}

/** A number; empty is null. */
export function NumberFor<Values extends FieldValues, Output>(props: ForProps<Values, Output> & InputExtras) {
  const {
    form: _form,
    name: _name,
    label: _label,
    hint: _hint,
    required: _required,
    nullable: _nullable,
    className: _class,
    ...extras
  } = props
  const { field, registered } = useRegistered(props, true)
  return (
    <Field {...field}>
      <NumberInput {...extras} {...registered} />
    </Field>
  )
}

/** Several lines of text. */
export function TextAreaFor<Values extends FieldValues, Output>(props: ForProps<Values, Output> & { rows?: number }) {
  const { field, registered } = useRegistered(props)
  return (
    <Field {...field}>
      <TextArea rows={props.rows} {...registered} />
    </Field>
  )
}

interface DateForProps<Values extends FieldValues, Output> extends ForProps<Values, Output> {
  /** First and last day that the calendar offers. */
  min?: string | undefined
  max?: string | undefined
}

/** A civil date. */
export function DateFor<Values extends FieldValues, Output>(props: DateForProps<Values, Output>) {
  const { field, control } = useTypedMoment(props)
  return (
    <Field {...field}>
      <DateInput {...control} min={props.min} max={props.max} />
    </Field>
  )
}

/** A wall-clock time. */
export function TimeFor<Values extends FieldValues, Output>(props: ForProps<Values, Output>) {
  const { field, control } = useTypedMoment(props)
  return (
    <Field {...field}>
      <TimeInput {...control} />
    </Field>
  )
}

/** What cannot be read as a date or a time stays in the form as it was typed, so that its schema refuses it. */
function useTypedMoment<Values extends FieldValues, Output>(props: ForProps<Values, Output>) {
  const { name, label, hint, required, nullable, disabled, className } = props
  const { value, onChange, onBlur, takeRef, error } = useControlled(props)
  return {
    field: { label, hint, required, error, className },
    control: {
      ref: takeRef,
      name,
      value: typeof value === 'string' ? value : '',
      onChange: (next: string) => onChange(nullable ? nullWhenEmpty(next) : next),
      onBlur,
      disabled,
      passText: true,
    },
  }
}

/** A choice from a short list. */
export function SelectFor<Values extends FieldValues, Output>(
  props: ForProps<Values, Output> & { options: readonly SelectOption[]; placeholder?: string | undefined },
) {
  const { field, registered } = useRegistered(props)
  return (
    <Field {...field}>
      {/* A native list forgets a value that it does not offer yet: options that arrive later make a new one, which takes the form's value. */}
      <Select
        key={props.options.map(({ value }) => value).join()}
        options={props.options}
        placeholder={props.placeholder}
        {...registered}
      />
    </Field>
  )
}

/** Yes or no as a box; its error is below. */
export function CheckboxFor<Values extends FieldValues, Output>(props: ForProps<Values, Output>) {
  const { field, registered } = useRegistered(props)
  return (
    <div className={props.className}>
      <Checkbox label={props.label} hint={props.hint} {...registered} aria-invalid={field.error ? true : undefined} />
      {field.error && <p className="mt-1 text-xs font-medium text-bad">{field.error}</p>}
    </div>
  )
}

/** On or off as a switch. */
export function SwitchFor<Values extends FieldValues, Output>(props: ForProps<Values, Output>) {
  const { registered } = useRegistered(props)
  return <Switch label={props.label} hint={props.hint} className={props.className} {...registered} />
}

function useControlled<Values extends FieldValues, Output>({ form, name, label }: ForProps<Values, Output>) {
  'use no memo' // See useProblem.
  useLabel(form.control, name, label)
  const error = useProblem(form.control, name)
  const { field } = useController({ control: form.control, name })
  const { ref: takeRef, onChange, onBlur } = field
  return { value: field.value as unknown, onChange, onBlur, takeRef, error }
}

/** Two to five exclusive choices with a sentence each. */
export function RadioCardsFor<Values extends FieldValues, Output>(
  props: ForProps<Values, Output> & { options: readonly RadioOption<string>[]; columns?: 1 | 2 | 3 | undefined },
) {
  const { value, onChange, takeRef, error } = useControlled(props)
  return (
    <div ref={takeRef} tabIndex={-1} className={props.className}>
      <RadioCards
        label={props.label}
        options={props.options}
        columns={props.columns}
        value={typeof value === 'string' ? value : null}
        onChange={onChange}
        error={error}
      />
    </div>
  )
}

/** A small count. */
export function StepperFor<Values extends FieldValues, Output>(
  props: ForProps<Values, Output> & { min?: number; max?: number; spread?: boolean },
) {
  const { value, onChange, error } = useControlled(props)
  return (
    <Field label={props.label} hint={props.hint} error={error} className={props.className}>
      <Stepper
        label={props.label}
        value={Number(value) || 0}
        onChange={onChange}
        min={props.min}
        max={props.max}
        spread={props.spread}
      />
    </Field>
  )
}

interface ComboboxForProps<Values extends FieldValues, Output>
  extends
    ForProps<Values, Output>,
    Pick<ComboboxProps, 'options' | 'onSearch' | 'loading' | 'placeholder' | 'emptyText'> {
  /** The chosen entry, when the server's list does not hold it. */
  selected?: ComboboxOption | null | undefined
  onSelect?: ((option: ComboboxOption | null) => void) | undefined
}

/** A choice from a long list; the value is the option's `value`, null when none. */
export function ComboboxFor<Values extends FieldValues, Output>(props: ComboboxForProps<Values, Output>) {
  const { options, selected, onSelect, onSearch, loading, placeholder, emptyText, disabled } = props
  const { value, onChange, error } = useControlled(props)
  const [chosen, setChosen] = useState<ComboboxOption | null>(null)
  const option = [selected, chosen, ...options].find((item) => item && item.value === value) ?? null
  return (
    <Field label={props.label} hint={props.hint} error={error} required={props.required} className={props.className}>
      <Combobox
        {...{ options, onSearch, loading, placeholder, emptyText, disabled }}
        value={option}
        onChange={(next) => {
          setChosen(next)
          onChange(next?.value ?? null)
          onSelect?.(next)
        }}
      />
    </Field>
  )
}

type SeveralForProps<Values extends FieldValues, Output> = ForProps<Values, Output> &
  Pick<ComboboxProps, 'options' | 'onSearch' | 'loading' | 'placeholder'> & {
    /** Those chosen at first, where a list that is searched may not hold them. */
    selected?: readonly ComboboxOption[] | undefined
  }

/** Several choices from a long list, in the order in which they were made; the value is a list of `value`. */
export function SeveralFor<Values extends FieldValues, Output>(props: SeveralForProps<Values, Output>) {
  const { options, selected = [], onSearch, loading, placeholder, disabled = false } = props
  const { value, onChange, error } = useControlled(props)
  const [found, setFound] = useState(selected)
  const chosen: string[] = Array.isArray(value) ? value : []
  const choose = (option: ComboboxOption) => {
    setFound([...found, option])
    onChange([...chosen, option.value])
  }
  return (
    <Field label={props.label} hint={props.hint} error={error} required={props.required} className={props.className}>
      <Combobox
        {...{ onSearch, loading, placeholder, disabled }}
        options={options.filter((option) => !chosen.includes(option.value))}
        value={null}
        onChange={(option) => option && choose(option)}
      />
      {chosen.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-1.5" aria-label={props.label}>
          {chosen.map((each) => (
            <ChosenChip
              key={each}
              label={[...options, ...found].find((option) => option.value === each)?.label ?? each}
              disabled={disabled}
              onRemove={() => onChange(chosen.filter((other) => other !== each))}
            />
          ))}
        </ul>
      )}
    </Field>
  )
}

function ChosenChip({ label, disabled, onRemove }: { label: string; disabled: boolean; onRemove: () => void }) {
  const { id } = useFieldControl()
  const remove = () => {
    onRemove()
    // the button goes with its chip; the keyboard stays in the field
    if (id !== undefined) document.getElementById(id)?.focus()
  }
  return (
    <li className="chip pe-1" data-set>
      {label}
      <ChipRemove label={m.ui_remove_named({ name: label })} disabled={disabled} onRemove={remove} />
    </li>
  )
}

/** An amount typed in whole units (`89.50`), stored in minor units (8950); empty is null. */
export function MoneyFor<Values extends FieldValues, Output>(props: ForProps<Values, Output> & { currency: string }) {
  const { value, onChange, onBlur, takeRef, error } = useControlled(props)
  return (
    <Field label={props.label} hint={props.hint} error={error} required={props.required} className={props.className}>
      <MoneyInput
        ref={takeRef}
        name={props.name}
        currency={props.currency}
        disabled={props.disabled}
        // An entry that is not an amount stays in the field with its error.
        value={typeof value === 'number' || typeof value === 'string' ? value : null}
        onChange={onChange}
        onBlur={onBlur}
      />
    </Field>
  )
}
