import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import { CompiledQuery, type Kysely, type KyselyPlugin, type Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Actor } from '../caller.ts'
import type { Clock } from '../clock.ts'
import { isStalePreparation, roleColumn } from './prepared-statements.ts'
import type { Tables } from './tables.ts'
import { isDatabaseError, toAppError } from './violations.ts'

export type Tx = Transaction<Tables>

/** For whom and why a transaction runs; row-level security, audit and outbox read it from the transaction's settings. */
export interface TransactionScope {
  /** The only organization whose rows exist inside; null for none. */
  readonly orgId: string | null
  readonly actor: Actor
  /** The role it begins with; the application's when left out. */
  readonly role?: DatabaseRole
  /** With the narrow role: departures that are only offered are own ones as well. */
  readonly withOffers?: boolean
  /** What is done, as the audit log names it: a callable's or a job's name. */
  readonly action: string
  readonly requestId: string
  /** Ends the running query and rolls back when aborted. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
  /** Marks every written row as part of one import, so that it can be undone. */
  readonly importBatchId?: string
}

/** The role whose rights a transaction has unless it takes the narrow one; row-level security binds it. The migrations grant to it. */
export const applicationRole = 'app_user' as const

/**
 * The role of callers with scope `own`: row-level security shows it the caller's own departures and what belongs to them, and nothing
 * without a staff record. See docs/decisions/0039.
 */
export const ownRole = 'app_own' as const

export type DatabaseRole = typeof applicationRole | typeof ownRole

/** How a transaction differs between the databases. */
export interface TransactionDeps {
  readonly kysely: Kysely<Tables>
  readonly log: Logger
  /** Ends what a backend runs at the moment; null where nothing can. */
  readonly cancelBackend: ((pid: number) => Promise<void>) | null
}

/** Repeats after the first attempt, when two transactions got into each other's way. */
const maxRepeats = 3

/** Runs `run` in one transaction of the scope; see `Database.transaction`. */
export async function runTransaction<T>(
  deps: TransactionDeps,
  scope: TransactionScope,
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await runOnce(deps, scope, run)
    } catch (error) {
      if (scope.signal?.aborted) throw abortError(scope.signal)
      if (attempt < maxRepeats && (isConflict(error) || isStalePreparation(error))) {
        await sleep(Math.random() * 20 * 2 ** attempt)
        continue
      }
      if (isDatabaseError(error)) {
        const { code, constraint } = error
        deps.log.debug({ sqlState: code, constraint, action: scope.action, requestId: scope.requestId }, error.message)
      }
      throw toAppError(error)
    }
  }
}

async function runOnce<T>(deps: TransactionDeps, scope: TransactionScope, run: (tx: Tx) => Promise<T>): Promise<T> {
  const { signal } = scope
  if (signal?.aborted) throw abortError(signal)
  const settings = settingsStatement(scope)
  return deps.kysely.transaction().execute(async (tx) => {
    const { rows } = await tx.executeQuery<{ pid: number }>(settings)
    if (!signal) return run(tx)
    const pid = rows[0]?.pid
    let canceling: Promise<void> | undefined
    const cancel = (): void => {
      if (deps.cancelBackend && pid !== undefined) canceling = deps.cancelBackend(pid)
    }
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const result = await run(tx.withPlugin(refuseAfterAbort(signal)))
      if (signal.aborted) throw abortError(signal)
      return result
    } finally {
      signal.removeEventListener('abort', cancel)
      // The connection must not go back to the pool with a cancellation under way: it would hit the next query on it.
      await canceling
    }
  })
}

/** One statement for all settings and the role. They are local to the transaction, so that nothing stays on a pooled connection. */
function settingsStatement(scope: TransactionScope): CompiledQuery<{ pid: number }> {
  const values: [setting: string, value: string][] = [
    ['app.org_id', scope.orgId ?? ''],
    ['app.user_id', scope.actor.id ?? ''],
    ['app.actor_kind', scope.actor.kind],
    ['app.action', scope.action],
    ['app.request_id', scope.requestId],
  ]
  if (scope.clock && !scope.clock.isSystem) values.push(['app.now', scope.clock.now().toISOString()])
  if (scope.importBatchId) values.push(['app.import_batch_id', scope.importBatchId])
  if (scope.withOffers) values.push(['app.own_offers', 'on'])
  const calls = values.map(([setting], index) => `set_config('${setting}', $${index + 1}, true)`)
  return CompiledQuery.raw(
    `select pg_backend_pid() as pid, ${calls.join(', ')}, set_config('role', $${values.length + 1}, true) as ${roleColumn}`,
    [...values.map(([, value]) => value), scope.role ?? applicationRole],
  )
}

/** Stops a verb at its next statement; needed where a running query cannot be ended, and between two queries. */
function refuseAfterAbort(signal: AbortSignal): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      if (signal.aborted) throw abortError(signal)
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

/** Work between two transactions of a call. @throws AppError as a transaction does, once the signal is aborted. */
export async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw signal.aborted ? abortError(signal) : error
  }
}

/** A caller who went away is `cancelled`, a deadline is `deadline-exceeded`. Source: spec, section 8. */
function abortError(signal: AbortSignal): AppError {
  const reason: unknown = signal.reason
  if (reason instanceof AppError) return reason
  const isTimeout = reason instanceof Error && reason.name === 'TimeoutError'
  return isTimeout
    ? refuse('stopped', undefined, { cause: reason })
    : new AppError('cancelled', 'The request was cancelled. Nothing was changed.', { cause: reason })
}

/** Serialization failure or deadlock: the same work succeeds when it is repeated. */
const isConflict = (error: unknown): boolean =>
  isDatabaseError(error) && (error.code === '40001' || error.code === '40P01')
