import type { Tx } from '../../platform/db/database.ts'
import type { DepartureBook } from './departure-book.ts'
import { entryFor } from './people-of-file.ts'
import type { BookingFacts, EntryFacts, PersonFacts, RoomFacts, SimilarFacts } from './plan-store.ts'
import {
  selectBookings,
  selectCandidates,
  selectEntriesOfBookings,
  selectEntriesOfDepartures,
  selectPlaces,
  selectRooms,
  selectSimilar,
} from './plan-store.ts'
import type { StagedRow } from './plan-types.ts'
import { isReferenced, type RowValues } from './row-values.ts'

/** What the database knows about some hundred lines; read at once, and forgotten after them. */
export interface BatchFacts {
  bookingOf(values: RowValues): BookingFacts | undefined
  bookingById(id: string): BookingFacts | undefined
  /** Another booking that has our reference already. */
  bookingByRef(ref: string): BookingFacts | undefined
  entriesOfBooking(id: string): readonly EntryFacts[]
  entriesOfDeparture(id: string): readonly EntryFacts[]
  candidatesFor(values: RowValues): readonly PersonFacts[]
  /** The booking with which somebody is on a departure already. */
  placeOf(departureId: string, travelerId: string): { bookingId: string; bookingRef: string } | undefined
  roomsOf(departureId: string): readonly RoomFacts[]
  /** All bookings of a departure, to find likely duplicates. */
  similarOn(departureId: string): readonly SimilarFacts[]
}

export const channelOf = (values: RowValues): string => values.channel ?? 'import'

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const key = keyOf(row)
    if (key === null) continue
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

const said = <T>(values: readonly (T | null | undefined)[]): T[] => [
  ...new Set(values.filter((value): value is T & {} => value !== null && value !== undefined)),
]

/** Reads all there is to know about lines of the file. */
export async function loadFacts(
  tx: Tx,
  orgId: string,
  departures: DepartureBook,
  rows: readonly StagedRow[],
): Promise<BatchFacts> {
  const values = rows.map((row) => row.values)
  await departures.load(tx, orgId, values)
  const departureIds = said(values.map((each) => idOf(departures, each)))
  const unreferenced = values.filter((each) => !isReferenced(each))
  const ofDepartures = grouped(
    unreferenced.length === 0
      ? []
      : await selectEntriesOfDepartures(tx, orgId, said(unreferenced.map((each) => idOf(departures, each)))),
    (entry) => entry.departureId,
  )
  const bookings = await selectBookings(tx, orgId, {
    refs: said(values.map((each) => each.bookingRef)),
    externals: values.flatMap((each) =>
      each.externalRef === undefined ? [] : [{ channel: channelOf(each), ref: each.externalRef }],
    ),
    ids: said([...ofDepartures.values()].flat().map((entry) => entry.bookingId)),
  })
  const ofBookings = grouped(
    await selectEntriesOfBookings(
      tx,
      orgId,
      bookings.map((booking) => booking.id),
    ),
    (entry) => entry.bookingId,
  )
  const bookingOf = bookingFinder(bookings)
  // guests found on their booking or departure need not be searched among all guests
  const strangers = values.filter((each) => {
    const booking = bookingOf(each)
    const entries = booking
      ? ofBookings.get(booking.id)
      : isReferenced(each)
        ? []
        : ofDepartures.get(idOf(departures, each) ?? '')
    return entryFor(each, entries ?? []) === undefined
  })
  const candidates = await selectCandidates(tx, orgId, {
    emails: said(strangers.map((each) => each.email)),
    phones: said(strangers.map((each) => each.phone)),
    birthDates: said(strangers.map((each) => each.dateOfBirth)),
    lastNames: said(strangers.map((each) => each.lastName?.toLowerCase())),
  })
  const places = await selectPlaces(tx, orgId, {
    departureIds,
    travelerIds: candidates.map((person) => person.travelerId),
  })
  const hasRooms = values.some((each) => each.roomKey !== undefined)
  const rooms = grouped(hasRooms ? await selectRooms(tx, orgId, departureIds) : [], (room) => room.departureId)
  const hasNew = values.some((each) => bookingOf(each) === undefined)
  const similar = grouped(hasNew ? await selectSimilar(tx, orgId, departureIds) : [], (each) => each.departureId)
  return factsOf({ bookings, bookingOf, ofBookings, ofDepartures, candidates, places, rooms, similar })
}

/** The booking that a referenced line names. */
type FindBooking = (values: RowValues) => BookingFacts | undefined

function bookingFinder(bookings: readonly BookingFacts[]): FindBooking {
  const byRef = new Map(bookings.map((booking) => [booking.bookingRef, booking]))
  const byExternal = new Map(bookings.map((booking) => [`${booking.channel} ${booking.externalRef}`, booking]))
  return (values) =>
    values.externalRef === undefined
      ? byRef.get(values.bookingRef ?? '')
      : byExternal.get(`${channelOf(values)} ${values.externalRef}`)
}

const idOf = (departures: DepartureBook, values: RowValues): string | undefined => {
  const found = departures.find(values)
  return 'departure' in found ? found.departure.id : undefined
}

interface Read {
  readonly bookings: readonly BookingFacts[]
  readonly bookingOf: FindBooking
  readonly ofBookings: ReadonlyMap<string, EntryFacts[]>
  readonly ofDepartures: ReadonlyMap<string, EntryFacts[]>
  readonly candidates: readonly PersonFacts[]
  readonly places: Awaited<ReturnType<typeof selectPlaces>>
  readonly rooms: ReadonlyMap<string, RoomFacts[]>
  readonly similar: ReadonlyMap<string, SimilarFacts[]>
}

function factsOf({
  bookings,
  bookingOf,
  ofBookings,
  ofDepartures,
  candidates,
  places,
  rooms,
  similar,
}: Read): BatchFacts {
  const byId = new Map(bookings.map((booking) => [booking.id, booking]))
  const byRef = new Map(bookings.map((booking) => [booking.bookingRef, booking]))
  const byEmail = grouped(candidates, (person) => person.email)
  const byPhone = grouped(candidates, (person) => person.phone)
  const byBirth = grouped(candidates, (person) => person.dateOfBirth)
  const placeOf = new Map(places.map((place) => [`${place.departureId} ${place.travelerId}`, place]))
  const none: readonly never[] = []
  return {
    bookingOf,
    bookingById: (id) => byId.get(id),
    bookingByRef: (ref) => byRef.get(ref),
    entriesOfBooking: (id) => ofBookings.get(id) ?? none,
    entriesOfDeparture: (id) => ofDepartures.get(id) ?? none,
    candidatesFor: ({ email, phone, dateOfBirth }) => [
      ...new Set([
        ...(byEmail.get(email ?? '') ?? none),
        ...(byPhone.get(phone ?? '') ?? none),
        ...(byBirth.get(dateOfBirth ?? '') ?? none),
      ]),
    ],
    placeOf: (departureId, travelerId) => placeOf.get(`${departureId} ${travelerId}`),
    roomsOf: (departureId) => rooms.get(departureId) ?? none,
    similarOn: (departureId) => similar.get(departureId) ?? none,
  }
}
