import type { GuestChannel } from '@tour-ops/contract/notifications/phone-channels'
import { type RawBuilder, sql } from 'kysely'
import { reachedAt, reachedBy } from '../channels/phone-channels.ts'
import type { Tx } from '../db/database.ts'
import type { GuestFacts } from './guest-emails.ts'
import { type MeetingPoint, meetingPointOf } from './meeting-point.ts'
import { statuses } from './status-sets.ts'

/** A booking with what its e-mails name, and where they go. */
export interface ToldBooking extends GuestFacts {
  readonly id: string
  /** By which channel its contact is reached, and where; null where by none. */
  readonly reachedBy: GuestChannel | null
  readonly reachedAt: string | null
  readonly email: string | null
  readonly contactPhone: string | null
  /** As booked, else that of the office. */
  readonly language: string
  readonly departureId: string
  readonly version: number
  readonly units: readonly { readonly unitType: string; readonly qty: number }[]
  readonly endsAt: Date
  /** What was paid so far. Minor units. */
  readonly paidMinor: number
  readonly isAhead: boolean
  /** It is confirmed, and its departure is neither over nor cancelled. */
  readonly isGoing: boolean
  readonly localDate: string
  readonly meeting: MeetingPoint | null
  /** By the database's clock. */
  readonly now: Date
}

/** Undefined for a booking that is out of reach. */
export async function selectToldBooking(tx: Tx, orgId: string, id: string): Promise<ToldBooking | undefined> {
  const [booking] = await selectToldBookings(tx, orgId, sql<boolean>`b.id = ${id}`)
  return booking
}

type Row = Omit<ToldBooking, 'meeting'> & { readonly [K in keyof MeetingPoint]: MeetingPoint[K] | null }

/**
 * Bookings as guests are told of them, by the name of their contact.
 *
 * @param which Over a booking `b` and its departure `d`.
 * @param limit At most so many, from `offset` on.
 */
export async function selectToldBookings(
  tx: Tx,
  orgId: string,
  which: RawBuilder<boolean>,
  { limit = null, offset = 0 }: { readonly limit?: number | null; readonly offset?: number } = {},
): Promise<ToldBooking[]> {
  const { rows } = await sql<Row>`
    select b.id, b.contact_name as "contactName", b.contact_email as email, b.contact_phone as "contactPhone", b."reachedBy", b."reachedAt", coalesce(b.contact_locale, s.locale) as language, b.booking_ref as "bookingRef", b.pax, b.units, b.version, b.expires_at as "heldUntil",
      b.departure_id as "departureId", t.name as "tourName", d.starts_at as "startsAt", d.ends_at as "endsAt", d.time_zone as "timeZone",
      d.local_date as "localDate", d.starts_at > app_now() as "isAhead", b.status = 'confirmed' and d.status in ${statuses.active} as "isGoing",
      app_now() as now, s.time_format as "timeFormat", s.general ->> 'phone' as phone, d.weather_note as "weatherNote", plan.content #>> '{texts,whatToBring}' as "whatToBring", o.name as "organizationName", b.currency,
      b."dueMinor",
      greatest(0, b.amount_paid_minor - owed.minor) as "refundMinor", b.amount_paid_minor as "paidMinor",
      meeting.*
    from (select b.*, ${reachedBy} as "reachedBy", ${reachedAt} as "reachedAt", due_minor(b) as "dueMinor" from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id
        where b.org_id = ${orgId} and ${which}
        order by b.contact_name, b.id limit ${limit} offset ${offset}) b
      join departures d on d.org_id = b.org_id and d.id = b.departure_id join tours t on t.org_id = d.org_id and t.id = d.tour_id
      left join tour_revisions plan on plan.org_id = d.org_id and plan.id = d.revision_id
      join org_settings s on s.org_id = b.org_id join organizations o on o.org_id = b.org_id
      cross join lateral (select owed_minor(b.status, b.amount_total_minor, b.cancellation_fee_minor) as minor) owed
      -- under names that mean nothing else inside
      cross join lateral (select b.id as booking_id, b.departure_id) told
      left join lateral (${meetingPointOf(orgId, sql.ref('told.departure_id'), sql.ref('told.booking_id'))}) meeting on true
    order by b.contact_name, b.id`.execute(tx)
  return rows.map(withMeeting)
}

function withMeeting({
  placeName,
  address,
  at,
  expectedAt,
  isPickup,
  isPast,
  isComing,
  stopsBefore,
  lat,
  lng,
  ...booking
}: Row): ToldBooking {
  // all of them, or a departure without stops
  const meeting = { placeName, address, at, expectedAt, isPickup, isPast, isComing, stopsBefore, lat, lng }
  return { ...booking, meeting: placeName === null ? null : (meeting as MeetingPoint) }
}
