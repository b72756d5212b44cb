import { conditionGoneNote } from '@tour-ops/contract/monitoring/monitoring'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { closeAlertsOfCancelled } from '../../platform/operations/cancelled-alerts.ts'
import { factsNow } from './facts-now.ts'
import { evaluatedKinds, selectSignals } from './alert-signals.ts'
import type { Signal } from './signal.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/** What one evaluation did. */
interface Evaluation {
  readonly opened: number
  readonly resolved: number
}

interface Former {
  evaluatedAt: Date
  firing: string[]
}

const openStatuses = sql`('open', 'acknowledged', 'snoozed')`
const rank = (severity: string) => sql`array_position(array['info', 'warning', 'critical'], ${sql.ref(severity)})`

/**
 * Compares what is true of an organization with its open alerts: opens, brings up to date, wakes what was snoozed, and resolves what was
 * false in two evaluations in a row. What a person has closed stays closed for as long as it stays true, unless it gets more severe.
 * Twice at once does no harm: the second waits for the first. See docs/domain.md, "Alerts".
 */
export async function evaluateAlerts(tx: Tx, orgId: string): Promise<Evaluation> {
  const former = await lockFormer(tx, orgId)
  const signals = oncePerKey(await selectSignals(tx, orgId))
  await wakeSnoozed(tx, orgId)
  const opened = await raise(tx, orgId, signals, former)
  const firing = signals.map(({ key }) => key)
  const gone = former ? await resolveGone(tx, orgId, [...firing, ...former.firing], former.evaluatedAt) : 0
  const resolved = gone + (await closeAlertsOfCancelled(tx, orgId))
  await sql`
    insert into alert_evaluations (org_id, evaluated_at, firing) values (${orgId}, app_now(), ${firing}::text[])
    on conflict (org_id) do update set evaluated_at = excluded.evaluated_at, firing = excluded.firing`.execute(tx)
  return { opened, resolved }
}

/** Run once a minute for every organization. */
export const alertEvaluation: OrganizationSweep = { action: 'alerts-evaluate', run: evaluateAlerts }

/** Two certificates of the same kind are one alert. */
const oncePerKey = (signals: readonly Signal[]): Signal[] => [
  ...new Map(signals.map((signal) => [signal.key, signal])).values(),
]

async function lockFormer(tx: Tx, orgId: string): Promise<Former | undefined> {
  const { rows } = await sql<Former>`
    select evaluated_at as "evaluatedAt", firing from alert_evaluations where org_id = ${orgId} for update`.execute(tx)
  return rows[0]
}

const wakeSnoozed = (tx: Tx, orgId: string): Promise<unknown> =>
  sql`update alerts set status = 'open', snoozed_until = null, snoozed_stop_id = null
    where org_id = ${orgId} and status = 'snoozed' and (snoozed_until <= app_now() or exists (
      select from departure_stops s where s.org_id = alerts.org_id and s.id = alerts.snoozed_stop_id and s.status not in ('planned', 'approaching')))`.execute(
    tx,
  )

/** Opens what is new and brings the rest up to date. What has become graver wakes up. @returns how many were opened. */
async function raise(tx: Tx, orgId: string, signals: readonly Signal[], former: Former | undefined): Promise<number> {
  if (signals.length === 0) return 0
  const rows = JSON.stringify(signals.map((signal) => ({ id: newId(), ...signal })))
  const { rows: touched } = await sql<{ isNew: boolean }>`
    with signal as (
      select * from jsonb_to_recordset(${rows}::jsonb) as s (id uuid, key text, kind text, severity text, "subjectType" text,
        "subjectId" text, "departureId" uuid, title text, evidence jsonb, place jsonb)
    )
    insert into alerts as a (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, evidence, place, rule_id, dedupe_key)
    select ${orgId}, s.id, s.kind, s.severity, s."subjectType", s."subjectId", s."departureId", s.title, s.evidence, s.place, s.kind, s.key
    from signal s
    where exists (select from alerts o where o.org_id = ${orgId} and o.dedupe_key = s.key and o.status in ${openStatuses})
      or not exists (
        select from (
          select c.severity, c.resolution, c.resolved_at from alerts c
          where c.org_id = ${orgId} and c.dedupe_key = s.key and c.status = 'resolved' order by c.resolved_at desc limit 1
        ) closed
        where closed.resolution <> 'auto' and ${rank('closed.severity')} >= ${rank('s.severity')}
          and (s.key = any (${former?.firing ?? []}::text[]) or closed.resolved_at >= ${former?.evaluatedAt ?? null}::timestamptz))
    on conflict (org_id, dedupe_key) where status in ${openStatuses} do update
      set severity = excluded.severity, title = excluded.title, evidence = excluded.evidence, place = excluded.place,
        status = case when a.status = 'snoozed' and ${rank('excluded.severity')} > ${rank('a.severity')} then 'open' else a.status end,
        snoozed_stop_id = case when a.status = 'snoozed' and ${rank('excluded.severity')} > ${rank('a.severity')} then null else a.snoozed_stop_id end,
        snoozed_until = case when a.status = 'snoozed' and ${rank('excluded.severity')} > ${rank('a.severity')} then null else a.snoozed_until end
      where (a.severity, a.title, a.evidence) is distinct from (excluded.severity, excluded.title, excluded.evidence)
    returning a.version = 1 as "isNew"`.execute(tx)
  return touched.filter(({ isNew }) => isNew).length
}

/**
 * Resolves what is true neither now nor was at the evaluation before; alerts opened since then get their second look first.
 * A snoozed alert is reopened first: that is the only legal way. @returns how many were resolved.
 */
async function resolveGone(tx: Tx, orgId: string, keys: readonly string[], openedBefore: Date): Promise<number> {
  const gone = sql`org_id = ${orgId} and kind = any (${[...evaluatedKinds]}::text[]) and dedupe_key <> all (${[...keys]}::text[])
    and opened_at <= ${openedBefore}`
  await sql`update alerts set status = 'open', snoozed_until = null, snoozed_stop_id = null where ${gone} and status = 'snoozed'`.execute(
    tx,
  )
  const { numAffectedRows } =
    await sql`update alerts set status = 'resolved', resolved_at = app_now(), resolution = 'auto',
        resolution_note = ${conditionGoneNote}, resolution_facts = coalesce(${factsNow}, '{}')
      where ${gone} and status in ${statuses.standing}`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
