import type { Given } from '@tour-ops/contract/callable'
import { hasAccess } from '@tour-ops/contract/identity/access'
import type { LinkRow, listLinks } from '@tour-ops/contract/links/links'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { allOf, iso, isoOrNull, isOneOf, isOneOfIds, orderBy } from '../../platform/list-query.ts'
import { linkDeparture, linkEnd } from '../../platform/operations/link-end.ts'
import { reportOfLink, scopesOf } from '../../platform/operations/open-link.ts'

type Filter = Pick<Given<typeof listLinks>, 'q' | 'filters'>

/** Of links `l` with `d` (`linkDeparture`). What has expired shows as expired at once, and not when the minute's sweep has been there. */
export const shownStatus = sql<
  LinkRow['status']
>`case when l.status in ('active', 'paused') and l.expires_at <= app_now() and ${linkEnd} <= app_now() then 'expired'
  when l.status = 'scheduled' and l.starts_at <= app_now() then 'active' else l.status end`

export interface LinkRecord {
  id: string
  version: number
  label: string
  kind: LinkRow['kind']
  status: LinkRow['status']
  subject: string
  report: LinkRow['report']
  departureId: string | null
  departureStatus: LinkRow['departureStatus']
  scopes: unknown
  hasPasscode: boolean
  positionDelayS: number
  positionBlurM: number
  language: string | null
  tokenHint: string | null
  startsAt: Date
  expiresAt: Date
  createdByName: string | null
  createdAt: Date
  viewCount: number
  lastViewedAt: Date | null
}

/** Who may not read travelers sees that a link is of one, and not of whom. */
const seesTravelers = (call: MemberCall): boolean => hasAccess(call, { permission: 'travelers:read' })

export const linkColumns = (
  call: MemberCall,
): RawBuilder<LinkRecord> => sql<LinkRecord>`l.id, l.version, l.label, l.kind, ${shownStatus} as status,
  coalesce(case when l.traveler_id is not null then case when ${seesTravelers(call)} then concat_ws(' ', nullif(v.first_name, ''), nullif(v.last_name, '')) else '' end end, b.booking_ref || ' · ' || b.contact_name, coalesce(p.name || ' · ', '') || t.name || ' · ' || d.code, t.name, case when l.kind = 'live_map' then '' else l.subject_id end) as subject, ${reportOfLink} as report, d.id as "departureId", d.status as "departureStatus", l.scopes, l.passcode_hash is not null as "hasPasscode",
  l.location_delay_s as "positionDelayS", l.blur_m as "positionBlurM", l.locale as language, (select k.token_hint from shared_link_tokens k where k.org_id = l.org_id and k.link_id = l.id and k.revoked_at is null
    order by k.issued_at desc, k.id desc limit 1) as "tokenHint",
  l.starts_at as "startsAt", ${linkEnd} as "expiresAt", m.name as "createdByName", l.created_at as "createdAt", l.view_count as "viewCount",
  l.last_viewed_at as "lastViewedAt"`

const source: RawBuilder<unknown> = sql`from shared_links l
  ${linkDeparture}
  left join tours t on t.org_id = l.org_id and t.id = coalesce(d.tour_id, l.tour_id)
  left join travelers v on v.org_id = l.org_id and v.id = l.traveler_id
  left join suppliers p on p.org_id = l.org_id and p.id = l.supplier_id
  left join members m on m.org_id = l.org_id and m.user_id = l.created_by`

/** What a list says, as `statusShown` of the contract. */
const shownLinkStatus = sql`case when d.status = 'cancelled' and ${shownStatus} in ('active', 'paused', 'scheduled') then 'cancelled' else ${shownStatus} end`

const isLive = sql`(${shownLinkStatus} in ('active', 'paused', 'scheduled'))`
const isExpiring = sql`(${isLive} and ${linkEnd} <= app_now() + interval '24 hours')`
const isNeverOpened = sql`(${isLive} and l.view_count = 0)`

/** From FROM to the end of WHERE. */
export function links(call: MemberCall, { q, filters = {} }: Filter): RawBuilder<unknown> {
  const where = allOf([
    sql`l.org_id = ${call.orgId}`,
    isOneOf(shownLinkStatus, filters.status),
    isOneOf(sql`l.kind`, filters.kind),
    isOneOfIds(sql`d.id`, filters.departureId),
    filters.expiring !== undefined && sql`${isExpiring} = ${filters.expiring}`,
    filters.neverOpened !== undefined && sql`${isNeverOpened} = ${filters.neverOpened}`,
    q !== '' &&
      sql`searchable(l.label || ' ' || coalesce(t.name, '') || ' ' || coalesce(d.code, '') || ' ' || coalesce(b.booking_ref || ' ' || b.contact_name, '') || ' ' || coalesce(p.name, '') || ' ' || case when ${seesTravelers(call)} then coalesce(v.first_name || ' ' || v.last_name, '') else '' end)
        like '%' || searchable(${q}) || '%'`,
  ])
  return sql`${source} where ${where}`
}

const statusOrder = sql`array_position(array['active', 'paused', 'scheduled', 'cancelled', 'expired', 'revoked'], ${shownLinkStatus})`
const sortColumns = {
  label: sql`l.label collate "und-x-icu"`,
  kind: sql`l.kind`,
  status: statusOrder,
  expiresAt: linkEnd,
  createdAt: sql`l.created_at`,
  viewCount: sql`l.view_count`,
  lastViewedAt: sql`l.last_viewed_at`,
}

/** Live ones first, the one that ends next on top. */
export const linkOrder = (sort: Given<typeof listLinks>['sort']): RawBuilder<unknown> =>
  orderBy(sort, sortColumns, sql`${statusOrder}, case when ${isLive} then ${linkEnd} end, l.expires_at desc, l.id`)

interface LinkCounts {
  active: number
  expiring: number
  neverOpened: number
  viewsOfWeek: number
}

export async function selectLinkCounts(call: MemberCall): Promise<LinkCounts> {
  const { rows } = await sql<LinkCounts>`
    select (count(*) filter (where ${shownLinkStatus} = 'active'))::int as active, (count(*) filter (where ${isExpiring}))::int as expiring,
      (count(*) filter (where ${isNeverOpened}))::int as "neverOpened",
      (select count(*)::int from link_accesses a where a.org_id = ${call.orgId} and a.at > app_now() - interval '7 days' and not a.is_wrong_passcode) as "viewsOfWeek"
    from shared_links l ${linkDeparture} where l.org_id = ${call.orgId}`.execute(call.tx)
  return rows[0] ?? { active: 0, expiring: 0, neverOpened: 0, viewsOfWeek: 0 }
}

export const linkRowOf = (record: LinkRecord): LinkRow => ({
  ...record,
  scopes: scopesOf(record.scopes),
  startsAt: iso(record.startsAt),
  expiresAt: iso(record.expiresAt),
  createdAt: iso(record.createdAt),
  lastViewedAt: isoOrNull(record.lastViewedAt),
})
