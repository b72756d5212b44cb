import type pg from 'pg'

/** Counts tables anew when this many of a series have been written. */
export type Counting = (written: number) => Promise<void>

/** For what grows by little. */
export const uncounted: Counting = async () => undefined

const countedAt: readonly number[] = [1, 4, 16, 64]
/** A table with more rows is planned for well by what was counted last. */
const largeRows = 2000

/** A database that grows from nothing in seconds plans badly until it counts again; its own counting comes too late. */
export function countedAsTheyGrow(pool: pg.Pool, tables: readonly string[]): Counting {
  return async (written) => {
    if (!countedAt.includes(written)) return
    const { rows } = await pool.query<{ name: string }>(
      'select oid::regclass::text as name from pg_class where oid = any ($1::regclass[]) and reltuples < $2',
      [tables, largeRows],
    )
    if (rows.length > 0) await pool.query(`analyze ${rows.map(({ name }) => name).join(', ')}`)
  }
}
