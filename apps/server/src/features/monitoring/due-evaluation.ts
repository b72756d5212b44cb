import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { eachOrganization, insideOrganization, organizationIds } from '../../platform/jobs/housekeeping.ts'
import { changesSince } from '../../platform/live/changes-since.ts'
import { type DueSubject, markDue } from '../../platform/operations/alert-dues.ts'
import { selectAllSubjects, subjectKey } from './due-subjects.ts'
import { evaluateSubjects, type TouchedAlert } from './evaluate-alerts.ts'
import { subjectsOfChanges } from './subjects-of-changes.ts'

type EvaluationServices = Pick<Services, 'db' | 'clock' | 'log' | 'jobs'>

/** Subjects of one transaction: few enough that nobody waits long for one of them. */
const batchSize = 100
/** How old `evaluated_at` gets while nothing happens. */
const quietTime = '10 seconds'

/** What a tick did. */
export interface Tick {
  readonly evaluated: number
  /** How long what was evaluated had been due, milliseconds; the longest. */
  readonly lagMs: number
}

/**
 * Evaluates what is due now, in every organization that has something: work of a tick is proportional to what is due. Any number of
 * processes may do it at once, each takes what no other one has.
 *
 * @throws AggregateError with what went wrong in organizations, after all of them.
 * @see docs/decisions/0094-alerts-are-evaluated-when-due.md
 */
export async function evaluateDue(services: EvaluationServices): Promise<Tick> {
  const { rows } = await services.db.pool.query<{ org_id: string }>(
    'select org_id from organizations_to_evaluate($1, $2::interval)',
    [services.clock.now(), quietTime],
  )
  const ticks: Tick[] = []
  await eachOrganization(
    rows.map(({ org_id: orgId }) => orgId),
    async (orgId) => ticks.push(await evaluateDueOf(services, orgId)),
  )
  return {
    evaluated: ticks.reduce((sum, { evaluated }) => sum + evaluated, 0),
    lagMs: Math.max(0, ...ticks.map(({ lagMs }) => lagMs)),
  }
}

async function evaluateDueOf(services: EvaluationServices, orgId: string): Promise<Tick> {
  const inside = <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
    insideOrganization(services, orgId, 'alerts-evaluate', run)
  const startedAt = services.clock.now()
  const marked = await inside((tx) => markChanges(tx, orgId))
  let evaluated = 0
  let lagMs = 0
  for (;;) {
    const batch = await inside((tx) => evaluateBatch(tx, orgId))
    evaluated += batch.evaluated
    lagMs = Math.max(lagMs, batch.lagMs)
    if (batch.evaluated < batchSize) break
  }
  if (marked) await inside((tx) => writeEvaluatedAt(tx, orgId, startedAt))
  return { evaluated, lagMs }
}

/** Makes what was changed since the last look due now. @returns whose; null while another process is at it. */
async function markChanges(tx: Tx, orgId: string): Promise<readonly DueSubject[] | null> {
  await sql`insert into alert_evaluations (org_id, evaluated_at) values (${orgId}, app_now()) on conflict do nothing`.execute(
    tx,
  )
  const { rows } = await sql<{ seen: string | null }>`
    select seen from alert_evaluations where org_id = ${orgId} for update skip locked`.execute(tx)
  const [position] = rows
  if (!position) return null
  const { seen, changed } = await changesSince({ tx, orgId }, position.seen)
  if (seen === position.seen) return []
  const subjects = await subjectsOfChanges(tx, orgId, changed)
  await markDue(tx, orgId, subjects)
  await sql`update alert_evaluations set seen = ${seen} where org_id = ${orgId}`.execute(tx)
  return subjects
}

