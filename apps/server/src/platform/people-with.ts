import { type Permission, type Role, roles, scopeOf } from '@tour-ops/contract/identity/access'
import { sql } from 'kysely'
import type { Tx } from './db/database.ts'

/** Active members who have a permission for the whole organization, by id. */
export async function selectPeopleWith(tx: Tx, orgId: string, permission: Permission): Promise<string[]> {
  const holders = roles.filter((role) => scopeOf(role, permission) === 'all')
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from members where org_id = ${orgId} and status = 'active' and role = any (${[...holders]}::text[])
    order by user_id`.execute(tx)
  return rows.map(({ userId }) => userId)
}

/** Active members of a role, by id. */
export async function selectPeopleOf(tx: Tx, orgId: string, role: Role): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from members where org_id = ${orgId} and role = ${role} and status = 'active' order by user_id`.execute(
    tx,
  )
  return rows.map(({ userId }) => userId)
}
