import { defaultLateLimits } from '@tour-ops/contract/departures/displayed-status'
import type { Area } from '@tour-ops/contract/map/areas'
import { expect, test } from 'vitest'
import type { SeenSubject } from '../../tracking/index.ts'
import { departure, stop } from '../day.fixtures.ts'
import { areaRows } from './area-rows.ts'
import { insideArea } from './inside-area.ts'

const now = Date.parse('2030-07-14T12:00:00Z')
const here: Area = { kind: 'circle', center: [-21.9, 64.1], radiusM: 1_000 }
const inside = { lat: 64.1, lng: -21.9 }
const far = { lat: 65, lng: -20 }

const person = (name: string, change: Partial<SeenSubject> = {}): SeenSubject => ({
  subjectKind: 'staff',
  subjectId: name,
  name,
  recordedAt: '2030-07-14T11:59:50Z',
  receivedAt: '2030-07-14T11:59:51Z',
  ...inside,
  ...change,
})

test('people in the area are listed by name, and how many positions are old is counted', () => {
  const people = [person('Olaf', { recordedAt: '2030-07-14T11:50:00Z' }), person('Anna'), person('Far', far)]
  const found = insideArea(here, { people, departures: [] }, now)
  expect(found.people.map(({ name }) => name)).toEqual(['Anna', 'Olaf'])
  expect(found).toMatchObject({ departures: [], guests: 0, old: 1 })
})

test('who is not heard where no signal is expected is listed as that', () => {
  const people = [person('Anna', { recordedAt: '2030-07-14T11:30:00Z', departureId: 'one' })]
  const stateUntil = (quietUntil: string | null) => {
    const found = insideArea(here, { people, departures: [departure({ id: 'one', quietUntil })] }, now)
    return areaRows(found, now, defaultLateLimits)[0]?.state
  }
  expect(stateUntil('2030-07-14T12:20:00Z')).toBe('No signal expected')
  expect(stateUntil('2030-07-14T11:50:00Z')).toBe('Offline')
  expect(stateUntil(null)).toBe('Offline')
})

test('a departure is where the newest position of its people is, and its guests count with it', () => {
  const people = [
    person('Old', { ...far, departureId: 'one', recordedAt: '2030-07-14T11:00:00Z' }),
    person('New', { departureId: 'one' }),
  ]
  const stops = [stop(1, 'departed', { ...far, actualDepartAt: '2030-07-14T11:58:00Z' })]
  const found = insideArea(here, { people, departures: [departure({ stops, aboard: 11 })] }, now)
  expect(found.guests).toBe(11)
  expect(found.departures.map(({ place }) => place)).toEqual([
    { ...inside, at: '2030-07-14T11:59:50Z', by: 'New', isPosition: true },
  ])
  const gone = insideArea(here, { people: people.slice(0, 1), departures: [departure({ stops })] }, now)
  expect(gone.departures).toEqual([])
})

test('without a position it is at the stop that was marked last; unmarked, not yet running or over it is nowhere', () => {
  const marked = [stop(1, 'departed', far), stop(2, 'arrived', { ...inside, actualArriveAt: '2030-07-14T10:00:00Z' })]
  const unmarked = [stop(1, 'planned', inside)]
  const departures = [
    departure({ id: 'marked', stops: marked, aboard: 5 }),
    departure({ id: 'unmarked', stops: unmarked }),
    departure({ id: 'scheduled', status: 'scheduled', stops: marked }),
    departure({ id: 'over', status: 'completed', stops: marked }),
  ]
  const found = insideArea(here, { people: [], departures }, now)
  expect(found.departures.map(({ departure: { id } }) => id)).toEqual(['marked'])
  expect(found.departures[0]?.place).toEqual({
    ...inside,
    at: '2030-07-14T10:00:00Z',
    by: 'Þingvellir',
    isPosition: false,
  })
  expect(found).toMatchObject({ guests: 5, old: 1 })
})
