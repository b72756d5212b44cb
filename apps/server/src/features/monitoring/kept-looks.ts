import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { DueSubject } from '../../platform/operations/alert-dues.ts'
import { subjectKey } from './due-subjects.ts'

/** What was so of a subject when it was evaluated last. */
export interface FormerLook {
  readonly subject: DueSubject
  readonly evaluatedAt: Date | null
  /** Dedupe keys that were true. */
  readonly firing: readonly string[]
  /** Of open alerts that were not: since when, by dedupe key. */
  readonly lapsing: Readonly<Record<string, string>>
}

export interface Look {
  readonly subject: DueSubject
  readonly firing: string[]
  /** A map, because entries leave it. */
  readonly lapsing: Map<string, string>
}

/** What was true stays open this long after it is so no more: what comes and goes is one alert. */
export const lapseMs = 60_000

/** Locks what is known of subjects, in the order of their keys, and makes what is not known. With the moment of the transaction. */
export async function lockFormer(
  tx: Tx,
  orgId: string,
  subjects: readonly DueSubject[],
): Promise<{ readonly now: Date; readonly looks: ReadonlyMap<string, FormerLook> }> {
  const given = sql`unnest(${subjects.map(({ kind }) => kind)}::text[], ${subjects.map(({ id }) => id)}::uuid[]) s (kind, id)`
  await sql`insert into alert_dues (org_id, subject_kind, subject_id) select ${orgId}, s.kind, s.id from ${given} order by 2, 3
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<Omit<FormerLook, 'subject'> & DueSubject & { now: Date }>`
    select u.subject_kind as kind, u.subject_id as id, u.evaluated_at as "evaluatedAt", u.firing, u.lapsing, app_now() as now
    from ${given} join alert_dues u on u.org_id = ${orgId} and u.subject_kind = s.kind and u.subject_id = s.id
    order by u.subject_kind, u.subject_id for update of u`.execute(tx)
  const looks = rows.map(({ kind, id, evaluatedAt, firing, lapsing }) => ({
    subject: { kind, id },
    evaluatedAt,
    firing,
    lapsing,
  }))
  return {
    now: rows[0]?.now ?? new Date(0),
    looks: new Map(looks.map((look) => [subjectKey(look.subject), look])),
  }
}

/** Keeps what is so now, with when each is due next: the first of its times, and a minute after what lapses began to. */
export async function keepLooks(
  tx: Tx,
  orgId: string,
  looks: ReadonlyMap<string, Look>,
  times: readonly (readonly [key: string, at: Date])[],
): Promise<void> {
  const dues = new Map<string, number>()
  const add = (key: string, at: number): unknown => dues.set(key, Math.min(at, dues.get(key) ?? Infinity))
  for (const [key, at] of times) add(key, at.getTime())
  for (const [key, { lapsing }] of looks) for (const since of lapsing.values()) add(key, Date.parse(since) + lapseMs)
  const rows = JSON.stringify(
    [...looks].map(([key, { subject, firing, lapsing }]) => {
      const at = dues.get(key)
      return {
        ...subject,
        due: at === undefined ? 'infinity' : new Date(at),
        firing: firing.toSorted(),
        lapsing: Object.fromEntries(lapsing),
      }
    }),
  )
  await sql`
    with look as (
      select * from jsonb_to_recordset(${rows}::jsonb) as l (kind text, id uuid, due timestamptz, firing text[], lapsing jsonb)
    ), forgotten as (
      delete from alert_dues u using look l where u.org_id = ${orgId} and u.subject_kind = l.kind and u.subject_id = l.id
        and l.due = 'infinity' and l.firing = '{}'
    )
    update alert_dues u set due_at = l.due, evaluated_at = app_now(), firing = l.firing, lapsing = l.lapsing from look l
    where u.org_id = ${orgId} and u.subject_kind = l.kind and u.subject_id = l.id and not (l.due = 'infinity' and l.firing = '{}')`.execute(
    tx,
  )
}
