import { endedStatuses, hasStatus } from '@tour-ops/contract/state-machines'
import { mayBeSame, nameKeyOf } from './people-of-file.ts'
import { type PlanContext, refuse } from './plan-context.ts'
import { type BookingFacts, type DepartureFacts, type EntryFacts } from './plan-store.ts'
import { type Party, peopleOf, type StagedRow } from './plan-types.ts'
import { isReferenced } from './row-values.ts'

/** Lines that are about one booking; undefined where it is to be made. */
export interface BookingOfParty {
  readonly booking: BookingFacts | undefined
  readonly rows: readonly StagedRow[]
}

/** One reference is one booking, and one booking is on one departure. */
export function departureOf(context: PlanContext, rows: Party): DepartureFacts {
  const [first] = rows
  const { departures } = context.memory
  const named = rows.filter(
    ({ values }) => values.departureCode !== undefined || values.tourCode !== undefined || values === first.values,
  )
  let common: DepartureFacts | undefined
  for (const row of named) {
    const found = departures.find(row.values)
    const field = row.values.departureCode === undefined ? 'tour_code' : 'departure_code'
    if (!('departure' in found)) return refuse(context, row, { ...found, field })
    common ??= found.departure
    if (found.departure.id !== common.id) {
      refuse(context, row, { code: 'party_disagrees', field, params: { line: String(first.line) } })
    }
  }
  if (!common) return refuse(context, first, { code: 'departure_missing', params: {} })
  return common
}

/**
 * The booking of the party. Lines without a reference are found by name and birth date on the departure, each with the booking it has
 * there; those that are not found make one together.
 */
export function bookingsOf(context: PlanContext, lines: Party, departure: DepartureFacts): BookingOfParty[] {
  const [first] = lines
  const { facts } = context
  const { values } = first
  if (isReferenced(values)) {
    const booking = facts.bookingOf(values)
    if (booking) requireSound(context, first, booking, departure)
    else if (values.bookingRef !== undefined && facts.bookingByRef(values.bookingRef)) {
      const { bookingRef } = values
      refuse(context, first, { code: 'booking_ref_taken', field: 'booking_ref', params: { bookingRef } })
    }
    return [{ booking, rows: lines }]
  }
  const groups = new Map<string, { booking: BookingFacts | undefined; rows: StagedRow[] }>()
  for (const row of lines) {
    const entry = onDeparture(context, row, departure)
    const booking = entry && facts.bookingById(entry.bookingId)
    if (booking) requireSound(context, first, booking, departure)
    const key = booking?.id ?? ''
    const group = groups.get(key) ?? { booking, rows: [] }
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups.values()]
}

function onDeparture(context: PlanContext, row: StagedRow, departure: DepartureFacts): EntryFacts | undefined {
  for (const { values } of peopleOf(row)) {
    const name = nameKeyOf(values)
    const fitting = context.facts
      .entriesOfDeparture(departure.id)
      .filter((entry) => nameKeyOf(entry) === name && mayBeSame(values, entry))
    if (fitting.length > 1) refuse(context, row, { code: 'traveler_ambiguous', field: 'last_name', params: {} })
    if (fitting[0]) return fitting[0]
  }
  return undefined
}

function requireSound(context: PlanContext, first: StagedRow, booking: BookingFacts, departure: DepartureFacts): void {
  const { values } = first
  if (hasStatus(endedStatuses, booking.status)) {
    refuse(context, first, { code: 'booking_ended', params: { status: booking.status } })
  }
  if (booking.departureId !== departure.id) {
    const params = { code: booking.departureCode }
    refuse(context, first, { code: 'booking_elsewhere', field: 'departure_code', params })
  }
  if (values.externalRef !== undefined && values.bookingRef !== undefined && values.bookingRef !== booking.bookingRef) {
    const params = { bookingRef: booking.bookingRef }
    refuse(context, first, { code: 'booking_ref_differs', field: 'booking_ref', params })
  }
}
