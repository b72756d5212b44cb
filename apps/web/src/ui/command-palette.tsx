import { Dialog } from '@base-ui/react/dialog'
import { CornerDownLeft, Search, type LucideIcon } from 'lucide-react'
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { ChoiceChip } from './chip.tsx'
import { classNames } from './class-names.ts'
import { Kbd } from './kbd.tsx'
import { Ltr } from './ltr.tsx'
import { splitMatches } from './matches.ts'
import { moveInList } from './move-in-list.ts'

export interface PaletteItem {
  key: string
  icon: LucideIcon
  title: string
  /** Comes first: `09:00`. */
  time?: string | undefined
  /** Grey, after the title. */
  detail?: string | undefined
  /** At the end: a status chip. */
  end?: ReactNode
  onSelect: () => void
  /** Ctrl+Enter opens it in a new tab. */
  href?: string | undefined
}

export interface PaletteGroup {
  key: string
  label: string
  items: readonly PaletteItem[]
}

interface PaletteScope {
  key: string
  label: string
}

export interface CommandPaletteProps {
  open: boolean
  onClose: () => void
  query: string
  /** What is typed; with `>` in front only commands are wanted. */
  onQuery: (query: string) => void
  scopes: readonly PaletteScope[]
  scope: string
  onScope: (key: string) => void
  /** Best first, actions last. */
  groups: readonly PaletteGroup[]
  isFetching?: boolean | undefined
}

/** Search over everything and commands: groups, underlined matches, keys in the footer. Data and effects come from outside. */
export function CommandPalette(props: CommandPaletteProps) {
  const { open, onClose } = props
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-scrim" />
        <Dialog.Popup className="palette" aria-label={m.ui_palette_title()}>
          <PaletteContent {...props} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteContent({ onClose, query, onQuery, scopes, scope, onScope, groups, isFetching }: CommandPaletteProps) {
  const id = useId()
  const items = groups.flatMap((group) => group.items)
  const [active, setActive] = useState({ query, at: 0 })
  const at = active.query === query ? Math.min(active.at, items.length - 1) : 0
  const words = query.replace(/^>/, '').trim()
  const choose = (item: PaletteItem, inNewTab: boolean) => {
    onClose()
    if (inNewTab && item.href) window.open(item.href, '_blank', 'noopener')
    else item.onSelect()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = items[at]
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      choose(chosen, event.ctrlKey || event.metaKey)
      return
    }
    if (event.key === 'Home' || event.key === 'End') return
    const next = moveInList(event, at, items.length, 'vertical')
    if (next === null) return
    event.preventDefault()
    setActive({ query, at: next })
    document.getElementById(`${id}-${items[next]?.key}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <div className="flex h-14 shrink-0 items-center gap-3 border-b border-line px-4">
        <Search size={20} className="shrink-0 text-ink-2" aria-hidden />
        <input
          className="min-w-0 flex-1 bg-transparent text-lg text-ink-strong outline-none"
          role="combobox"
          aria-label={m.ui_palette_search()}
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={items[at] ? `${id}-${items[at].key}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {isFetching && <span className="spinner appear-late text-ink-2" aria-hidden />}
        {words !== '' && (
          <span className="num text-xs text-ink-2" aria-live="polite">
            {m.ui_palette_found({ count: items.length })}
          </span>
        )}
        <Kbd keys={['Esc']} />
      </div>
      {scopes.length > 0 && !query.startsWith('>') && (
        <div
          className="flex shrink-0 flex-wrap gap-1.5 border-b border-line px-4 py-2.5"
          role="group"
          aria-label={m.ui_palette_scopes()}
        >
          {scopes.map(({ key, label }) => (
            <ChoiceChip key={key} className="h-7" pressed={key === scope} onClick={() => onScope(key)}>
              {label}
            </ChoiceChip>
          ))}
        </div>
      )}
      <div
        id={`${id}-list`}
        className="min-h-0 flex-1 overflow-y-auto p-2"
        role="listbox"
        aria-label={m.ui_palette_title()}
        tabIndex={-1}
      >
        {groups.map((group) => (
          <div key={group.key} role="group" aria-labelledby={`${id}-group-${group.key}`}>
            <p id={`${id}-group-${group.key}`} className="px-3 pt-2 pb-1 text-xs font-medium text-ink-2">
              {group.label}
            </p>
            {group.items.map((item) => (
              <PaletteRow
                key={item.key}
                id={`${id}-${item.key}`}
                item={item}
                text={words}
                isActive={items[at] === item}
                onChoose={choose}
                onPoint={() => setActive({ query, at: items.indexOf(item) })}
              />
            ))}
          </div>
        ))}
      </div>
      {items.length === 0 && words !== '' && !isFetching && (
        <p className="px-5 pb-5 text-ink-2" role="status">
          {m.ui_palette_nothing({ query: words })}
        </p>
      )}
      <PaletteFoot />
    </>
  )
}

interface PaletteRowProps {
  id: string
  item: PaletteItem
  text: string
  isActive: boolean
  onChoose: (item: PaletteItem, inNewTab: boolean) => void
  onPoint: () => void
}

function PaletteRow({ id, item, text, isActive, onChoose, onPoint }: PaletteRowProps) {
  const { icon: Icon, time, title, detail, end } = item
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the input keeps the focus and gets the keys
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={classNames('flex min-h-10 items-center gap-3 rounded-lg px-3', isActive && 'selected')}
      onClick={(event) => onChoose(item, event.ctrlKey || event.metaKey)}
      onPointerMove={() => isActive || onPoint()}
    >
      <Icon
        size={17}
        strokeWidth={1.9}
        className={classNames('shrink-0', isActive ? 'text-brand' : 'text-ink-2')}
        aria-hidden
      />
      {time !== undefined && (
        <Ltr>
          <b className="font-semibold text-ink-strong">{time}</b>
        </Ltr>
      )}
      <span className="shrink-0 font-medium text-ink-strong">
        <Matched text={title} message={text} />
      </span>
      <span className="num min-w-0 flex-1 truncate text-ink-2">{detail}</span>
      {end}
      {isActive && <CornerDownLeft size={15} className="shrink-0 text-ink-2" aria-hidden />}
    </div>
  )
}

/** A text with what was searched underlined in orange: not by color alone. */
function Matched({ text, message }: { text: string; message: string }) {
  return splitMatches(text, message).map(({ part, isMatch, at }) =>
    isMatch ? (
      <mark key={at} className="match">
        {part}
      </mark>
    ) : (
      part
    ),
  )
}

function PaletteFoot() {
  const hint = 'inline-flex items-center gap-1.5'
  return (
    <footer className="flex h-10 shrink-0 items-center gap-4 overflow-hidden border-t border-line bg-surface-2 px-4 text-xs whitespace-nowrap text-ink-2 max-sm:hidden">
      <span className={hint}>
        <Kbd keys={['↑', '↓']} /> {m.ui_palette_choose()}
      </span>
      <span className={hint}>
        <Kbd keys={['↵']} /> {m.ui_palette_open()}
      </span>
      <span className={hint}>
        <Kbd keys={['Ctrl', '↵']} /> {m.ui_palette_new_tab()}
      </span>
      <span className={classNames(hint, 'ms-auto')}>
        {m.ui_palette_commands_before()} <Kbd keys={['>']} /> {m.ui_palette_commands_after()}
      </span>
    </footer>
  )
}
