import type { UnitType } from '@tour-ops/contract/units'
import { entryFor, recognize } from './people-of-file.ts'
import { type PlanContext, refuse, requireAgreement } from './plan-context.ts'
import { type Guest, samePerson } from './plan-guest.ts'
import { planKnownPerson, planNewPerson } from './plan-person.ts'
import type { BookingFacts, DepartureFacts, EntryFacts } from './plan-store.ts'
import type { StagedRow } from './plan-types.ts'

/** @param kinds Kinds of the party one by one; those who are new and have none get what is left. */
export function guestsOf(
  context: PlanContext,
  departure: DepartureFacts,
  booking: BookingFacts | undefined,
  rows: readonly StagedRow[],
  kinds: UnitType[],
): Guest[] {
  const { facts, memory } = context
  const entries = new Set(booking ? facts.entriesOfBooking(booking.id) : [])
  const aboard = new Map<string, number>()
  return rows.map((row) => {
    const entry = entryFor(row.values, entries)
    if (entry) entries.delete(entry)
    const said = (row.values.unitType ?? entry?.unitType) as UnitType | undefined
    const [kind = 'adult'] = kinds.splice(said === undefined ? 0 : Math.max(0, kinds.indexOf(said)), 1)
    const guest = entry ? knownGuest(context, row, entry) : newGuest(context, row, departure, booking, said ?? kind)
    const place = `${departure.id} ${guest.travelerId}`
    const earlier = memory.onBoard.get(place) ?? aboard.get(place)
    if (earlier !== undefined) {
      refuse(context, row, { code: 'traveler_twice', field: 'last_name', params: { line: String(earlier) } })
    }
    aboard.set(place, row.line)
    requirePersonAgreement(context, row, guest)
    return guest
  })
}

function knownGuest(context: PlanContext, row: StagedRow, entry: EntryFacts): Guest {
  const person = planKnownPerson(row.values, entry, context.seal)
  const unitType = (row.values.unitType ?? entry.unitType) as UnitType
  return { row, entry, unitType, travelerId: entry.travelerId, person }
}

/** Somebody who is not on the booking: known from another tour, met earlier in the file, or new. */
function newGuest(
  context: PlanContext,
  row: StagedRow,
  departure: DepartureFacts,
  booking: BookingFacts | undefined,
  unitType: UnitType,
): Guest {
  const { facts, memory, seal } = context
  const { values } = row
  const known = recognize(values, facts.candidatesFor(values))
  if (known) {
    const there = facts.placeOf(departure.id, known.travelerId)
    if (there && there.bookingId !== booking?.id) {
      const params = { bookingRef: there.bookingRef }
      refuse(context, row, { code: 'traveler_booked_already', field: 'last_name', params })
    }
    return {
      row,
      entry: undefined,
      unitType,
      travelerId: known.travelerId,
      person: planKnownPerson(values, known, seal),
    }
  }
  const fresh = planNewPerson(values, seal)
  const met = memory.people.find(values)
  return {
    row,
    entry: undefined,
    unitType,
    travelerId: met ?? fresh.traveler.id,
    person: met ? samePerson(fresh, met) : fresh,
  }
}

function requirePersonAgreement(context: PlanContext, row: StagedRow, { travelerId, person }: Guest): void {
  requireAgreement(context, row, `t ${travelerId}`, person.traveler, 'person_disagrees')
  requireAgreement(context, row, `p ${travelerId}`, person.private, 'person_disagrees')
  requireAgreement(context, row, `d ${travelerId}`, person.passport, 'person_disagrees')
}

/** Kinds of everybody on the booking afterwards: those whom the file does not name keep theirs. */
export function unitTypesOf(
  context: PlanContext,
  booking: BookingFacts | undefined,
  guests: readonly Guest[],
): UnitType[] {
  const seen = new Set(guests.map((guest) => guest.entry?.entryId))
  const others = booking ? context.facts.entriesOfBooking(booking.id) : []
  return [
    ...others.filter((entry) => !seen.has(entry.entryId)).map((entry) => entry.unitType as UnitType),
    ...guests.map((guest) => guest.unitType),
  ]
}
