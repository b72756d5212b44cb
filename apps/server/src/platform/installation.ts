import type pg from 'pg'
import { StartRefused } from './start-refused.ts'

/** What the database remembers about its installation; see the migration that makes `installation.facts`. */
type FactName = 'demo' | 'live' | 'last backup'

/** The value of a fact, with the time it was written (ISO 8601); null when it is not one. */
export async function readFact<T extends object>(
  connection: pg.Pool | pg.PoolClient,
  name: FactName,
): Promise<(T & { readonly at: string }) | null> {
  const { rows } = await connection.query<{ value: T; at: Date }>(
    'select value, at from installation.facts where name = $1',
    [name],
  )
  const found = rows[0]
  return found ? { ...found.value, at: found.at.toISOString() } : null
}

/** Writes a fact with the present time; an older one of the name is replaced. */
export async function writeFact(
  connection: pg.Pool | pg.PoolClient,
  name: FactName,
  value: object = {},
): Promise<void> {
  await connection.query(
    `insert into installation.facts (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value, at = excluded.at`,
    [name, JSON.stringify(value)],
  )
}

export async function removeFact(connection: pg.Pool | pg.PoolClient, name: FactName): Promise<void> {
  await connection.query('delete from installation.facts where name = $1', [name])
}

/**
 * Keeps the demo, whose password is published, and real installations apart: whichever is in the database stays what it is.
 *
 * @param demo Whether the program was started with the demo.
 * @throws StartRefused
 */
export async function refuseOtherKind(ownerPool: pg.Pool, demo: boolean): Promise<void> {
  const { rows } = await ownerPool.query<{ holdsDemo: boolean; isReal: boolean }>(
    `select exists (select from installation.facts where name = 'demo') as "holdsDemo",
       exists (select from installation.facts where name = 'live') or exists (select from identity."user")
         or exists (select from identity.organization) as "isReal"`,
  )
  const { holdsDemo = false, isReal = false } = rows[0] ?? {}
  if (!demo && holdsDemo) throw new StartRefused(demoInside)
  if (demo && !holdsDemo && isReal) throw new StartRefused(realInside)
}

const demoInside =
  'This database holds the demo: whoever knows its published password could sign in as admin@example.com and five others.\n' +
  '- To go on with this database, run "npm run go-live" with the same settings. It removes the demo accounts, their sessions, tokens and ' +
  'organizations, and keeps what you made yourself.\n' +
  '- To begin empty, set DATA_DIR (or DATABASE_URL) to another place.'

const realInside =
  'This database belongs to a real installation, and the demo would add accounts with a published password to it.\n' +
  '- Set DEMO=off to go on with it.\n' +
  '- To try the demo, set DATA_DIR (or DATABASE_URL) to another place.'
