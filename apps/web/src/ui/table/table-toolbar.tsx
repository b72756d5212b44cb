import { Columns3, Plus, SlidersHorizontal, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../button.tsx'
import { ChipRemove } from '../chip.tsx'
import { classNames } from '../class-names.ts'
import { Dialog } from '../dialog.tsx'
import { isTyping } from '../drawer.tsx'
import { SearchInput } from '../search-input.tsx'
import { Menu } from '../menu.tsx'
import { Popover } from '../popover.tsx'
import { useDebouncedInput } from '../use-debounced.ts'
import { FilterEditor, FilterForm, filterText } from './filter-editor.tsx'
import { isShown } from './shown-columns.ts'
import { filterCount, withFilter, withoutFilters, type TableState } from './table-state.ts'
import type { DataColumn, DataTableProps, TableFilter } from './table-types.ts'

interface TableToolbarProps<Row> extends Pick<
  DataTableProps<Row>,
  'state' | 'onStateChange' | 'columns' | 'filters' | 'searchPlaceholder' | 'toolbarEnd'
> {
  isDesktop: boolean
}

/** Search, set filters as chips, "+ Filter", "Columns"; on phones search and one filter button. */
export function TableToolbar<Row>(props: TableToolbarProps<Row>) {
  const { state, onStateChange, columns, filters = [], searchPlaceholder, toolbarEnd, isDesktop } = props
  return (
    <div className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      {searchPlaceholder !== undefined && (
        <TableSearch
          placeholder={searchPlaceholder}
          value={state.q}
          onChange={(q) => onStateChange({ ...state, q, page: 1 })}
        />
      )}
      {!isDesktop && filters.length > 0 && <FilterSheet {...{ state, onStateChange, filters }} />}
      {isDesktop && <FilterChips {...{ state, onStateChange, filters }} />}
      <span className="flex-1 max-lg:hidden" />
      {toolbarEnd}
      {isDesktop && <ColumnsMenu {...{ state, onStateChange, columns }} />}
    </div>
  )
}

interface TableSearchProps {
  placeholder: string
  value: string
  onChange: (q: string) => void
}

function TableSearch({ placeholder, value, onChange }: TableSearchProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useDebouncedInput(value, onChange)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== '/' || event.defaultPrevented || isTyping(event.target)) return
    if (event.target instanceof Element && event.target.closest('[role=dialog], [role=menu]')) return
    event.preventDefault()
    field.current?.focus()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <SearchInput
      ref={field}
      className="w-[240px] max-lg:min-w-0 max-lg:flex-1"
      label={m.ui_table_search()}
      placeholder={placeholder}
      value={typed}
      onChange={setTyped}
      aria-keyshortcuts="/"
    />
  )
}

interface FiltersProps {
  state: TableState
  onStateChange: (state: TableState) => void
  filters: readonly TableFilter[]
}

function FilterChips({ state, onStateChange, filters }: FiltersProps) {
  const set = filters.filter((filter) => state.filters[filter.id])
  const free = filters.filter((filter) => !state.filters[filter.id])
  const change = (id: string, values: readonly string[]) => onStateChange(withFilter(state, id, values))
  return (
    <>
      {set.length > 0 && (
        <ul className="flex flex-wrap gap-1.5" aria-label={m.ui_table_filters_label()}>
          {set.map((filter) => (
            <li key={filter.id} className="chip pe-1" data-set>
              <Popover
                label={m.ui_table_filter_edit({ name: filter.label })}
                buttonClassName="max-w-[320px] truncate rounded"
                button={`${filter.label}: ${filterText(filter, state.filters[filter.id] ?? [])}`}
              >
                {(close) => (
                  <FilterForm
                    filter={filter}
                    values={state.filters[filter.id] ?? []}
                    onChange={(values) => change(filter.id, values)}
                    onDone={close}
                  />
                )}
              </Popover>
              <ChipRemove
                label={m.ui_table_filter_remove({ name: filter.label })}
                onRemove={() => change(filter.id, [])}
              />
            </li>
          ))}
        </ul>
      )}
      {free.length > 0 && (
        <Popover
          label={m.ui_table_filter_add()}
          button={m.ui_table_filter_add()}
          icon={Plus}
          look={{ variant: 'ghost' }}
        >
          {(close) => <NewFilter filters={free} onChange={change} onDone={close} />}
        </Popover>
      )}
    </>
  )
}

