import { ChevronDown, Eye, EyeOff } from 'lucide-react'
import { createContext, useContext, useId, useState, type ComponentProps, type ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'
import { useTextLimit } from './text-limit.tsx'

interface FieldContextValue {
  id: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
}

const FieldContext = createContext<FieldContextValue | null>(null)

/** Id, description and validity that `Field` gives to the control inside it. */
export function useFieldControl() {
  const field = useContext(FieldContext)
  if (!field) return {}
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  }
}

export interface FieldProps {
  label: ReactNode
  /** One line under the control; is replaced by the error. */
  hint?: ReactNode
  error?: string | undefined
  required?: boolean | undefined
  /** The label is read out but not shown. */
  hideLabel?: boolean | undefined
  className?: string | undefined
  children: ReactNode
}

/** Label, one control, hint or error, tied together for screen readers. */
export function Field({ label, hint, error, required = false, hideLabel, className, children }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const limit = useTextLimit(`${id}-limit`)
  const notes = [(Boolean(error) || hint !== undefined) && noteId, limit.note && `${id}-limit`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={classNames('min-w-0', className)} {...limit.handlers}>
      <label id={`${id}-label`} htmlFor={id} className={hideLabel ? 'sr-only' : 'lbl'}>
        {label}
        {!required || <span className="sr-only"> ({m.ui_required()})</span>}
      </label>
      <FieldContext value={{ id, describedBy: notes || undefined, invalid: Boolean(error), required }}>
        {children}
      </FieldContext>
      {error ? (
        <span id={noteId} className="mt-1 block text-xs font-medium text-bad">
          {error}
        </span>
      ) : (
        hint !== undefined && (
          <span id={noteId} className="mt-1 block text-xs text-ink-2">
            {hint}
          </span>
        )
      )}
      {limit.note}
    </div>
  )
}

export interface InputLook {
  /** A hairline instead of the control border, where many fields are in a table. */
  quiet?: boolean | undefined
  /** Changed and not saved: orange frame and tint. */
  changed?: boolean | undefined
}

const inputClass = ({ quiet, changed }: InputLook, className?: string) =>
  classNames('inp', quiet && 'inp-quiet', changed && 'inp-changed', className)

export interface TextInputProps extends ComponentProps<'input'>, InputLook {
  /** Inside, at the end, for instance `min`. */
  unit?: string | undefined
}

/** One line of text. */
export function TextInput({ quiet, changed, unit, className, ...rest }: TextInputProps) {
  const control = useFieldControl()
  const input = (
    <input type="text" {...control} {...rest} className={inputClass({ quiet, changed }, unit ? 'pe-12' : className)} />
  )
  if (!unit) return input
  return (
    <span className={classNames('relative block', className)}>
      {input}
      <span className="pointer-events-none absolute inset-y-0 end-3 flex items-center text-ink-2" aria-hidden>
        {unit}
      </span>
    </span>
  )
}

/** A number; the value stays what the person typed until the form reads it with `valueAsNumber`. */
export function NumberInput({ className, ...rest }: Omit<TextInputProps, 'type'>) {
  return <TextInput inputMode="decimal" {...rest} type="number" className={classNames('num', className)} />
}

/** Several lines of text. */
export function TextArea({ quiet, changed, className, ...rest }: ComponentProps<'textarea'> & InputLook) {
  const control = useFieldControl()
  return <textarea rows={3} {...control} {...rest} className={inputClass({ quiet, changed }, className)} />
}

/** A password with a button that shows it. */
export function PasswordInput({ className, ...rest }: Omit<TextInputProps, 'type' | 'unit'>) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <span className={classNames('relative block', className)}>
      <TextInput autoComplete="current-password" {...rest} type={isShown ? 'text' : 'password'} className="pe-11" />
      <button
        type="button"
        className="icon-btn absolute inset-y-0 end-0"
        aria-label={m.ui_show_password()}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        <Icon size={16} aria-hidden />
      </button>
    </span>
  )
}

export interface SelectOption {
  value: string
  label: string
  disabled?: boolean | undefined
}

export interface SelectProps extends Omit<ComponentProps<'select'>, 'children'>, InputLook {
  options: readonly SelectOption[]
  /** First entry with the value `''`: nothing chosen yet. */
  placeholder?: string | undefined
}

/** A choice from a short list, the browser's own control; from a dozen entries on use `Combobox`. */
export function Select({ options, placeholder, quiet, changed, className, ...rest }: SelectProps) {
  const control = useFieldControl()
  return (
    <span className={classNames('relative block min-w-0', className)}>
      <select {...control} {...rest} className={inputClass({ quiet, changed })}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        size={16}
        className="pointer-events-none absolute inset-y-0 end-2.5 my-auto text-ink-2"
        aria-hidden
      />
    </span>
  )
}
