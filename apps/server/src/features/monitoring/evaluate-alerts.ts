import { conditionGoneNote } from '@tour-ops/contract/monitoring/alerts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import type { DueSubject } from '../../platform/operations/alert-dues.ts'
import { selectAlertRules } from '../../platform/operations/alert-limits.ts'
import { closeAlertsOfCancelled } from '../../platform/operations/cancelled-alerts.ts'
import { withoutMuted } from './alert-mutes.ts'
import { gravityOf } from './alerts-store.ts'
import { evaluatedKinds, selectSignals } from './alert-signals.ts'
import { idsByKind, selectAllSubjects, subjectKey, subjectOfAlert } from './due-subjects.ts'
import { factsNow } from './facts-now.ts'
import { lapseMs, lockStates, type NewState, type StoredState, writeStates } from './evaluation-state.ts'
import { selectNextDues } from './next-dues.ts'
import type { Signal } from './signal.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/** What one evaluation did. */
interface Evaluation {
  readonly opened: number
  readonly resolved: number
}

/** An alert that an evaluation opened, resolved or brought up to date. */
export interface TouchedAlert {
  readonly key: string
  /** `subjectKey` of what it was evaluated with. */
  readonly subject: string
}

interface OpenAlert {
  id: string
  key: string
  status: string
  isEvaluated: boolean
  subjectKind: DueSubject['kind']
  subjectId: string
}

/**
 * Compares what is true of some subjects with their open alerts: opens, brings up to date, wakes what was snoozed, and resolves what has been
 * false for a minute, a weather warning at once. What a person has closed stays closed for as long as it goes on being true, unless it gets graver; what
 * is muted is not looked at until that ends. Writes when each of
 * them is due next. Twice at once does no harm: the second waits for the first. See docs/domain.md, "Alerts".
 */
export async function evaluateSubjects(
  tx: Tx,
  orgId: string,
  subjects: readonly DueSubject[],
): Promise<Evaluation & { readonly touched: readonly TouchedAlert[] }> {
  const stored = await lockStates(tx, orgId, subjects)
  const rules = await selectAlertRules(tx, orgId)
  const ids = idsByKind(subjects)
  const signals = await withoutMuted(tx, orgId, oncePerKey(await selectSignals(tx, orgId, ids, rules)))
  const cancelled = await closeAlertsOfCancelled(tx, orgId, ids.departure)
  const open = await selectOpen(tx, orgId, [...stored.states.keys()])
  await wakeSnoozed(tx, orgId, open)
  const raised = await raise(tx, orgId, signals, stored.states)
  const states = newStatesOf(signals, open, stored)
  const gone = goneOf(open, states, stored.now)
  const resolved = await resolveGone(tx, orgId, gone)
  const dues = await selectNextDues(tx, orgId, ids, rules)
  const wakes = await selectWakes(tx, orgId, open)
  await writeStates(tx, orgId, states, [...dues, ...wakes])
  return {
    opened: raised.filter(({ isNew }) => isNew).length,
    resolved: resolved + cancelled,
    touched: [...raised, ...gone.map((alert) => ({ key: alert.key, subject: subjectOf(alert) }))],
  }
}

/** Everything at once, whether it is due or not. Also what the due times are held against. */
export async function evaluateAlerts(tx: Tx, orgId: string): Promise<Evaluation> {
  const { opened, resolved } = await evaluateSubjects(tx, orgId, await selectAllSubjects(tx, orgId))
  await sql`insert into alert_evaluations (org_id, evaluated_at) values (${orgId}, app_now())
    on conflict (org_id) do update set evaluated_at = excluded.evaluated_at`.execute(tx)
  return { opened, resolved }
}

/** All of an organization in one transaction: for the demo and for tests. The server itself evaluates by due times. */
export const alertEvaluation: OrganizationSweep = { action: 'alerts-evaluate', run: evaluateAlerts }

/** Two certificates of the same kind are one alert. */
const oncePerKey = (signals: readonly Signal[]): Signal[] => [
  ...new Map(signals.map((signal) => [signal.key, signal])).values(),
]

