import { Search, X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'

export interface SearchInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> {
  /** Name of the field; the placeholder is only a hint. */
  label: string
  value: string
  onChange: (value: string) => void
}

/** A search field with a glass and a button that empties it; Escape empties it too. */
export function SearchInput({ label, value, onChange, className, ...rest }: SearchInputProps) {
  return (
    <span className={classNames('relative block', className)} role="search">
      <Search size={16} className="pointer-events-none absolute inset-y-0 start-3 my-auto text-ink-2" aria-hidden />
      <input
        {...rest}
        type="search"
        aria-label={label}
        className="inp ps-9 pe-9"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') {
            event.stopPropagation()
            onChange('')
          } else rest.onKeyDown?.(event)
        }}
      />
      {value !== '' && (
        <button
          type="button"
          className="icon-btn icon-btn-sm absolute inset-y-0 end-0.5 my-auto"
          aria-label={m.ui_clear_search()}
          onClick={() => onChange('')}
        >
          <X size={15} aria-hidden />
        </button>
      )}
    </span>
  )
}
