import {
  newsKinds,
  maxUntoldShown,
  toldSoFar,
  type ToldMessage,
  type UntoldParty,
} from '@tour-ops/contract/monitoring/told-so-far'
import { hasAccess } from '@tour-ops/contract/identity/access'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { isContactOptedOut } from '../../platform/channels/opt-outs.ts'
import { reachedBy } from '../../platform/channels/phone-channels.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { isMeant } from '../../platform/operations/guest-audience.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { wholeIncident } from './incident-log.ts'
import { selectToldCrew } from './told-crew.ts'

interface About {
  departureId: string | null
  isCancelled: boolean
  since: Date
}

const told = verb(toldSoFar, async (call, { id }) => {
  const about = await selectAbout(call, id)
  if (!about) throw notFound('incident')
  const { departureId } = about
  if (departureId === null) return { guests: 0, told: 0, messages: [], untold: [], untoldCount: 0, crew: [] }
  const parties = partiesOf(call, departureId, about)
  const untold = await selectUntold(call, parties)
  const crew = await selectToldCrew(call, { id, departureId, since: about.since })
  const seesPhone = hasAccess(call, { permission: 'staff_private:read' })
  return {
    ...(await selectGuests(call, parties)),
    messages: await selectMessages(call, parties),
    untold: untold.map(({ total: _total, ...party }) => party),
    untoldCount: untold[0]?.total ?? 0,
    crew: seesPhone ? crew : crew.map((one) => ({ ...one, phone: null })),
  }
})

/** What was merged into an incident may have been reported before it. */
async function selectAbout({ tx, orgId }: MemberCall, id: string): Promise<About | undefined> {
  const { rows } = await sql<About>`
    select i.departure_id as "departureId", coalesce(d.status = 'cancelled', false) as "isCancelled",
      (select min(r.created_at) from incidents r where r.org_id = i.org_id and r.id in (select whole.id from ${wholeIncident(orgId, id)} whole)) as since
    from incidents i left join departures d on d.org_id = i.org_id and d.id = i.departure_id
    where i.org_id = ${orgId} and i.id = ${id}`.execute(tx)
  return rows[0]
}

/** Parties `p` of a departure, each with `news`: the e-mails that were written to them since. */
const partiesOf = (
  { orgId }: MemberCall,
  departureId: string,
  { isCancelled, since }: About,
): RawBuilder<unknown> => sql`
  parties as (
    select b.id, b.booking_ref, b.contact_name, b.contact_phone, b.pax,
      ${reachedBy} as channel, ${isContactOptedOut} as is_opted_out from bookings b
    where b.org_id = ${orgId} and ${isMeant({ departureIds: [departureId], bookingIds: [], withUnconfirmed: isCancelled, onlyAboard: false })}),
  news as (
    select d.booking_id, d.message_id, d.status, d.sent_at, m.kind, m.subject, m.created_by, m.created_at, p.pax
    from deliveries d join messages m on m.org_id = d.org_id and m.id = d.message_id join parties p on p.id = d.booking_id
    where d.org_id = ${orgId} and m.kind = any (${newsKinds}) and m.created_at >= ${since} and d.status <> 'suppressed')`

/** It has left; whether it was read is seldom known. */
const hasLeft = sql`news.status in ('sent', 'delivered', 'read')`
const isTold = sql`exists (select from news where news.booking_id = p.id and ${hasLeft})`

async function selectGuests(call: MemberCall, parties: RawBuilder<unknown>): Promise<{ guests: number; told: number }> {
  const { rows } = await sql<{ guests: number; told: number }>`
    with ${parties} select coalesce(sum(p.pax), 0)::int as guests, coalesce(sum(p.pax) filter (where ${isTold}), 0)::int as told
    from parties p`.execute(call.tx)
  return rows[0] ?? { guests: 0, told: 0 }
}

type MessageRow = Omit<ToldMessage, 'sentAt' | 'writtenAt'> & { sentAt: Date | null; writtenAt: Date }

/** What somebody wrote is one message to many; a rule writes to each party, which is one line as well. */
async function selectMessages(call: MemberCall, parties: RawBuilder<unknown>): Promise<ToldMessage[]> {
  const { rows } = await sql<MessageRow>`
    with ${parties}, shown as (select news.*, case when news.kind = 'guest_message' then news.message_id end as written from news)
    select news.kind, case when news.written is not null then min(news.subject) end as subject,
      min(w.name) as "writtenBy", min(news.sent_at) as "sentAt", max(news.created_at) as "writtenAt",
      coalesce(sum(news.pax) filter (where ${hasLeft}), 0)::int as sent,
      coalesce(sum(news.pax) filter (where news.status = 'queued'), 0)::int as waiting,
      coalesce(sum(news.pax) filter (where news.status = 'failed'), 0)::int as failed
    from shown news left join members w on w.org_id = ${call.orgId} and w.user_id = news.created_by and news.written is not null
    group by news.kind, news.written order by "writtenAt" desc, news.written`.execute(call.tx)
  return rows.map((row) => ({ ...row, sentAt: isoOrNull(row.sentAt), writtenAt: iso(row.writtenAt) }))
}

async function selectUntold(
  call: MemberCall,
  parties: RawBuilder<unknown>,
): Promise<(UntoldParty & { total: number })[]> {
  const isNews = (status: string) =>
    sql`exists (select from news where news.booking_id = p.id and news.status = ${sql.lit(status)})`
  const { rows } = await sql<UntoldParty & { total: number }>`
    with ${parties}
    select p.id as "bookingId", p.booking_ref as "bookingRef", p.contact_name as name, p.contact_phone as phone, p.pax,
      case when ${isNews('queued')} then 'waiting' when ${isNews('failed')} then 'failed'
        when p.channel is null then 'no_address'
        when p.is_opted_out then 'opted_out' else 'not_written' end as reason, (count(*) over ())::int as total
    from parties p where not ${isTold} order by p.contact_name, p.id limit ${maxUntoldShown}`.execute(call.tx)
  return rows
}

export const toldSoFarVerbs: Verb[] = [told]
