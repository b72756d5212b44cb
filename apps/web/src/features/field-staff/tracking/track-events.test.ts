import type { Track } from '@tour-ops/contract/tracking/tracks'
import { expect, test } from 'vitest'
import { eventAt, eventsOf } from './track-events.ts'

const hour = 3_600_000
const iso = (hours: number): string => new Date(hours * hour).toISOString()
const track: Track = {
  subject: { kind: 'staff', id: 'a', name: 'Ada' },
  departures: [{ id: 'd', code: 'GC-01' }],
  points: [],
  gaps: [{ from: 3 * hour, to: 4 * hour, reason: 'no_signal' }],
  stays: [{ from: hour, to: 2 * hour, lat: 64, lng: -21, place: 'Geysir' }],
  fixes: 0,
  implausible: 0,
  meters: 0,
}
const stop = (id: string, actual: number | null) => ({
  id,
  departureId: 'd',
  placeName: 'Geysir',
  plannedArriveAt: iso(1),
  actualArriveAt: actual === null ? null : iso(actual),
  actualDepartAt: null,
})

test('stays, gaps and arrivals are in the order of time; an undone arrival, or one of another day, is left out', () => {
  const events = eventsOf([track], [stop('x', 1.1), stop('y', null), stop('z', 30)], { from: 0, to: 24 * hour })
  expect(events.map(({ kind, at }) => [kind, at / hour])).toEqual([
    ['stay', 1],
    ['arrival', 1.1],
    ['gap', 3],
  ])
  expect(events[1]).toMatchObject({ code: 'GC-01', place: 'Geysir', plannedAt: hour })
})

test('a moment is in the event that lasts then, else after the last one', () => {
  const events = eventsOf([track], [], { from: 0, to: 24 * hour })
  expect(eventAt(events, 1.5 * hour)?.kind).toBe('stay')
  expect(eventAt(events, 2.5 * hour)?.kind).toBe('stay')
  expect(eventAt(events, 3.5 * hour)?.kind).toBe('gap')
  expect(eventAt(events, 0)).toBeUndefined()
})
