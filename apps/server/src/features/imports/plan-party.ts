import type { ImportField, ImportMapping } from '@tour-ops/contract/imports/imports'
import type { UnitType } from '@tour-ops/contract/units'
import { newId } from '../../platform/ids.ts'
import { type BatchFacts, channelOf } from './batch-facts.ts'
import type { Claims } from './claims.ts'
import type { ImportSeal } from './import-seal.ts'
import { type DepartureBook, sellingEnded } from './departure-book.ts'
import { problem, type Problem, type Warning } from './import-problems.ts'
import { entryFor, mayBeSame, nameKeyOf, type PeopleOfFile, recognize } from './people-of-file.ts'
import { partyFieldsOf } from './party-fields.ts'
import { kindsOf } from './party-text.ts'
import { type PartyProblem, planKnownBooking, planNewBooking } from './plan-booking.ts'
import { type Guest, planEntry, samePerson } from './plan-guest.ts'
import { planKnownPerson, planNewPerson } from './plan-person.ts'
import type { RoomBook, RoomsPlanned } from './plan-rooms.ts'
import type { BookingFacts, DepartureFacts, EntryFacts, Pickup } from './plan-store.ts'
import { type Change, type EntityPlan, nameOf, type PlannedRow, type StagedRow, type WritePlan } from './plan-types.ts'
import { planCancelled } from './plan-cancelled.ts'
import { pickupOrNote, withoutRoom } from './plan-warnings.ts'
import { isReferenced, type RowValues } from './row-values.ts'

/** What the lines before have decided. Lives as long as one check of one file. */
export interface PlanMemory {
  readonly departures: DepartureBook
  readonly claims: Claims
  readonly people: PeopleOfFile
  readonly rooms: RoomBook
  /** Who is on which departure by this file: `departure traveler` → line. */
  readonly onBoard: Map<string, number>
}

export interface PlanContext {
  readonly facts: BatchFacts
  readonly memory: PlanMemory
  readonly now: Date
  readonly seal: ImportSeal
  readonly mapping: Pick<ImportMapping, 'amountsOf' | 'otherCurrency'>
  /** Header of the column that goes to a field. */
  readonly headerOf: (field: string) => string | null
  /** An unused reference. */
  readonly freeRef: () => string
}

/** Refuses one line, and with it its party. */
class Refusal extends Error {
  readonly line: number
  readonly problem: Problem

  constructor(line: number, found: Problem) {
    super(found.code)
    this.line = line
    this.problem = found
  }
}

/**
 * Compares the lines of one party with the stored data. A party is accepted or rejected as a whole.
 *
 * @returns one plan per line, in the order given.
 */
export function planParty(context: PlanContext, rows: readonly StagedRow[]): PlannedRow[] {
  const wrong = rows.find((row) => row.problems.length > 0)
  if (wrong) return refused(context, rows, wrong.line, wrong.problems)
  try {
    return new PartyPlanner(context, rows).plan()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refused(context, rows, error.line, [error.problem])
  }
}

function refused(
  { memory }: PlanContext,
  rows: readonly StagedRow[],
  line: number,
  problems: readonly Problem[],
): PlannedRow[] {
  const code = problems[0]?.code === 'no_seat' ? 'no_seat_same_party' : 'same_party'
  return rows.map((row) => {
    const found = memory.departures.find(row.values)
    const own = row.line === line ? problems : row.problems
    return {
      line: row.line,
      outcome: 'rejected',
      problems: own.length > 0 ? own : [problem(code, problems[0]?.column ?? null, { line: String(line) })],
      warnings: [],
      changes: [],
      write: {},
      name: nameOf(row.values),
      departureCode: 'departure' in found ? found.departure.code : (row.values.departureCode ?? null),
      departureId: null,
      bookingId: null,
      travelerId: null,
      entryId: null,
    }
  })
}

class PartyPlanner {
  readonly #context: PlanContext
  readonly #rows: readonly StagedRow[]
  readonly #first: StagedRow

  constructor(context: PlanContext, rows: readonly StagedRow[]) {
    const [first] = rows
    if (!first) throw new Error('A party has at least one line')
    this.#context = context
    this.#rows = rows
    this.#first = first
  }

  plan(): PlannedRow[] {
    this.#context.memory.rooms.begin()
    const cancelled = this.#cancelled()
    if (cancelled) return cancelled
    const departure = this.#departure()
    const groups = this.#bookings(departure)
    const planned = groups.flatMap(({ booking, rows }) => this.#planGroup(departure, booking, rows))
    // only now is everything taken: a refusal before leaves no trace
    this.#context.memory.rooms.keep()
    return planned.toSorted((a, b) => a.line - b.line).map((each) => each.take())
  }

  #refuse(row: StagedRow, found: PartyProblem | (Omit<Problem, 'column'> & { field?: ImportField })): never {
    const column = found.field === undefined ? null : this.#context.headerOf(found.field)
    throw new Refusal(row.line, problem(found.code, column, found.params))
  }

