import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { eachOrganization, insideOrganization } from '../../platform/jobs/housekeeping.ts'
import { changesSince } from '../../platform/live/changes-since.ts'
import { type DueSubject, markAllDue, markDue } from '../../platform/operations/alert-dues.ts'
import { evaluateSubjects } from './evaluate-alerts.ts'
import { subjectsOfChanges } from './subjects-of-changes.ts'

export type EvaluationServices = Pick<Services, 'db' | 'clock' | 'log' | 'jobs'>

/** Subjects of one transaction: few enough that nobody waits long for one of them. */
export const batchSize = 100
/** Batches of an organization in one tick: the others have their turn, and the process can stop. */
const maxBatches = 5
/** How old `evaluated_at` gets while nothing happens. */
const quietTime = '10 seconds'

/** What a tick did. */
export interface Tick {
  readonly evaluated: number
  /** How long what was evaluated had been due, milliseconds; the longest. */
  readonly lagMs: number
  /** More was due than one tick takes. */
  readonly hasMore: boolean
}

/** What went wrong in organizations, and what the tick did in the others. */
export class FailedTick extends AggregateError {
  override readonly name = 'FailedTick'
  readonly tick: Tick

  constructor({ errors, message }: AggregateError, tick: Tick) {
    super(errors, message)
    this.tick = tick
  }
}

const together = (ticks: readonly Tick[]): Tick => ({
  evaluated: ticks.reduce((sum, { evaluated }) => sum + evaluated, 0),
  lagMs: Math.max(0, ...ticks.map(({ lagMs }) => lagMs)),
  hasMore: ticks.some(({ hasMore }) => hasMore),
})

/**
 * Evaluates what is due now, in every organization that has something, a few batches of each: work of a tick is proportional to what is due. Any
 * number of processes may do it at once, each takes what no other one has.
 *
 * @throws FailedTick with what went wrong in organizations, after all of them.
 * @see docs/decisions/0094-alerts-are-evaluated-when-due.md
 */
export async function evaluateDue(services: EvaluationServices): Promise<Tick> {
  const { db, clock } = services
  // the database's clock like the transactions below, and not this computer's
  const { rows } = await db.pool.query<{ org_id: string }>(
    'select org_id from organizations_to_evaluate(coalesce($1::timestamptz, now()), $2::interval)',
    [clock.isSystem ? null : clock.now(), quietTime],
  )
  const ticks: Tick[] = []
  try {
    await eachOrganization(
      rows.map(({ org_id: orgId }) => orgId),
      async (orgId) => ticks.push(await evaluateDueOf(services, orgId)),
    )
  } catch (error) {
    if (error instanceof AggregateError) throw new FailedTick(error, together(ticks))
    throw error
  }
  return together(ticks)
}

/** A tick of one organization. Changes are read before each batch, so that what is urgent waits for one batch at most. */
export async function evaluateDueOf(services: EvaluationServices, orgId: string): Promise<Tick> {
  const inside = <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
    insideOrganization(services, orgId, 'alerts-evaluate', run)
  const batches: Tick[] = []
  let markedAt: Date | null = null
  for (let hasMore = true; hasMore && batches.length < maxBatches;) {
    markedAt = (await inside((tx) => markChanges(tx, orgId))) ?? markedAt
    const batch = await inside((tx) => evaluateBatch(tx, orgId))
    batches.push(batch)
    hasMore = batch.hasMore
  }
  const until = markedAt
  if (until) await inside((tx) => writeEvaluatedAt(tx, orgId, until))
  return { ...together(batches), hasMore: batches.at(-1)?.hasMore ?? false }
}

/** Makes due what was changed since changes were read last. @returns up to when they have been read; null while another process does it. */
async function markChanges(tx: Tx, orgId: string): Promise<Date | null> {
  await sql`insert into alert_evaluations (org_id, evaluated_at) values (${orgId}, app_now()) on conflict do nothing`.execute(
    tx,
  )
  const { rows } = await sql<{ seen: string | null; now: Date }>`
    select seen, app_now() as now from alert_evaluations where org_id = ${orgId} for update skip locked`.execute(tx)
  const [position] = rows
  if (!position) return null
  const { seen, changed } = await changesSince({ tx, orgId }, position.seen)
  if (seen === position.seen) return position.now
  const { subjects, isEverything } = await subjectsOfChanges(tx, orgId, changed)
  await (isEverything ? markAllDue(tx, orgId, subjects) : markDue(tx, orgId, subjects))
  await sql`update alert_evaluations set seen = ${seen} where org_id = ${orgId}`.execute(tx)
  return position.now
}

interface Claimed extends DueSubject {
  lagMs: number
}

/** What has a cause of its own, oldest first, and then what is due with everything else. */
async function evaluateBatch(tx: Tx, orgId: string): Promise<Tick> {
  const { rows: urgent } = await sql<Claimed>`
    select subject_kind as kind, subject_id as id, (extract(epoch from app_now() - due_at) * 1000)::float8 as "lagMs" from alert_dues
    where org_id = ${orgId} and due_at <= app_now() order by due_at limit ${batchSize} for update skip locked`.execute(
    tx,
  )
  const claimed = [...urgent, ...(await claimAllDue(tx, orgId, batchSize - urgent.length))]
  if (claimed.length > 0)
    await evaluateSubjects(
      tx,
      orgId,
      claimed.map(({ kind, id }) => ({ kind, id })),
    )
  return {
    evaluated: claimed.length,
    lagMs: Math.max(0, ...claimed.map(({ lagMs }) => lagMs)),
    hasMore: claimed.length === batchSize,
  }
}

async function claimAllDue(tx: Tx, orgId: string, count: number): Promise<readonly Claimed[]> {
  if (count === 0) return []
  const { rows } = await sql<Claimed>`
    select subject_kind as kind, subject_id as id, (extract(epoch from app_now() - all_due_at) * 1000)::float8 as "lagMs" from alert_dues
    where org_id = ${orgId} and all_due_at is not null and due_at > app_now() order by all_due_at limit ${count} for update skip locked`.execute(
    tx,
  )
  return rows
}

/** Writes until when everything has been evaluated: what another process has begun counts as not yet. */
const writeEvaluatedAt = (tx: Tx, orgId: string, markedAt: Date): Promise<unknown> =>
  sql`update alert_evaluations e set evaluated_at = greatest(e.evaluated_at, until.at)
    from (select least(${markedAt}::timestamptz, min(due_at), min(all_due_at)) as at from alert_dues where org_id = ${orgId}) until
    where e.org_id = ${orgId} and until.at - e.evaluated_at >= interval '5 seconds'`.execute(tx)
