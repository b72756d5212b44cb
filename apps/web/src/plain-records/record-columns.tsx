import { isChoice, isReference, isReferences } from '@tour-ops/contract/record'
import type { RecordField } from '@tour-ops/contract/record-fields'
import type { ReactNode } from 'react'
import { formatLocalDate, formatNumber } from '../ui/format.ts'
import type { DataColumn } from '../ui/table/table-types.ts'
import { headerOf, wordOf, type RecordScreen, type RecordValues } from './record-screen.ts'

/** Pixels of a column without a given width. */
const usualWidth = {
  line: 160,
  text: 240,
  choice: 140,
  number: 100,
  date: 120,
  reference: 170,
  references: 170,
} as Readonly<Record<string, number>>

const dash = <span className="text-ink-2">–</span>

/** A value as text; empty where there is none. */
export function textOf(screen: RecordScreen, field: string, row: RecordValues): string {
  const definition = screen.record.fields[field]
  const value = row[field] as string | number | null | undefined
  if (!definition || value === null || value === undefined) return ''
  if (isReference(definition) || isReferences(definition)) return [row.labels[field] ?? []].flat().join(', ')
  if (isChoice(definition)) return wordOf(screen, field, `${value}`)
  if (typeof value === 'number') return formatNumber(value)
  return definition.kind === 'date' ? formatLocalDate(value) : value
}

function cellOf(screen: RecordScreen, field: string, definition: RecordField, row: RecordValues): ReactNode {
  const text = textOf(screen, field, row)
  if (field === screen.record.title)
    return (
      <b className="font-medium text-ink-strong">
        <bdi>{text}</bdi>
      </b>
    )
  if (text === '') return dash
  return definition.kind === 'number' || definition.kind === 'date' ? <span className="num">{text}</span> : text
}

function fieldColumn(screen: RecordScreen, field: string, definition: RecordField): DataColumn<RecordValues> {
  const { record } = screen
  const look = screen.columns[field]
  const isTitle = field === record.title
  return {
    id: field,
    header: headerOf(screen, field),
    width: look?.width ?? usualWidth[definition.kind] ?? 160,
    grow: look?.grow,
    sortable: record.sort.includes(field),
    align: definition.kind === 'number' ? 'end' : undefined,
    pinned: isTitle,
    alwaysShown: isTitle,
    initiallyHidden: look === undefined || look.isHidden,
    cell: (row) => cellOf(screen, field, definition, row),
  }
}

/** The columns of a record's list: those that the screen names, then what the server works out, then the rest, switched off. */
export function recordColumns(screen: RecordScreen): DataColumn<RecordValues>[] {
  const { fields, sort } = screen.record
  const columns = Object.entries(fields).map(([field, definition]) => fieldColumn(screen, field, definition))
  const named = Object.keys(screen.columns)
  const shown = columns
    .filter(({ id }) => named.includes(id))
    .toSorted((one, other) => named.indexOf(one.id) - named.indexOf(other.id))
  const derived = Object.entries(screen.derived).map(([id, { label, cell, width = 160, grow, isHidden }]) => ({
    id,
    header: label(),
    width,
    grow,
    sortable: sort.includes(id),
    initiallyHidden: isHidden,
    cell,
  }))
  return [...shown, ...derived, ...columns.filter(({ id }) => !named.includes(id))]
}
