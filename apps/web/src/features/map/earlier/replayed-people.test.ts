import type { DayTrack } from '@tour-ops/contract/tracking/day-tracks'
import { describe, expect, test } from 'vitest'
import { departure, stop } from '../day.fixtures.ts'
import { watchedSignal } from '../watched-subjects.ts'
import { waysOf } from '../ways.ts'
import { drawnMoment, peopleAt, planOf, spanOfDay, tracksListed } from './replayed-people.ts'

const minute = 60_000
const start = Date.parse('2030-07-14T08:00:00Z')

const track = (name: string, minutes: readonly number[], more: Partial<DayTrack> = {}): DayTrack => ({
  subject: { kind: 'staff', id: name, name },
  departureIds: [],
  points: minutes.map((at, index) => ({ at: start + at * minute, lat: 64 + index / 100, lng: -21 })),
  gaps: [],
  ...more,
})

describe('everyone at a moment', () => {
  test('is between their positions, on their way', () => {
    const [ada] = peopleAt([track('Ada', [0, 10])], start + 5 * minute)
    expect(ada).toMatchObject({
      subjectId: 'Ada',
      lat: expect.closeTo(64.005, 6),
      headingDeg: 0,
      recordedAt: new Date(start + 5 * minute).toISOString(),
      isSilent: false,
    })
    expect(ada?.speedMps).toBeGreaterThan(1)
  })

  test('is nobody before the first and after the last position, on a break and off duty', () => {
    const ada = track('Ada', [0, 10])
    expect(peopleAt([ada], start - 1)).toEqual([])
    expect(peopleAt([ada], start + 11 * minute)).toEqual([])
    for (const reason of ['break', 'off_duty'] as const) {
      const gaps = [{ from: start, to: start + 10 * minute, reason }]
      expect(peopleAt([{ ...ada, gaps }], start + 5 * minute)).toEqual([])
    }
  })

  test('without a signal is where they were last known, and never live', () => {
    const gaps = [{ from: start, to: start + 60 * minute, reason: 'no_signal' as const }]
    const signalAt = (minutes: number) => {
      const at = start + minutes * minute
      const [ada] = peopleAt([track('Ada', [0, 60], { gaps })], at)
      return ada && [ada.lat, watchedSignal(ada, at)]
    }
    expect([signalAt(1), signalAt(5), signalAt(30), signalAt(60)]).toEqual([
      [64, 'stale'],
      [64, 'stale'],
      [64, 'offline'],
      [64.01, 'live'],
    ])
  })
})

test('the list next to the map narrows whose tracks are replayed: by departure, or by what was searched for', () => {
  const gold = departure({ id: 'gold' })
  const tracks = [track('Ádá Byron', [0], { departureIds: ['gold'] }), track('Bo', [0]), track('Cleo', [0])]
  const listed = (selectedId: string | undefined, q: string) =>
    tracksListed(tracks, { departures: [gold], selectedId, q }).map(({ subject }) => subject.name)
  expect(listed(undefined, '')).toEqual(['Ádá Byron', 'Bo', 'Cleo'])
  expect(listed('gold', '')).toEqual(['Ádá Byron'])
  expect(listed(undefined, 'golden')).toEqual(['Ádá Byron'])
  expect(listed(undefined, 'bo')).toEqual(['Bo'])
  expect(listed(undefined, 'nobody')).toEqual([])
})

test('the day goes from the first position of all to the moment of reading, also over midnight', () => {
  const day = { from: start - 60 * minute, to: start + 90 * minute }
  expect(spanOfDay([track('Ada', [5, 6]), track('Bo', [1])], day)).toEqual({ from: start + minute, to: day.to })
  expect(spanOfDay([track('Ada', [90])], day)).toEqual({ from: day.to - minute, to: day.to })
})

test('while it plays the map has ten moments a second, and stands where the replay stands', () => {
  const span = { from: start, to: start + 60 * minute }
  const drawn = Array.from({ length: 60 }, (_, frame) =>
    drawnMoment(start + ((frame * 1000) / 60) * 60, 60, true, span),
  )
  expect(new Set(drawn).size).toBe(10)
  expect(drawnMoment(start + 1234, 60, false, span)).toBe(start + 1234)
})

test('the plan of a departure says nothing of how far it is now', () => {
  const now = departure({
    startedAt: '2030-07-14T09:00:00Z',
    stops: [stop(1, 'departed'), stop(2, 'arrived'), stop(3)],
  })
  expect(waysOf(now, []).done).not.toEqual([])
  expect(waysOf(planOf(now), []).done).toEqual([])
})
