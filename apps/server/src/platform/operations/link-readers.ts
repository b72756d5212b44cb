import type { GuestChannel } from '@tour-ops/contract/notifications/phone-channels'
import { type RawBuilder, sql } from 'kysely'
import { channelTo, reachedAt, reachedBy } from '../channels/phone-channels.ts'
import type { Tx } from '../db/database.ts'
import { linkDeparture } from './link-end.ts'
import { statuses } from './status-sets.ts'

/** Somebody whom a link is for. */
export interface KnownReader {
  readonly key: string
  readonly name: string
  readonly channel: GuestChannel
  readonly to: string
  /** As the link says, else as they read, else that of the office. */
  readonly language: string
  readonly bookingId: string | null
  readonly travelerId: string | null
  readonly staffId: string | null
  readonly supplierId: string | null
  /** When the link was sent to this address last. */
  readonly sentAt: Date | null
}

type Owner = 'bookingId' | 'travelerId' | 'staffId' | 'supplierId'

const ownerColumns = (owner: Owner, id: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(
    (['bookingId', 'travelerId', 'staffId', 'supplierId'] as const).map(
      (one) => sql`${one === owner ? id : sql`null::uuid`} as ${sql.ref(one)}`,
    ),
  )

/** The contact of the booking of a link. */
const contact = sql`
  select 'contact' as key, b.contact_name as name, ${reachedBy} as channel, ${reachedAt} as "to", b.contact_locale as language, ${ownerColumns('bookingId', sql`b.id`)}
  from shared_links l ${linkDeparture}
  where l.kind = 'booking_guest' and b.id is not null`

const traveler = sql`
  select v.id::text, coalesce(nullif(v.preferred_name, ''), nullif(v.first_name, ''), v.last_name), ${channelTo('v', 'email', 'phone')}, coalesce(v.email, v.phone),
    v.languages[1], ${ownerColumns('travelerId', sql`v.id`)}
  from shared_links l join travelers v on v.org_id = l.org_id and v.id = l.traveler_id
  where l.kind = 'traveler' and v.anonymised_at is null and v.merged_into_id is null and v.archived_at is null`

const crew = sql`
  select distinct f.id::text, f.first_name, case when f.email is not null then 'email' end, f.email, null, ${ownerColumns('staffId', sql`f.id`)}
  from shared_links l join assignments a on a.org_id = l.org_id and a.departure_id = l.departure_id and a.status in ${statuses.binding}
    join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
  where l.kind = 'staff_runsheet'`

/** Contacts who share an address are one reader. */
const supplier = sql`
  select lower(c.one ->> 'email'), c.one ->> 'name', 'email', c.one ->> 'email', p.language, ${ownerColumns('supplierId', sql`p.id`)}
  from shared_links l join suppliers p on p.org_id = l.org_id and p.id = l.supplier_id
    cross join lateral jsonb_array_elements(p.contacts) with ordinality c(one, at)
  where l.kind = 'supplier_manifest' and c.one ->> 'email' is not null and not exists (
    select from jsonb_array_elements(p.contacts) with ordinality e(one, at) where lower(e.one ->> 'email') = lower(c.one ->> 'email') and e.at < c.at)`

/** Whom a link can be sent to, by name. */
export async function selectReaders(tx: Tx, orgId: string, id: string): Promise<KnownReader[]> {
  const isThis = sql`l.org_id = ${orgId} and l.id = ${id}`
  const { rows } = await sql<KnownReader>`
    select r.key, r.name, r.channel, r."to", coalesce(k.locale, r.language, s.locale) as language, r."bookingId", r."travelerId", r."staffId", r."supplierId",
      (select max(m.created_at) from messages m join deliveries d on d.org_id = m.org_id and d.message_id = m.id and d.status <> 'suppressed'
        where m.org_id = k.org_id and m.link_id = k.id and d.recipient = r."to") as "sentAt"
    from (${contact} and ${isThis} union all ${traveler} and ${isThis} union all ${crew} and ${isThis} union all ${supplier} and ${isThis}) r
      join shared_links k on k.org_id = ${orgId} and k.id = ${id} join org_settings s on s.org_id = k.org_id
    where r.channel is not null
    order by r.name, r.key`.execute(tx)
  return rows
}