interface NewFilterProps {
  filters: readonly TableFilter[]
  onChange: (id: string, values: readonly string[]) => void
  onDone: () => void
}

function NewFilter({ filters, onChange, onDone }: NewFilterProps) {
  const [chosen, setChosen] = useState(filters.length === 1 ? filters[0] : undefined)
  if (chosen) {
    return <FilterForm filter={chosen} values={[]} onChange={(values) => onChange(chosen.id, values)} onDone={onDone} />
  }
  return (
    <ul className="-m-2">
      {filters.map((filter) => (
        <li key={filter.id}>
          <button type="button" className="menu-item font-medium hover:bg-brand-tint" onClick={() => setChosen(filter)}>
            {filter.label}
          </button>
        </li>
      ))}
    </ul>
  )
}

function FilterSheet({ state, onStateChange, filters }: FiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState(state)
  const count = filterCount(state)
  const apply = (next: TableState) => {
    onStateChange({ ...state, filters: next.filters, page: 1 })
    setOpen(false)
  }
  return (
    <>
      <Button
        icon={SlidersHorizontal}
        aria-label={m.ui_table_filters_set({ count })}
        onClick={() => {
          setDraft(state)
          setOpen(true)
        }}
      >
        {count > 0 && <span className="num">{count}</span>}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={m.ui_table_filters_label()}
        actions={
          <>
            <Button variant="ghost" onClick={() => apply({ ...withoutFilters(draft), q: draft.q })}>
              {m.ui_table_filter_clear_all()}
            </Button>
            <Button variant="primary" onClick={() => apply(draft)}>
              {m.ui_table_apply()}
            </Button>
          </>
        }
      >
        {filters.map((filter) => (
          <section key={filter.id} className="border-b border-line py-3 first:pt-0 last:border-0">
            <h3 className="mb-1 font-semibold">{filter.label}</h3>
            <FilterEditor
              filter={filter}
              values={draft.filters[filter.id] ?? []}
              onChange={(values) => setDraft(withFilter(draft, filter.id, values))}
            />
          </section>
        ))}
      </Dialog>
    </>
  )
}

interface ColumnsMenuProps<Row> {
  state: TableState
  onStateChange: (state: TableState) => void
  columns: readonly DataColumn<Row>[]
}

function ColumnsMenu<Row>({ state, onStateChange, columns }: ColumnsMenuProps<Row>) {
  const shown = columns.filter((column) => isShown(column, state.columns)).map(({ id }) => id)
  const toggle = (id: string) => {
    const next = shown.includes(id) ? shown.filter((other) => other !== id) : [...shown, id]
    onStateChange({ ...state, columns: next })
  }
  const choices = columns
    .filter((column) => !column.alwaysShown)
    .map((column) => ({
      key: column.id,
      label: column.header,
      checked: shown.includes(column.id),
      keepOpen: true,
      onSelect: () => toggle(column.id),
    }))
  const reset = {
    key: ' reset',
    label: m.ui_table_columns_reset(),
    separated: true,
    disabled: state.columns === null,
    onSelect: () => onStateChange({ ...state, columns: null }),
  }
  return (
    <Menu
      label={m.ui_table_columns()}
      icon={Columns3}
      look={{ variant: 'ghost' }}
      align="end"
      heading={m.ui_table_columns_hint()}
      items={[...choices, reset]}
    >
      {m.ui_table_columns()}
    </Menu>
  )
}

interface SelectionBarProps {
  count: number
  onClear: () => void
  children: ReactNode
}

/** Takes the toolbar's place while rows are selected; the same height, so nothing moves. */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  return (
    <div
      role="toolbar"
      aria-label={m.ui_table_selection_bar()}
      className={classNames('flex min-h-[52px] shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2')}
    >
      <b className="num pe-2 font-semibold text-ink-strong" aria-live="polite">
        {m.ui_table_selected({ count })}
      </b>
      {children}
      <span className="flex-1" />
      <Button variant="ghost" icon={X} onClick={onClear}>
        {m.ui_table_clear_selection()}
      </Button>
    </div>
  )
}
