import { createHash } from 'node:crypto'
import type { Callable } from '@tour-ops/contract/callable'
import { AppError } from '@tour-ops/contract/errors'
import { IdempotencyKey } from '@tour-ops/contract/fields'
import { sql } from 'kysely'
import type { Call } from '../../context.ts'
import type { Verb } from '../verb.ts'

interface KeptAnswer {
  requestHash: string
  result: unknown
}

/** The verb as it runs for this content: a write that brought a key runs once. @throws AppError `invalid-argument` for a bad key. */
export function withIdempotency(verb: Verb, data: unknown): Verb {
  const key = idempotencyKeyIn(data)
  return key !== undefined && verb.callable.kind === 'write' ? onceByKey(verb, key, data) : verb
}

function idempotencyKeyIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('idempotencyKey' in data) || data.idempotencyKey === undefined) {
    return undefined
  }
  const key = IdempotencyKey.safeParse(data.idempotencyKey)
  if (key.success) return key.data
  const message = 'An idempotency key has 8 to 64 characters.'
  throw new AppError('invalid-argument', message, { details: { fieldErrors: { idempotencyKey: [message] } } })
}

/**
 * The same verb, answering a repeated key with what the first call gave. Key and work are in one transaction: a second call
 * that comes while the first runs waits for it, and after a refusal of the first it runs itself. Keys belong to one caller,
 * callable and organization; calls outside of an organization have no keys.
 * Source: architecture, section 8, "wire" (idempotency key in `data`).
 *
 * @throws AppError `invalid-argument`, reason `idempotency_key_reused`, when the key came with other content before.
 */
function onceByKey<C extends Callable>(verb: Verb<C>, key: string, rawInput: unknown): Verb<C> {
  return {
    callable: verb.callable,
    run: async (call, input) => {
      if (!call.caller?.orgId) return verb.run(call, input)
      const id = digest(verb.callable.name, call.caller.userId, key)
      const requestHash = digest(JSON.stringify(rawInput))
      if (!(await claim(call, call.caller.orgId, id, verb.callable.name, requestHash))) {
        return (await keptAnswer(call, id, requestHash)) as Awaited<ReturnType<typeof verb.run>>
      }
      const result = await verb.run(call, input)
      await sql`update idempotency_keys set result = ${JSON.stringify(result ?? null)}::jsonb
        where org_id = ${call.caller.orgId} and key = ${id}`.execute(call.tx)
      return result
    },
  }
}

const digest = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex')

/** True for the first call. A concurrent one waits here until the first has committed or rolled back. */
async function claim(call: Call, orgId: string, id: string, callable: string, requestHash: string): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys (org_id, key, callable, user_id, request_hash)
    values (${orgId}, ${id}, ${callable}, ${call.actor.id}, ${requestHash})
    on conflict (org_id, key) do nothing returning key`.execute(call.tx)
  return rows.length === 1
}

async function keptAnswer(call: Call, id: string, requestHash: string): Promise<unknown> {
  const { rows } = await sql<KeptAnswer>`
    select request_hash as "requestHash", result from idempotency_keys
    where org_id = ${call.caller?.orgId ?? null} and key = ${id}`.execute(call.tx)
  const kept = rows[0]
  if (!kept) throw new AppError('aborted', 'Somebody else changed this at the same moment. Try again.')
  if (kept.requestHash === requestHash) return kept.result
  throw new AppError('invalid-argument', 'This idempotency key was used for another request.', {
    details: { reason: 'idempotency_key_reused' },
  })
}
