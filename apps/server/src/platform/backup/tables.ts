import type pg from 'pg'
import { longWork } from '../db/pool.ts'

/** A table whose rows a backup carries. */
export interface CarriedTable {
  /** Quoted as needed, with its schema. */
  readonly name: string
  readonly columns: readonly string[]
  /** Columns that take values, without those that PostgreSQL computes. */
  readonly written: readonly string[]
  /** Row-level security applies to the owner too, unless the login bypasses it. */
  readonly isForced: boolean
}

/**
 * The tables that migrations made. Left out: the change log and places in it, since transaction numbers mean nothing in another
 * database (readers find another epoch and begin afresh), the list of migrations, and the tables of the job library.
 */
export async function carriedTables(client: pg.PoolClient): Promise<CarriedTable[]> {
  const { rows } = await client.query<CarriedTable>(`
    select format('%I.%I', n.nspname, c.relname) as name, c.relforcerowsecurity as "isForced",
      array_agg(a.attname::text order by a.attnum) as columns,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as written
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition
      and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'migrations', 'jobs') and n.nspname not like 'pg\\_%'
    group by n.nspname, c.relname, c.relforcerowsecurity
    having not bool_or(a.atttypid = 'xid8'::regtype)
    order by 1`)
  return rows
}

/** Settings under which a row has one text, whatever the server's defaults are, and no limit ends the work. */
export async function settleText(client: pg.PoolClient): Promise<void> {
  await client.query(`set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
    set local extra_float_digits = 1; set local bytea_output = 'hex'; ${longWork}`)
}

/** Count and sum of a table as it is now; see `TableEnd`. For an owner whom row-level security does not bind at the moment. */
export async function measureTable(client: pg.PoolClient, name: string): Promise<{ rows: number; sum: string }> {
  const { rows } = await client.query<{ rows: number; sum: string }>(
    `select count(*) as rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text as sum from ${name} t`,
  )
  return rows[0] ?? { rows: 0, sum: '0' }
}