async function selectOpen(tx: Tx, orgId: string, subjectKeys: readonly string[]): Promise<OpenAlert[]> {
  const { rows } = await sql<OpenAlert>`
    select a.id, a.dedupe_key as key, a.status, a.kind = any (${[...evaluatedKinds]}::text[]) as "isEvaluated", subject.kind as "subjectKind",
      subject.id as "subjectId"
    from alerts a ${subjectOfAlert}
    where a.org_id = ${orgId} and a.status in ${statuses.unresolved} and subject.kind || ':' || subject.id = any (${[...subjectKeys]}::text[])
    order by a.id`.execute(tx)
  return rows
}

const subjectOf = ({ subjectKind, subjectId }: OpenAlert): string => subjectKey({ kind: subjectKind, id: subjectId })
const idsOf = (alerts: readonly OpenAlert[]): string[] => alerts.map(({ id }) => id)
const snoozedOf = (open: readonly OpenAlert[]): string[] => idsOf(open.filter(({ status }) => status === 'snoozed'))

async function wakeSnoozed(tx: Tx, orgId: string, open: readonly OpenAlert[]): Promise<void> {
  const snoozed = snoozedOf(open)
  if (snoozed.length === 0) return
  await sql`update alerts set status = 'open', snoozed_until = null, snoozed_stop_id = null
    where org_id = ${orgId} and id = any (${snoozed}::uuid[]) and status = 'snoozed' and (snoozed_until <= app_now() or exists (
      select from departure_stops s where s.org_id = alerts.org_id and s.id = alerts.snoozed_stop_id and s.status not in ('planned', 'approaching')))`.execute(
    tx,
  )
}

/** When those that still sleep come back, by `subjectKey`. */
async function selectWakes(tx: Tx, orgId: string, open: readonly OpenAlert[]): Promise<[key: string, at: Date][]> {
  const snoozed = snoozedOf(open)
  if (snoozed.length === 0) return []
  const { rows } = await sql<{ id: string; at: Date | null }>`
    select id, snoozed_until as at from alerts where org_id = ${orgId} and id = any (${snoozed}::uuid[]) and status = 'snoozed'`.execute(
    tx,
  )
  const subjects = new Map(open.map((alert) => [alert.id, subjectOf(alert)]))
  return rows.flatMap(({ id, at }) => (at ? [[subjects.get(id) ?? '', at] as [string, Date]] : []))
}

