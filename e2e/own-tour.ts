import { scheduleDepartures } from '@tour-ops/contract/departures/departure-schedule'
import { createPlace } from '@tour-ops/contract/places/places'
import { createTour, publishTour } from '@tour-ops/contract/tours/tours'
import { apiAs } from './api.ts'

export const newCode = () =>
  `J${Date.now().toString(36).slice(-5)}${Math.random().toString(36).slice(2, 5)}`.toUpperCase()
export const daysAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** What every tour of the journeys has. */
const basics = {
  kind: 'day' as const,
  timeZone: 'Atlantic/Reykjavik',
  durationMin: 240,
  defaultCapacity: 12,
  minPax: 2,
}

/** A published tour of two places with departures on the next days, for one journey alone. */
export async function ownTour({ departures = 0 } = {}) {
  const manager = await apiAs('operations_manager')
  const code = newCode()
  const name = `Journey ${code}`
  const placeAt = (place: string, lat: number, lng: number) =>
    manager.call(createPlace, { name: `${place} ${code}`, kind: 'sight', lat, lng, timeZone: basics.timeZone })
  const { id: harbour } = await placeAt('Harbour', 64.15, -21.94)
  const { id: falls } = await placeAt('Falls', 64.33, -20.12)
  const { id } = await manager.call(createTour, {
    ...basics,
    code,
    name,
    content: {
      stops: [
        { dayIndex: 1, order: 1, placeId: harbour, kind: 'start', offsetMin: 0 },
        { dayIndex: 1, order: 2, placeId: falls, kind: 'visit', offsetMin: 130, dwellMin: 30 },
        { dayIndex: 1, order: 3, placeId: harbour, kind: 'end', offsetMin: 300 },
      ],
      units: [{ unitType: 'adult', priceMinor: 9000, currency: 'EUR' }],
    },
  })
  await manager.call(publishTour, { id, version: 1 })
  if (departures > 0) {
    await manager.call(scheduleDepartures, {
      tourId: id,
      rrule: 'FREQ=DAILY',
      from: daysAhead(2),
      to: daysAhead(1 + departures),
      startTimesLocal: ['09:30'],
    })
  }
  return { id, code, name }
}
