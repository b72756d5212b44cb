import {
  type AlertMute,
  type AlertRow,
  type monitoringBoard,
  muteAlert,
  mutableKinds,
  severities,
  unmuteAlerts,
} from '@tour-ops/contract/monitoring/alerts'
import type { Out } from '@tour-ops/contract/callable'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { dayBounds, localDateOf } from '../../platform/local-time.ts'
import { isAwaited, isOut } from '../../platform/operations/departure-phase.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'
import { gravityOf } from './alerts-store.ts'
import { lockStates } from './evaluation-state.ts'
import type { Signal } from './signal.ts'

/** Whether mute `m` holds now. */
const holds = sql`m.ended_at is null and (m.ends_at is null or m.ends_at > app_now())`

/** What is true without what is muted about its departure. What has become graver than it was then is heard. */
export async function withoutMuted(tx: Tx, orgId: string, signals: readonly Signal[]): Promise<readonly Signal[]> {
  const departureIds = [...new Set(signals.flatMap(({ departureId }) => departureId ?? []))]
  if (departureIds.length === 0) return signals
  const { rows } = await sql<{ departureId: string; kind: string; severity: AlertRow['severity'] }>`
    select m.departure_id as "departureId", m.kind, m.severity
    from alert_mutes m where m.org_id = ${orgId} and m.departure_id = any (${departureIds}::uuid[]) and ${holds}`.execute(
    tx,
  )
  const mutedAt = new Map(rows.map((row) => [`${row.departureId} ${row.kind}`, severities.indexOf(row.severity)]))
  return signals.filter(
    ({ departureId, kind, severity }) => severities.indexOf(severity) > (mutedAt.get(`${departureId} ${kind}`) ?? -1),
  )
}

type Row = Omit<AlertMute, 'departure' | 'endsAt' | 'mutedAt'> &
  Omit<AlertMute['departure'], 'id' | 'startsAt'> & {
    departureId: string
    startsAt: Date
    endsAt: Date | null
    mutedAt: Date
  }

const muteOf = ({ departureId, code, tourName, startsAt, timeZone, endsAt, mutedAt, ...row }: Row): AlertMute => ({
  ...row,
  departure: { id: departureId, code, tourName, startsAt: iso(startsAt), timeZone },
  endsAt: isoOrNull(endsAt),
  mutedAt: iso(mutedAt),
})

/** What keeps quiet about departures that are ahead or out, the newest first. */
export async function selectMutes(
  { tx, orgId }: MemberCall,
  id?: string,
): Promise<Out<typeof monitoringBoard>['muted']> {
  const { rows } = await sql<Row>`
    select m.id, m.version, m.kind, m.departure_id as "departureId", d.code, t.name as "tourName", d.starts_at as "startsAt", d.time_zone as "timeZone",
      m.reason, m.ends_at as "endsAt", m.muted_at as "mutedAt", b.name as "mutedByName"
    from alert_mutes m join departures d on d.org_id = m.org_id and d.id = m.departure_id join tours t on t.org_id = d.org_id and t.id = d.tour_id
      left join members b on b.org_id = m.org_id and b.user_id = m.muted_by
    where m.org_id = ${orgId} and ${holds} and (${isAwaited} or ${isOut}) and ${id === undefined ? sql`true` : sql`m.id = ${id}`}
    order by m.muted_at desc, m.id`.execute(tx)
  return rows.map(muteOf)
}

interface Muted {
  version: number
  kind: AlertMute['kind']
  severity: string
  status: string
  departureId: string | null
}

const mute = verb(muteAlert, async (call, { id, version, lasts, reason }) => {
  const { kind, severity, departureId } = await requireMutable(call, id, version)
  const muteId = await insertMute(call, { kind, severity, departureId, lasts, reason })
  await resolveMuted(call, { kind, severity, departureId, reason })
  const [muted] = await selectMutes(call, muteId)
  if (!muted) throw refuse('alert_not_mutable')
  return muted
})

/** The alert, while no evaluation of its departure can open it again. */
async function requireMutable(call: MemberCall, id: string, version: number): Promise<Muted & { departureId: string }> {
  const find = async (): Promise<Muted> => {
    const { rows } =
      await sql<Muted>`select a.version, a.kind, a.severity, a.status, a.departure_id as "departureId" from alerts a
      where a.org_id = ${call.orgId} and a.id = ${id}`.execute(call.tx)
    if (!rows[0]) throw notFound('alert')
    return rows[0]
  }
  const { departureId } = await find()
  if (departureId) await lockStates(call.tx, call.orgId, [{ kind: 'departure', id: departureId }])
  const alert = await find()
  requireVersion(alert, version, 'alert')
  if (!departureId || !mutableKinds.includes(alert.kind)) throw refuse('alert_not_mutable')
  if (alert.status === 'resolved') throw refuse('illegal_transition', { machine: 'alerts', from: alert.status })
  return { ...alert, departureId }
}

interface NewMute extends Pick<Muted, 'kind' | 'severity'> {
  readonly departureId: string
  readonly reason: string
}

/** Muted again, it is one mute, with what was said last. */
async function insertMute(
  call: MemberCall,
  { kind, severity, departureId, lasts, reason }: NewMute & { readonly lasts: 'today' | 'departure' },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into alert_mutes as m (org_id, id, departure_id, kind, severity, reason, ends_at, muted_by)
    values (${call.orgId}, ${newId()}, ${departureId}, ${kind}, ${severity}, ${reason}, ${lasts === 'today' ? await endOfToday(call) : null},
      ${call.caller.userId})
    on conflict (org_id, departure_id, kind) where ended_at is null do update set severity = excluded.severity, reason = excluded.reason,
      ends_at = excluded.ends_at, muted_by = excluded.muted_by, muted_at = excluded.muted_at
    returning m.id`.execute(call.tx)
  return rows[0]?.id ?? ''
}

/** Of the organization's day. */
async function endOfToday(call: MemberCall): Promise<Date> {
  const zone = await organizationZone(call)
  return dayBounds(localDateOf(call.clock.now(), zone), zone).to
}

/** Also those that sleep: a snoozed alert comes back first, which is the only legal way. */
async function resolveMuted(call: MemberCall, { kind, severity, departureId, reason }: NewMute): Promise<void> {
  const these = sql`org_id = ${call.orgId} and departure_id = ${departureId} and kind = ${kind}
    and ${gravityOf(sql`severity`)} <= ${gravityOf(sql`${severity}::text`)}`
  await sql`update alerts set status = 'open', snoozed_until = null, snoozed_stop_id = null where ${these} and status = 'snoozed'`.execute(
    call.tx,
  )
  await sql`
    update alerts set status = 'resolved', resolved_at = app_now(), resolved_by = ${call.caller.userId}, resolution = 'muted', resolution_note = ${reason}
    where ${these} and status in ${statuses.standing}`.execute(call.tx)
}

const unmute = verb(unmuteAlerts, (call, { id, version }) =>
  updateVersioned(
    call.tx,
    'alert_mutes',
    { orgId: call.orgId, id, version },
    sql`ended_at = app_now(), ended_by = ${call.caller.userId}`,
  ),
)

export const alertMuteVerbs: Verb[] = [mute, unmute]
