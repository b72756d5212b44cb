import type { Logger } from 'pino'
import { type Client, escapeIdentifier, escapeLiteral, type ClientConfig, type Pool } from 'pg'
import { newClient, type Connection } from './primary.ts'
import { applicationRole } from './transaction.ts'

/** The login that the application connects with on the embedded server; bound by row-level security through its role. */
const applicationLogin = 'app_login'
export const databaseName = 'tour_operations'

/** Makes what a fresh embedded server lacks (role, login, database), and says how to connect as either. */
export async function ensureApplicationLogin(
  admin: ClientConfig,
  database: string = databaseName,
): Promise<{ application: ClientConfig; owner: ClientConfig }> {
  await withClient(admin, async (client) => {
    await client.query(`
      do $$ begin
        if not exists (select from pg_roles where rolname = '${applicationRole}') then
          create role ${applicationRole} nologin;
        end if;
        if not exists (select from pg_roles where rolname = '${applicationLogin}') then
          create role ${applicationLogin} login nosuperuser nobypassrls in role ${applicationRole};
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
 * Looks at the login of `DATABASE_URL`.
 *
 * @returns whether each transaction must take the application's role itself, because row-level security does not bind the
 *   login (a superuser, or one that bypasses it).
 */
export async function checkApplicationLogin(config: Connection, log: Logger): Promise<boolean> {
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
  return login.isFree
}

/** Makes the login of `DATABASE_URL` a member of the application's role, which the migrations made. */
export async function letApplicationIn({ pool, ownerPool }: { pool: Pool; ownerPool: Pool }): Promise<void> {
  const { rows } = await pool.query<{ name: string; isMember: boolean }>(
    `select current_user as name, pg_has_role($1, 'usage') as "isMember"`,
    [applicationRole],
  )
  const login = rows[0]
  if (!login || login.isMember) return
  await ownerPool.query(`grant ${applicationRole} to ${escapeIdentifier(login.name)}`)
}

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
