import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** What alerts are evaluated by: everything that can be said of one of these follows from it and what hangs on it. */
export const dueKinds = ['departure', 'staff', 'vehicle', 'booking', 'message', 'alert'] as const

export interface DueSubject {
  readonly kind: (typeof dueKinds)[number]
  readonly id: string
}

/**
 * INSERT that has the alerts of some subjects evaluated at the next tick, in the transaction that it runs in. In the order of their keys, as
 * everybody who locks several.
 *
 * @param subjects SELECT of `kind` and `id`.
 */
export const markDueFrom = (orgId: string, subjects: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into alert_dues as u (org_id, subject_kind, subject_id, due_at)
  select distinct ${orgId}, s.kind, s.id, app_now() from (${subjects}) s (kind, id)
  order by s.kind, s.id
  on conflict (org_id, subject_kind, subject_id) do update set due_at = excluded.due_at where u.due_at > excluded.due_at`

/** The same of subjects that are known by name. */
export async function markDue(tx: Tx, orgId: string, subjects: readonly DueSubject[]): Promise<void> {
  if (subjects.length === 0) return
  await markDueFrom(orgId, sql`select * from ${listed(subjects)}`).execute(tx)
}

/** Has these evaluated with everything else of the organization: after what has a cause of its own, and their own moments stay. */
export async function markAllDue(tx: Tx, orgId: string, subjects: readonly DueSubject[]): Promise<void> {
  if (subjects.length === 0) return
  await sql`
    insert into alert_dues as u (org_id, subject_kind, subject_id, all_due_at)
    select ${orgId}, s.kind, s.id, app_now() from ${listed(subjects)} order by s.kind, s.id
    on conflict (org_id, subject_kind, subject_id) do update set all_due_at = excluded.all_due_at where u.all_due_at is null`.execute(
    tx,
  )
}

/** The same for the alerts of all staff: their rests depend on how long ways are. */
export async function markAllStaffDue(tx: Tx, orgId: string): Promise<void> {
  await sql`
    insert into alert_dues as u (org_id, subject_kind, subject_id, all_due_at)
    select org_id, subject_kind, subject_id, app_now() from alert_dues where org_id = ${orgId} and subject_kind = 'staff' order by subject_id
    on conflict (org_id, subject_kind, subject_id) do update set all_due_at = excluded.all_due_at where u.all_due_at is null`.execute(
    tx,
  )
}

/** Subjects as a table `s` of `kind` and `id`. */
export const listed = (subjects: readonly DueSubject[]): RawBuilder<unknown> =>
  sql`unnest(${subjects.map(({ kind }) => kind)}::text[], ${subjects.map(({ id }) => id)}::uuid[]) s (kind, id)`
