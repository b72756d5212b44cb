import { newId } from '../../platform/ids.ts'
import { channelOf } from './batch-facts.ts'
import { sellingEnded } from './departure-book.ts'
import { bookingsOf, departureOf } from './find-booking.ts'
import { problem, type Problem, type Warning } from './import-problems.ts'
import { duplicateWarning, type NewParty } from './likely-duplicates.ts'
import { partyFieldsOf } from './party-fields.ts'
import { guestsOf, unitTypesOf } from './party-guests.ts'
import { nameKeyOf } from './people-of-file.ts'
import { kindsOf } from './party-text.ts'
import { planKnownBooking, planNewBooking } from './plan-booking.ts'
import { planCancelled } from './plan-cancelled.ts'
import { type PlanContext, Refusal, refuse, requireAgreement } from './plan-context.ts'
import { planGuests, planNameless, type Taking } from './plan-lines.ts'
import type { BookingFacts, DepartureFacts } from './plan-store.ts'
import { type Party, peopleOf, type PlannedRow, type StagedRow, untouched } from './plan-types.ts'
import { pickupOrNote, withoutRoom } from './plan-warnings.ts'
import { currentLines } from './repeated-lines.ts'
import type { RowValues } from './row-values.ts'

/**
 * Compares the lines of one party with the stored data. A party is accepted or rejected as a whole, but for lines that newer ones replace.
 *
 * @returns one plan per line, in the order given.
 */
export function planParty(context: PlanContext, rows: Party): PlannedRow[] {
  const { current, superseded } = currentLines(context, rows)
  return [...planCurrent(context, current), ...superseded].toSorted((a, b) => a.line - b.line)
}

function planCurrent(context: PlanContext, rows: Party): PlannedRow[] {
  const wrong = rows.find((row) => row.problems.length > 0)
  if (wrong) return refused(context, rows, wrong.line, wrong.problems)
  try {
    return planAccepted(context, rows)
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
      ...untouched(row),
      outcome: 'rejected',
      problems: own.length > 0 ? own : [problem(code, problems[0]?.column ?? null, { line: String(line) })],
      warnings: [],
      departureCode: 'departure' in found ? found.departure.code : (row.values.departureCode ?? null),
    }
  })
}

function planAccepted(context: PlanContext, party: Party): PlannedRow[] {
  const { rooms } = context.memory
  rooms.begin()
  const cancelled = planIfCancelled(context, party)
  if (cancelled) return cancelled
  const departure = departureOf(context, party)
  const groups = bookingsOf(context, party, departure)
  const planned = groups.flatMap(({ booking, rows }) => planBooking(context, departure, booking, rows))
  // only now is everything taken: a refusal before leaves no trace
  rooms.keep()
  return planned.toSorted((a, b) => a.line - b.line).map((each) => each.take())
}

/** A party whose lines all say that it is cancelled. */
function planIfCancelled(context: PlanContext, party: Party): PlannedRow[] | undefined {
  const [first] = party
  const isCancelled = ({ values }: StagedRow): boolean => values.status === 'cancelled'
  const other = party.find((row) => isCancelled(row) !== isCancelled(first))
  if (other) {
    refuse(context, other, { code: 'party_disagrees', field: 'status', params: { line: String(first.line) } })
  }
  if (!isCancelled(first)) return undefined
  const planned = planCancelled(context, party)
  if ('code' in planned) return refuse(context, first, planned)
  return planned
}

