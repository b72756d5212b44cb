import { createHash } from 'node:crypto'
import type { Callable, Out } from '@tour-ops/contract/callable'
import type { AppError } from '@tour-ops/contract/errors'
import { IdempotencyKey } from '@tour-ops/contract/fields'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { Call } from '../../context.ts'
import type { SealedPlace } from '../sealed-text.ts'
import type { Verb } from '../verb.ts'

/** What is stored, encrypted: the answer, and as whom the caller got it. */
interface StoredAnswer {
  readonly as: string
  readonly result: unknown
}

/** How long an answer with a secret in it is repeated: a client that missed it asks again within seconds. */
const secretAnswerMs = 15 * 60_000

/**
 * The verb as it runs for this content: a write that brought a key runs once, unless its answer reveals what is protected.
 *
 * @throws AppError `invalid-argument` for a bad key.
 */
export function withIdempotency(verb: Verb, data: unknown): Verb {
  const key = idempotencyKeyIn(data)
  const { kind, repeated } = verb.callable
  return key !== undefined && kind === 'write' && repeated !== 'runs-again' ? onceByKey(verb, key, data) : verb
}

function idempotencyKeyIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('idempotencyKey' in data) || data.idempotencyKey === undefined) {
    return undefined
  }
  const key = IdempotencyKey.safeParse(data.idempotencyKey)
  if (key.success) return key.data
  throw fieldError('idempotencyKey', 'idempotency_key_form')
}

/**
 * The same verb, answering a repeated key with what the first call gave. Key and work are in one transaction: a second call
 * that comes while the first runs waits for it, and after a refusal of the first it runs itself. Keys belong to one caller,
 * callable and organization; calls outside of an organization have no keys. `execute` has checked the permission before.
 * See ARCHITECTURE.md, "Where the specification is silent" (idempotency key in `data`).
 *
 * @throws AppError `invalid-argument`, reason `idempotency_key_reused`, when the key came with other content before; `aborted` when the
 *   answer is no longer there for this caller.
 */
function onceByKey<C extends Callable>(verb: Verb<C>, key: string, rawInput: unknown): Verb<C> {
  const placeOf = ({ caller }: Call): SealedPlace | undefined =>
    caller?.orgId
      ? { orgId: caller.orgId, column: 'idempotency_keys.answer', id: digest(verb.callable.name, caller.userId, key) }
      : undefined
  return {
    callable: verb.callable,
    ...(verb.slots && { slots: verb.slots }),
    ...(verb.ahead && { ahead: unlessStored(verb.ahead, placeOf) }),
    run: async (call, input, made) => {
      const place = placeOf(call)
      if (!place) return verb.run(call, input, made)
      const requestHash = digest(JSON.stringify(rawInput))
      if (!(await claim(call, place, verb.callable.name, requestHash))) {
        return (await storedAnswer(call, place, requestHash)) as Out<C>
      }
      if (made === alreadyDone) throw overtaken()
      const result = await verb.run(call, input, made)
      await keepAnswer(call, place, verb.callable, result)
      return result
    },
  }
}

/** Replaces a verb's preparation where its key has been used: the long work is not repeated for a stored answer. */
const alreadyDone = Symbol('already done')

const unlessStored = (
  ahead: NonNullable<Verb['ahead']>,
  placeOf: (call: Call) => SealedPlace | undefined,
): NonNullable<Verb['ahead']> => ({
  look: async (call, input) => {
    const place = placeOf(call)
    return place && (await isClaimed(call, place)) ? alreadyDone : ahead.look(call, input)
  },
  work: async (found, signal) => (found === alreadyDone ? found : ahead.work(found, signal)),
})

const overtaken = (): AppError => refuse('conflict')

const digest = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex')

/** Role and linked staff record decide what an answer may show; one that was given to another role is not repeated. */
const identityOf = (call: Call): string =>
  'role' in call && 'staffId' in call ? JSON.stringify([call.role, call.staffId]) : ''

/** True for the first call. A concurrent one waits here until the first has committed or rolled back. */
async function claim(call: Call, { orgId, id }: SealedPlace, callable: string, requestHash: string): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys (org_id, key, callable, user_id, request_hash)
    values (${orgId}, ${id}, ${callable}, ${call.actor.id}, ${requestHash})
    on conflict (org_id, key) do nothing returning key`.execute(call.tx)
  return rows.length === 1
}

async function isClaimed(call: Call, { orgId, id }: SealedPlace): Promise<boolean> {
  const { rows } = await sql`select from idempotency_keys where org_id = ${orgId} and key = ${id}`.execute(call.tx)
  return rows.length === 1
}

async function keepAnswer(call: Call, place: SealedPlace, { repeated }: Callable, result: unknown): Promise<void> {
  const kept: StoredAnswer = { as: identityOf(call), result: result ?? null }
  const until = repeated === 'same-answer-briefly' ? new Date(call.clock.now().getTime() + secretAnswerMs) : null
  await sql`update idempotency_keys set answer = ${call.sealed.seal(JSON.stringify(kept), place)}, answer_until = ${until}
    where org_id = ${place.orgId} and key = ${place.id}`.execute(call.tx)
}

interface StoredRow {
  requestHash: string
  answer: Buffer | null
}

async function storedAnswer(call: Call, place: SealedPlace, requestHash: string): Promise<unknown> {
  const { rows } = await sql<StoredRow>`
    select request_hash as "requestHash", case when answer_until is null or answer_until > app_now() then answer end as answer
    from idempotency_keys where org_id = ${place.orgId} and key = ${place.id}`.execute(call.tx)
  const row = rows[0]
  if (!row) throw overtaken()
  if (row.requestHash !== requestHash) {
    throw refuse('idempotency_key_reused')
  }
  const kept = row.answer && openAnswer(call, row.answer, place)
  if (!kept) {
    throw refuse('idempotency_answer_gone')
  }
  if (kept.as === identityOf(call)) return kept.result
  throw refuse('idempotency_role_changed')
}

/** Null when its key is no longer there: keys are retired without asking for answers, which are stored for two days only. */
function openAnswer(call: Call, answer: Buffer, place: SealedPlace): StoredAnswer | null {
  try {
    return JSON.parse(call.sealed.open(answer, place)) as StoredAnswer
  } catch (error) {
    call.log.warn({ err: error, requestId: call.request.requestId }, 'a kept answer cannot be opened')
    return null
  }
}
