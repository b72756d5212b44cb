import { type PlanContext, refuse } from './plan-context.ts'
import { type Guest, planEntry } from './plan-guest.ts'
import type { RoomsPlanned } from './plan-rooms.ts'
import type { DepartureFacts, Pickup } from './plan-store.ts'
import {
  type Change,
  type EntityPlan,
  type MorePlan,
  nameOf,
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

/** The booking that the guests of a line are on, and where they are picked up. */
interface Seat {
  readonly id: string
  readonly pickup: Pickup | null | undefined
}

interface PlannedGuest {
  readonly guest: Guest
  readonly entry: ReturnType<typeof planEntry>
  readonly entryId: string
  readonly rooms: RoomsPlanned
}

/** A line that names guests: one, or several in the same cell. */
export function planGuests(
  context: PlanContext,
  departure: DepartureFacts,
  guests: readonly [Guest, ...Guest[]],
  seat: Seat,
  ofBooking: OfBooking,
): Taking {
  const [lead, ...others] = guests.map((guest) => planGuest(context, departure, guest, seat))
  if (!lead) throw new Error('The line has a guest')
  const { row, entry, person, travelerId } = lead.guest
  const changes = entry
    ? [...person.changes, ...lead.entry.changes, ...ofBooking.changes, ...lead.rooms.changes]
    : [...person.changes, ...ofBooking.changes]
  const told = others.length > 0 ? [...changes, ...namesAdded([lead, ...others])] : changes
  return {
    line: row.line,
    take: () => {
      const write = takeLead(context, lead, seat.id, ofBooking.plan)
      if (others.length > 0) write.more = others.map((other, more) => takeOther(context, other, more))
      for (const { guest } of [lead, ...others]) {
        context.memory.onBoard.set(`${departure.id} ${guest.travelerId}`, row.line)
      }
      if (ofBooking.seats > 0) {
        context.memory.departures.take(departure, ofBooking.seats)
        write.seats = ofBooking.seats
      }
      return {
        ...untouched(row),
        outcome: entry ? (told.length > 0 ? 'change' : 'unchanged') : 'add',
        warnings: [...row.warnings, ...ofBooking.warnings],
        changes: told,
        write,
        departureCode: departure.code,
        departureId: departure.id,
        bookingId: seat.id,
        travelerId,
        entryId: lead.entryId === '' ? null : lead.entryId,
      }
    },
  }
}

function planGuest(context: PlanContext, departure: DepartureFacts, guest: Guest, seat: Seat): PlannedGuest {
  const { row } = guest
  const entry = planEntry(guest, { departureId: departure.id, bookingId: seat.id, pickup: seat.pickup })
  const entryId = guest.entry?.entryId ?? entry.plan?.id ?? ''
  const { memory, facts } = context
  const rooms = memory.rooms.plan(row.values, row.line, departure, facts.roomsOf(departure.id), entryId)
  if ('code' in rooms) return refuse(context, row, rooms)
  return { guest, entry, entryId, rooms }
}

/** Those of a line with several names who are not on the booking yet. */
function namesAdded(guests: readonly PlannedGuest[]): Change[] {
  const added = guests.filter(({ guest }) => guest.entry === undefined).map(({ guest }) => nameOf(guest.row.values))
  return added.length === 0 ? [] : [{ field: 'guests', before: null, after: added.join(', ') }]
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
      const taken = claims.take(`b ${booking.id}`, row, plan)
      if (seats > 0) departures.take(departure, seats)
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
function takeLead(
  context: PlanContext,
  { guest: { row, travelerId, person }, entry, rooms }: PlannedGuest,
  bookingId: string,
  ofBooking: EntityPlan | undefined,
): WritePlan {
  const { claims, people } = context.memory
  const write: WritePlan = {}
  const traveler = claims.take(`t ${travelerId}`, row, person.traveler)
  const hidden = claims.take(`p ${travelerId}`, row, person.private)
  const passport = claims.take(`d ${travelerId}`, row, person.passport)
  const booking = claims.take(`b ${bookingId}`, row, ofBooking)
  if (traveler) write.traveler = traveler
  if (traveler?.isNew) people.add(row.values, travelerId)
  if (hidden) write.private = hidden
  if (passport) write.passport = passport
  if (booking) write.booking = booking
  if (entry.plan) write.entry = entry.plan
  if (rooms.plan) write.rooms = rooms.plan
  return write
}

/** What a further guest of the line adds to it. */
function takeOther(
  { memory }: PlanContext,
  { guest: { row, travelerId, person }, entry, entryId, rooms }: PlannedGuest,
  more: number,
): MorePlan {
  const traveler = memory.claims.take(`t ${travelerId}`, { line: row.line, more }, person.traveler)
  return {
    entryId,
    ...(traveler && { traveler }),
    ...(entry.plan && { entry: entry.plan }),
    ...(rooms.plan && { rooms: rooms.plan }),
  }
}
