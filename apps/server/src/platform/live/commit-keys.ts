import { createHash } from 'node:crypto'
import type { LivePerson } from '@tour-ops/contract/live-access'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/**
 * Answers a commit that is sent again under its key with what the first one gave, so that a lost answer does not turn into
 * `already-exists`. Key and writes are one transaction. Without an organization there are no keys.
 */
export async function onceByCommitKey<T>(
  tx: Tx,
  person: LivePerson,
  request: object,
  run: () => Promise<T>,
): Promise<T> {
  const given = 'idempotencyKey' in request ? request.idempotencyKey : undefined
  if (typeof given !== 'string' || !person.orgId) return run()
  const key = digest('documents-commit', person.userId, given)
  const { rows: claimed } = await sql`
    insert into idempotency_keys (org_id, key, callable, user_id, request_hash)
    values (${person.orgId}, ${key}, 'documents-commit', ${person.userId}, ${digest(JSON.stringify(request))})
    on conflict (org_id, key) do nothing returning key`.execute(tx)
  if (claimed.length === 0) {
    const { rows } = await sql<{ result: T }>`
      select result from idempotency_keys where org_id = ${person.orgId} and key = ${key}`.execute(tx)
    const [kept] = rows
    if (kept) return kept.result
  }
  const result = await run()
  await sql`update idempotency_keys set result = ${JSON.stringify(result)}::jsonb
    where org_id = ${person.orgId} and key = ${key}`.execute(tx)
  return result
}

const digest = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex')
