import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './db/database.ts'
import { pageOf } from './list-query.ts'

interface Page<R> {
  readonly columns: RawBuilder<R>
  /** The columns of ORDER BY; the last one unique. */
  readonly order: RawBuilder<unknown>
  readonly page: { readonly page: number; readonly size: number }
}

/** The parts of a list's statement. `from` is everything from FROM to WHERE. */
export interface PageQuery<R> extends Page<R> {
  readonly from: RawBuilder<unknown>
}

/**
 * The parts of the statement of a list that grows with every day: what decides which rows there are, what decides their order and what is shown
 * of them are told apart, so that each is read for as few rows as it can be.
 */
export interface LongPageQuery<R> extends Page<R> {
  /** The listed table as all parts call it, such as `b`; its rows have `org_id` and `id`. */
  readonly row: RawBuilder<unknown>
  /** From FROM on: the listed table with what `where` asks for. All rows are counted by these two alone. */
  readonly from: RawBuilder<unknown>
  readonly where: RawBuilder<boolean>
  /** Joins that only `order` asks for; they add and remove no row. */
  readonly sorted?: RawBuilder<unknown>
  /** From FROM on: the listed table with everything that `columns` and `order` ask for, joined to the rows of the page. */
  readonly shown: RawBuilder<unknown>
}

type Counted<R> = R & { total_rows: number }

/** One page of a query and the number of all its rows, in one statement. */
export async function selectPage<R>(
  tx: Tx,
  { columns, from, order, page }: PageQuery<R>,
): Promise<{ rows: R[]; total: number }> {
  const { limit, offset } = pageOf(page)
  const { rows } = await sql<Counted<R>>`
    select ${columns}, (count(*) over ())::int as total_rows ${from}
     order by ${order} limit ${limit} offset ${offset}`.execute(tx)
  return withTotal(tx, rows, offset, from)
}

/** The same for a list that grows with every day. */
export async function selectLongPage<R>(
  tx: Tx,
  { row, columns, from, where, sorted = sql``, shown, order, page }: LongPageQuery<R>,
): Promise<{ rows: R[]; total: number }> {
  const { limit, offset } = pageOf(page)
  const { rows } = await sql<Counted<R>>`
    with listed as materialized (
      select ${row}.org_id, ${row}.id ${from} ${sorted} where ${where} order by ${order} limit ${limit} offset ${offset})
    select ${columns}, (select count(*)::int ${from} where ${where}) as total_rows
    ${shown} join listed on listed.org_id = ${row}.org_id and listed.id = ${row}.id order by ${order}`.execute(tx)
  return withTotal(tx, rows, offset, sql`${from} where ${where}`)
}

/** A page past the last one has no row to carry the number of all. */
async function withTotal<R>(
  tx: Tx,
  rows: readonly Counted<R>[],
  offset: number,
  from: RawBuilder<unknown>,
): Promise<{ rows: R[]; total: number }> {
  if (rows.length > 0 || offset === 0) {
    return { rows: rows.map(({ total_rows: _total, ...row }) => row as unknown as R), total: rows[0]?.total_rows ?? 0 }
  }
  return { rows: [], total: await countRows(tx, from) }
}

/** How many rows a query has. @param from Everything from FROM to WHERE. */
export async function countRows(tx: Tx, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(tx)
  return rows[0]?.total ?? 0
}