/** Lines of one booking. */
function planBooking(
  context: PlanContext,
  departure: DepartureFacts,
  booking: BookingFacts | undefined,
  all: readonly StagedRow[],
): Taking[] {
  const rows = all.map((row) => withoutRoom(row, departure, context.headerOf))
  const [head] = rows
  if (!head) return []
  const read = partyFieldsOf([head, ...rows.slice(1)], context.mapping)
  if ('with' in read) {
    const params = { line: String(read.with.line) }
    return refuse(context, read.row, { code: 'party_disagrees', field: read.field, params })
  }
  const { said, pickup, warnings } = pickupOrNote(read, departure, context.headerOf)
  const people = guestsOfLines(rows)
  const guests = guestsOf(context, departure, booking, [...people.values()].flat(), kindsOf(said.units ?? {}))
  const types = unitTypesOf(context, booking, guests)
  const planned = booking
    ? planKnownBooking(said, departure, booking, types, pickup)
    : planNewBooking(said, departure, types, said.first.bookingRef ?? context.freeRef(), pickup)
  if ('code' in planned) return refuse(context, head, planned)
  const party = { line: head.line, values: said.first, pax: planned.seats }
  const duplicate = booking ? undefined : duplicateWarning(context, departure.id, party)
  if (duplicate?.result === 'left_out') return rows.map((row) => leftOut(row, departure, head, duplicate))
  if (planned.seats > 0)
    requireSeats(context, head, departure, { seats: planned.seats, hasSeats: booking !== undefined }, said.first)
  const bookingId = booking?.id ?? planned.plan?.id ?? newId()
  requireAgreement(context, head, `b ${bookingId}`, planned.plan, 'party_disagrees')
  return rows.map((row) => {
    const { plan, seats, changes } = row === head ? planned : { plan: undefined, seats: 0, changes: [] }
    const ofBooking = {
      plan,
      seats,
      changes,
      warnings: row === head ? [...warnings, ...(duplicate ? [duplicate] : [])] : [],
    }
    const [guest, ...others] = guests.filter((each) => people.get(row)?.includes(each.row))
    const taking = guest
      ? planGuests(context, departure, [guest, ...others], { id: bookingId, pickup }, ofBooking)
      : planNameless(context, departure, row, { id: bookingId, isNew: booking === undefined }, ofBooking)
    return booking || row !== head ? taking : { ...taking, take: () => takeNew(context, departure, party, taking) }
  })
}

/** Later parties of the file are compared with a new one. */
function takeNew(context: PlanContext, departure: DepartureFacts, party: NewParty, taking: Taking): PlannedRow {
  context.memory.parties.add(departure.id, party)
  return taking.take()
}

/** A line of a likely duplicate that a person leaves out. */
function leftOut(row: StagedRow, departure: DepartureFacts, head: StagedRow, duplicate: Warning): Taking {
  const because =
    row === head ? duplicate : { ...problem('same_party', null, { line: String(head.line) }), result: duplicate.result }
  const planned = { ...untouched(row), warnings: [because], departureCode: departure.code }
  return { line: row.line, take: () => planned }
}

/** Who is named in which line. One whom another line of the party names as well is one guest. */
function guestsOfLines(rows: readonly StagedRow[]): ReadonlyMap<StagedRow, readonly StagedRow[]> {
  const named = rows.filter(({ values }) => values.lastName !== undefined)
  const seen = new Set(named.map(({ values }) => nameKeyOf(values)))
  return new Map(
    named.map((row) => {
      const [lead, ...others] = peopleOf(row)
      const further = others.filter(({ values }) => !seen.has(nameKeyOf(values)))
      for (const { values } of further) seen.add(nameKeyOf(values))
      return [row, [lead, ...further]]
    }),
  )
}

function requireSeats(
  context: PlanContext,
  head: StagedRow,
  departure: DepartureFacts,
  { seats, hasSeats }: { seats: number; hasSeats: boolean },
  values: RowValues,
): void {
  const { memory, now } = context
  const because = sellingEnded(departure, now, channelOf(values))
  if (because !== undefined) {
    const params = { code: departure.code, because }
    refuse(context, head, { code: 'departure_not_on_sale', field: 'departure_code', params })
  }
  const left = memory.departures.seatsLeft(departure.id, hasSeats)
  if (seats > left) {
    const params = { left: String(left), asked: String(seats) }
    refuse(context, head, { code: 'no_seat', field: 'departure_code', params })
  }
}
