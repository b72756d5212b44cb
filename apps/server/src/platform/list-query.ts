import { sql, type RawBuilder } from 'kysely'

/** A piece of SQL, or nothing where a filter is not set. */
export type Condition = RawBuilder<unknown> | undefined | false

/** All conditions that are set, joined with `and`; `true` without any. */
export function allOf(conditions: readonly Condition[]): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition !== undefined && condition !== false)
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(given, sql` and `)}`
}

/** At least one of the conditions; undefined without any, so that the filter falls away. */
export function anyOf(conditions: readonly Condition[]): RawBuilder<boolean> | undefined {
  const given = conditions.filter((condition) => condition !== undefined && condition !== false)
  return given.length === 0 ? undefined : sql<boolean>`(${sql.join(given, sql` or `)})`
}

/** `column = any (…)` for a text column. */
export const isOneOf = (column: RawBuilder<unknown>, values: readonly string[] | undefined): Condition =>
  values && values.length > 0 ? sql`${column} = any (${[...values]}::text[])` : undefined

/** `column = any (…)` for a uuid column. */
export const isOneOfIds = (column: RawBuilder<unknown>, ids: readonly string[] | undefined): Condition =>
  ids && ids.length > 0 ? sql`${column} = any (${[...ids]}::uuid[])` : undefined

/**
 * The `order by` of a list: what the caller asked for, then `fallback`, which must end in something unique so that pages hold
 * still. Nothing comes last, whichever way a column is sorted.
 */
export function orderBy<K extends string>(
  sort: readonly { by: K; descending: boolean }[],
  columns: Readonly<Record<K, RawBuilder<unknown>>>,
  fallback: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const wanted = sort.map(({ by, descending }) =>
    descending ? sql`${columns[by]} desc nulls last` : sql`${columns[by]} asc nulls last`,
  )
  return sql.join([...wanted, fallback])
}

/**
 * A grouped query to join, which a plan reads once. Where the database expects a single row, as it does wherever only own rows are seen
 * (docs/decisions/0039), it would group everything anew for each row that is joined.
 */
export const groupedOnce = (query: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(with grouped as materialized (${query}) select * from grouped)`

/** `limit` and `offset` of a page; pages count from 1. */
export const pageOf = ({ page, size }: { page: number; size: number }): { limit: number; offset: number } => ({
  limit: size,
  offset: (page - 1) * size,
})

/** A moment as answers carry it. */
export const iso = (at: Date): string => at.toISOString()
export const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null
