import { Check, ChevronDown, X } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'
import { useFieldControl } from './field.tsx'
import { Floating } from './floating.tsx'
import { foundOptions } from './matches.ts'
import { moveInList } from './move-in-list.ts'

export interface ComboboxOption {
  value: string
  label: string
  /** Second line. */
  detail?: ReactNode
}

export interface ComboboxProps {
  options: readonly ComboboxOption[]
  value: ComboboxOption | null
  onChange: (option: ComboboxOption | null) => void
  /** The server searches: called with what is typed after a short pause; without it the options are filtered here. */
  onSearch?: ((query: string) => void) | undefined
  loading?: boolean | undefined
  placeholder?: string | undefined
  disabled?: boolean | undefined
  /** Name outside a `Field`. */
  label?: string | undefined
  /** Shown when nothing matches; the default text otherwise. */
  emptyText?: string | undefined
  /** What is typed may be new as well: offered behind what is found, or before it, and taken when the field is left. */
  onCreate?: ((typed: string) => void) | undefined
  createLabel?: ((typed: string) => string) | undefined
  createsFirst?: boolean | undefined
}

/** The option that is not of the list. No id looks like this. */
const createValue = '+'

/** Pause after the last key before the server is asked. */
const searchDelayMs = 250

/** A choice from a long list by typing, with the server's help where the list is longer than fits here. */
export function Combobox(props: ComboboxProps) {
  const { options, value, onChange, onSearch, loading, placeholder, disabled, label, emptyText } = props
  const { onCreate, createLabel = (words) => words, createsFirst = false } = props
  const control = useFieldControl()
  const id = useId()
  const anchor = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  /** What is being typed; null while the field shows what is chosen. */
  const [typed, setTyped] = useState<string | null>(null)
  /** Where the arrow keys went; null until then, which is the first option of whatever list is there. */
  const [reached, setReached] = useState<string | null>(null)
  /** Enter was pressed before the answer for what is typed was there. */
  const [isAwaited, setAwaited] = useState(false)
  const asked = useSearch(typed, isAwaited ? 0 : searchDelayMs, onSearch)

  const matching = onSearch || !typed ? options : foundOptions(options, typed)
  const words = typed?.trim() ?? ''
  const created = onCreate && words !== '' ? [{ value: createValue, label: createLabel(words) }] : []
  const found = createsFirst ? [...created, ...matching] : [...matching, ...created]
  const at = Math.max(
    found.findIndex((option) => option.value === reached),
    found.length > 0 ? 0 : -1,
  )
  // Until then the list belongs to what was typed before, or to nothing typed at all.
  const isAnswered = !onSearch || typed === null || (asked === typed && !loading) || (createsFirst && words !== '')
  const open = () => setOpen(true)
  const close = () => {
    setOpen(false)
    setTyped(null)
    setReached(null)
    setAwaited(false)
  }
  const choose = (option: ComboboxOption | null) => {
    if (option?.value === createValue) onCreate?.(words)
    else onChange(option)
    close()
  }
  const chooseAwaited = useEffectEvent(() => {
    const option = found[at]
    if (option) choose(option)
    else setAwaited(false)
  })
  useEffect(() => {
    if (!isAwaited || !isAnswered) return undefined
    const timer = setTimeout(() => chooseAwaited())
    return () => clearTimeout(timer)
  }, [isAwaited, isAnswered])
  const onKeyDown = (event: KeyboardEvent) => {
    // while a word is composed (Chinese, Japanese, Korean), keys are those of the composition
    if (event.nativeEvent.isComposing) return
    const option = found[at]
    const wasReached = option !== undefined && option.value === reached
    if (event.key === 'Escape' && isOpen) close()
    else if (event.key === 'Enter' && isOpen && !isAnswered && !wasReached) setAwaited(true)
    else if (event.key === 'Enter' && isOpen) {
      if (option) choose(option)
    } else if (event.key === 'ArrowDown' && !isOpen) open()
    else {
      const next = isOpen && event.key.startsWith('Arrow') ? moveInList(event, at, found.length, 'vertical') : null
      if (next === null) return
      setReached(found[next]?.value ?? null)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    }
    // Neither the form nor the dialog around it may act on the same key.
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div ref={anchor} className="relative">
      <input
        {...control}
        ref={input}
        className="inp pe-16"
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder={placeholder}
        disabled={disabled}
        value={typed ?? value?.label ?? ''}
        onChange={(event) => {
          setTyped(event.target.value)
          setReached(null)
          setAwaited(false)
          open()
        }}
        onClick={open}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (typed === '' && value) onChange(null)
          // nothing that was typed is lost
          if (onCreate && words !== '') onCreate(words)
          close()
        }}
      />
      <div className="absolute inset-y-0 end-0.5 flex items-center">
        {value && !disabled && (
          <button type="button" className="icon-btn icon-btn-sm" aria-label={m.ui_clear()} onClick={() => choose(null)}>
            <X size={15} aria-hidden />
          </button>
        )}
        <button
          type="button"
          className="icon-btn icon-btn-sm"
          tabIndex={-1}
          aria-label={m.ui_open_list()}
          disabled={disabled}
          // Before the field loses the focus, or it would close first and open again.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => {
            input.current?.focus()
            if (isOpen) close()
            else open()
          }}
        >
          <ChevronDown size={16} aria-hidden />
        </button>
      </div>
      {isOpen && (
        <Floating onClose={close} anchor={anchor} role="presentation" width="anchor">
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label={label ?? m.ui_open_list()}
            // The field keeps the focus while an option is pressed.
            onPointerDown={(event) => event.preventDefault()}
            tabIndex={-1}
          >
            {found.map((option, place) => (
              <Option
                key={option.value}
                id={`${id}-${place}`}
                option={option}
                isActive={place === at}
                isChosen={option.value === value?.value}
                onChoose={() => choose(option)}
              />
            ))}
          </div>
          {found.length === 0 && (
            <p role="status" className="px-2.5 py-2 text-ink-2">
              {loading || !isAnswered ? m.ui_loading() : (emptyText ?? m.ui_nothing_found())}
            </p>
          )}
        </Floating>
      )}
    </div>
  )
}

/** Passes on the typed text after a pause; returns the last text passed on. */
function useSearch(query: string | null, delayMs: number, onSearch: ((query: string) => void) | undefined) {
  const [asked, setAsked] = useState<string | null>(null)
  const search = useEffectEvent((words: string | null) => {
    setAsked(words)
    if (words !== null) onSearch?.(words)
  })
  useEffect(() => {
    const timer = setTimeout(() => search(query), query === null ? 0 : delayMs)
    return () => clearTimeout(timer)
  }, [query, delayMs])
  return asked
}

interface OptionProps {
  id: string
  option: ComboboxOption
  isActive: boolean
  isChosen: boolean
  onChoose: () => void
}

function Option({ id, option, isActive, isChosen, onChoose }: OptionProps) {
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the field keeps the focus and gets the keys
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      data-highlighted={isActive || undefined}
      className={classNames('menu-item', !isActive && 'hover:bg-surface-2')}
      // A mouse chooses when it is pressed: until its release the server's answer may have put another list under it.
      // A finger may be about to scroll, so there, and for clicks without a pointer, the click counts.
      onPointerDown={({ pointerType, button }) => {
        if (pointerType === 'mouse' && button === 0) onChoose()
      }}
      onClick={onChoose}
    >
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{option.label}</span>
        {option.detail !== undefined && <span className="num block text-xs text-ink-2">{option.detail}</span>}
      </span>
      {isChosen && <Check size={16} className="shrink-0 text-brand-strong" aria-hidden />}
    </div>
  )
}
