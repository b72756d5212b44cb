import fs from 'node:fs/promises'
import type pg from 'pg'
import { inTransaction, longWork } from '../src/platform/db/pool.ts'
import { withoutGuards } from '../src/platform/db/unguarded.ts'
import { filesOfOrganization } from '../src/platform/files/stored-files.ts'
import { readFact, removeFact, writeFact } from '../src/platform/installation.ts'
import { demoAccounts, demoEmail } from './data/staff.ts'
import { deleteOrganizations } from './delete-organizations.ts'
import { completeMark, demoSlugs } from './demo.ts'

interface Found {
  readonly id: string
  readonly name: string
}

/** What is in a database that holds the demo. */
export interface DemoContents {
  readonly people: readonly (Found & { readonly email: string })[]
  readonly organizations: readonly Found[]
  /** Organizations that somebody created in addition to the demo; they stay. */
  readonly kept: readonly Found[]
  /** Those of them that only demo accounts administer, so that nobody could enter them afterwards. */
  readonly withoutAdmin: readonly Found[]
}

/** Reads only, and changes nothing; null where there is no demo. */
export async function findDemo(connection: pg.Pool | pg.PoolClient): Promise<DemoContents | null> {
  if (!(await readFact(connection, 'demo'))) return null
  const people = await connection.query<DemoContents['people'][number]>(
    `select u.id, u.name, u.email from identity."user" u
     where u.email = any($1) and exists (select from identity.account a where a."userId" = u.id and a."providerId" = 'credential')
     order by u."createdAt"`,
    [demoAccounts.map(({ role }) => demoEmail(role))],
  )
  const organizations = await connection.query<Found & { isDemo: boolean; hasAdmin: boolean }>(
    `select o.id, o.name, o.slug = any($1) or o.metadata is not distinct from $2 as "isDemo",
       exists (select from identity.member m where m."organizationId" = o.id and m.role = 'admin' and m.status = 'active'
         and not m."userId" = any($3)) as "hasAdmin"
     from identity.organization o order by o."createdAt"`,
    [demoSlugs, completeMark, people.rows.map(({ id }) => id)],
  )
  const kept = organizations.rows.filter(({ isDemo }) => !isDemo)
  return {
    people: people.rows,
    organizations: organizations.rows.filter(({ isDemo }) => isDemo),
    kept,
    withoutAdmin: kept.filter(({ hasAdmin }) => !hasAdmin),
  }
}

/** What became of the demo, as the fact `live` keeps it. */
interface Removed {
  readonly removedOrganizations: readonly string[]
}

/**
 * Removes the demo's people and organizations, and everything that lets anybody in without signing in again: sessions, tokens, one-time
 * links, the keys that sign identity tokens. One transaction; a crash leaves the demo as it was.
 *
 * @param removeOthers Whether organizations that only demo accounts administer go too; without it they must not exist.
 */
export async function removeDemo(ownerPool: pg.Pool, { removeOthers }: { removeOthers: boolean }): Promise<void> {
  await inTransaction(ownerPool, async (client) => {
    // before looking: a demo that still runs on this database must not add to what is removed
    await client.query(longWork)
    await client.query('lock table identity."user", identity.organization, identity.member in share row exclusive mode')
    const demo = await findDemo(client)
    if (!demo) return
    if (demo.withoutAdmin.length > 0 && !removeOthers) throw new Error('Organizations without an administrator remain.')
    const orgIds = [...demo.organizations, ...demo.withoutAdmin].map(({ id }) => id)
    await leaveOtherOrganizations(client, demo, orgIds)
    await withoutGuards(client, async () => {
      await deleteOrganizations(client, orgIds)
      await deletePeople(client, demo.people)
    })
    await removeFact(client, 'demo')
    await writeFact(client, 'live', { removedOrganizations: orgIds } satisfies Removed)
  })
}

/** With all triggers, so that the audit log of organizations that stay says who left, and invitations of demo accounts end. */
async function leaveOtherOrganizations(
  client: pg.PoolClient,
  { people }: DemoContents,
  orgIds: readonly string[],
): Promise<void> {
  const leaving = [people.map(({ id }) => id), orgIds]
  await client.query(
    `update identity.invitation set status = 'canceled'
     where status = 'pending' and "inviterId" = any($1) and not "organizationId" = any($2)`,
    leaving,
  )
  await client.query('delete from identity.member where "userId" = any($1) and not "organizationId" = any($2)', leaving)
}

async function deletePeople(client: pg.PoolClient, people: DemoContents['people']): Promise<void> {
  const ids = people.map(({ id }) => id)
  const emails = people.map(({ email }) => email)
  const everything = ['backend_refresh_tokens', 'backend_sessions', 'session', 'verification', 'jwks']
  for (const table of everything) await client.query(`delete from identity.${table}`)
  const ofPeople = await client.query<{ name: string; column: string }>(`
    select c.oid::regclass::text as name, quote_ident(a.attname) as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname in ('userId', 'user_id', 'inviterId')
    where c.relnamespace = 'identity'::regnamespace and c.relkind = 'r'`)
  for (const { name, column } of ofPeople.rows) {
    await client.query(`delete from ${name} where ${column} = any($1)`, [ids])
  }
  await client.query('delete from identity."user" where id = any($1)', [ids])
  await client.query('delete from identity.mails where recipient = any($1)', [emails])
}

/** Removes files of organizations that are gone. Their rows went first, so this may be repeated after a crash. */
export async function removeFilesOfDemo(ownerPool: pg.Pool, config: { readonly dataDir: string }): Promise<void> {
  const { removedOrganizations } = (await readFact<Removed>(ownerPool, 'live')) ?? { removedOrganizations: [] }
  for (const orgId of removedOrganizations) {
    await fs.rm(filesOfOrganization(config, orgId), { recursive: true, force: true })
  }
}
