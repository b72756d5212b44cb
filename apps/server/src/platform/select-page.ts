import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './db/database.ts'
import { pageOf } from './list-query.ts'

/** The parts of a list's statement. `from` is everything from FROM to WHERE, `order` the columns of ORDER BY. */
export interface PageQuery<R> {
  readonly columns: RawBuilder<R>
  readonly from: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
  readonly page: { readonly page: number; readonly size: number }
}

/** One page of a query and the number of all its rows, in one statement. */
export async function selectPage<R>(tx: Tx, query: PageQuery<R>): Promise<{ rows: R[]; total: number }> {
  const { limit, offset } = pageOf(query.page)
  const { rows } = await sql<R & { total_rows: number }>`
    select ${query.columns}, (count(*) over ())::int as total_rows ${query.from}
     order by ${query.order} limit ${limit} offset ${offset}`.execute(tx)
  if (rows.length > 0 || offset === 0) {
    return { rows: rows.map(({ total_rows: _total, ...row }) => row as unknown as R), total: rows[0]?.total_rows ?? 0 }
  }
  // Past the last page the window function returns no row.
  const counted = await sql<{ total: number }>`select count(*)::int as total ${query.from}`.execute(tx)
  return { rows: [], total: counted.rows[0]?.total ?? 0 }
}
