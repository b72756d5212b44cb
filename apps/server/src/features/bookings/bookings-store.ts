import { hasAccess } from '@tour-ops/contract/identity/access'
import type { Given } from '@tour-ops/contract/callable'
import type { Booking, BookingRow, listBookings } from '@tour-ops/contract/bookings/bookings'
import { nextStatuses } from '@tour-ops/contract/state-machines'
import type { BookedUnit } from '@tour-ops/contract/units'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { isUnread } from '../../platform/operations/booking-thread.ts'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { iso, isoOrNull, isOneOf, isOneOfIds, orderBy, allOf, type Condition } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { pickupStopOfBooking } from '../../platform/operations/named-guests.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { selectLongPage } from '../../platform/select-page.ts'

/** A unit as it was sold: price and seats are stored with the booking. */
export interface SoldUnit {
  unitType: BookedUnit['unitType']
  qty: number
  paxCount: number
  priceMinor: number
}

type Moments = 'startsAt' | 'pickupAt' | 'expiresAt' | 'createdAt' | 'confirmedAt' | 'cancelledAt'
type Row = Omit<BookingRow, Moments | 'contact' | 'units' | 'discount'> & {
  discountCode: string | null
  discountMinor: number
  startsAt: Date
  pickupAt: Date | null
  expiresAt: Date | null
  createdAt: Date
  confirmedAt: Date | null
  cancelledAt: Date | null
  units: SoldUnit[]
  contactName: string
  contactEmail: string | null
  contactPhone: string | null
  contactLocale: string | null
  contactCountry: string | null
}

/** A message \`g\` of the party of booking \`b\` that nobody of the office has read. */
const isUnreadOf = sql`g.org_id = b.org_id and g.booking_id = b.id and ${isUnread}`

const columns = sql<Row>`
  b.id, b.version, b.booking_ref as "bookingRef", b.departure_id as "departureId", d.code as "departureCode", t.name as "tourName",
  d.starts_at as "startsAt", d.time_zone as "timeZone", d.local_date as "localDate", to_char(d.local_start_time, 'HH24:MI') as "startTimeLocal",
  d.status as "departureStatus", b.status, b.kind, b.channel, b.seller_name as "sellerName", b.external_ref as "externalRef", b.contact_name as "contactName",
  b.contact_email as "contactEmail", b.contact_phone as "contactPhone", b.contact_locale as "contactLocale",
  b.contact_country as "contactCountry", b.units, b.pax, b.amount_total_minor as "amountTotalMinor", b.price_reason as "priceReason",
  b.discount_code as "discountCode", b.discount_minor as "discountMinor", b.amount_paid_minor as "amountPaidMinor",
  b.cancellation_fee_minor as "cancellationFeeMinor", b.cancellation_fee_reason as "cancellationFeeReason", b.currency, b.payment_status as "paymentStatus", stop.id as "pickupStopId", place.name as "pickupPlaceName", b.pickup_at as "pickupAt",
  b.notes, b.expires_at as "expiresAt", queue.rank as "waitlistRank", b.created_at as "createdAt", b.confirmed_at as "confirmedAt",
  b.cancelled_at as "cancelledAt", b.cancel_reason as "cancelReason",
  (select count(*)::int from booking_messages g where ${isUnreadOf}) as "unreadMessages"`

const joinDeparture = sql`join departures d on d.org_id = b.org_id and d.id = b.departure_id`

const joinQueue = sql`
  left join lateral (
    select count(*)::int + 1 as rank from bookings w where w.org_id = b.org_id and w.departure_id = b.departure_id
      and w.status = 'waitlisted' and (w.waitlist_rank, w.id) < (b.waitlist_rank, b.id)
  ) queue on b.status = 'waitlisted'`

const from = sql`
  from bookings b ${joinDeparture} ${joinQueue}
  join tours t on t.org_id = d.org_id and t.id = d.tour_id
  left join places place on place.org_id = b.org_id and place.id = b.pickup_place_id
  left join lateral ${pickupStopOfBooking} stop on b.pickup_place_id is not null`

