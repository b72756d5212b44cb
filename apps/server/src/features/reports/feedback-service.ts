import { type FeedbackRow, listFeedback } from '@tour-ops/contract/reports/feedback'
import { sql } from 'kysely'
import { allOf, type Condition, iso, isOneOfIds, orderBy } from '../../platform/list-query.ts'
import { selectPage } from '../../platform/select-page.ts'
import { type Verb, verb } from '../../platform/verb.ts'

interface Averages {
  tourRating: number | null
  guideRating: number | null
  answers: number
}

const columns = sql<
  Omit<FeedbackRow, 'at'> & { at: Date }
>`f.id, f.at, f.departure_id as "departureId", d.code as "departureCode", t.name as "tourName", f.booking_id as "bookingId",
  b.contact_name as "contactName", f.tour_rating as "tourRating", f.guide_rating as "guideRating", s.first_name || ' ' || s.last_name as "guideName", f.nps, f.comment`

const sortColumns = { at: sql`f.at`, tourRating: sql`f.tour_rating`, nps: sql`f.nps` }

const isOfParties = (travelerIds: readonly string[] = []): Condition =>
  travelerIds.length > 0 &&
  sql`exists (select from manifest_entries m where m.org_id = f.org_id and m.booking_id = f.booking_id and m.traveler_id = any (${[...travelerIds]}::uuid[])
    and m.status <> 'cancelled')`

const list = verb(listFeedback, async (call, { q, filters = {}, sort, ...page }) => {
  const from = sql`from feedback f join departures d on d.org_id = f.org_id and d.id = f.departure_id join tours t on t.org_id = d.org_id and t.id = d.tour_id
      left join bookings b on b.org_id = f.org_id and b.id = f.booking_id left join field_staff s on s.org_id = f.org_id and s.id = f.staff_id
    where ${allOf([
      sql`f.org_id = ${call.orgId}`,
      isOneOfIds(sql`f.departure_id`, filters.departureId),
      isOneOfIds(sql`f.booking_id`, filters.bookingId),
      isOneOfIds(sql`f.staff_id`, filters.staffId),
      isOneOfIds(sql`d.tour_id`, filters.tourId),
      isOfParties(filters.travelerId),
      q !== '' &&
        sql`searchable(concat_ws(' ', f.comment, d.code, t.name, b.contact_name)) like '%' || searchable(${q}) || '%'`,
    ])}`
  const { rows, total } = await selectPage(call.tx, {
    columns,
    from,
    order: orderBy(sort, sortColumns, sql`f.at desc, f.id`),
    page,
  })
  const { rows: averages } = await sql<Averages>`
    select avg(f.tour_rating)::float8 as "tourRating", avg(f.guide_rating)::float8 as "guideRating", count(f.tour_rating)::int as answers ${from}`.execute(
    call.tx,
  )
  const average = averages[0] ?? { tourRating: null, guideRating: null, answers: 0 }
  return { rows: rows.map((row) => ({ ...row, at: iso(row.at) })), total, average }
})

export const feedbackVerbs: Verb[] = [list]
