import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Role } from '@tour-ops/contract/identity/access'
import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { sql } from 'kysely'
import { pino } from 'pino'
import { inject } from 'vitest'
import { readConfig } from '../src/config.ts'
import type { Caller, RequestMeta, Services } from '../src/context.ts'
import { outboxChannels } from '../src/platform/channels/outbox-channels.ts'
import { systemClock, type Clock } from '../src/platform/clock.ts'
import type { Database, Tx } from '../src/platform/db/database.ts'
import { inTransaction } from '../src/platform/db/pool.ts'
import { createFiles } from '../src/platform/files/stored-files.ts'
import { embeddedAdmin } from '../src/platform/identity/embedded-admin.ts'
import { newId } from '../src/platform/ids.ts'
import type { EnqueueOptions, Jobs } from '../src/platform/jobs/jobs.ts'
import { KnownDepartures } from '../src/platform/operations/known-departures.ts'
import { openSealing } from '../src/platform/key-registry.ts'
import { Gathered } from '../src/platform/gathered.ts'
import { SharedAnswers } from '../src/platform/shared-answers.ts'
import { AnswersForAWhile } from '../src/platform/answers-for-a-while.ts'
import { liveWrites } from '../src/platform/live/live.ts'
import { execute, type Verb } from '../src/platform/verb.ts'
import { recordsWrittenTwice } from './written-once.ts'
import { openPgliteCopy, openPostgresCopy } from './databases.ts'
import { holdingDeclaredWrites } from './topics.ts'

/** A migrated database for one test file, and people in organizations of their own who call verbs. */
export interface TestWorld {
  readonly database: Database
  readonly services: Services
  /** Jobs that verbs asked for, oldest first. */
  readonly enqueued: readonly EnqueuedJob[]
  /** A member with this role: of a new organization, or of the one named. */
  as(role: Role, options?: MemberOptions): Promise<TestCaller>
  /** What a statement answers to the owner of the database, whatever the organization; forced row-level security binds it too. */
  rows<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]>
  close(): Promise<void>
}

export interface EnqueuedJob {
  readonly name: string
  readonly data: object
  readonly options: EnqueueOptions
}

export interface MemberOptions {
  /** Joins this organization (see `TestCaller.orgId`) instead of founding one. */
  readonly orgId?: string
  /** Links the member with a field-staff record that exists. */
  readonly staffId?: string
  readonly clock?: Clock
}

export interface TestCaller {
  readonly orgId: string
  readonly userId: string
  readonly role: Role
  readonly caller: Caller
  /** Calls a verb the way every transport does, through `execute`. */
  call<C extends Callable>(verb: Verb<C>, input: In<C>, options?: { signal?: AbortSignal }): Promise<Out<C>>
  /** Runs statements in a transaction of the organization, to prepare or to look. */
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>
}

/**
 * Opens a database for the tests of one file: PGlite in memory, or with `TEST_DATABASE=embedded` one on the PostgreSQL of
 * the run. Call it in `beforeAll`, and `close()` in `afterAll`.
 *
 * All services are the real ones over this database, except the jobs, which are only written down (`enqueued`).
 *
 * @param overrides Services that the file wants to replace or to watch.
 */
export async function testDatabase(overrides: Partial<Services> = {}): Promise<TestWorld> {
  const log = overrides.log ?? pino({ level: process.env['TEST_LOG'] ?? 'silent' })
  const postgres = inject('embeddedPostgres')
  const database = holdingDeclaredWrites(postgres ? await openPostgresCopy(postgres, log) : await openPgliteCopy(log))
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'tour-operations-files-'))
  const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'silent' })
  const enqueued: EnqueuedJob[] = []
  const channels = outboxChannels({ db: database, clock: systemClock, delivery: 'outbox' })
  const sealed = await openSealing(config, database)
  const services: Services = {
    config,
    db: database,
    clock: systemClock,
    log,
    files: createFiles(config, sealed),
    channels,
    jobs: recordingJobs(enqueued),
    live: { ...liveWrites, close: async () => undefined },
    identityAdmin: embeddedAdmin({ channels, publicUrl: config.publicUrl, locale: config.locale }),
    sealed,
    reads: new Gathered(),
    shared: new SharedAnswers(),
    knownDepartures: new KnownDepartures(),
    answersForAWhile: new AnswersForAWhile(),
    ...overrides,
  }
  return {
    database,
    services,
    enqueued,
    as: (role, options = {}) => joinAs(services, role, options),
    rows: async <T extends object>(text: string, values: readonly unknown[] = []) =>
      (await database.ownerPool.query<T>(text, [...values])).rows,
    close: async () => {
      const twice = await recordsWrittenTwice(database.ownerPool)
      await database.close()
      await fs.rm(dataDir, { recursive: true, force: true })
      if (twice.length > 0) throw new Error(`Written twice by the call that created them: ${twice.join('; ')}`)
    },
  }
}

/** Writes down what was put on a queue; nothing is worked off. Tests of the jobs themselves bring the real library. */
function recordingJobs(enqueued: EnqueuedJob[]): Jobs {
  return {
    enqueue: async (_tx, name, data, options = {}) => void enqueued.push({ name, data, options }),
    register: () => undefined,
    start: async () => undefined,
    stop: async () => undefined,
  }
}

async function joinAs(services: Services, role: Role, options: MemberOptions): Promise<TestCaller> {
  const orgId = options.orgId ?? `org_${newId()}`
  const userId = `user_${newId()}`
  const person = { userId, email: `${userId}@example.com`, name: `Test ${role}` }
  await insertMember(services.db, { ...person, orgId, role, staffId: options.staffId ?? null })
  const clock = options.clock ?? services.clock
  const caller: Caller = { ...person, sessionId: `session_${newId()}`, orgId }
  return {
    orgId,
    userId,
    role,
    caller,
    call: (verb, input, { signal } = {}) => execute({ ...services, clock }, requestMeta(signal), caller, verb, input),
    transaction: (run) =>
      services.db.transaction(
        { orgId, actor: { kind: 'user', id: userId }, action: 'test', requestId: newId(), clock },
        run,
      ),
  }
}

/** The rule of an organization, set as its administrator would have done. */
export const requireSecondFactor = (caller: TestCaller, roles: readonly Role[], from: string): Promise<unknown> =>
  caller.transaction((tx) =>
    sql`update org_settings set second_factor_roles = ${roles}::text[], second_factor_from = ${from} where org_id = ${caller.orgId}`.execute(
      tx,
    ),
  )

/** A request of unknown origin, for tests that call `execute` themselves. */
export const requestMeta = (signal?: AbortSignal): RequestMeta => ({
  requestId: newId(),
  ip: null,
  signal: signal ?? new AbortController().signal,
})

interface NewMember {
  readonly orgId: string
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly staffId: string | null
}

/** Written by the owner, as the identity service would have done it before. */
async function insertMember({ ownerPool }: Database, member: NewMember): Promise<void> {
  const { orgId, userId, email, name, role, staffId } = member
  await inTransaction(ownerPool, async (client) => {
    await client.query(`insert into organizations (org_id, name) values ($1, $2) on conflict do nothing`, [
      orgId,
      orgId,
    ])
    await client.query(`insert into org_settings (org_id) values ($1) on conflict do nothing`, [orgId])
    await client.query(
      `insert into members (org_id, user_id, email, name, role, staff_id) values ($1, $2, $3, $4, $5, $6)`,
      [orgId, userId, email, name, role, staffId],
    )
  })
}
