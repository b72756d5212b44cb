import {
  isChoice,
  isReference,
  isReferences,
  referencesOf,
  type PlainRecord,
  type RecordRow,
} from '@tour-ops/contract/record'
import type { RecordField, ReferenceField, ReferencesField } from '@tour-ops/contract/record-fields'
import { type RawBuilder, sql } from 'kysely'
import { isoOrNull } from '../list-query.ts'

type Sql = RawBuilder<unknown>

/** `basePlaceId` is the column `base_place_id`. */
export const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A field's column of the record's table, which statements call `r`. */
export const fieldRef = (field: string): Sql => sql.ref(`r.${columnOf(field)}`)

/** What people call the record that a field refers to. */
const labelOf = (reference: (ReferenceField | ReferencesField) & { field: string }): Sql => {
  const { field, table, label } = reference
  if (isReferences(reference))
    return sql`array(select other.${sql.ref(label)} from unnest(${fieldRef(field)}) with ordinality as named (id, place)
      join ${sql.table(table)} other on other.org_id = r.org_id and other.id = named.id order by named.place)`
  return sql`(select other.${sql.ref(label)} from ${sql.table(table)} other where other.org_id = r.org_id and other.id = ${fieldRef(field)})`
}

/** The columns of an answer; labels are composed from `label:<field>`. */
export function columnsOf({ fields }: PlainRecord, derived: Readonly<Record<string, Sql>>): RawBuilder<SelectedRow> {
  const named = (value: Sql, name: string): Sql => sql`${value} as ${sql.ref(name)}`
  const others = sql.join([
    ...Object.keys(fields).map((field) => named(fieldRef(field), field)),
    ...referencesOf(fields).map((reference) => named(labelOf(reference), labelColumn(reference.field))),
    ...Object.entries(derived).map(([name, value]) => named(value, name)),
  ])
  return sql<SelectedRow>`r.id, r.version, r.archived_at as "archivedAt", ${others}`
}

export const labelColumn = (field: string): string => `label:${field}`

/** Choices sort in their order, references by the name behind, text as people sort it. */
function sortOf(field: string, definition: RecordField): Sql {
  if (isChoice(definition)) return sql`array_position(${[...definition.options]}::text[], ${fieldRef(field)})`
  if (isReference(definition)) return sql`${labelOf({ ...definition, field })} collate "und-x-icu"`
  return definition.kind === 'line' ? sql`${fieldRef(field)} collate "und-x-icu"` : fieldRef(field)
}

/** What each column of a list sorts by. */
export const sortColumnsOf = (
  { fields, sort }: PlainRecord,
  derived: Readonly<Record<string, Sql>>,
): Readonly<Record<string, Sql>> =>
  Object.fromEntries(
    sort.map((name) => {
      const definition = fields[name]
      const value = definition ? sortOf(name, definition) : derived[name]
      if (!value) throw new Error(`Nothing to sort by: ${name}`)
      return [name, value]
    }),
  )

/** Whether a searched field holds the words, without accents and capitals. */
export const matchesSearch = ({ search }: PlainRecord, words: string): Sql =>
  sql`searchable(concat_ws(' ', ${sql.join(search.map(fieldRef))})) like '%' || searchable(${words}) || '%'`

/** A row as the database gives it; what the definition names is checked against the table by the compiler (`record-fit.ts`). */
export interface SelectedRow extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly version: number
  readonly archivedAt: Date | null
}

/** A row as `columnsOf` selects it, as an answer carries it. */
export function answerOf({ fields, derived }: PlainRecord, row: SelectedRow): RecordRow {
  const { id, version, archivedAt } = row
  const names = [...Object.keys(fields), ...Object.keys(derived)]
  return {
    id,
    version,
    ...Object.fromEntries(names.map((name) => [name, row[name]])),
    labels: Object.fromEntries(
      referencesOf(fields).map(({ field }) => [field, (row[labelColumn(field)] ?? null) as string | string[] | null]),
    ),
    archivedAt: isoOrNull(archivedAt),
  }
}
