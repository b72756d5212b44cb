import { hash } from 'node:crypto'
import { escapeLiteral } from 'pg'
import type pg from 'pg'
import { isNarrowed, narrowedOwner } from '../db/logins.ts'
import type { Line } from './archive.ts'
import type { TableEnd, TableHead } from './manifest.ts'
import type { CarriedTable } from './tables.ts'

const batchRows = 2_000

/** Whose rows are read at a time, where row-level security binds the owner. */
interface Readers {
  /** Null where it does not. */
  readonly owners: readonly Owner[] | null
}
interface Owner {
  readonly setting: 'app.org_id' | 'app.user_id'
  readonly id: string
}

/** Finds out how all rows can be read with this login. */
export async function findReaders(client: pg.PoolClient): Promise<Readers> {
  const { rows } = await client.query<{ isFree: boolean }>(
    'select rolsuper or rolbypassrls as "isFree" from pg_roles where rolname = current_user',
  )
  if (rows[0]?.isFree) return { owners: null }
  await refuseUnreadable(client)
  const ids = async (query: string): Promise<string[]> =>
    (await client.query<{ id: string }>(query)).rows.map(({ id }) => id)
  const organizations = await ids(
    'select org_id as id from organization_ids() union select id from identity.organization',
  )
  const users = await ids('select id from identity."user"')
  return {
    owners: [
      ...organizations.map((id) => ({ setting: 'app.org_id' as const, id })),
      ...users.map((id) => ({ setting: 'app.user_id' as const, id })),
    ],
  }
}

/** The two policies that `ownerQueries` knows. A table with another one would be carried in part, and nobody would notice. */
async function refuseUnreadable(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c
    where c.relforcerowsecurity and not c.relispartition and not exists (
      select from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polroles = '{0}' and p.polcmd in ('*', 'r')
        and pg_get_expr(p.polqual, p.polrelid) in ('(org_id = app_org_id())', '((org_id = app_org_id()) OR (user_id = app_user_id()))'))`)
  const narrowed = await client.query<{ name: string }>(
    `select rolname as name from pg_roles where rolname = current_user and ${isNarrowed}`,
  )
  if (narrowed.rows[0]) throw new Error(narrowedOwner(narrowed.rows[0].name))
  if (rows.length === 0) return
  throw new Error(
    `The owner's login cannot read every row of ${rows.map(({ name }) => name).join(', ')}. Back up as a superuser.`,
  )
}

/** All rows of a table as of the transaction's snapshot, with head and end. */
export async function* exportTable(
  client: pg.PoolClient,
  { owners }: Readers,
  table: CarriedTable,
): AsyncGenerator<Line> {
  const { name, columns } = table
  yield { section: 'table', name, columns } satisfies TableHead
  let rows = 0
  let sum = 0n
  for (const query of table.isForced && owners ? ownerQueries(owners, table) : [{ where: '' }]) {
    for await (const row of readRows(client, name, query)) {
      rows += 1
      sum += BigInt(`0x${hash('md5', row).slice(0, 15)}`)
      yield row
    }
  }
  yield { section: 'table end', name, rows, sum: String(sum) } satisfies TableEnd
}

interface RowQuery {
  readonly where: string
  readonly owner?: Owner
}

/** Rows of organizations one organization after the other; what belongs to a person and to no organization by person. */
function ownerQueries(owners: readonly Owner[], { columns }: CarriedTable): RowQuery[] {
  const isPersonal = columns.includes('user_id')
  return owners.flatMap((owner): RowQuery[] => {
    if (owner.setting === 'app.org_id') return [{ owner, where: `where org_id = ${escapeLiteral(owner.id)}` }]
    return isPersonal ? [{ owner, where: `where org_id is null and user_id = ${escapeLiteral(owner.id)}` }] : []
  })
}

async function* readRows(client: pg.PoolClient, name: string, { where, owner }: RowQuery): AsyncGenerator<string> {
  await client.query(`select set_config('app.org_id', $1, true), set_config('app.user_id', $2, true)`, [
    owner?.setting === 'app.org_id' ? owner.id : '',
    owner?.setting === 'app.user_id' ? owner.id : '',
  ])
  await client.query(`declare rows_of_table no scroll cursor for select t::text as text from ${name} t ${where}`)
  for (let isMore = true; isMore;) {
    const { rows } = await client.query<{ text: string }>(`fetch ${batchRows} from rows_of_table`)
    for (const { text } of rows) yield text
    isMore = rows.length === batchRows
  }
  await client.query('close rows_of_table')
}
