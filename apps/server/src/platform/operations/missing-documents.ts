import { type RawBuilder, sql } from 'kysely'

/**
 * SELECT of `departure_id` and `missing`: how many guests of tours of several days have no passport or identity card that is valid to the end
 * of the tour. Departures that lack none have no row.
 *
 * @param orgId The organization, or the column that holds it where this is part of another statement.
 * @param ids SQL array with the ids of departures.
 */
export const missingDocuments = (
  orgId: string | RawBuilder<unknown>,
  ids: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  with guest as materialized (
    select m.departure_id, m.traveler_id, (o.ends_at at time zone o.time_zone)::date as until
    from departures o
    join tours u on u.org_id = o.org_id and u.id = o.tour_id and u.duration_days > 1
    join manifest_entries m on m.org_id = o.org_id and m.departure_id = o.id and m.status <> 'cancelled'
    where o.org_id = ${orgId} and o.id = any (${ids})
  )
  select guest.departure_id, count(*)::int as missing
  from guest left join (
    select i.traveler_id, max(coalesce(i.expires_on, 'infinity')) as until from traveler_documents i
    where i.org_id = ${orgId} and i.kind in ('passport', 'id') and i.traveler_id = any (array(select guest.traveler_id from guest))
    group by i.traveler_id
  ) document on document.traveler_id = guest.traveler_id
  where document.until is null or document.until < guest.until
  group by guest.departure_id`
