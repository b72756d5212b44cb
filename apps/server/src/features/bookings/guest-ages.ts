import { childSeatUnderAge } from '@tour-ops/contract/bookings/bookings'
import { type Ages, agesOn, fitOf, getGuestAges, hasAgeLimit, statedAge } from '@tour-ops/contract/bookings/guest-ages'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { ageSaidLast } from '../../platform/operations/named-guests.ts'
import { seesSensitiveOf } from '../../platform/private-fields.ts'
import { verb } from '../../platform/verb.ts'
import { selectTerms } from './selling-terms.ts'

interface KnownRow {
  travelerId: string
  localDate: string
  bornOn: string | null
  saidAge: number | null
  saidAgeOn: string | null
  isHere: boolean
  otherAge: number | null
  otherAgeOn: string | null
  isShown: boolean
}

/**
 * Who sells is told which kinds of seats fit. The date of birth stays here, and the age as well where the caller may not see it. Nothing is said of a departure
 * that has started, except for who is on it: of past days a birthday could be found out, day by day. See docs/decisions/0162.
 */
export const ages = verb(getGuestAges, async (call, { departureId, travelerIds, bookingId }) => {
  const { prices } = await selectTerms(call, departureId)
  const limited = prices.filter(hasAgeLimit)
  const rows = travelerIds.length === 0 ? [] : await selectKnown(call, { departureId, travelerIds, bookingId })
  const guests = rows.flatMap(({ travelerId, localDate, isShown, ...row }) => {
    const age = agesOn(localDate, {
      here: statedAge(row.saidAge, row.saidAgeOn),
      born: row.bornOn,
      // where they are on the booking already, what was said before was taken over, or taken away since
      elsewhere: row.isHere ? null : statedAge(row.otherAge, row.otherAgeOn),
    })
    if (!age) return []
    const kinds = (fit: 'fits' | 'unfit') =>
      limited.filter((price) => fitOf(age, price) === fit).map(({ unitType }) => unitType)
    return [
      {
        travelerId,
        age: isShown ? age : null,
        fits: kinds('fits'),
        unfit: kinds('unfit'),
        needsChildSeat: needsChildSeatAt(age),
      },
    ]
  })
  return { guests }
})

const needsChildSeatAt = ({ from, to }: Ages): boolean | null =>
  to < childSeatUnderAge ? true : from >= childSeatUnderAge ? false : null

interface Asked {
  readonly departureId: string
  readonly travelerIds: readonly string[]
  readonly bookingId: string | undefined
}

async function selectKnown(call: MemberCall, { departureId, travelerIds, bookingId }: Asked): Promise<KnownRow[]> {
  const { rows } = await sql<KnownRow>`
    select p.id as "travelerId", d.local_date as "localDate", v.date_of_birth as "bornOn", here.id is not null as "isHere", here.age as "saidAge", here.age_on as "saidAgeOn",
      other.age as "otherAge", other.age_on as "otherAgeOn", ${seesSensitiveOf(call, sql`p.id`)} as "isShown"
    from travelers p
    join departures d on d.org_id = p.org_id and d.id = ${departureId}
    left join traveler_private v on v.org_id = p.org_id and v.traveler_id = p.id
    left join manifest_entries here on here.org_id = p.org_id and here.booking_id = ${bookingId ?? null}::uuid and here.traveler_id = p.id
      and here.status <> 'cancelled'
    left join lateral (select age, age_on from ${ageSaidLast(call.orgId, sql`p.id`)}) other on true
    where p.org_id = ${call.orgId} and p.id = any (${[...travelerIds]}::uuid[]) and p.archived_at is null
      and (d.starts_at > app_now() or here.id is not null)
    order by p.id`.execute(call.tx)
  return rows
}