  /** A party whose lines all say that it is cancelled. */
  #cancelled(): PlannedRow[] | undefined {
    const isCancelled = ({ values }: StagedRow): boolean => values.status === 'cancelled'
    const other = this.#rows.find((row) => isCancelled(row) !== isCancelled(this.#first))
    if (other) {
      this.#refuse(other, { code: 'party_disagrees', field: 'status', params: { line: String(this.#first.line) } })
    }
    if (!isCancelled(this.#first)) return undefined
    const planned = planCancelled(this.#context, this.#rows)
    if ('code' in planned) return this.#refuse(this.#first, planned)
    return planned
  }

  /** One reference is one booking, and one booking is on one departure. */
  #departure(): DepartureFacts {
    const { departures } = this.#context.memory
    const named = this.#rows.filter(
      ({ values }) =>
        values.departureCode !== undefined || values.tourCode !== undefined || values === this.#first.values,
    )
    let common: DepartureFacts | undefined
    for (const row of named) {
      const found = departures.find(row.values)
      const field = row.values.departureCode === undefined ? 'tour_code' : 'departure_code'
      if (!('departure' in found)) return this.#refuse(row, { ...found, field })
      common ??= found.departure
      if (found.departure.id !== common.id) {
        this.#refuse(row, { code: 'party_disagrees', field, params: { line: String(this.#first.line) } })
      }
    }
    if (!common) return this.#refuse(this.#first, { code: 'departure_missing', params: {} })
    return common
  }

  /**
   * The booking of the party. Lines without a reference are found by name and birth date on the departure, each with the booking it has
   * there; those that are not found make one together.
   */
  #bookings(departure: DepartureFacts): { booking: BookingFacts | undefined; rows: readonly StagedRow[] }[] {
    const { facts } = this.#context
    const { values } = this.#first
    if (isReferenced(values)) {
      const booking = facts.bookingOf(values)
      if (booking) this.#requireSound(booking, departure)
      else if (values.bookingRef !== undefined && facts.bookingByRef(values.bookingRef)) {
        const { bookingRef } = values
        this.#refuse(this.#first, { code: 'booking_ref_taken', field: 'booking_ref', params: { bookingRef } })
      }
      return [{ booking, rows: this.#rows }]
    }
    const groups = new Map<string, { booking: BookingFacts | undefined; rows: StagedRow[] }>()
    for (const row of this.#rows) {
      const entry = this.#onDeparture(row, departure)
      const booking = entry && facts.bookingById(entry.bookingId)
      if (booking) this.#requireSound(booking, departure)
      const key = booking?.id ?? ''
      const group = groups.get(key) ?? { booking, rows: [] }
      group.rows.push(row)
      groups.set(key, group)
    }
    return [...groups.values()]
  }

  #onDeparture(row: StagedRow, departure: DepartureFacts): EntryFacts | undefined {
    const name = nameKeyOf(row.values)
    const fitting = this.#context.facts
      .entriesOfDeparture(departure.id)
      .filter((entry) => nameKeyOf(entry) === name && mayBeSame(row.values, entry))
    if (fitting.length > 1) this.#refuse(row, { code: 'traveler_ambiguous', field: 'last_name', params: {} })
    return fitting[0]
  }