function bookingRowOf(row: Row): BookingRow {
  const {
    contactName,
    contactEmail,
    contactPhone,
    contactLocale,
    contactCountry,
    units,
    discountCode,
    discountMinor,
    ...rest
  } = row
  return {
    ...rest,
    contact: {
      name: contactName,
      email: contactEmail,
      phone: contactPhone,
      locale: contactLocale,
      country: contactCountry,
    },
    discount: discountCode === null ? null : { code: discountCode, amountMinor: discountMinor },
    units: units.map(({ unitType, qty }) => ({ unitType, quantity: qty })),
    startsAt: iso(row.startsAt),
    pickupAt: isoOrNull(row.pickupAt),
    expiresAt: row.status === 'on_hold' || row.status === 'expired' ? isoOrNull(row.expiresAt) : null,
    createdAt: iso(row.createdAt),
    confirmedAt: isoOrNull(row.confirmedAt),
    cancelledAt: isoOrNull(row.cancelledAt),
  }
}

type ListFilter = Pick<Given<typeof listBookings>, 'q' | 'filters' | 'sort'>

const sortColumns = {
  startsAt: sql`d.starts_at`,
  createdAt: sql`b.created_at`,
  bookingRef: sql`b.booking_ref`,
  contact: sql`b.contact_name collate "und-x-icu"`,
  status: sql`b.status`,
  pax: sql`b.pax`,
  balance: sql`owed_minor(b.status, b.amount_total_minor, b.cancellation_fee_minor) - b.amount_paid_minor`,
  expiresAt: sql`b.expires_at`,
  waitlistRank: sql`queue.rank`,
}

/** Of chosen tours, or of the days of a span. */
function isOfDepartures({ tourId, from: first, to: last }: NonNullable<ListFilter['filters']>): Condition {
  const conditions = [
    isOneOfIds(sql`f.tour_id`, tourId),
    first !== undefined && sql`f.local_date >= ${first}::date`,
    last !== undefined && sql`f.local_date <= ${last}::date`,
  ].filter((condition) => condition !== undefined && condition !== false)
  return (
    conditions.length > 0 &&
    sql`b.departure_id in (select f.id from departures f where f.org_id = b.org_id and ${allOf(conditions)})`
  )
}

const conditionsOf = (call: MemberCall, { q, filters = {} }: ListFilter): RawBuilder<boolean> =>
  allOf([
    sql`b.org_id = ${call.orgId}`,
    isOneOfIds(sql`b.departure_id`, filters.departureId),
    isOfDepartures(filters),
    isOneOf(sql`b.status`, filters.status),
    isOneOf(sql`b.channel`, filters.channel),
    isOneOf(sql`b.payment_status`, filters.paymentStatus),
    filters.travelerId?.length
      ? sql`exists (select from manifest_entries m where m.org_id = b.org_id and m.booking_id = b.id
          and m.traveler_id = any (${filters.travelerId}::uuid[]))`
      : undefined,
    filters.unread !== undefined &&
      sql`exists (select from booking_messages g where ${isUnreadOf}) = ${filters.unread}`,
    q !== '' &&
      sql`(b.booking_ref like upper(${q}) || '%' or b.external_ref = ${q}
        or normalize_search(b.contact_name) like '%' || normalize_search(${q}) || '%')`,
  ])

/** One page of bookings. */
export async function selectBookingRows(
  call: MemberCall,
  input: ListFilter,
  page: { page: number; size: number },
): Promise<{ rows: BookingRow[]; total: number }> {
  const found = await selectLongPage(call.tx, {
    row: sql`b`,
    columns,
    from: sql`from bookings b`,
    where: conditionsOf(call, input),
    sorted: input.sort.some(({ by }) => by === 'waitlistRank') ? sql`${joinDeparture} ${joinQueue}` : joinDeparture,
    shown: from,
    order: orderBy(input.sort, sortColumns, sql`d.starts_at desc, b.created_at, b.id`),
    page,
  })
  return { total: found.total, rows: found.rows.map(bookingRowOf) }
}

/**
 * One booking with its guests.
 *
 * @throws AppError `not-found`, also outside the caller's reach.
 */
