import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { type DueSubject, dueKinds } from '../../platform/operations/alert-dues.ts'
import { isAwaited, isOut } from '../../platform/operations/departure-phase.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/** By what a subject is known in maps. */
export const subjectKey = ({ kind, id }: DueSubject): string => `${kind}:${id}`

/** Ids of subjects by kind, for statements. */
export type SubjectIds = Readonly<Record<DueSubject['kind'], readonly string[]>>

export const idsByKind = (subjects: readonly DueSubject[]): SubjectIds =>
  Object.fromEntries(
    dueKinds.map((kind) => [kind, subjects.filter((subject) => subject.kind === kind).map(({ id }) => id)]),
  ) as Record<DueSubject['kind'], string[]>

/** Beside `alerts a`: with what each is evaluated. What nobody evaluates is a subject of its own, for the times that it has. */
export const subjectOfAlert: RawBuilder<unknown> = sql`
  left join assignments resting on resting.org_id = a.org_id and resting.id = case when a.kind = 'rest_violation' then a.subject_id::uuid end
  cross join lateral (select
    case when a.kind = 'hold_expiring' then 'booking' when a.kind = 'message_failed' then 'message' when a.kind = 'certificate_expiring' then a.subject_type
      when resting.id is not null then 'staff'
      when a.kind in ('sos', 'rest_violation') or a.departure_id is null then 'alert' else 'departure' end as kind,
    case when a.kind in ('hold_expiring', 'message_failed', 'certificate_expiring') then a.subject_id::uuid when resting.id is not null then resting.staff_id
      when a.kind in ('sos', 'rest_violation') or a.departure_id is null then a.id else a.departure_id end as id
  ) subject`

/** Everything of an organization that an alert can be about now. */
export async function selectAllSubjects(tx: Tx, orgId: string): Promise<DueSubject[]> {
  const { rows } = await sql<DueSubject>`
    select 'departure' as kind, d.id from departures d where d.org_id = ${orgId} and (${isAwaited} or ${isOut})
    union select 'staff', id from field_staff where org_id = ${orgId} and status = 'active'
    union select 'vehicle', id from vehicles where org_id = ${orgId} and status = 'active'
    union select 'booking', id from bookings where org_id = ${orgId} and status = 'on_hold'
    union select 'message', id from messages where org_id = ${orgId} and status in ('failed', 'partly_failed') and created_at > app_now() - interval '2 days'
    union select subject.kind, subject.id from alerts a ${subjectOfAlert} where a.org_id = ${orgId} and a.status in ${statuses.unresolved}
    union select subject_kind, subject_id from alert_dues where org_id = ${orgId}
    order by kind, id`.execute(tx)
  return rows
}
