import { createBooking, type Booking } from '@tour-ops/contract/bookings/bookings'
import type { In } from '@tour-ops/contract/callable'
import { createDeparture } from '@tour-ops/contract/departures/departure-schedule'
import { getDeparture, setDepartureStatus, type Departure } from '@tour-ops/contract/departures/departures'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { createFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { createPlace, listPlaces } from '@tour-ops/contract/places/places'
import { createTour, getTour, publishTour } from '@tour-ops/contract/tours/tours'
import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import { type Api, apiAs } from './api.ts'

/** A tour of a journey's own: a pickup, a start, a sight with a head count before leaving, and the end. Times in Reykjavik, which is UTC. */
export interface JourneyTour {
  readonly id: string
  readonly name: string
}

/** Who prepares it: an administrator of the demonstration unless given. */
type By = Api | Promise<Api>

const letters = (): string => Math.random().toString(36).slice(2, 7).toUpperCase()

/** What a tour of `makeTour` needs where there is nothing yet. */
export async function makePlaces(api: Api): Promise<void> {
  const at = { kind: 'sight' as const, lat: 64.15, lng: -21.94, timeZone: 'Atlantic/Reykjavik' }
  for (const name of ['Bridge', 'Harbor', 'Market']) await api.call(createPlace, { name, ...at })
}

/** Its stops are at the first places by name, in Iceland where there are some: nobody travels between them. */
export async function makeTour(
  name: string,
  by: By = apiAs('admin'),
  change: Partial<In<typeof createTour>> = {},
): Promise<JourneyTour> {
  const api = await by
  const places = (await api.call(listPlaces, { size: 200, sort: [{ by: 'name' }] })).rows
  const near = places.filter((place) => place.timeZone === 'Atlantic/Reykjavik')
  const rows = near.length > 0 ? near : places
  const place = (index: number): string => rows[index % rows.length]?.id ?? ''
  const price = { currency: 'EUR', paxCount: 1 }
  const { id } = await api.call(createTour, {
    code: `J${letters()}`,
    name,
    kind: 'day',
    timeZone: 'Atlantic/Reykjavik',
    durationMin: 120,
    defaultCapacity: 10,
    cutoffMinutes: 0,
    minPax: 0,
    content: {
      stops: [
        { dayIndex: 1, order: 1, placeId: place(0), kind: 'pickup', offsetMin: -20 },
        { dayIndex: 1, order: 2, placeId: place(1), kind: 'start', offsetMin: 0 },
        {
          dayIndex: 1,
          order: 3,
          placeId: place(2),
          kind: 'visit',
          offsetMin: 30,
          dwellMin: 30,
          headcountRequired: true,
        },
        { dayIndex: change.durationDays ?? 1, order: 4, placeId: place(1), kind: 'end', offsetMin: 120 },
      ],
      units: [
        { ...price, unitType: 'adult', priceMinor: 8900 },
        { ...price, unitType: 'child', priceMinor: 4500, maxAge: 11, requiresAdult: true },
      ],
    },
    ...change,
  })
  const { version } = await api.call(getTour, { id })
  await api.call(publishTour, { id, version })
  return { id, name }
}

/** What a tour from one place to another has instead, which it reaches after two hours. */
export const planBetween = (from: string, to: string): NonNullable<In<typeof createTour>['content']> => ({
  stops: [
    { dayIndex: 1, order: 1, placeId: from, kind: 'start', offsetMin: 0 },
    { dayIndex: 1, order: 2, placeId: to, kind: 'end', offsetMin: 120 },
  ],
  units: [{ currency: 'EUR', paxCount: 1, unitType: 'adult', priceMinor: 8900 }],
})

/** Minutes from now at which the next departure of this process starts, so that codes never meet. */
let nextStart = 20

/**
 * A departure that is sold, half an hour ahead unless given.
 *
 * @param hours Hours ahead instead.
 */
export async function makeDeparture(
  tour: JourneyTour,
  { capacity = 10, hours }: { capacity?: number; hours?: number } = {},
  by: By = apiAs('admin'),
): Promise<Departure> {
  const api = await by
  nextStart = nextStart === 80 ? 20 : nextStart + 1
  const start = new Date(Date.now() + (hours === undefined ? nextStart * 60_000 : hours * 3_600_000)).toISOString()
  const { id } = await api.call(createDeparture, {
    tourId: tour.id,
    capacity,
    language: null,
    localDate: start.slice(0, 10),
    startTimeLocal: start.slice(11, 16),
  })
  return api.call(getDeparture, { id })
}

/** A departure that boards, with a lead guide of its own. */
export async function makeBoarding(tour: JourneyTour, capacity = 10, by: By = apiAs('admin')): Promise<Departure> {
  const api = await by
  const { id } = await makeDeparture(tour, { capacity }, api)
  await giveLead(api, id)
  const { version } = await api.call(getDeparture, { id })
  await api.call(setDepartureStatus, { id, version, to: 'boarding' })
  return api.call(getDeparture, { id })
}

/** A lead guide made for it: the demo's guides may be busy at this hour or assigned by earlier journeys. */
export async function giveLead(api: Api, departureId: string): Promise<void> {
  const { id: staffId } = await makeGuide('Lead', api)
  await api.call(createAssignment, { departureId, staffId, role: 'lead_guide', overrideReason: 'Journey' })
}

/** A party with its guests by name; the first is the contact. */
export async function book(
  departureId: string,
  names: readonly string[],
  more: Partial<In<typeof createBooking>> = {},
  by: By = apiAs('admin'),
): Promise<Booking> {
  const api = await by
  return api.call(createBooking, {
    departureId,
    mode: 'confirm',
    contact: { name: names[0] ?? 'Somebody' },
    units: [{ unitType: 'adult', quantity: names.length }],
    guests: names.map((name) => {
      const [firstName, lastName] = name.split(' ')
      return { firstName: firstName ?? '', lastName: lastName ?? '', unitType: 'adult' as const }
    }),
    ...more,
  })
}

export async function makeTraveler(firstName: string, lastName: string): Promise<string> {
  const api = await apiAs('admin')
  return (await api.call(createTraveler, { firstName, lastName, email: `${firstName.toLowerCase()}@example.org` })).id
}

/** Somebody of the field staff whom no other journey knows, so that nobody else asks them. */
export async function makeGuide(firstName: string, by: By = apiAs('admin')): Promise<{ id: string; name: string }> {
  const api = await by
  // a code of its own: those that the server makes from names may meet where two are made at once
  const code = `J${letters()}${letters()}`
  // with the widest letters it still fits the lists that must cut no name
  const lastName = `Guide ${letters().toLowerCase()}`
  const languages = [{ tag: 'en', level: 'C1' as const }]
  const { id } = await api.call(createFieldStaff, {
    code,
    firstName,
    lastName,
    kinds: ['guide'],
    employment: 'employee',
    languages,
  })
  return { id, name: `${firstName} ${lastName}` }
}