  #requireSound(booking: BookingFacts, departure: DepartureFacts): void {
    const { values } = this.#first
    if (['cancelled', 'expired', 'rejected'].includes(booking.status)) {
      this.#refuse(this.#first, { code: 'booking_ended', params: { status: booking.status } })
    }
    if (booking.departureId !== departure.id) {
      const params = { code: booking.departureCode }
      this.#refuse(this.#first, { code: 'booking_elsewhere', field: 'departure_code', params })
    }
    if (
      values.externalRef !== undefined &&
      values.bookingRef !== undefined &&
      values.bookingRef !== booking.bookingRef
    ) {
      const params = { bookingRef: booking.bookingRef }
      this.#refuse(this.#first, { code: 'booking_ref_differs', field: 'booking_ref', params })
    }
  }

  #planGroup(departure: DepartureFacts, booking: BookingFacts | undefined, all: readonly StagedRow[]): Taking[] {
    const rows = all.map((row) => withoutRoom(row, departure, this.#context.headerOf))
    const [head] = rows
    if (!head) return []
    const read = partyFieldsOf([head, ...rows.slice(1)], this.#context.mapping)
    if ('with' in read) {
      const params = { line: String(read.with.line) }
      return this.#refuse(read.row, { code: 'party_disagrees', field: read.field, params })
    }
    const { said, pickup, warnings } = pickupOrNote(read, departure, this.#context.headerOf)
    const named = rows.filter(({ values }) => values.lastName !== undefined)
    const guests = this.#guests(departure, booking, named, kindsOf(said.units ?? {}))
    const types = this.#unitTypes(booking, guests)
    const planned = booking
      ? planKnownBooking(said, departure, booking, types, pickup)
      : planNewBooking(said, departure, types, said.first.bookingRef ?? this.#context.freeRef(), pickup)
    if ('code' in planned) return this.#refuse(head, planned)
    if (planned.seats > 0) this.#requireSeats(head, departure, planned.seats, said.first)
    const bookingId = booking?.id ?? planned.plan?.id ?? newId()
    this.#requireAgreement(head, `b ${bookingId}`, planned.plan, 'party_disagrees')
    return rows.map((row) => {
      const { plan, seats, changes } = row === head ? planned : { plan: undefined, seats: 0, changes: [] }
      const ofBooking = { plan, seats, changes, warnings: row === head ? warnings : [] }
      const guest = guests.find((each) => each.row === row)
      return guest
        ? this.#planGuest(departure, guest, bookingId, pickup, ofBooking)
        : this.#planNameless(departure, row, { id: bookingId, isNew: booking === undefined }, ofBooking)
    })
  }

  /** @param kinds Kinds of the party one by one; those who are new and have none get what is left. */
  #guests(
    departure: DepartureFacts,
    booking: BookingFacts | undefined,
    rows: readonly StagedRow[],
    kinds: UnitType[],
  ): Guest[] {
    const { facts, memory } = this.#context
    const entries = new Set(booking ? facts.entriesOfBooking(booking.id) : [])
    const aboard = new Map<string, number>()
    return rows.map((row) => {
      const entry = entryFor(row.values, entries)
      if (entry) entries.delete(entry)
      const said = (row.values.unitType ?? entry?.unitType) as UnitType | undefined
      const [kind = 'adult'] = kinds.splice(said === undefined ? 0 : Math.max(0, kinds.indexOf(said)), 1)
      const guest = entry ? this.#knownGuest(row, entry) : this.#newGuest(row, departure, booking, said ?? kind)
      const place = `${departure.id} ${guest.travelerId}`
      const earlier = memory.onBoard.get(place) ?? aboard.get(place)
      if (earlier !== undefined) {
        this.#refuse(row, { code: 'traveler_twice', field: 'last_name', params: { line: String(earlier) } })
      }
      aboard.set(place, row.line)
      this.#requirePersonAgreement(row, guest)
      return guest
    })
  }

  #knownGuest(row: StagedRow, entry: EntryFacts): Guest {
    const person = planKnownPerson(row.values, entry, this.#context.seal)
    const unitType = (row.values.unitType ?? entry.unitType) as UnitType
    return { row, entry, unitType, travelerId: entry.travelerId, person }
  }

  /** Somebody who is not on the booking: known from another tour, met earlier in the file, or new. */
  #newGuest(row: StagedRow, departure: DepartureFacts, booking: BookingFacts | undefined, unitType: UnitType): Guest {
    const { facts, memory, seal } = this.#context
    const { values } = row
    const known = recognize(values, facts.candidatesFor(values))
    if (known) {
      const there = facts.placeOf(departure.id, known.travelerId)
      if (there && there.bookingId !== booking?.id) {
        const params = { bookingRef: there.bookingRef }
        this.#refuse(row, { code: 'traveler_booked_already', field: 'last_name', params })
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

  #requirePersonAgreement(row: StagedRow, { travelerId, person }: Guest): void {
    this.#requireAgreement(row, `t ${travelerId}`, person.traveler, 'person_disagrees')
    this.#requireAgreement(row, `p ${travelerId}`, person.private, 'person_disagrees')
    this.#requireAgreement(row, `d ${travelerId}`, person.passport, 'person_disagrees')
  }

  #requireAgreement(
    row: StagedRow,
    key: string,
    plan: EntityPlan | undefined,
    code: 'party_disagrees' | 'person_disagrees',
  ): void {
    const line = this.#context.memory.claims.conflict(key, plan)
    if (line !== undefined) this.#refuse(row, { code, params: { line: String(line) } })
  }

  /** Kinds of everybody on the booking afterwards: those whom the file does not name keep theirs. */
  #unitTypes(booking: BookingFacts | undefined, guests: readonly Guest[]): UnitType[] {
    const seen = new Set(guests.map((guest) => guest.entry?.entryId))
    const others = booking ? this.#context.facts.entriesOfBooking(booking.id) : []
    return [
      ...others.filter((entry) => !seen.has(entry.entryId)).map((entry) => entry.unitType as UnitType),
      ...guests.map((guest) => guest.unitType),
    ]
  }

  #requireSeats(head: StagedRow, departure: DepartureFacts, seats: number, values: RowValues): void {
    const { memory, now } = this.#context
    const because = sellingEnded(departure, now, channelOf(values))
    if (because !== undefined) {
      const params = { code: departure.code, because }
      this.#refuse(head, { code: 'departure_not_on_sale', field: 'departure_code', params })
    }
    const left = Math.max(0, memory.departures.seatsLeft(departure.id))
    if (seats > left) {
      const params = { left: String(left), asked: String(seats) }
      this.#refuse(head, { code: 'no_seat', field: 'departure_code', params })
    }
  }

  #planGuest(
    departure: DepartureFacts,
    guest: Guest,
    bookingId: string,
    pickup: Pickup | null | undefined,
    ofBooking: OfBooking,
  ): Taking {
    const { row, entry, person, travelerId } = guest
    const entryPlan = planEntry(guest, { departureId: departure.id, bookingId, pickup })
    const entryId = entry?.entryId ?? entryPlan.plan?.id ?? ''
    const { memory, facts } = this.#context
    const rooms = memory.rooms.plan(row.values, row.line, departure, facts.roomsOf(departure.id), entryId)
    if ('code' in rooms) return this.#refuse(row, rooms)
    const changes = entry
      ? [...person.changes, ...entryPlan.changes, ...ofBooking.changes, ...rooms.changes]
      : [...person.changes, ...ofBooking.changes]
    return {
      line: row.line,
      take: () => {
        const write = this.#take(guest, { booking: ofBooking.plan, entry: entryPlan.plan, rooms }, bookingId)
        memory.onBoard.set(`${departure.id} ${travelerId}`, row.line)
        if (ofBooking.seats > 0) {
          memory.departures.take(departure.id, ofBooking.seats)
          write.seats = ofBooking.seats
        }
        return {
          line: row.line,
          outcome: entry ? (changes.length > 0 ? 'change' : 'unchanged') : 'add',
          problems: [],
          warnings: [...row.warnings, ...ofBooking.warnings],
          changes,
          write,
          name: nameOf(row.values),
          departureCode: departure.code,
          departureId: departure.id,
          bookingId,
          travelerId,
          entryId: entryId === '' ? null : entryId,
        }
      },
    }
  }

  /** A line with a number of guests and no name: it is about the booking alone. */
  #planNameless(
    departure: DepartureFacts,
    row: StagedRow,
    booking: { id: string; isNew: boolean },
    { plan, seats, changes, warnings }: OfBooking,
  ): Taking {
    const { claims, departures } = this.#context.memory
    return {
      line: row.line,
      take: () => {
        const taken = claims.take(`b ${booking.id}`, row.line, plan)
        if (seats > 0) departures.take(departure.id, seats)
        return {
          line: row.line,
          outcome: booking.isNew ? 'add' : changes.length > 0 ? 'change' : 'unchanged',
          problems: [],
          warnings: [...row.warnings, ...warnings],
          changes,
          write: { ...(taken && { booking: taken }), ...(seats > 0 && { seats }) },
          name: '',
          departureCode: departure.code,
          departureId: departure.id,
          bookingId: booking.id,
          travelerId: null,
          entryId: null,
        }
      },
    }
  }

  #take(
    { row, travelerId, person }: Guest,
    plans: { booking: EntityPlan | undefined; entry: EntityPlan | undefined; rooms: RoomsPlanned },
    bookingId: string,
  ): WritePlan {
    const { claims, people } = this.#context.memory
    const write: WritePlan = {}
    const traveler = claims.take(`t ${travelerId}`, row.line, person.traveler)
    const hidden = claims.take(`p ${travelerId}`, row.line, person.private)
    const passport = claims.take(`d ${travelerId}`, row.line, person.passport)
    const booking = claims.take(`b ${bookingId}`, row.line, plans.booking)
    if (traveler) write.traveler = traveler
    if (traveler?.isNew) people.add(row.values, travelerId)
    if (hidden) write.private = hidden
    if (passport) write.passport = passport
    if (booking) write.booking = booking
    if (plans.entry) write.entry = plans.entry
    if (plans.rooms.plan) write.rooms = plans.rooms.plan
    return write
  }
}

/** What the first line of a party carries for its booking. */
interface OfBooking {
  readonly plan: EntityPlan | undefined
  readonly seats: number
  readonly changes: readonly Change[]
  readonly warnings: readonly Warning[]
}

interface Taking {
  readonly line: number
  /** Makes the plan count for the lines that follow. */
  readonly take: () => PlannedRow
}
