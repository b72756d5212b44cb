import type { HelpCall } from '@tour-ops/contract/duty/duty-phone'
import type { Locale } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import { nameInEmail } from '../channels/email-text.ts'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { iso, isoOrNull } from '../list-query.ts'
import { type NoticeCall, type NoticeText, sendNotice } from '../notices.ts'
import { selectPeopleWith } from '../people-with.ts'
import { statuses } from './status-sets.ts'

/** Who calls for help, and out of what. */
export interface Caller {
  readonly name: string
  /** Of the field staff; null for everybody else. */
  readonly staffId: string | null
  readonly departureId: string | null
  /** The incident in which they were asked; null for a call out of the blue. */
  readonly incidentId: string | null
  /** One open call for each: whoever calls again has not called twice. */
  readonly key: string
}

/** Where somebody was when they called. */
export interface CalledFrom {
  readonly lat: number
  readonly lng: number
  /** ISO 8601. */
  readonly at: string
}

/** Whoever presses again and again is one notice a minute. */
const quietSeconds = 60

const titles: Readonly<Record<Locale, (name: string) => string>> = {
  en: (name) => `${name} calls for help`,
  de: (name) => `${name} ruft um Hilfe`,
  es: (name) => `${name} pide ayuda`,
}

/**
 * Puts a call for help on the board and tells everybody who deals with alerts. A call that is open already is put back on the board, whoever has
 * taken it or let it sleep, and waits and escalates anew: the person needs somebody now. See docs/decisions/0163.
 */
export async function callForHelp(
  call: NoticeCall,
  { name, staffId, departureId, incidentId, key }: Caller,
  { at, place = null }: { readonly at: Date; readonly place?: CalledFrom | null },
): Promise<void> {
  const { tx, orgId } = call
  const [subjectType, subjectId] =
    departureId !== null ? ['departure', departureId] : staffId !== null ? ['staff', staffId] : ['organization', orgId]
  const evidence = { by: name, staffId, calledAt: iso(at) }
  const { rows } = await sql<{ id: string; isTold: boolean }>`
    with was as (select id, evidence from alerts where org_id = ${orgId} and dedupe_key = ${key} and status in ${statuses.unresolved})
    insert into alerts as a (org_id, id, kind, severity, subject_type, subject_id, departure_id, incident_id, title, evidence, place, dedupe_key)
    values (${orgId}, ${newId()}, 'sos', 'critical', ${subjectType}, ${subjectId}, ${departureId}, ${incidentId},
      ${`${name} needs help`}, ${JSON.stringify(evidence)}::jsonb, ${place && JSON.stringify(place)}::jsonb, ${key})
    on conflict (org_id, dedupe_key) where status in ${statuses.unresolved}
    do update set status = 'open', owner_user_id = null, snoozed_until = null, snoozed_stop_id = null, snoozed_stop_name = null,
      opened_at = case a.status when 'open' then a.opened_at else app_now() end,
      escalation_level = case a.status when 'open' then a.escalation_level else 0 end,
      place = coalesce(excluded.place, a.place),
      evidence = (a.evidence - 'over') || jsonb_build_object('again', ${iso(at)}::text)
    returning a.id, not exists (select from was
      where coalesce(was.evidence ->> 'again', was.evidence ->> 'calledAt')::timestamptz > ${at}::timestamptz - make_interval(secs => ${quietSeconds}))
      as "isTold"`.execute(tx)
  const [alert] = rows
  if (alert?.isTold) await tellOffice(call, alert.id, { name, departureId })
}

async function tellOffice(
  call: NoticeCall,
  alertId: string,
  { name, departureId }: Pick<Caller, 'name' | 'departureId'>,
): Promise<void> {
  const tour = departureId === null ? null : await selectTourName(call.tx, call.orgId, departureId)
  const text = (locale: Locale): NoticeText => ({
    title: titles[locale](nameInEmail(name)),
    body: tour === null ? '' : nameInEmail(tour),
  })
  for (const userId of await selectPeopleWith(call.tx, call.orgId, 'alerts:manage')) {
    await sendNotice(call, userId, { event: 'help_called', link: `/tools/monitoring?alert=${alertId}`, text })
  }
}

async function selectTourName(tx: Tx, orgId: string, departureId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select t.name from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where d.org_id = ${orgId} and d.id = ${departureId}`.execute(tx)
  return rows[0]?.name ?? null
}

/** Adds to an open call where the person is by now, or that they need no help any more. @returns false where none is open. */
export async function addToHelpCall(
  tx: Tx,
  orgId: string,
  key: string,
  { place = null, overAt = null }: { readonly place?: CalledFrom | null; readonly overAt?: Date | null },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update alerts set place = coalesce(${place && JSON.stringify(place)}::jsonb, place),
      evidence = evidence || jsonb_strip_nulls(jsonb_build_object('over', ${isoOrNull(overAt)}::text))
    where org_id = ${orgId} and dedupe_key = ${key} and status in ${statuses.unresolved} returning id`.execute(tx)
  return rows.length > 0
}

interface HelpRow {
  calledAt: string
  takenBy: string | null
  overAt: string | null
  closedAt: Date | null
}

/** A call is shown to the person who made it for so long after the office has closed it, hours. */
const shownAfterEndHours = 2

/** The latest call of a key, as its caller sees it; null without one. */
export async function selectHelpCall(tx: Tx, orgId: string, key: string): Promise<HelpCall | null> {
  const { rows } = await sql<HelpRow>`
    select coalesce(a.evidence ->> 'again', a.evidence ->> 'calledAt') as "calledAt", a.evidence ->> 'over' as "overAt", a.resolved_at as "closedAt",
      case when a.status <> 'open' then coalesce(m.name, m.email::text) end as "takenBy"
    from alerts a left join members m on m.org_id = a.org_id and m.user_id = coalesce(a.owner_user_id, a.acknowledged_by)
    where a.org_id = ${orgId} and a.dedupe_key = ${key}
      and (a.status in ${statuses.unresolved} or a.resolved_at > app_now() - make_interval(hours => ${shownAfterEndHours}))
    order by a.opened_at desc, a.id desc limit 1`.execute(tx)
  const row = rows[0]
  return row ? { ...row, closedAt: isoOrNull(row.closedAt) } : null
}
