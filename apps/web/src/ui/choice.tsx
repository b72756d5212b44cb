import { Minus, Plus } from 'lucide-react'
import { useId, type ComponentProps, type ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'
import { useFieldControl } from './field.tsx'

export interface BoxProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'aria-label'> {
  /** Read out; the box has no visible label (in a table row). */
  label: string
  checked: boolean
  /** Some of the rows that it stands for are selected. */
  mixed?: boolean | undefined
  onChange: (checked: boolean) => void
}

/** A checkbox without visible words, 18 px with a target of 38. */
export function Box({ label, checked, mixed = false, onChange, className, ...rest }: BoxProps) {
  return (
    <input
      {...rest}
      type="checkbox"
      aria-label={label}
      className={classNames('check', className)}
      checked={checked}
      ref={(box) => {
        if (box) box.indeterminate = mixed
      }}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode
  hint?: ReactNode
}

/** A checkbox with its words; works with `register` of a form. */
export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  const hintId = useId()
  return (
    <label className={classNames('flex items-start gap-2.5', className)}>
      <input
        {...rest}
        type="checkbox"
        className="check mt-px"
        aria-describedby={hint === undefined ? undefined : hintId}
      />
      <span className="min-w-0">
        <span className="text-ink-strong">{label}</span>
        {hint !== undefined && (
          <span id={hintId} className="block text-xs text-ink-2">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}

export interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role'> {
  label: ReactNode
  hint?: ReactNode
  /** The words are read out but not shown. */
  hideLabel?: boolean | undefined
}

/** On or off with effect at once; ink, not orange. */
export function Switch({ label, hint, hideLabel, className, ...rest }: SwitchProps) {
  const hintId = useId()
  return (
    <label className={classNames('flex items-center gap-3', className)}>
      <span className={classNames('min-w-0 flex-1', hideLabel && 'sr-only')}>
        <span className="text-ink-strong">{label}</span>
        {hint !== undefined && (
          <span id={hintId} className="block text-xs text-ink-2">
            {hint}
          </span>
        )}
      </span>
      <input
        {...rest}
        type="checkbox"
        // eslint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox exposes its state itself
        role="switch"
        className="switch"
        aria-describedby={hint === undefined ? undefined : hintId}
      />
    </label>
  )
}

export interface RadioOption<V extends string> {
  value: V
  label: ReactNode
  hint?: ReactNode
  disabled?: boolean | undefined
}

export interface RadioCardsProps<V extends string> {
  label: string
  /** The group's name is read out but not shown. */
  hideLabel?: boolean | undefined
  options: readonly RadioOption<V>[]
  value: V | null
  onChange: (value: V) => void
  /** Cards next to each other from 600 px. */
  columns?: 1 | 2 | 3 | undefined
  error?: string | undefined
}

const columnClass = { 1: '', 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-3' }

/** Two to five exclusive choices that need a sentence each. */
export function RadioCards<V extends string>(props: RadioCardsProps<V>) {
  const { label, hideLabel, options, value, onChange, columns = 2, error } = props
  const name = useId()
  return (
    <fieldset aria-describedby={error ? `${name}-error` : undefined} aria-invalid={error ? true : undefined}>
      <legend className={hideLabel ? 'sr-only' : 'lbl'}>{label}</legend>
      <div className={classNames('grid gap-2', columnClass[columns])}>
        {options.map((option) => (
          <label key={option.value} className="radio-card">
            <input
              type="radio"
              className="radio mt-px"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            <span className="min-w-0">
              <b className="block font-semibold text-ink-strong">{option.label}</b>
              {option.hint !== undefined && <span className="text-ink-2">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <span id={`${name}-error`} className="mt-1 block text-xs font-medium text-bad">
          {error}
        </span>
      )}
    </fieldset>
  )
}

export interface StepperProps {
  /** What is counted: "Adult". */
  label: string
  value: number
  onChange: (value: number) => void
  min?: number | undefined
  max?: number | undefined
  /** Buttons at the two ends of the space there is. */
  spread?: boolean | undefined
}

/** A small count with − and +, 36 px (44 for fingers). */
export function Stepper({ label, value, onChange, min = 0, max = 999, spread }: StepperProps) {
  const control = useFieldControl()
  return (
    <span
      role="group"
      aria-label={label}
      className={classNames('inline-flex items-center', spread && 'w-full justify-between')}
    >
      <button
        type="button"
        className="btn btn-secondary w-9 px-0 coarse:w-11"
        aria-label={m.ui_one_fewer({ what: label })}
        disabled={value <= min}
        onClick={() => onChange(value - 1)}
      >
        <Minus size={15} aria-hidden />
      </button>
      <output
        id={control.id}
        aria-live="polite"
        className={classNames('num w-9 text-center text-base font-semibold', value ? 'text-ink-strong' : 'text-ink-2')}
      >
        {value}
      </output>
      <button
        type="button"
        className="btn btn-secondary w-9 px-0 coarse:w-11"
        aria-label={m.ui_one_more({ what: label })}
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
      >
        <Plus size={15} aria-hidden />
      </button>
    </span>
  )
}
