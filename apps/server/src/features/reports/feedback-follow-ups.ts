import { refuse } from '@tour-ops/contract/refusals'
import { closeFeedback, reopenFeedback, takeFeedback } from '@tour-ops/contract/reports/feedback'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { assigned, updateVersioned } from '../../platform/version-conflict.ts'

/** What becomes of a feedback, by column. */
interface Step {
  readonly owner_user_id: string
  readonly note: string | null
  readonly closed_at: Date | null
  readonly closed_by: string | null
}

interface Seen {
  readonly id: string
  /** Null before anybody took it. */
  readonly version: number | null
}

/** @throws AppError `not-found`; `aborted`, reason `version_conflict`, or `conflict` where somebody took it first. */
async function write(
  { tx, orgId }: MemberCall,
  { id, version }: Seen,
  step: Step,
): Promise<{ id: string; version: number }> {
  if (version !== null) return updateVersioned(tx, 'feedback_follow_ups', { orgId, id, version }, assigned({ ...step }))
  const { rows: said } = await sql`select from feedback where org_id = ${orgId} and id = ${id}`.execute(tx)
  if (said.length === 0) throw notFound('record')
  const { rows } = await sql`
    insert into feedback_follow_ups (org_id, id, owner_user_id, note, closed_at, closed_by)
    values (${orgId}, ${id}, ${step.owner_user_id}, ${step.note}, ${step.closed_at}, ${step.closed_by})
    on conflict do nothing returning id`.execute(tx)
  if (rows.length === 0) throw refuse('conflict')
  return { id, version: 1 }
}

const open = { note: null, closed_at: null, closed_by: null }

const take = verb(takeFeedback, (call, seen) => write(call, seen, { owner_user_id: call.caller.userId, ...open }))

const close = verb(closeFeedback, (call, { note, ...seen }) => {
  const { userId } = call.caller
  return write(call, seen, { owner_user_id: userId, note, closed_at: call.clock.now(), closed_by: userId })
})

const reopen = verb(reopenFeedback, ({ tx, orgId }, { id, version }) =>
  updateVersioned(
    tx,
    'feedback_follow_ups',
    { orgId, id, version },
    sql`owner_user_id = case when closed_at is not null then owner_user_id end, ${assigned(open)}`,
  ),
)

export const followUpVerbs: Verb[] = [take, close, reopen]