export async function selectBooking(call: MemberCall, id: string): Promise<Booking> {
  const { rows } = await sql<Row>`
    select ${columns} ${from} where b.org_id = ${call.orgId} and b.id = ${id}`.execute(call.tx)
  if (!rows[0]) throw notFound('booking')
  const booking = bookingRowOf(rows[0])
  // Those who plan tours see bookings, but not who travels. See docs/domain.md, "Roles and permissions".
  const guests = hasAccess(call, { permission: 'travelers:read' }) ? await selectGuests(call, id) : []
  return { ...booking, guests, nextStatuses: [...nextStatuses('bookings', booking.status)] }
}

/** Everybody ever named on the booking once: those on the manifest, and of a booking that is over those who were. */
async function selectGuests(call: MemberCall, bookingId: string): Promise<Booking['guests']> {
  type Guest = Booking['guests'][number]
  const { rows } = await sql<Omit<Guest, 'confirmedAt'> & { confirmedAt: Date | null }>`
    select distinct on (m.traveler_id) m.id as "entryId", m.traveler_id as "travelerId",
      concat_ws(' ', nullif(coalesce(p.preferred_name, p.first_name), ''), nullif(p.last_name, '')) as name, m.unit_type as "unitType", m.status,
      dietary_on_trip(p.dietary, m.trip_dietary) as dietary, m.trip_dietary as "tripDietary", m.trip_mobility as "tripMobility",
      coalesce(m.trip_mobility, p.mobility) as mobility, m.note, m.child_seat as "childSeat", m.details_confirmed_at as "confirmedAt", coalesce(m.details_confirmed_version <> p.version, false) as "isChangedSince"
    from manifest_entries m join travelers p on p.org_id = m.org_id and p.id = m.traveler_id
    join bookings b on b.org_id = m.org_id and b.id = m.booking_id
    where m.org_id = ${call.orgId} and m.booking_id = ${bookingId}
      and (m.status <> 'cancelled' or b.status in ${statuses.ended})
    order by m.traveler_id, m.status = 'cancelled', m.id desc`.execute(call.tx)
  return rows
    .map((guest) => ({ ...guest, confirmedAt: isoOrNull(guest.confirmedAt) }))
    .toSorted((a, b) => (a.entryId ?? '').localeCompare(b.entryId ?? ''))
}

export interface BookingRecord {
  id: string
  version: number
  bookingRef: string
  departureId: string
  status: BookingRow['status']
  pax: number
  pickupPlaceId: string | null
  expiresAt: Date | null
  amountTotalMinor: number
  cancellationFeeMinor: number
  priceReason: string | null
  /** What its seats cost, less the discount. */
  listMinor: number
}

/** The facts that changes are decided by. Read it again after locking the departure: only then can it not change. */
export async function selectRecord(call: SeatCall, id: string): Promise<BookingRecord> {
  const { rows } = await sql<BookingRecord>`
    select id, version, booking_ref as "bookingRef", departure_id as "departureId", status, pax, pickup_place_id as "pickupPlaceId",
      expires_at as "expiresAt", amount_total_minor as "amountTotalMinor", cancellation_fee_minor as "cancellationFeeMinor",
      price_reason as "priceReason",
      (select coalesce(sum((u ->> 'qty')::bigint * (u ->> 'priceMinor')::bigint), 0)::bigint from jsonb_array_elements(units) u) - discount_minor as "listMinor"
    from bookings where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  if (!rows[0]) throw notFound('booking')
  return rows[0]
}

export interface Pickup {
  placeId: string
  at: Date
}

/** Place and time of a pickup of this departure; null when none is wanted. @throws AppError `not-found`. */
export async function selectPickup(call: SeatCall, departureId: string, stopId: string | null): Promise<Pickup | null> {
  if (stopId === null) return null
  const { rows } = await sql<Pickup>`select place_id as "placeId", planned_arrive_at as at from departure_stops
    where org_id = ${call.orgId} and departure_id = ${departureId} and id = ${stopId}`.execute(call.tx)
  if (!rows[0]) throw notFound('pickup')
  return rows[0]
}
