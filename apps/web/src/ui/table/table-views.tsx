import { Bookmark, BookmarkPlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../button.tsx'
import { Field, TextInput } from '../field.tsx'
import { IconButton } from '../icon-button.tsx'
import { Menu } from '../menu.tsx'
import { Popover } from '../popover.tsx'
import { Tabs } from '../tabs.tsx'
import { defaultTableState, sameView, type TableState } from './table-state.ts'
import type { DataTableProps, SavedView } from './table-types.ts'

/** A view's whole state: what it does not say is as in a fresh list. */
const stateOfView = (view: SavedView, defaults: TableState = defaultTableState): TableState => ({
  ...defaults,
  ...view.state,
  page: 1,
  view: view.id,
})

interface TableViewsProps<Row> extends Pick<
  DataTableProps<Row>,
  'state' | 'onStateChange' | 'defaults' | 'onSaveView' | 'onDeleteView'
> {
  views: readonly SavedView[]
  isDesktop: boolean
}

/** The row of saved views: built in first, then own ones with a bookmark. "Save view" appears when the list differs. */
export function TableViews<Row>(props: TableViewsProps<Row>) {
  const { state, onStateChange, defaults, onSaveView, onDeleteView, views, isDesktop } = props
  const active = views.find((view) => view.id === state.view) ?? views[0]
  const choose = (id: string) => {
    const view = views.find((item) => item.id === id)
    if (view) onStateChange(stateOfView(view, defaults))
  }
  const differs = active !== undefined && !sameView(state, stateOfView(active, defaults))
  const ofView = ({ id, name, count, own }: SavedView) => ({
    key: id,
    label: name,
    count,
    icon: own ? Bookmark : undefined,
    iconLabel: own ? m.ui_table_view_own() : undefined,
  })
  return (
    <div className="flex min-h-11 shrink-0 items-center gap-2 border-b border-line px-4">
      {isDesktop ? (
        <div className="min-w-0">
          <Tabs label={m.ui_table_views()} items={views.map(ofView)} value={active?.id ?? ''} onChange={choose} />
        </div>
      ) : (
        <Menu
          label={m.ui_table_views()}
          look={{ variant: 'ghost', className: '-ms-2 text-ink-strong' }}
          icon={active?.own ? Bookmark : undefined}
          chevron
          items={views.map((view) => ({
            key: view.id,
            label: view.count === undefined ? view.name : `${view.name} ${view.count}`,
            checked: view.id === active?.id,
            onSelect: () => choose(view.id),
          }))}
        >
          <span>
            {active?.name ?? m.ui_table_view_all()} <span className="num text-ink-2">{active?.count}</span>
          </span>
        </Menu>
      )}
      <span className="flex-1" />
      {isDesktop && active?.own && onDeleteView && (
        <IconButton
          label={m.ui_table_view_delete()}
          icon={Trash2}
          iconSize={16}
          onClick={() => onDeleteView(active.id)}
        />
      )}
      {isDesktop && differs && onSaveView && (
        <Popover
          label={m.ui_table_view_save()}
          button={m.ui_table_view_save()}
          icon={BookmarkPlus}
          look={{ variant: 'ghost' }}
          align="end"
        >
          {(close) => <SaveView onSave={(name) => onSaveView(name, state)} onDone={close} />}
        </Popover>
      )}
    </div>
  )
}

function SaveView({ onSave, onDone }: { onSave: (name: string) => void; onDone: () => void }) {
  const [name, setName] = useState('')
  const isNamed = name.trim() !== ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isNamed) return
        onSave(name.trim())
        onDone()
      }}
    >
      <Field label={m.ui_table_view_name()}>
        <TextInput value={name} maxLength={60} required onChange={(event) => setName(event.target.value)} />
      </Field>
      <div className="mt-3 flex justify-end gap-2">
        <Button size="sm" variant="ghost" onClick={onDone}>
          {m.ui_cancel()}
        </Button>
        <Button size="sm" variant="primary" type="submit">
          {m.ui_table_view_save()}
        </Button>
      </div>
    </form>
  )
}
