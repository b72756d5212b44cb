import type { DocumentFilter, DocumentQuery } from '@tour-ops/contract/live/documents'
import { sql, type RawBuilder } from 'kysely'

/** The text after `where` and after `order by`. Field names are passed as values, never as text of the statement. */
export interface QueryParts {
  readonly where: RawBuilder<unknown>
  readonly orderBy: RawBuilder<unknown>
}

type Sql = RawBuilder<unknown>

/** A field of the document; `a.b` reaches into an object. SQL null where it is missing, JSON null where it holds null. */
const fieldOf = (field: string): Sql => sql`(data #> ${field.split('.')}::text[])`
const jsonOf = (value: unknown): Sql => sql`${JSON.stringify(value)}::jsonb`

/** Compares values of one kind only, as the hosted database does: a number is neither before nor after a text. */
const ofSameKind = (field: Sql, value: unknown): Sql => sql`jsonb_typeof(${field}) = jsonb_typeof(${jsonOf(value)})`

function comparison(field: Sql, op: string, value: unknown): Sql {
  return sql`(${ofSameKind(field, value)} and ${field} ${sql.raw(op)} ${jsonOf(value)})`
}

const isAnyOf = (field: Sql, values: readonly unknown[]): Sql =>
  sql`${field} in (${sql.join(values.map((value) => jsonOf(value)))})`

/** `array-contains`: an element equal to the value; `@>` alone would also match a bare value in place of an array. */
const contains = (field: Sql, value: unknown): Sql =>
  sql`(jsonb_typeof(${field}) = 'array' and ${field} @> jsonb_build_array(${jsonOf(value)}))`

function condition(filter: DocumentFilter): Sql {
  const field = fieldOf(filter.field)
  const isPresent = sql`(${field} is not null and jsonb_typeof(${field}) <> 'null')`
  switch (filter.op) {
    case '==':
      return sql`${field} = ${jsonOf(filter.value)}`
    case '!=':
      return sql`(${isPresent} and ${field} <> ${jsonOf(filter.value)})`
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(field, filter.op, filter.value)
    case 'in':
      return isAnyOf(field, filter.value)
    case 'not-in':
      return sql`(${isPresent} and not (${isAnyOf(field, filter.value)}))`
    case 'array-contains':
      return contains(field, filter.value)
    case 'array-contains-any':
      return sql`(${sql.join(
        filter.value.map((value) => contains(field, value)),
        sql` or `,
      )})`
  }
}

/**
 * The documents directly in a collection that pass every filter and have every field that orders them, in that order and then
 * by path.
 */
export function queryParts(query: Pick<DocumentQuery, 'collection' | 'where' | 'orderBy'>): QueryParts {
  const prefix = `${query.collection}/`
  const ordered = query.orderBy ?? []
  const conditions = [
    sql`path ^@ ${prefix} and strpos(substr(path, ${prefix.length + 1}::int), '/') = 0`,
    ...(query.where ?? []).map((filter) => condition(filter)),
    ...ordered.map(({ field }) => sql`${fieldOf(field)} is not null`),
  ]
  const order = ordered.map(
    ({ field, direction }) => sql`${fieldOf(field)} ${sql.raw(direction === 'desc' ? 'desc' : 'asc')}`,
  )
  const tieBreak = sql`path collate "C" ${sql.raw(ordered.at(-1)?.direction === 'desc' ? 'desc' : 'asc')}`
  return { where: sql.join(conditions, sql` and `), orderBy: sql.join([...order, tieBreak]) }
}
