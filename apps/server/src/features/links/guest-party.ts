import type { Given } from '@tour-ops/contract/callable'
import type { confirmParty, SharedParty } from '@tour-ops/contract/links/shared-page'
import { refuse } from '@tour-ops/contract/refusals'
import type { UnitType } from '@tour-ops/contract/units'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso } from '../../platform/list-query.ts'
import { newId } from '../../platform/ids.ts'
import {
  insertSeatEntries,
  insertTravelers,
  pickupStopOfBooking,
  touchBooking,
} from '../../platform/operations/named-guests.ts'
import { type OpenLink, linkOver } from '../../platform/operations/open-link.ts'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { lockSeats } from '../../platform/operations/seats.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { requireVersion } from '../../platform/optimistic-lock.ts'
import { assigned, updateVersioned } from '../../platform/version-conflict.ts'

type Person = SharedParty['people'][number]
type Wanted = Given<typeof confirmParty>
type Confirmed = Wanted['people'][number]

interface PersonRow extends Person {
  travelerId: string
  confirmedAt: Date | null
  confirmedVersion: number | null
}

/** The people of the link's booking, whose profiles stay locked where they are about to be changed. */
async function selectPeople(tx: Tx, link: OpenLink, lock: 'locked' | 'unlocked'): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select e.id, v.version, nullif(v.first_name, '') as "firstName", v.last_name as "lastName", v.dietary, v.dietary_note as "dietaryNote",
      v.id as "travelerId", e.details_confirmed_at as "confirmedAt", e.details_confirmed_version as "confirmedVersion"
    from manifest_entries e join travelers v on v.org_id = e.org_id and v.id = e.traveler_id
    where e.org_id = ${link.orgId} and e.departure_id = ${link.departureId} and e.booking_id = ${link.bookingId} and e.status <> 'cancelled'
      and (${link.travelerId}::uuid is null or e.traveler_id = ${link.travelerId})
      and v.archived_at is null and v.anonymised_at is null
    order by v.id ${lock === 'locked' ? sql`for update of v, e` : sql``}`.execute(tx)
  return rows
}

interface SeatsRow {
  units: { unitType: UnitType; qty: number; paxCount?: number }[]
  pax: number
  named: UnitType[]
  pickupStopId: string | null
}

/** Seats of the link's booking, which has not ended, with the kinds of those who are named on them. Archived profiles keep their seats. */
async function selectSeats(tx: Tx, { orgId, bookingId }: OpenLink): Promise<SeatsRow | undefined> {
  const { rows } = await sql<SeatsRow>`
    select b.units, b.pax, ${pickupStopOfBooking} as "pickupStopId",
      coalesce((select jsonb_agg(e.unit_type) from manifest_entries e
        where e.org_id = b.org_id and e.booking_id = b.id and e.departure_id = b.departure_id and e.status <> 'cancelled'), '[]') as named
    from bookings b where b.org_id = ${orgId} and b.id = ${bookingId} and b.status not in ${statuses.ended}`.execute(tx)
  return rows[0]
}

/** Kinds of the seats on which nobody is named, in the order of the booking. Somebody who is named as another kind takes the last of them. */
function openSeatsOf({ units, pax, named }: SeatsRow): UnitType[] {
  const left = new Map<UnitType, number>()
  for (const unitType of named) left.set(unitType, (left.get(unitType) ?? 0) + 1)
  const open = units.flatMap(({ unitType, qty, paxCount = 1 }) => {
    const seats = qty * paxCount
    const taken = Math.min(seats, left.get(unitType) ?? 0)
    left.set(unitType, (left.get(unitType) ?? 0) - taken)
    return Array.from({ length: seats - taken }, () => unitType)
  })
  return open.slice(0, Math.max(0, pax - named.length))
}

/** Until when guests may change details; null once the departure boards. */
async function selectUntil(tx: Tx, { orgId, departureId }: OpenLink): Promise<{ until: Date | null; isOpen: boolean }> {
  const { rows } = await sql<{ until: Date | null; isOpen: boolean }>`
    select guest_details_until(d) as until, coalesce(app_now() < guest_details_until(d), false) as "isOpen"
    from departures d where d.org_id = ${orgId} and d.id = ${departureId}`.execute(tx)
  return rows[0] ?? { until: null, isOpen: false }
}

/** Names and diet of the link's party; null on other links, and once the departure boards. */
export async function selectGuestParty(tx: Tx, link: OpenLink): Promise<SharedParty | null> {
  if (link.bookingId === null || !link.scopes.details) return null
  const { until, isOpen } = await selectUntil(tx, link)
  if (until === null) return null
  const rows = await selectPeople(tx, link, 'unlocked')
  const seats = link.travelerId === null ? await selectSeats(tx, link) : undefined
  const openSeats = seats ? openSeatsOf(seats) : []
  if (rows.length + openSeats.length === 0) return null
  const confirmed = rows.flatMap(({ confirmedAt }) => confirmedAt ?? []).toSorted((a, b) => b.getTime() - a.getTime())
  return {
    until: iso(until),
    isOpen,
    confirmedAt: confirmed.length === rows.length && confirmed[0] ? iso(confirmed[0]) : null,
    openSeats,
    people: rows.map(({ id, version, firstName, lastName, dietary, dietaryNote }) => ({
      id,
      version,
      firstName,
      lastName,
      dietary,
      dietaryNote,
    })),
  }
}

/**
 * Writes what the guest corrected, who comes on seats that were open, and that the party is right. The whole party is accepted or rejected; somebody
 * who was faster, on another phone or in the office, is not overwritten.
 *
 * @throws AppError `not-found` for people of others; `aborted`, reason `version_conflict`, `conflict` or `details_closed`.
 */
export async function confirmGuestParty(
  call: SeatCall,
  link: OpenLink,
  { people, named, openSeats }: Pick<Wanted, 'people' | 'named' | 'openSeats'>,
): Promise<SharedParty> {
  const { tx } = call
  // a traveler names nobody but themselves
  if (link.bookingId === null || !link.scopes.details || (named.length > 0 && link.travelerId !== null))
    throw linkOver()
  // as for every name that the office gives: seats are named one after the other
  if (named.length > 0) await lockSeats(call, [link.departureId])
  const { isOpen } = await selectUntil(tx, link)
  if (!isOpen) throw refuse('details_closed')
  const party = await selectPeople(tx, link, 'locked')
  const given = new Map(people.map((person) => [person.id, person]))
  if (people.some(({ id }) => !party.some((one) => one.id === id))) throw linkOver()
  // the office has added somebody meanwhile
  if (people.length !== party.length) throw refuse('conflict')
  for (const stored of party) {
    const person = given.get(stored.id)
    if (!person) throw refuse('conflict')
    await confirmPerson(tx, link, stored, person)
  }
  if (named.length > 0) await nameOthers(call, link, { named, openSeats })
  const confirmed = await selectGuestParty(tx, link)
  if (!confirmed) throw linkOver()
  return confirmed
}

/** Whoever names open seats has seen them: what was named meanwhile, also by an answer that was lost, is not named twice. */
async function nameOthers(
  call: SeatCall,
  link: OpenLink,
  { named, openSeats }: Pick<Wanted, 'named' | 'openSeats'>,
): Promise<void> {
  const { orgId, departureId, bookingId } = link
  const seats = await selectSeats(call.tx, link)
  const open = seats ? openSeatsOf(seats) : []
  if (!seats || bookingId === null || open.length !== openSeats) throw refuse('conflict')
  for (const { unitType } of named) {
    const place = open.indexOf(unitType)
    if (place === -1) throw refuse('conflict')
    open.splice(place, 1)
  }
  const travelers = named.map((person) => ({ ...blank, ...person, travelerId: newId() }))
  await insertTravelers(call, travelers)
  await insertSeatEntries(call, { orgId, departureId, bookingId, pickupStopId: seats.pickupStopId }, travelers, 'guest')
  await touchBooking(call, bookingId)
}

/** What a guest does not say of who comes along. */
const blank = { phone: null, email: null, language: null, mobility: 'none' } as const

async function confirmPerson(tx: Tx, { orgId }: OpenLink, stored: PersonRow, person: Confirmed): Promise<void> {
  requireVersion(stored, person.version, 'guest')
  let { version } = stored
  if (detailsOf(stored) !== detailsOf(person)) {
    const saved = await updateVersioned(
      tx,
      'travelers',
      { orgId, id: stored.travelerId, version },
      assigned({
        first_name: person.firstName ?? '',
        last_name: person.lastName,
        dietary: person.dietary,
        dietary_note: person.dietaryNote,
      }),
    )
    version = saved.version
  }
  if (stored.confirmedVersion === version) return
  await sql`update manifest_entries set details_confirmed_at = app_now(), details_confirmed_version = ${version}
    where org_id = ${orgId} and id = ${stored.id}`.execute(tx)
}

const detailsOf = ({ firstName, lastName, dietary, dietaryNote }: Omit<Person, 'id' | 'version'>): string =>
  JSON.stringify([firstName, lastName, dietary.toSorted(), dietaryNote])