async function evaluateBatch(tx: Tx, orgId: string): Promise<Tick> {
  const { rows } = await sql<DueSubject & { lagMs: number }>`
    select subject_kind as kind, subject_id as id, (extract(epoch from app_now() - due_at) * 1000)::float8 as "lagMs" from alert_dues
    where org_id = ${orgId} and due_at <= app_now() order by due_at limit ${batchSize} for update skip locked`.execute(
    tx,
  )
  if (rows.length > 0)
    await evaluateSubjects(
      tx,
      orgId,
      rows.map(({ kind, id }) => ({ kind, id })),
    )
  return { evaluated: rows.length, lagMs: Math.max(0, ...rows.map((row) => row.lagMs)) }
}

/** Says until when everything has been evaluated: what another process has begun counts as not yet. */
const writeEvaluatedAt = (tx: Tx, orgId: string, startedAt: Date): Promise<unknown> =>
  sql`update alert_evaluations e set evaluated_at = greatest(e.evaluated_at, until.at)
    from (select least(${startedAt}::timestamptz, min(due_at)) as at from alert_dues where org_id = ${orgId}) until
    where e.org_id = ${orgId} and until.at - e.evaluated_at >= interval '5 seconds'`.execute(tx)

/**
 * The slow check behind the due times: evaluates everything of an organization, and tells which alerts it had to open, resolve or bring up to
 * date although nothing was due. There should never be any.
 */
export async function checkEverything(services: EvaluationServices, orgId: string): Promise<TouchedAlert[]> {
  const inside = <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
    insideOrganization(services, orgId, 'alerts-check', run)
  const subjects = await inside((tx) => selectAllSubjects(tx, orgId))
  const missed: TouchedAlert[] = []
  for (let from = 0; from < subjects.length; from += batchSize) {
    missed.push(...(await inside((tx) => checkBatch(tx, orgId, subjects.slice(from, from + batchSize)))))
  }
  await inside((tx) => sql`update alert_evaluations set checked_at = app_now() where org_id = ${orgId}`.execute(tx))
  if (missed.length > 0)
    services.log.error({ orgId, missed: missed.slice(0, 20), count: missed.length }, 'due times missed alerts')
  return missed
}

/** @returns what it had to write, less what was changed at the same moment. */
async function checkBatch(tx: Tx, orgId: string, subjects: readonly DueSubject[]): Promise<TouchedAlert[]> {
  await markChanges(tx, orgId)
  const { touched } = await evaluateSubjects(tx, orgId, await selectNotDue(tx, orgId, subjects))
  if (touched.length === 0) return []
  const explained = await selectChangedMeanwhile(tx, orgId)
  return touched.filter(({ subject }) => !explained.has(subject))
}

/** What others have changed since the marks, by `subjectKey`: not what this transaction has written to alerts. */
async function selectChangedMeanwhile(tx: Tx, orgId: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    seen: string | null
  }>`select seen from alert_evaluations where org_id = ${orgId}`.execute(tx)
  const { changed } = await changesSince({ tx, orgId }, rows[0]?.seen ?? null)
  const others = changed && new Map([...changed].filter(([topic]) => topic !== 'alerts'))
  return new Set((await subjectsOfChanges(tx, orgId, others)).map(subjectKey))
}

/** What is due belongs to the ticks. */
async function selectNotDue(tx: Tx, orgId: string, subjects: readonly DueSubject[]): Promise<DueSubject[]> {
  const { rows } = await sql<DueSubject>`
    select s.kind, s.id from unnest(${subjects.map(({ kind }) => kind)}::text[], ${subjects.map(({ id }) => id)}::uuid[]) s (kind, id)
    where not exists (select from alert_dues u where u.org_id = ${orgId} and u.subject_kind = s.kind and u.subject_id = s.id and u.due_at <= app_now())`.execute(
    tx,
  )
  return rows
}

/** Every hour. @throws AggregateError with what went wrong in organizations, after all of them. */
export const checkAllOrganizations = async (services: EvaluationServices): Promise<void> =>
  eachOrganization(await organizationIds(services), (orgId) => checkEverything(services, orgId))
