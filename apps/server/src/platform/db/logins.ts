import type { Logger } from 'pino'
import { type Client, escapeIdentifier, escapeLiteral, type ClientConfig, type Pool } from 'pg'
import { StartRefused } from '../start-refused.ts'
import { newClient, type Connection } from './primary.ts'
import { applicationRole, ownRole } from './transaction.ts'

/** The login that the application connects with on the embedded server; bound by row-level security through its role. */
const applicationLogin = 'app_login'
export const databaseName = 'tour_operations'
/** Any number does; everybody who changes roles takes the same. */
const rolesLock = 20_261_124

/** Makes what a fresh embedded server lacks (role, login, database), and says how to connect as either. */
export async function ensureApplicationLogin(
  admin: ClientConfig,
  database: string = databaseName,
): Promise<{ application: ClientConfig; owner: ClientConfig }> {
  await withClient(admin, async (client) => {
    // roles are the whole server's: two who change one at once are refused ("tuple concurrently updated"); ends with the connection
    await client.query('select pg_advisory_lock($1)', [rolesLock])
    await client.query(`
      do $$ begin
        if not exists (select from pg_roles where rolname = '${applicationRole}') then
          create role ${applicationRole} nologin;
        end if;
        if not exists (select from pg_roles where rolname = '${ownRole}') then
          create role ${ownRole} nologin;
        end if;
        if not exists (select from pg_roles where rolname = '${applicationLogin}') then
          create role ${applicationLogin} login nosuperuser nobypassrls in role ${applicationRole};
        end if;
        if not pg_has_role('${applicationLogin}', '${ownRole}', 'member') then
          grant ${ownRole} to ${applicationLogin};
        end if;
      end $$`)
    // for spinning disks PostgreSQL takes a page out of order to cost four times one in order; here it costs nearly the same
    await client.query(`alter role ${applicationLogin} set random_page_cost = 1.1`)
    if (admin.password) {
      await client.query(`alter role ${applicationLogin} password ${escapeLiteral(String(admin.password))}`)
    }
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(database)}`)
  })
  return { application: { ...admin, user: applicationLogin, database }, owner: { ...admin, database } }
}

/**
 * Checks the login of `DATABASE_URL`, and warns where row-level security does not bind it (a superuser, or one that bypasses it):
 * transactions take a role that it binds, what is asked outside of one does not.
 */
export async function checkApplicationLogin(config: Connection, log: Logger): Promise<void> {
  const { rows } = await withClient(config, (client) =>
    client.query<{ name: string; isFree: boolean; version: number }>(
      `select rolname as name, rolsuper or rolbypassrls as "isFree", current_setting('server_version_num')::int as version
       from pg_roles where rolname = current_user`,
    ),
  )
  const login = rows[0]
  if (!login || login.version < oldestVersion) {
    throw new Error(`DATABASE_URL leads to PostgreSQL ${login?.version ?? '?'}; version 15 or newer is needed.`)
  }
  if (login.isFree) {
    log.warn(
      `DATABASE_URL connects as ${login.name}, who stands above row-level security. Every transaction takes the role ` +
        `${applicationRole}, but give the application a login of its own and the owner's address as MIGRATION_DATABASE_URL.`,
    )
  }
}

/**
 * Makes the login of `DATABASE_URL` a member of the roles that transactions take, which the migrations made. A login that has the narrow
 * role's rights by itself is narrowed where a role was forgotten. The owner must not be: what it backs up and migrates is everything.
 *
 * @throws StartRefused where the owner is narrowed.
 */
export async function letApplicationIn({ pool, ownerPool }: { pool: Pool; ownerPool: Pool }): Promise<void> {
  const owner = await ownerPool.query<{ name: string; isNarrowed: boolean; version: number }>(
    `select rolname as name, ${isNarrowed} as "isNarrowed", current_setting('server_version_num')::int as version
     from pg_roles where rolname = current_user`,
  )
  const { name: ownerName = '', isNarrowed: isOwnerNarrowed = false, version = 0 } = owner.rows[0] ?? {}
  if (isOwnerNarrowed) throw new StartRefused(narrowedOwner(ownerName))
  const { rows } = await pool.query<{ name: string; missing: string[] }>(
    `select current_user as name, array(select role from unnest($1::text[]) role
       where not pg_has_role(role, case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)) as missing`,
    [[applicationRole, ownRole]],
  )
  for (const { name, missing } of rows) {
    const isOwner = name === ownerName
    if (isOwner && missing.includes(ownRole) && version < firstWithInheritOption)
      throw new StartRefused(oneLoginNeeds16)
    for (const role of missing) {
      const without = isOwner && role === ownRole ? ' with inherit false' : ''
      await ownerPool.query(`grant ${role} to ${escapeIdentifier(name)}${without}`)
    }
  }
}

/** Whether the policies of the narrow role bind a login by itself. For a row of `pg_roles`. */
export const isNarrowed = `(not rolsuper and not rolbypassrls and coalesce((select pg_has_role(own.oid, 'usage') from pg_roles own
  where own.rolname = '${ownRole}'), false))`

/** What to do about it. */
export const narrowedOwner = (owner: string): string =>
  `The owner ${owner} has the rights of ${ownRole} by itself, so that it sees next to nothing. As a superuser: revoke inherit option for ${ownRole} from "${owner}"`

const firstWithInheritOption = 160_000
const oneLoginNeeds16 =
  'Owner and application are one login. That needs PostgreSQL 16 or newer; before, give MIGRATION_DATABASE_URL a login of its own (deploy/postgres-logins.sh).'

/** Source: stack, "real database": Postgres 15 or newer. */
const oldestVersion = 150_000

async function withClient<T>(config: Connection, work: (client: Client) => Promise<T>): Promise<T> {
  const client = newClient(config)
  // A failed connection rejects `connect` as well; this only keeps the event from ending the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
