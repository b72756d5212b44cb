import type pg from 'pg'

/**
 * Runs statements past everything that guards the tables one row at a time: triggers, foreign keys, and forced row-level security.
 * Foreign keys are checked again for all rows before this returns. For work on a whole database that nobody else uses: it locks every
 * table, inside the caller's transaction, which undoes it as a whole. Needs the owner and no superuser.
 *
 * @throws DatabaseError `23503` when a row refers to one that is not there.
 */
export async function withoutGuards(client: pg.PoolClient, run: () => Promise<void>): Promise<void> {
  // a table with a check still to be made cannot be altered
  await client.query('set constraints all immediate')
  const statements = await guardStatements(client)
  for (const { off } of statements) await client.query(off)
  await run()
  for (const { on } of statements.toReversed()) await client.query(on)
  await client.query('set constraints all immediate')
}

interface Guard {
  readonly off: string
  readonly on: string
  /** Constraints come off last: what they guard is known by then. */
  readonly step: number
  readonly name: string
}

/** Tables of schemas that migrations made; the job library's are its own. */
const ownTables = `c.relkind in ('r', 'p')
  and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'migrations', 'jobs') and n.nspname not like 'pg\\_%'`

async function guardStatements(client: pg.PoolClient): Promise<readonly Guard[]> {
  const { rows } = await client.query<Guard>(`
    select format('alter table %s no force row level security', c.oid::regclass) as off,
      format('alter table %s force row level security', c.oid::regclass) as on, 1 as step, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${ownTables} and c.relforcerowsecurity
    union all
    select format('alter table %s disable trigger %I', c.oid::regclass, t.tgname),
      format('alter table %s enable trigger %I', c.oid::regclass, t.tgname), 2, t.tgname
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where ${ownTables} and not t.tgisinternal and t.tgenabled = 'O'
    union all
    select format('alter table %s drop constraint %I', c.oid::regclass, k.conname),
      format('alter table %s add constraint %I %s', c.oid::regclass, k.conname, pg_get_constraintdef(k.oid)), 3, k.conname
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${ownTables} and k.contype = 'f' and k.conparentid = 0
    order by step, name`)
  return rows
}
