import { refuse } from '@tour-ops/contract/refusals'
import { askAgainS, type AskRefusal } from '@tour-ops/contract/tracking/ask-terms'
import { askPosition, getPositionAsk, type PositionAsk } from '@tour-ops/contract/tracking/position-ask'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { isoOrNull } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { rightWithinS } from './write-positions.ts'

interface AskRecord {
  because: AskRefusal | null
  askedAt: Date | null
  answeredAt: Date | null
}

/** A clock that is right within a minute leaves its fixes as they are; to compare one with the moment of a question, those seconds count. */
const takenAt = sql`l.recorded_at - make_interval(secs => case when abs(g.clock_skew_s) < ${rightWithinS} then g.clock_skew_s else 0 end)`

/** @throws AppError `not-found` for nobody of this organization. */
async function askOf({ tx, orgId }: MemberCall, staffId: string): Promise<PositionAsk> {
  const { rows } = await sql<AskRecord>`
    select u.asked_at as "askedAt", case when ${takenAt} > u.asked_at then l.recorded_at end as "answeredAt",
      case when u.id is null then 'off_duty' when u.tracked_from is null then 'no_consent' when u.break_started_at is not null then 'on_break'
        when not exists (select from devices d where d.org_id = s.org_id and d.staff_id = s.id and d.is_duty_page and d.archived_at is null
          and d.token_expires_at > app_now()) then 'no_duty_page' end as because
    from field_staff s
      left join duty_sessions u on u.org_id = s.org_id and u.staff_id = s.id and u.status = 'open'
      left join latest_positions l on l.org_id = s.org_id and l.subject_id = s.id and l.duty_session_id = u.id
      left join device_signals g on g.org_id = l.org_id and g.device_id = l.device_id
    where s.org_id = ${orgId} and s.id = ${staffId}`.execute(tx)
  if (!rows[0]) throw notFound('field_staff')
  const { because, askedAt, answeredAt } = rows[0]
  return { because, askedAt: isoOrNull(askedAt), answeredAt: isoOrNull(answeredAt) }
}

const get = verb(getPositionAsk, (call, { staffId }) => askOf(call, staffId))

/** The phone finds the question in its day. */
const ask = verb(askPosition, async (call, { staffId }) => {
  const { because } = await askOf(call, staffId)
  if (because !== null) throw refuse('position_not_asked', { because })
  await sql`update duty_sessions set asked_at = app_now() where org_id = ${call.orgId} and staff_id = ${staffId} and status = 'open'
    and (asked_at is null or asked_at <= app_now() - make_interval(secs => ${askAgainS}))`.execute(call.tx)
  return askOf(call, staffId)
})

export const positionAskVerbs: Verb[] = [get, ask]
