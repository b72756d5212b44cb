import type pg from 'pg'

/** Deletes every row of organizations, also what is append-only; inside `withoutGuards`. Jobs that wait for one of them go as well. */
export async function deleteOrganizations(client: pg.PoolClient, orgIds: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string }>(`
    select c.oid::regclass::text as name, quote_ident(a.attname) as column
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      and (n.nspname, a.attname) in (('public', 'org_id'), ('identity', 'org_id'), ('identity', 'organizationId'))
    where c.relkind in ('r', 'p') and not c.relispartition`)
  for (const { name, column } of rows) {
    await client.query(`delete from ${name} where ${column} = any($1)`, [orgIds])
  }
  await client.query('delete from identity.organization where id = any($1)', [orgIds])
  const jobs = await client.query<{ isThere: boolean }>(`select to_regclass('jobs.job') is not null as "isThere"`)
  if (jobs.rows[0]?.isThere) await client.query(`delete from jobs.job where data ->> 'orgId' = any($1)`, [orgIds])
}
