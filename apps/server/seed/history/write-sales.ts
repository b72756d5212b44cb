import { sql } from 'kysely'
import { newId } from '../../src/platform/ids.ts'
import { asRows, iso, type PastWrites } from './as-they-ended.ts'
import type { PastGuest } from './guests.ts'
import type { PastLife, PastParty } from './lives.ts'

/**
 * Guests, with their private data where it is stored.
 *
 * @param personalDataSince Whose last tour ended before no longer has private data, as the purge would have left it.
 */
export async function writeGuests(
  { tx, orgId }: PastWrites,
  guests: readonly PastGuest[],
  personalDataSince: number,
): Promise<void> {
  const rows = guests.map((guest) => ({
    ...guest,
    languages: guest.language === 'en' ? ['en'] : [guest.language, 'en'],
    email: `guest-${guest.id.slice(-12)}@example.org`,
    since: iso(guest.knownSince),
    last: guest.tours > 0 ? iso(guest.lastAt) : null,
  }))
  await sql`
    insert into travelers (org_id, id, first_name, last_name, nationality, residence_country, languages, email, dietary, mobility,
      lifetime_tours, lifetime_last_at, created_at)
    select ${orgId}, g.id, g."firstName", g."lastName", g.country, g.country, g.languages, g.email, g.dietary, g.mobility, g.tours, g.last, g.since
    from jsonb_to_recordset(${asRows(rows)}::jsonb) as g (id uuid, "firstName" text, "lastName" text, country text, languages text[], email text,
      dietary text[], mobility text, tours int, last timestamptz, since timestamptz)`.execute(tx)
  const kept = guests
    .filter(({ lastAt }) => lastAt >= personalDataSince)
    .map(({ id, dateOfBirth }) => ({ id, dateOfBirth }))
  await sql`
    insert into traveler_private (org_id, traveler_id, date_of_birth)
    select ${orgId}, g.id, g."dateOfBirth" from jsonb_to_recordset(${asRows(kept)}::jsonb) as g (id uuid, "dateOfBirth" date)`.execute(
    tx,
  )
}

/** Why a party did not go; null where they did, or should have. */
function cancelled(
  { cancelledAt }: PastParty,
  { cancelReason, calledOffAt }: PastLife,
): { at: number; why: string } | null {
  if (cancelledAt !== null) return { at: cancelledAt, why: 'Guest cancelled' }
  return cancelReason === null ? null : { at: calledOffAt, why: 'Departure cancelled' }
}

/** So many go first and are counted: triggers would read the rest by plans for an empty table. */
const fewRows = 200

/** Bookings with what became of them; who does not go has their money back. */
export async function writeBookings(past: PastWrites, lives: readonly PastLife[], by: string): Promise<void> {
  const rows = lives.flatMap((life) =>
    life.parties.map((party) => {
      const contact = party.entries[0]?.guest
      const off = cancelled(party, life)
      return {
        id: party.id,
        ref: party.ref,
        channel: party.channel,
        departure: life.departure.id,
        status: off ? 'cancelled' : 'completed',
        name: contact ? `${contact.firstName} ${contact.lastName}` : '',
        locale: contact?.language,
        country: contact?.country,
        units: party.units.map(({ unitType, quantity, priceMinor }) => ({
          unitType,
          qty: quantity,
          paxCount: 1,
          priceMinor,
        })),
        pax: party.entries.length,
        total: party.totalMinor,
        paid: party.isPaid ? party.totalMinor : 0,
        currency: life.tour.currency,
        booked: iso(party.bookedAt),
        off: off && iso(off.at),
        why: off?.why ?? null,
      }
    }),
  )
  for (const part of [rows.slice(0, fewRows), rows.slice(fewRows)]) {
    await insertBookings(past, part, by)
    await past.count('bookings')
    await past.count('payments')
  }
}

/** Bookings and their payments in one statement: what was paid then stands in the booking from the first, and none is written twice. */
async function insertBookings({ tx, orgId }: PastWrites, rows: readonly PaidParty[], by: string): Promise<void> {
  await sql`
    with booking as (
      insert into bookings (org_id, id, booking_ref, departure_id, status, channel, contact_name, contact_locale, contact_country, units, pax,
        amount_total_minor, amount_paid_minor, currency, confirmed_at, created_at, cancelled_at, cancel_reason)
      select ${orgId}, b.id, b.ref, b.departure, b.status, b.channel, b.name, b.locale, b.country, b.units, b.pax, b.total,
        case when b.off is null then b.paid else 0 end, b.currency, b.booked, b.booked, b.off, b.why
      from jsonb_to_recordset(${asRows(rows)}::jsonb) as b (id uuid, ref text, departure uuid, status text, channel text, name text,
        locale text, country text, units jsonb, pax int, total bigint, paid bigint, currency text, booked timestamptz, off timestamptz, why text)
    )
    insert into payments (org_id, id, booking_id, kind, method, amount_minor, currency, received_at, created_at, recorded_by)
    select ${orgId}, p.id, p.booking, p.kind, p.method, p.amount, p.currency, p.at, p.at, ${by}
    from jsonb_to_recordset(${asRows(rows.flatMap(paymentsOf))}::jsonb) as p (id uuid, booking uuid, kind text, method text, amount bigint,
      currency text, at timestamptz)`.execute(tx)
}

interface PaidParty {
  readonly id: string
  readonly channel: string
  readonly paid: number
  readonly currency: string
  /** ISO; of the cancellation null where they went. */
  readonly booked: string
  readonly off: string | null
}

/** What was paid when it was booked, and paid back when it was cancelled. */
function paymentsOf({ id, channel, paid: amount, currency, booked, off }: PaidParty) {
  if (amount === 0) return []
  const method = channel === 'agent' ? 'transfer' : 'card_terminal'
  const move = { booking: id, method, amount, currency }
  const payment = { ...move, id: newId(), kind: 'payment', at: booked }
  return off === null ? [payment] : [payment, { ...move, id: newId(), kind: 'refund', at: off }]
}

/** Who was on the list of each departure, and who of them came. */
export async function writeManifests({ tx, orgId }: PastWrites, lives: readonly PastLife[], by: string): Promise<void> {
  const rows = lives.flatMap((life) =>
    life.parties.flatMap((party) => {
      const isOff = cancelled(party, life) !== null
      return party.entries.map(({ id, guest, unitType, isAbsent, checkedInAt }) => ({
        id,
        booking: party.id,
        departure: life.departure.id,
        guest: guest.id,
        unitType,
        status: isOff ? 'cancelled' : isAbsent ? 'no_show' : 'finished',
        arrived: isOff || isAbsent ? null : iso(checkedInAt),
        booked: iso(party.bookedAt),
      }))
    }),
  )
  await sql`
    insert into manifest_entries (org_id, id, departure_id, booking_id, traveler_id, unit_type, status, check_in_at, check_in_by, created_at)
    select ${orgId}, e.id, e.departure, e.booking, e.guest, e."unitType", e.status, e.arrived,
      case when e.arrived is not null then ${by}::text end, e.booked
    from jsonb_to_recordset(${asRows(rows)}::jsonb) as e (id uuid, departure uuid, booking uuid, guest uuid, "unitType" text, status text,
      arrived timestamptz, booked timestamptz)`.execute(tx)
}
