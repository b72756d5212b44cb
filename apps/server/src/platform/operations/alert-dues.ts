import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** What alerts are evaluated by: everything that can be said of one of these follows from it and what hangs on it. */
export const dueKinds = ['departure', 'staff', 'vehicle', 'booking', 'message', 'alert'] as const

export interface DueSubject {
  readonly kind: (typeof dueKinds)[number]
  readonly id: string
}

/** Has the alerts of these evaluated at the next tick, in this transaction. In the order of their keys, as everybody who locks several. */
export async function markDue(tx: Tx, orgId: string, subjects: readonly DueSubject[]): Promise<void> {
  if (subjects.length === 0) return
  await sql`
    insert into alert_dues as u (org_id, subject_kind, subject_id, due_at)
    select distinct ${orgId}, s.kind, s.id, app_now() from unnest(${subjects.map(({ kind }) => kind)}::text[], ${subjects.map(({ id }) => id)}::uuid[]) s (kind, id)
    order by s.kind, s.id
    on conflict (org_id, subject_kind, subject_id) do update set due_at = excluded.due_at where u.due_at > excluded.due_at`.execute(
    tx,
  )
}
