import { createHash } from 'node:crypto'
import type { DocumentResults } from '@tour-ops/contract/live/documents'
import type { LivePerson } from '@tour-ops/contract/live/live-access'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** When it was written, and nothing of what: this may be stored in clear. */
type CommitResult = DocumentResults['commit']

/**
 * Answers a commit that is sent again under its key with what the first one gave, so that a lost answer does not turn into
 * `already-exists`. Key and writes are one transaction. Without an organization there are no keys.
 */
export async function onceByCommitKey(
  tx: Tx,
  person: LivePerson,
  request: object,
  run: () => Promise<CommitResult>,
): Promise<CommitResult> {
  const given = 'idempotencyKey' in request ? request.idempotencyKey : undefined
  if (typeof given !== 'string' || !person.orgId) return run()
  const key = digest('documents-commit', person.userId, given)
  const { rows: claimed } = await sql`
    insert into idempotency_keys (org_id, key, callable, user_id, request_hash)
    values (${person.orgId}, ${key}, 'documents-commit', ${person.userId}, ${digest(JSON.stringify(request))})
    on conflict (org_id, key) do nothing returning key`.execute(tx)
  if (claimed.length === 0) {
    const { rows } = await sql<{ answer: string }>`
      select convert_from(answer, 'UTF8') as answer from idempotency_keys where org_id = ${person.orgId} and key = ${key}`.execute(
      tx,
    )
    const [kept] = rows
    if (kept) return JSON.parse(kept.answer) as CommitResult
  }
  const result = await run()
  await sql`update idempotency_keys set answer = ${Buffer.from(JSON.stringify(result))}
    where org_id = ${person.orgId} and key = ${key}`.execute(tx)
  return result
}

const digest = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex')
