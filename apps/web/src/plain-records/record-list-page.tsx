import { useQueries } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { isChoice, isReference, isReferences } from '@tour-ops/contract/record'
import { Archive, ArchiveRestore, Ellipsis, PencilLine, Plus } from 'lucide-react'
import { callQuery, useCall } from '../backend/queries.ts'
import { useAccess } from '../identity/access.ts'
import { m } from '../paraglide/messages.js'
import { buttonClass } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Menu } from '../ui/menu.tsx'
import { Page } from '../ui/page.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import type { DataColumn, TableFilter } from '../ui/table/table-types.ts'
import { toast } from '../ui/toast.tsx'
import { refusalText } from '../errors/refusal-text.ts'
import { FirstStep } from '../records/first-step.tsx'
import { useListScreen } from '../app/use-list-screen.tsx'
import { recordColumns, textOf } from './record-columns.tsx'
import { headerOf, titleOf, wordOf, type RecordScreen, type RecordValues } from './record-screen.ts'

/** Choices of a filter by another record at most; the search of the list finds the rest. */
const mostChoices = 500

/** The table uses strings; the callable takes a boolean. */
const filtersOf = ({ archived, ...rest }: Record<string, string[]>): Record<string, unknown> => ({
  ...rest,
  ...(archived?.[0] && { archived: archived[0] === 'true' }),
})

/** The list of a plain record: filters, sorting, export, and what may be done with each row. */
export function RecordListPage({ screen }: { screen: RecordScreen }) {
  const { record, path } = screen
  const navigate = useNavigate()
  const mayManage = useAccess().can(record.manage)
  const { table } = useListScreen({ screen: record.name, list: record.list, exportAs: record.export, filtersOf })
  const filters = useFilters(screen)
  const archive = useArchive(screen)
  const edit = (id: string): string => `${path}/edit/${id}`
  const create = `${path}/create` as const
  const open = screen.open ?? (mayManage ? edit : undefined)
  const actions: DataColumn<RecordValues> = {
    id: 'actions',
    header: m.plain_records_actions(),
    width: 76,
    align: 'end',
    alwaysShown: true,
    cell: (row) => (
      <Menu
        label={m.plain_records_actions_for({ name: titleOf(screen, row) })}
        icon={Ellipsis}
        align="end"
        items={[
          {
            key: 'edit',
            label: m.plain_records_edit(),
            icon: PencilLine,
            onSelect: () => void navigate({ to: edit(row.id) }),
          },
          {
            key: 'archive',
            label: row.archivedAt ? m.plain_records_restore() : m.plain_records_archive(),
            icon: row.archivedAt ? ArchiveRestore : Archive,
            separated: true,
            onSelect: () => archive(row, row.archivedAt === null),
          },
        ]}
      />
    ),
  }
  const columns = recordColumns(screen)
  return (
    <Page
      fill
      title={screen.title()}
      actions={
        mayManage && (
          <Link to={create} className={buttonClass({ variant: 'primary' })}>
            <Plus size={16} aria-hidden />
            {screen.add()}
          </Link>
        )
      }
    >
      <DataTable
        {...table}
        rows={table.rows as RecordValues[] | undefined}
        selection={undefined}
        onSelectionChange={undefined}
        label={screen.title()}
        columns={mayManage ? [...columns, actions] : columns}
        rowKey={(row) => row.id}
        rowLabel={(row) => titleOf(screen, row)}
        searchPlaceholder={m.plain_records_search()}
        filters={filters}
        onOpen={open && ((row) => void navigate({ to: open(row.id) }))}
        renderCard={(row) => <RecordCard screen={screen} row={row} />}
        empty={
          <Empty
            title={m.plain_records_empty_title()}
            actions={
              <FirstStep permission={record.manage} link={{ to: create }}>
                {screen.add()}
              </FirstStep>
            }
          />
        }
      />
    </Page>
  )
}

/** Name and the values of the columns; a number is useless without its label. */
function RecordCard({ screen, row }: { screen: RecordScreen; row: RecordValues }) {
  const { title, fields } = screen.record
  const parts = Object.keys(screen.columns)
    .filter((field) => field !== title)
    .map((field) => ({ field, text: textOf(screen, field, row) }))
    .filter(({ text }) => text !== '')
  return (
    <span className="grid grid-cols-1 gap-1">
      <b className="min-w-0 truncate font-medium text-ink-strong">
        <bdi>{titleOf(screen, row)}</bdi>
      </b>
      <span className="num flex flex-wrap gap-x-3 text-xs text-ink-2">
        {parts.map(({ field, text }) => (
          <span key={field}>
            {fields[field]?.kind === 'number' || fields[field]?.kind === 'date'
              ? `${headerOf(screen, field)}: ${text}`
              : text}
          </span>
        ))}
      </span>
    </span>
  )
}

/** A filter for each that the record names, and one for what is archived. */
function useFilters(screen: RecordScreen): TableFilter[] {
  const { fields, filters } = screen.record
  const references = filters.flatMap((field) => {
    const definition = fields[field]
    return definition && (isReference(definition) || isReferences(definition)) ? [{ ...definition, field }] : []
  })
  const answers = useQueries({
    queries: references.map(({ list }) => callQuery(list, { size: mostChoices })),
  })
  const optionsOf = (field: string) => {
    const at = references.findIndex((reference) => reference.field === field)
    const { rows = [] } = (answers[at]?.data ?? {}) as { rows?: Readonly<Record<string, string>>[] }
    const label = references[at]?.label ?? ''
    return rows.map((row) => ({ value: row['id'] ?? '', label: row[label] ?? '' }))
  }
  const chosen = filters.map((field): TableFilter => {
    const definition = fields[field]
    const options =
      definition && isChoice(definition)
        ? definition.options.map((value) => ({ value, label: wordOf(screen, field, value) }))
        : optionsOf(field)
    return { id: field, label: headerOf(screen, field), kind: 'choice', options }
  })
  return [...chosen, { id: 'archived', label: m.plain_records_archived(), kind: 'yesNo' }]
}

/** Archives a record, or puts it back, and offers to undo that. */
function useArchive(screen: RecordScreen): (row: RecordValues, archived: boolean) => void {
  const send = useCall(screen.record.archive)
  const put = async ({ id, version }: { id: string; version: number }, archived: boolean, name: string) => {
    try {
      const saved = await send.mutateAsync({ id, version, archived })
      const said = archived ? m.plain_records_is_archived({ name }) : m.plain_records_is_restored({ name })
      toast(said, { label: m.ui_undo(), onPress: () => void put(saved, !archived, name) })
    } catch (error) {
      toast(refusalText(error))
    }
  }
  return (row, archived) => void put(row, archived, titleOf(screen, row))
}
