import { type PlanContext, refuse } from './plan-context.ts'
import { type Guest, planEntry } from './plan-guest.ts'
import type { RoomsPlanned } from './plan-rooms.ts'
import type { DepartureFacts, Pickup } from './plan-store.ts'
import {
  type Change,
  type EntityPlan,
  type PlannedRow,
  type StagedRow,
  untouched,
  type WritePlan,
} from './plan-types.ts'
import type { Warning } from './import-problems.ts'

/** What the first line of a party carries for its booking. */
export interface OfBooking {
  readonly plan: EntityPlan | undefined
  readonly seats: number
  readonly changes: readonly Change[]
  readonly warnings: readonly Warning[]
}

export interface Taking {
  readonly line: number
  /** Makes the plan count for the lines that follow. */
  readonly take: () => PlannedRow
}

/** A line that names a guest. */
export function planGuest(
  context: PlanContext,
  departure: DepartureFacts,
  guest: Guest,
  bookingId: string,
  pickup: Pickup | null | undefined,
  ofBooking: OfBooking,
): Taking {
  const { row, entry, person, travelerId } = guest
  const entryPlan = planEntry(guest, { departureId: departure.id, bookingId, pickup })
  const entryId = entry?.entryId ?? entryPlan.plan?.id ?? ''
  const { memory, facts } = context
  const rooms = memory.rooms.plan(row.values, row.line, departure, facts.roomsOf(departure.id), entryId)
  if ('code' in rooms) return refuse(context, row, rooms)
  const changes = entry
    ? [...person.changes, ...entryPlan.changes, ...ofBooking.changes, ...rooms.changes]
    : [...person.changes, ...ofBooking.changes]
  return {
    line: row.line,
    take: () => {
      const write = take(context, guest, { booking: ofBooking.plan, entry: entryPlan.plan, rooms }, bookingId)
      memory.onBoard.set(`${departure.id} ${travelerId}`, row.line)
      if (ofBooking.seats > 0) {
        memory.departures.take(departure.id, ofBooking.seats)
        write.seats = ofBooking.seats
      }
      return {
        ...untouched(row),
        outcome: entry ? (changes.length > 0 ? 'change' : 'unchanged') : 'add',
        warnings: [...row.warnings, ...ofBooking.warnings],
        changes,
        write,
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
export function planNameless(
  context: PlanContext,
  departure: DepartureFacts,
  row: StagedRow,
  booking: { id: string; isNew: boolean },
  { plan, seats, changes, warnings }: OfBooking,
): Taking {
  const { claims, departures } = context.memory
  return {
    line: row.line,
    take: () => {
      const taken = claims.take(`b ${booking.id}`, row.line, plan)
      if (seats > 0) departures.take(departure.id, seats)
      return {
        ...untouched(row),
        outcome: booking.isNew ? 'add' : changes.length > 0 ? 'change' : 'unchanged',
        warnings: [...row.warnings, ...warnings],
        changes,
        write: { ...(taken && { booking: taken }), ...(seats > 0 && { seats }) },
        departureCode: departure.code,
        departureId: departure.id,
        bookingId: booking.id,
      }
    },
  }
}

/** What the line writes, without what earlier lines write already. */
function take(
  context: PlanContext,
  { row, travelerId, person }: Guest,
  plans: { booking: EntityPlan | undefined; entry: EntityPlan | undefined; rooms: RoomsPlanned },
  bookingId: string,
): WritePlan {
  const { claims, people } = context.memory
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
