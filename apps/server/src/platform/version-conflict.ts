import type { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './db/database.ts'
import { notFound } from './optimistic-lock.ts'

/** The row and the version a write was meant for. */
interface Target {
  readonly orgId: string
  readonly id: string
  readonly version: number
}

/**
 * Updates one row if it still is as the caller saw it. The database counts the version up.
 *
 * @throws AppError `not-found`, or `aborted` with reason `version_conflict` and the current version.
 */
export async function updateVersioned(
  tx: Tx,
  table: string,
  target: Target,
  set: RawBuilder<unknown>,
): Promise<{ id: string; version: number }> {
  const { rows } = await sql<{ id: string; version: number }>`
    update ${sql.table(table)} set ${set}
     where org_id = ${target.orgId} and id = ${target.id} and version = ${target.version}
    returning id, version`.execute(tx)
  if (rows[0]) return rows[0]
  throw await conflictOf(tx, table, target)
}

/** `column = value, …` of values by column. */
export const assigned = (values: Readonly<Record<string, unknown>>): RawBuilder<unknown> =>
  sql.join(Object.entries(values).map(([column, value]) => sql`${sql.id(column)} = ${value}`))

/** Why a versioned update found no row: it is gone, or somebody was faster. */
async function conflictOf(tx: Tx, table: string, target: Target): Promise<AppError> {
  const { rows } = await sql<{ version: number }>`
    select version from ${sql.table(table)} where org_id = ${target.orgId} and id = ${target.id}`.execute(tx)
  const current = rows[0]
  if (!current) return notFound('record')
  return refuse('version_conflict', { current: current.version })
}
