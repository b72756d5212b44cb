import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { eachOrganization, insideOrganization, organizationIds } from '../../platform/jobs/housekeeping.ts'
import { type ChangesSince, changesSince } from '../../platform/live/changes-since.ts'
import type { DueSubject } from '../../platform/operations/alert-dues.ts'
import { batchSize, evaluateDueOf, type EvaluationServices } from './due-evaluation.ts'
import { selectAllSubjects, subjectKey } from './due-subjects.ts'
import { evaluateSubjects, type TouchedAlert } from './evaluate-alerts.ts'
import { lockStates } from './evaluation-state.ts'
import { subjectsOfChanges } from './subjects-of-changes.ts'

/**
 * The slow check behind the due times: evaluates everything of an organization, and reports which alerts it had to open, resolve or bring up to
 * date although nothing was due. There should never be any. What is due has its turn before each batch.
 */
export async function checkEverything(services: EvaluationServices, orgId: string): Promise<TouchedAlert[]> {
  const inside = <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
    insideOrganization(services, orgId, 'alerts-check', run)
  const subjects = await inside((tx) => selectAllSubjects(tx, orgId))
  const missed: TouchedAlert[] = []
  for (let from = 0; from < subjects.length; from += batchSize) {
    await evaluateDueOf(services, orgId)
    missed.push(...(await inside((tx) => checkBatch(tx, orgId, subjects.slice(from, from + batchSize)))))
  }
  await inside((tx) => sql`update alert_evaluations set checked_at = app_now() where org_id = ${orgId}`.execute(tx))
  if (missed.length > 0)
    services.log.error({ orgId, missed: missed.slice(0, 20), count: missed.length }, 'due times missed alerts')
  return missed
}

/** What is due belongs to the ticks: also what became due while this waited for the locks. @returns what it had to write, less what changes explain. */
async function checkBatch(tx: Tx, orgId: string, subjects: readonly DueSubject[]): Promise<TouchedAlert[]> {
  const { states } = await lockStates(tx, orgId, subjects)
  const notDue = [...states.values()].filter(({ isDue }) => !isDue).map(({ subject }) => subject)
  const before = await selectUnread(tx, orgId)
  const { touched } = await evaluateSubjects(tx, orgId, notDue)
  if (touched.length === 0) return []
  const after = await selectUnread(tx, orgId)
  // of these it cannot be said which alerts this transaction has written itself
  const others = after && new Map([...after].filter(([topic]) => topic !== 'alerts'))
  const explained = new Set<string>()
  for (const changed of [before, others])
    for (const subject of (await subjectsOfChanges(tx, orgId, changed)).subjects) explained.add(subjectKey(subject))
  return touched.filter(({ subject }) => !explained.has(subject))
}

/** Changes that no tick has read yet. */
async function selectUnread(tx: Tx, orgId: string): Promise<ChangesSince['changed']> {
  const { rows } = await sql<{ seen: string | null }>`
    select seen from alert_evaluations where org_id = ${orgId}`.execute(tx)
  return (await changesSince({ tx, orgId }, rows[0]?.seen ?? null)).changed
}

/** Every hour. @throws AggregateError with what went wrong in organizations, after all of them. */
export const checkAllOrganizations = async (services: EvaluationServices): Promise<void> =>
  eachOrganization(await organizationIds(services), (orgId) => checkEverything(services, orgId))
