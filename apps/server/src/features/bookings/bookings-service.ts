import { getAvailability, type availabilityStates } from '@tour-ops/contract/bookings/availability'
import { threadVerbs } from './thread-service.ts'
import { exportBookings, getBooking, listBookings, type BookingRow } from '@tour-ops/contract/bookings/bookings'
import type { FormHold } from '@tour-ops/contract/bookings/form-hold'
import type { Out } from '@tour-ops/contract/callable'
import { type StatusOf, hasStatus, notLeftStatuses } from '@tour-ops/contract/state-machines'
import { TourContent } from '@tour-ops/contract/tours/tour-content'
import type { OptionPrices } from '@tour-ops/contract/units'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { csvFile } from '../../platform/csv.ts'
import { addDays } from '../../platform/local-time.ts'
import { iso } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { formHoldsOf, isOwnForm } from '../../platform/operations/form-holds.ts'
import { seatsLeftOf } from '../../platform/operations/seats-left.ts'
import { verb, type Verb } from '../../platform/verb.ts'
import { billingVerbs } from './billing-service.ts'
import { cancel, confirm, extend, move, offer, reject } from './bookings-changes.ts'
import { create } from './bookings-create.ts'
import { change, party } from './bookings-party.ts'
import { revise } from './bookings-revise.ts'
import { discountsVerbs } from './discounts.ts'
import { formHoldsVerbs } from './form-holds.ts'
import { ages } from './guest-ages.ts'
import { bringBackSome, moveSome } from './move-some.ts'
import { name } from './name-guests.ts'
import { paymentsExportVerbs } from './payments-export.ts'
import { paymentsVerbs } from './payments-service.ts'
import { proposalsVerbs } from './proposals-service.ts'
import { restore } from './restore-booking.ts'
import { takeApart } from './restore-join.ts'
import { restoreNamed } from './restore-names.ts'
import { restoreSeats } from './restore-party.ts'
import { restoreRevised } from './restore-revision.ts'
import { restoreLastStatus } from './restore-status.ts'
import { join, split } from './split-party.ts'
import { selectBooking, selectBookingRows } from './bookings-store.ts'
import { checkInGuests, undoGuests } from './check-in-service.ts'
import { events, manifest, noShow, setEntry } from './manifest-service.ts'
import { update } from './update-booking.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

const list = verb(listBookings, (call, input) => selectBookingRows(call, input, input))

/** Bookings of one export at most: a month of a large operator. See docs/domain.md, "Sizes". */
const maxExported = 50_000

const exportCsv = verb(exportBookings, async (call, input) => {
  const { rows } = await selectBookingRows(call, input, { page: 1, size: maxExported })
  return csvFile<BookingRow>(
    'bookings',
    {
      booking_ref: (row) => row.bookingRef,
      external_ref: (row) => row.externalRef,
      channel: (row) => row.channel,
      status: (row) => row.status,
      departure_code: (row) => row.departureCode,
      departure_status: (row) => row.departureStatus,
      tour: (row) => row.tourName,
      local_date: (row) => row.localDate,
      start_local: (row) => row.startTimeLocal,
      contact: (row) => row.contact.name,
      email: (row) => row.contact.email,
      phone: (row) => row.contact.phone,
      pax: (row) => row.pax,
      units: (row) => row.units.map((unit) => `${unit.quantity} ${unit.unitType}`).join(', '),
      discount_code: (row) => row.discount?.code ?? null,
      discount_minor: (row) => row.discount?.amountMinor ?? null,
      total_minor: (row) => row.amountTotalMinor,
      paid_minor: (row) => row.amountPaidMinor,
      currency: (row) => row.currency,
      payment: (row) => row.paymentStatus,
      pickup: (row) => row.pickupPlaceName,
      unread_messages: (row) => row.unreadMessages,
      created_at: (row) => row.createdAt,
    },
    rows,
    input.columns,
  )
})

const get = verb(getBooking, (call, { id }) => selectBooking(call, id))

interface OfferedRow {
  id: string
  code: string
  localDate: string
  startTimeLocal: string
  startsAt: Date
  endsAt: Date
  language: string | null
  leadId: string | null
  leadName: string | null
  status: StatusOf<'departures'>
  salesStatus: StatusOf<'departure_sales'>
  capacity: number
  seatsTaken: number
  seatsLeft: number
  isPrivate: boolean
  optionName: string | null
  optionPrices: OptionPrices | null
  waitlistCount: number
  isOver: boolean
  pickups: { stopId: string; placeName: string; lat: number; lng: number; at: string }[]
  formHolds: FormHold[]
}

