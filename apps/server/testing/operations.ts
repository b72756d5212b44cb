import { createBooking, type Booking } from '@tour-ops/contract/bookings/bookings'
import type { In, Out } from '@tour-ops/contract/callable'
import { createDeparture } from '@tour-ops/contract/departures/departure-schedule'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createTour, getTour, publishTour, saveTourDraft } from '@tour-ops/contract/tours/tours'
import { sql } from 'kysely'
import { bookingsVerbs } from '../src/features/bookings/bookings-service.ts'
import { departuresVerbs } from '../src/features/departures/departures-service.ts'
import { estimateOverdue } from '../src/features/departures/overdue-departures.ts'
import { toursVerbs } from '../src/features/tours/tours-service.ts'
import { movableClock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { inHalfAnHour } from './accounts.ts'
import { verbsOf } from './verbs.ts'
import type { TestCaller, TestWorld } from './world.ts'

/** The verbs of the core by callable, for tests that cross its features. */
export const coreVerbOf = verbsOf([...toursVerbs, ...departuresVerbs, ...bookingsVerbs])

/** What the server does once a minute: departures of which a time has passed are late. */
export const estimate = (caller: TestCaller, now: Date): Promise<number> =>
  caller.transaction((tx) => estimateOverdue(tx, caller.orgId, now))

/** A place with nothing remarkable about it. */
export async function addPlace(caller: TestCaller, name = 'BSÍ terminal'): Promise<string> {
  const id = newId()
  await caller.transaction((tx) =>
    sql`insert into places (org_id, id, name, kind, lat, lng)
      values (${caller.orgId}, ${id}, ${name}, 'meeting_point', 64.1375, -21.935)`.execute(tx),
  )
  return id
}

export interface TourPlan {
  readonly tourId: string
  readonly pickupPlaceId: string
  readonly startPlaceId: string
  readonly stopPlaceId: string
}

/**
 * A published day tour in Reykjavik of eight hours: a pickup at City Hall 40 min before, BSÍ at 0, Geysir at 195 (75 min stay,
 * 5 slack, a head count before leaving), back at 480. Adults 89 EUR, children 45. Booked until the start.
 */
export async function publishedTour(
  caller: TestCaller,
  change: Partial<In<typeof createTour>> = {},
): Promise<TourPlan> {
  const pickupPlaceId = await addPlace(caller, 'City Hall')
  const startPlaceId = await addPlace(caller)
  const stopPlaceId = await addPlace(caller, 'Geysir')
  const stop = { dayIndex: 1 } as const
  const { id: tourId } = await caller.call(coreVerbOf(createTour), {
    code: `T${newId().slice(-6)}`,
    name: 'Golden Circle',
    kind: 'day',
    timeZone: 'Atlantic/Reykjavik',
    durationMin: 480,
    defaultCapacity: 20,
    minPax: 4,
    cutoffMinutes: 0,
    content: {
      stops: [
        { ...stop, order: 1, placeId: pickupPlaceId, kind: 'pickup', offsetMin: -40 },
        { ...stop, order: 2, placeId: startPlaceId, kind: 'start', offsetMin: 0 },
        {
          ...stop,
          order: 3,
          placeId: stopPlaceId,
          kind: 'meal',
          offsetMin: 195,
          dwellMin: 75,
          slackMin: 5,
          headcountRequired: true,
        },
        { ...stop, order: 4, placeId: startPlaceId, kind: 'end', offsetMin: 480 },
      ],
      units: [
        { unitType: 'adult', priceMinor: 8900, currency: 'EUR' },
        { unitType: 'child', priceMinor: 4500, currency: 'EUR', requiresAdult: true },
      ],
    },
    ...change,
  })
  await caller.call(coreVerbOf(publishTour), { id: tourId, version: 1 })
  return { tourId, pickupPlaceId, startPlaceId, stopPlaceId }
}

/** A planner, with a separate clock that begins at `now`, and a tour on sale (`publishedTour`). */
export async function officeWithTour(
  world: TestWorld,
  now: Date,
  change: Partial<In<typeof createTour>> = {},
): Promise<TourPlan & { caller: TestCaller; clock: ReturnType<typeof movableClock> }> {
  const clock = movableClock(now)
  const caller = await world.as('operations_manager', { clock })
  return { caller, clock, ...(await publishedTour(caller, change)) }
}

/** Publishes a tour again with a way drawn for its first day: departures that are made afterwards have it. */
export async function drawWay(caller: TestCaller, tourId: string, line: [lng: number, lat: number][]): Promise<void> {
  const tour = await caller.call(coreVerbOf(getTour), { id: tourId })
  const content = tour.draft ?? tour.revision?.content
  if (!content) throw new Error('The tour has content')
  const saved = await caller.call(coreVerbOf(saveTourDraft), {
    id: tourId,
    version: tour.version,
    content: { ...content, routes: [{ dayIndex: 1, line, source: 'drawn', lengthM: 80_000 }] },
  })
  await caller.call(coreVerbOf(publishTour), { id: tourId, version: saved.version })
}

/** One departure of a tour. */
export async function addDeparture(
  caller: TestCaller,
  tourId: string,
  change: Partial<In<typeof createDeparture>> = {},
): Promise<string> {
  const { id } = await caller.call(coreVerbOf(createDeparture), {
    tourId,
    localDate: '2030-07-14',
    startTimeLocal: '09:00',
    ...change,
  })
  return id
}

/** Moves a departure on, in the version that it has now. */
export async function setStatus(
  caller: TestCaller,
  id: string,
  change: Omit<In<typeof setDepartureStatus>, 'id' | 'version'>,
): Promise<Out<typeof setDepartureStatus>> {
  const { version } = await caller.call(coreVerbOf(getDeparture), { id })
  return caller.call(coreVerbOf(setDepartureStatus), { id, version, ...change })
}

/** A tour on sale and a departure of it that starts in half an hour and boards, with a guide and a party of adults; `entryId` is the first. */
export async function boardingTour(
  caller: TestCaller,
  pax: number,
): Promise<{ tourId: string; departureId: string; entryId: string }> {
  const { tourId } = await publishedTour(caller, { minPax: 0, cutoffMinutes: 0 })
  const departureId = await addDeparture(caller, tourId, inHalfAnHour('Atlantic/Reykjavik'))
  await assignGuide(caller, departureId)
  const { guests } = await book(caller, departureId, pax)
  await setStatus(caller, departureId, { to: 'boarding' })
  return { tourId, departureId, entryId: guests[0]?.entryId ?? '' }
}

/** A party of adults with one named guest each. */
export function book(
  caller: TestCaller,
  departureId: string,
  pax: number,
  change: Partial<In<typeof createBooking>> = {},
): Promise<Booking> {
  return caller.call(coreVerbOf(createBooking), {
    departureId,
    mode: 'confirm',
    contact: { name: 'Amara Okafor' },
    units: [{ unitType: 'adult', quantity: pax }],
    guests: Array.from({ length: pax }, (_, index) => ({
      firstName: 'Guest',
      lastName: `Number ${index + 1}`,
      unitType: 'adult' as const,
    })),
    ...change,
  })
}

/** A guide on the crew of a departure, accepted unless another status is given. @returns the id of the staff record. */
export async function assignGuide(
  caller: TestCaller,
  departureId: string,
  change: { role?: string; staffId?: string; language?: string; status?: 'offered' | 'accepted' } = {},
): Promise<string> {
  const staffId = change.staffId ?? newId()
  const entryId = newId()
  const languages = JSON.stringify([{ tag: change.language ?? 'en', level: 'C1' }])
  await caller.transaction(async (tx) => {
    if (!change.staffId)
      await sql`insert into field_staff (org_id, id, code, first_name, last_name, languages)
      values (${caller.orgId}, ${staffId}, ${staffId.slice(-8)}, 'Björn', 'Ólafsson', ${languages}::jsonb)`.execute(tx)
    await sql`insert into staff_calendar_entries (org_id, id, staff_id, during, kind)
      select org_id, ${entryId}, ${staffId}, tstzrange(starts_at, ends_at), 'assignment' from departures
      where org_id = ${caller.orgId} and id = ${departureId}`.execute(tx)
    await sql`insert into assignments (org_id, id, calendar_entry_id, departure_id, staff_id, role, status)
      values (${caller.orgId}, ${newId()}, ${entryId}, ${departureId}, ${staffId}, ${change.role ?? 'lead_guide'}, ${change.status ?? 'accepted'})`.execute(
      tx,
    )
  })
  return staffId
}
