import { exportFeedback, type FeedbackRow, listFeedback } from '@tour-ops/contract/reports/feedback'
import type { Given } from '@tour-ops/contract/callable'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { csvFile } from '../../platform/csv.ts'
import { allOf, type Condition, iso, isOneOf, isOneOfIds, orderBy } from '../../platform/list-query.ts'
import { isPoor } from '../../platform/operations/poor-rating.ts'
import { selectLongPage } from '../../platform/select-page.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { followUpVerbs } from './feedback-follow-ups.ts'

interface Averages {
  tourRating: number | null
  guideRating: number | null
  answers: number
}

type FollowUp = NonNullable<FeedbackRow['followUp']>

type FeedbackRecord = Omit<FeedbackRow, 'at' | 'followUp'> &
  Omit<FollowUp, 'state' | 'closedAt'> & { at: Date; state: FollowUp['state'] | null; closedAt: Date | null }

const stateOf = (orgId: string) =>
  sql<
    FollowUp['state'] | null
  >`case when u.closed_at is not null then 'closed' when u.owner_user_id is not null then 'taken'
  when ${isPoor(orgId, { tour: sql`f.tour_rating`, guide: sql`f.guide_rating` })} then 'open' end`

const columnsOf = (
  orgId: string,
) => sql<FeedbackRecord>`f.id, f.at, f.departure_id as "departureId", d.code as "departureCode", t.name as "tourName", f.booking_id as "bookingId",
  b.contact_name as "contactName", f.tour_rating as "tourRating", f.guide_rating as "guideRating", s.first_name || ' ' || s.last_name as "guideName", f.nps, f.comment,
  ${stateOf(orgId)} as state, u.version, o.name as "ownerName", u.note, u.closed_at as "closedAt", c.name as "closedByName"`

const sortColumns = { at: sql`f.at`, tourRating: sql`f.tour_rating`, nps: sql`f.nps` }

const isOfParties = (travelerIds: readonly string[] = []): Condition =>
  travelerIds.length > 0 &&
  sql`exists (select from manifest_entries m where m.org_id = f.org_id and m.booking_id = f.booking_id and m.traveler_id = any (${[...travelerIds]}::uuid[])
    and m.status <> 'cancelled')`

type Question = Pick<Given<typeof exportFeedback>, 'q' | 'filters'>

/** What is asked of an answer to be listed. */
const listed = sql`from feedback f join departures d on d.org_id = f.org_id and d.id = f.departure_id
  left join feedback_follow_ups u on u.org_id = f.org_id and u.id = f.id`

const named = sql`${listed} join tours t on t.org_id = d.org_id and t.id = d.tour_id
  left join bookings b on b.org_id = f.org_id and b.id = f.booking_id`

const shown = sql`${named} left join field_staff s on s.org_id = f.org_id and s.id = f.staff_id
  left join members o on o.org_id = u.org_id and o.user_id = u.owner_user_id left join members c on c.org_id = u.org_id and c.user_id = u.closed_by`

const conditionsOf = (call: MemberCall, { q, filters = {} }: Question): RawBuilder<boolean> =>
  allOf([
    sql`f.org_id = ${call.orgId}`,
    isOneOfIds(sql`f.departure_id`, filters.departureId),
    isOneOfIds(sql`f.booking_id`, filters.bookingId),
    isOneOfIds(sql`f.staff_id`, filters.staffId),
    isOneOfIds(sql`d.tour_id`, filters.tourId),
    isOfParties(filters.travelerId),
    isOneOf(stateOf(call.orgId), filters.followUp),
    q !== '' &&
      sql`searchable(concat_ws(' ', f.comment, d.code, t.name, b.contact_name)) like '%' || searchable(${q}) || '%'`,
  ])

const newestFirst = sql`f.at desc, f.id`

const rowOf = ({
  at,
  state,
  version,
  ownerName,
  note,
  closedAt,
  closedByName,
  ...row
}: FeedbackRecord): FeedbackRow => ({
  ...row,
  at: iso(at),
  followUp: state && { state, version, ownerName, note, closedAt: closedAt && iso(closedAt), closedByName },
})

const list = verb(listFeedback, async (call, { sort, ...input }) => {
  const from = input.q === '' ? listed : named
  const where = conditionsOf(call, input)
  const { rows, total } = await selectLongPage(call.tx, {
    row: sql`f`,
    columns: columnsOf(call.orgId),
    from,
    where,
    shown,
    order: orderBy(sort, sortColumns, newestFirst),
    page: input,
  })
  const { rows: averages } = await sql<Averages>`
    select avg(f.tour_rating)::float8 as "tourRating", avg(f.guide_rating)::float8 as "guideRating", count(f.tour_rating)::int as answers ${from} where ${where}`.execute(
    call.tx,
  )
  const average = averages[0] ?? { tourRating: null, guideRating: null, answers: 0 }
  return { rows: rows.map(rowOf), total, average }
})

const exportCsv = verb(exportFeedback, async (call, input) => {
  const { rows } = await sql<FeedbackRecord>`
    select ${columnsOf(call.orgId)} ${shown} where ${conditionsOf(call, input)} order by ${orderBy(input.sort, sortColumns, newestFirst)}`.execute(
    call.tx,
  )
  return csvFile<FeedbackRow>(
    'feedback',
    {
      at: (row) => row.at,
      tour: (row) => row.tourName,
      departure: (row) => row.departureCode,
      contact: (row) => row.contactName,
      tour_rating: (row) => row.tourRating,
      guide: (row) => row.guideName,
      guide_rating: (row) => row.guideRating,
      nps: (row) => row.nps,
      comment: (row) => row.comment,
      follow_up: (row) => row.followUp?.state ?? null,
      owner: (row) => row.followUp?.ownerName ?? null,
      note: (row) => row.followUp?.note ?? null,
      closed_at: (row) => row.followUp?.closedAt ?? null,
      closed_by: (row) => row.followUp?.closedByName ?? null,
    },
    rows.map(rowOf),
    input.columns,
  )
})

export const feedbackVerbs: Verb[] = [list, exportCsv, ...followUpVerbs]