/** Seats of holds that have expired by the database's clock count as free, even before the sweep, and so does for a form what it holds itself, and for a booking what it has. */
const availability = verb(getAvailability, async (call, { tourId, from, days, formId, bookingId }) => {
  const tour = await selectSold(call, tourId)
  const last = addDays(from, days - 1)
  const { rows } = await sql<OfferedRow>`
    select d.id, d.code, d.local_date as "localDate", to_char(d.local_start_time, 'HH24:MI') as "startTimeLocal", d.starts_at as "startsAt",
      d.ends_at as "endsAt", d.language, lead.id as "leadId", lead.name as "leadName", d.status, d.sales_status as "salesStatus", d.capacity,
      d.seats_confirmed + d.seats_held - gone.pax as "seatsTaken",
      ${seatsLeftOf(sql`d`, sql`gone.pax`)} as "seatsLeft", d.private as "isPrivate", o.name as "optionName", o.prices as "optionPrices", d.waitlist_count as "waitlistCount",
      coalesce(d.cutoff_at <= app_now(), false) as "isOver", coalesce(stops.pickups, '[]') as pickups, forms.holds as "formHolds"
    from departures d left join tour_options o on o.org_id = d.org_id and o.id = d.option_id
    left join lateral (
      select f.id, concat_ws(' ', f.first_name, f.last_name) as name from assignments a
      join field_staff f on f.org_id = a.org_id and f.id = a.staff_id
      where a.org_id = d.org_id and a.departure_id = d.id and a.role = 'lead_guide' and a.status in ${statuses.binding} limit 1
    ) lead on true
    cross join lateral (
      select (select coalesce(sum(b.pax), 0) from bookings b where b.org_id = d.org_id and b.departure_id = d.id and b.status = 'on_hold'
          and b.expires_at <= app_now())::int
        + (select coalesce(sum(p.seats), 0) from proposals p where p.org_id = d.org_id and coalesce(p.to_departure_id, p.from_departure_id) = d.id
          and p.to_departure_id is not null and p.outcome is null and p.expires_at <= app_now())::int
        + (select coalesce(sum(f.seats), 0) from form_holds f where f.org_id = d.org_id and f.departure_id = d.id
          and (f.expires_at <= app_now() or ${isOwnForm(call, formId)}))::int
        + ${seatsOfBooking(bookingId)} as pax
    ) gone
    cross join lateral ${formHoldsOf(call, formId)} forms
    cross join lateral (
      select jsonb_agg(jsonb_build_object('stopId', s.id, 'placeName', p.name, 'lat', p.lat, 'lng', p.lng,
        'at', to_char(s.planned_arrive_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by s.planned_arrive_at) as pickups
      from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
      where s.org_id = d.org_id and s.departure_id = d.id and s.kind in ('pickup', 'start') and s.day_index = 1
    ) stops
    where d.org_id = ${call.orgId} and d.tour_id = ${tourId} and d.local_date between ${from}::date and ${last}::date
      and d.status not in ('draft', 'cancelled')
    order by d.starts_at, d.id`.execute(call.tx)
  return {
    timeZone: tour.timeZone,
    units: TourContent.parse(tour.content ?? {}).units,
    days: Array.from({ length: days }, (_, day) => dayOf(addDays(from, day), rows)),
  }
})

/** Seats that a booking has on departure `d`; those of a hold that has ended are free for everybody. */
const seatsOfBooking = (id: string | undefined): RawBuilder<unknown> =>
  id === undefined
    ? sql`0`
    : sql`(select coalesce(sum(own.pax), 0) from bookings own where own.org_id = d.org_id and own.departure_id = d.id and own.id = ${id}::uuid
        and (own.status = 'confirmed' or own.status = 'on_hold' and own.expires_at > app_now()))::int`

async function selectSold(call: MemberCall, tourId: string): Promise<{ timeZone: string; content: unknown }> {
  const { rows } = await sql<{ timeZone: string; content: unknown }>`
    select t.time_zone as "timeZone", r.content from tours t
    left join tour_revisions r on r.org_id = t.org_id and r.id = t.current_revision_id
    where t.org_id = ${call.orgId} and t.id = ${tourId}`.execute(call.tx)
  if (!rows[0]) throw notFound('tour')
  return rows[0]
}

function dayOf(localDate: string, rows: readonly OfferedRow[]): Out<typeof getAvailability>['days'][number] {
  const departures = rows
    .filter((row) => row.localDate === localDate)
    .map((row) => {
      const { leadId, leadName, isOver: _over, localDate: _date, ...rest } = row
      return {
        ...rest,
        startsAt: iso(row.startsAt),
        endsAt: iso(row.endsAt),
        leadGuide: leadId && leadName ? { id: leadId, name: leadName } : null,
        state: stateOf(row),
      }
    })
  const bookable = departures.filter((row) => row.state !== 'closed')
  return { localDate, seatsLeft: Math.max(0, ...bookable.map((row) => row.seatsLeft)), departures }
}

/** See docs/domain.md, "Seats, holds and the waitlist". */
function stateOf(row: OfferedRow): (typeof availabilityStates)[number] {
  if (!hasStatus(notLeftStatuses, row.status) || row.salesStatus !== 'open' || row.isOver) return 'closed'
  if (row.seatsLeft === 0) return 'sold_out'
  return row.seatsLeft > row.capacity * 0.3 ? 'available' : 'limited'
}

export const bookingsVerbs: Verb[] = [
  list,
  exportCsv,
  get,
  create,
  update,
  name,
  confirm,
  reject,
  offer,
  extend,
  move,
  cancel,
  restore,
  restoreSeats,
  restoreNamed,
  restoreRevised,
  restoreLastStatus,
  revise,
  takeApart,
  split,
  moveSome,
  bringBackSome,
  join,
  party,
  ages,
  change,
  availability,
  manifest,
  checkInGuests,
  undoGuests,
  noShow,
  setEntry,
  events,
  ...threadVerbs,
  ...formHoldsVerbs,
  ...discountsVerbs,
  ...paymentsVerbs,
  ...billingVerbs,
  ...proposalsVerbs,
  ...paymentsExportVerbs,
]
