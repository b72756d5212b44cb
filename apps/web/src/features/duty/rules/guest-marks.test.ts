import { expect, test } from 'vitest'
import type { StoredEvent, ShownDeparture, ShownEntry, ShownStop } from '../store/shown-day.ts'
import {
  noShowFrom,
  stopOfCheckIn,
  tapOn,
  tourMarksOf,
  waitingMarkOf,
  waitingStopMarkOf,
  waitsUntil,
} from './guest-marks.ts'

const now = Date.parse('2026-11-21T08:30:00Z')
const before = (seconds: number): string => new Date(now - seconds * 1000).toISOString()
const entry = (status: ShownEntry['status'], checkInAt: string | null = null) =>
  ({ id: 'e1', status, checkInAt }) as unknown as ShownEntry
const tour = (status: string, stops: Partial<ShownStop>[] = [], mark = true) =>
  ({ departure: { status, stops, actualStartAt: null }, can: { mark } }) as unknown as ShownDeparture
const kept = (event: object, isAnswered = false): StoredEvent =>
  ({ seq: 1, event: { id: 'x', ...event }, outcome: isAnswered ? {} : null }) as unknown as StoredEvent

test('a tap checks in while boarding and on the way; before that boarding is closed, and without permission it does nothing', () => {
  expect(['scheduled', 'boarding', 'in_progress'].map((status) => tapOn(tour(status), entry('expected'), now))).toEqual(
    ['closed', 'check-in', 'check-in'],
  )
  expect(tapOn(tour('boarding'), entry('no_show'), now)).toBe('check-in')
  expect(tapOn(tour('boarding', [], false), entry('expected'), now)).toBe('none')
})

test('a check-in is undone with one tap for ten seconds, and asked about later', () => {
  const taps = [9, 10, 600].map((seconds) => tapOn(tour('boarding'), entry('checked_in', before(seconds)), now))
  expect(taps).toEqual(['undo', 'ask-undo', 'ask-undo'])
  expect(tapOn(tour('boarding'), entry('on_tour'), now)).toBe('none')
})

test('a no-show is not marked before the office allows it at the own pickup', () => {
  expect(noShowFrom({ at: '2026-11-21T08:30:00Z' }, 5)).toBe(now - 5 * 60_000)
})

test('the crew waits five minutes from the planned time, or from coming later; not before they are there', () => {
  const group = { at: '2026-11-21T08:30:00Z', stopId: 's1' }
  const there = (actualArriveAt: string | null) => tour('boarding', [{ id: 's1', actualArriveAt }])
  expect(waitsUntil(there(null), group)).toBeNull()
  expect(waitsUntil(there('2026-11-21T08:20:00Z'), group)).toBe(now + 5 * 60_000)
  expect(waitsUntil(there('2026-11-21T08:40:00Z'), group)).toBe(now + 15 * 60_000)
})

test.each([
  ['checked_in', ['missing', 'left_early']],
  ['on_tour', ['missing', 'left_early']],
  ['missing', ['on_tour', 'left_early']],
  ['left_early', ['on_tour']],
  ['no_show', []],
] as const)('on the way a guest who is %s may be marked %j, also one who was marked by mistake', (status, marks) => {
  expect(tourMarksOf(tour('in_progress'), { status })).toEqual(marks)
  expect(tourMarksOf(tour('boarding'), { status })).toEqual([])
  expect(tourMarksOf(tour('in_progress', [], false), { status })).toEqual([])
})

test('only the last mark of a guest or stop, and only while the office does not have it, can be undone', () => {
  const first = kept({ id: 'a', kind: 'check_in', entryId: 'e1' }, true)
  const second = kept({ id: 'b', kind: 'undo_check_in', entryId: 'e1' })
  expect(waitingMarkOf([first, second], 'e1')).toBe('b')
  expect(waitingMarkOf([first], 'e1')).toBeNull()
  expect(waitingMarkOf([second], 'e2')).toBeNull()
  const stop = kept({ id: 'c', kind: 'stop', stopId: 's1' })
  expect([
    waitingStopMarkOf([stop], 's1'),
    waitingStopMarkOf([kept({ kind: 'headcount', stopId: 's1' })], 's1'),
  ]).toEqual(['c', null])
})

test('somebody gets in where the group is, else at their own pickup', () => {
  const stops = [{ id: 's1', kind: 'pickup', status: 'planned' }] as Partial<ShownStop>[]
  const there = [{ id: 's2', kind: 'visit', status: 'arrived' }] as Partial<ShownStop>[]
  expect(stopOfCheckIn(tour('boarding', stops), { stopId: 's1' })).toBe('s1')
  expect(stopOfCheckIn(tour('boarding', there), { stopId: 's1' })).toBe('s2')
})
