import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { type DueSubject, listed } from '../../platform/operations/alert-dues.ts'
import { subjectKey } from './due-subjects.ts'

/** What was true of a subject when it was evaluated last. */
export interface StoredState {
  readonly subject: DueSubject
  readonly evaluatedAt: Date | null
  /** It is to be evaluated now. */
  readonly isDue: boolean
  /** Dedupe keys that were true. */
  readonly firing: readonly string[]
  /** Of open alerts that were not: since when, by dedupe key. */
  readonly lapsing: Readonly<Record<string, string>>
}

/** What is true of a subject now. */
export interface NewState {
  readonly subject: DueSubject
  readonly firing: string[]
  /** A map, because entries leave it. */
  readonly lapsing: Map<string, string>
}

/** What was true stays open this long after it is so no more: what comes and goes is one alert. */
export const lapseMs = 60_000

/** Locks the stored states of subjects, in the order of their keys, and creates those that are not there. With the moment of the transaction. */
export async function lockStates(
  tx: Tx,
  orgId: string,
  subjects: readonly DueSubject[],
): Promise<{ readonly now: Date; readonly states: ReadonlyMap<string, StoredState> }> {
  await sql`insert into alert_dues (org_id, subject_kind, subject_id) select ${orgId}, s.kind, s.id from ${listed(subjects)} order by 2, 3
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<Omit<StoredState, 'subject'> & DueSubject & { now: Date }>`
    select u.subject_kind as kind, u.subject_id as id, u.evaluated_at as "evaluatedAt",
      u.due_at <= app_now() or u.all_due_at is not null as "isDue", u.firing, u.lapsing, app_now() as now
    from ${listed(subjects)} join alert_dues u on u.org_id = ${orgId} and u.subject_kind = s.kind and u.subject_id = s.id
    order by u.subject_kind, u.subject_id for update of u`.execute(tx)
  const states = rows.map(({ kind, id, ...state }) => ({ ...state, subject: { kind, id } }))
  return {
    now: rows[0]?.now ?? new Date(0),
    states: new Map(states.map((state) => [subjectKey(state.subject), state])),
  }
}

/** Stores what is true now, with when each is due next: the first of its times, and a minute after what lapses began to. */
export async function writeStates(
  tx: Tx,
  orgId: string,
  states: ReadonlyMap<string, NewState>,
  times: readonly (readonly [key: string, at: Date])[],
): Promise<void> {
  const dues = new Map<string, number>()
  const add = (key: string, at: number): unknown => dues.set(key, Math.min(at, dues.get(key) ?? Infinity))
  for (const [key, at] of times) add(key, at.getTime())
  for (const [key, { lapsing }] of states) for (const since of lapsing.values()) add(key, Date.parse(since) + lapseMs)
  const rows = JSON.stringify(
    [...states].map(([key, { subject, firing, lapsing }]) => {
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
    with state as (
      select * from jsonb_to_recordset(${rows}::jsonb) as n (kind text, id uuid, due timestamptz, firing text[], lapsing jsonb)
    ), forgotten as (
      delete from alert_dues u using state n where u.org_id = ${orgId} and u.subject_kind = n.kind and u.subject_id = n.id
        and n.due = 'infinity' and n.firing = '{}'
    )
    update alert_dues u set due_at = n.due, all_due_at = null, evaluated_at = app_now(), firing = n.firing, lapsing = n.lapsing from state n
    where u.org_id = ${orgId} and u.subject_kind = n.kind and u.subject_id = n.id and not (n.due = 'infinity' and n.firing = '{}')`.execute(
    tx,
  )
}