/** Opens what is new and brings the rest up to date. What has become graver wakes up. @returns what it wrote. */
async function raise(
  tx: Tx,
  orgId: string,
  signals: readonly Signal[],
  stored: ReadonlyMap<string, StoredState>,
): Promise<(TouchedAlert & { readonly isNew: boolean })[]> {
  if (signals.length === 0) return []
  const rows = JSON.stringify(
    signals.map(({ of, ...signal }) => {
      const state = stored.get(subjectKey(of))
      return {
        id: newId(),
        ...signal,
        wasFiring: state?.firing.includes(signal.key) ?? false,
        evaluatedAt: state?.evaluatedAt ?? null,
      }
    }),
  )
  const { rows: touched } = await sql<{ key: string; isNew: boolean }>`
    with signal as (
      select * from jsonb_to_recordset(${rows}::jsonb) as s (id uuid, key text, kind text, severity text, "subjectType" text,
        "subjectId" text, "departureId" uuid, title text, evidence jsonb, place jsonb, "wasFiring" boolean, "evaluatedAt" timestamptz)
    )
    insert into alerts as a (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, evidence, place, rule_id, dedupe_key)
    select ${orgId}, s.id, s.kind, s.severity, s."subjectType", s."subjectId", s."departureId", s.title, s.evidence, s.place, s.kind, s.key
    from signal s
    where exists (select from alerts o where o.org_id = ${orgId} and o.dedupe_key = s.key and o.status in ${statuses.unresolved})
      or not exists (
        select from (
          select c.severity, c.resolution, c.resolved_at from alerts c
          where c.org_id = ${orgId} and c.dedupe_key = s.key and c.status = 'resolved' order by c.resolved_at desc limit 1
        ) closed
        where closed.resolution not in ('auto', 'muted') and ${gravityOf(sql.ref('closed.severity'))} >= ${gravityOf(sql.ref('s.severity'))}
          and (s."wasFiring" or closed.resolved_at > s."evaluatedAt"))
    order by s.key
    on conflict (org_id, dedupe_key) where status in ${statuses.unresolved} do update
      set severity = excluded.severity, title = excluded.title, evidence = excluded.evidence, place = excluded.place,
        status = case when a.status = 'snoozed' and ${gravityOf(sql.ref('excluded.severity'))} > ${gravityOf(sql.ref('a.severity'))} then 'open' else a.status end,
        snoozed_stop_id = case when a.status = 'snoozed' and ${gravityOf(sql.ref('excluded.severity'))} > ${gravityOf(sql.ref('a.severity'))} then null else a.snoozed_stop_id end,
        snoozed_until = case when a.status = 'snoozed' and ${gravityOf(sql.ref('excluded.severity'))} > ${gravityOf(sql.ref('a.severity'))} then null else a.snoozed_until end
      where (a.severity, a.title, a.evidence) is distinct from (excluded.severity, excluded.title, excluded.evidence)
    returning a.dedupe_key as key, a.version = 1 as "isNew"`.execute(tx)
  const subjects = new Map(signals.map(({ key, of }) => [key, subjectKey(of)]))
  return touched.map(({ key, isNew }) => ({ key, isNew, subject: subjects.get(key) ?? '' }))
}

/** What is true of each subject now, and since when what is open is true no more. */
function newStatesOf(
  signals: readonly Signal[],
  open: readonly OpenAlert[],
  { now, states }: { readonly now: Date; readonly states: ReadonlyMap<string, StoredState> },
): Map<string, NewState> {
  const found = new Map<string, NewState>(
    [...states].map(([key, { subject }]) => [key, { subject, firing: [], lapsing: new Map() }]),
  )
  for (const { of, key } of signals) found.get(subjectKey(of))?.firing.push(key)
  for (const alert of open) {
    const { key } = alert
    const subject = subjectOf(alert)
    const state = found.get(subject)
    if (!state || !alert.isEvaluated || state.firing.includes(key)) continue
    state.lapsing.set(key, states.get(subject)?.lapsing[key] ?? now.toISOString())
  }
  return found
}

/** A warning that was ended does not come and go. */
const lapseOf = ({ key }: OpenAlert): number => (key.startsWith('weather_warning:') ? 0 : lapseMs)

/** Alerts that have been false for long enough; they lapse no longer. */
function goneOf(open: readonly OpenAlert[], states: ReadonlyMap<string, NewState>, now: Date): OpenAlert[] {
  return open.filter((alert) => {
    const lapsing = states.get(subjectOf(alert))?.lapsing
    const since = lapsing?.get(alert.key)
    if (!lapsing || since === undefined || now.getTime() - Date.parse(since) < lapseOf(alert)) return false
    return lapsing.delete(alert.key)
  })
}

/** A snoozed alert comes back first: that is the only legal way. @returns how many were resolved. */
async function resolveGone(tx: Tx, orgId: string, gone: readonly OpenAlert[]): Promise<number> {
  if (gone.length === 0) return 0
  const these = sql`org_id = ${orgId} and id = any (${idsOf(gone)}::uuid[])`
  await sql`update alerts set status = 'open', snoozed_until = null, snoozed_stop_id = null where ${these} and status = 'snoozed'`.execute(
    tx,
  )
  const { numAffectedRows } =
    await sql`update alerts set status = 'resolved', resolved_at = app_now(), resolution = 'auto',
        resolution_note = ${conditionGoneNote}, resolution_facts = coalesce(${factsNow}, '{}')
      where ${these} and status in ${statuses.standing}`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
