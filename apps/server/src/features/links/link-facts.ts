import type { LinkKind } from '@tour-ops/contract/links/links'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { linkDeparture } from '../../platform/operations/link-end.ts'

/** A link as a message about it names it. */
export interface LinkFacts {
  readonly kind: LinkKind
  readonly hasPasscode: boolean
  readonly departureId: string
  readonly bookingId: string | null
  readonly tourName: string
  readonly startsAt: Date
  readonly timeZone: string
  readonly timeFormat: '12h' | '24h'
  readonly organizationName: string
  readonly phone: string | null
}

/** A link that shows no tour now: its traveler has no seat. */
type EmptyLink = Pick<LinkFacts, 'kind'> & { readonly departureId: null }

type OfTour = 'departureId' | 'tourName' | 'startsAt' | 'timeZone'
type Row = Omit<LinkFacts, OfTour> & { [column in OfTour]: LinkFacts[column] | null }

/** Undefined for a link of another organization. */
export async function selectLinkFacts(
  { tx, orgId }: MemberCall,
  id: string,
): Promise<LinkFacts | EmptyLink | undefined> {
  const { rows } = await sql<Row>`
    select l.kind, l.passcode_hash is not null as "hasPasscode", d.id as "departureId", b.id as "bookingId", t.name as "tourName", d.starts_at as "startsAt",
      d.time_zone as "timeZone", s.time_format as "timeFormat", o.name as "organizationName", s.general ->> 'phone' as phone
    from shared_links l ${linkDeparture}
      left join tours t on t.org_id = d.org_id and t.id = d.tour_id
      join org_settings s on s.org_id = l.org_id join organizations o on o.org_id = l.org_id
    where l.org_id = ${orgId} and l.id = ${id}`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const { departureId, tourName, startsAt, timeZone, ...link } = row
  if (departureId === null || tourName === null || startsAt === null || timeZone === null)
    return { kind: link.kind, departureId: null }
  return { ...link, departureId, tourName, startsAt, timeZone }
}
