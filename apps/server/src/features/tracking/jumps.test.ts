import { expect, test } from 'vitest'
import { type Fix, fixOf } from './fix.ts'
import { judge, type Trail } from './jumps.ts'
import { type Session, sessionFor } from './sessions.ts'

const start = Date.parse('2026-11-24T09:00:00Z')
const after = (seconds: number): Date => new Date(start + seconds * 1000)
const fix = (seconds: number, lat: number, accuracyM: number | null = 5): Fix =>
  fixOf({ recordedAt: after(seconds), lat, lng: -21, accuracyM }) as Fix

/** Which fixes are accepted, one after the other. A degree of latitude is 111 km. */
function believed(fixes: readonly Fix[]): boolean[] {
  let trail: Trail | undefined
  return fixes.map((each) => {
    const judged = judge(trail, each)
    trail = judged.trail
    return judged.isValid
  })
}

test.each([
  ['a bus on its way', [fix(0, 64), fix(15, 64.003), fix(30, 64.006)], [true, true, true]],
  [
    'a jump of 11 km in 15 s is marked, and what follows on the way is not',
    [fix(0, 64), fix(15, 64.1), fix(30, 64.006)],
    [true, false, true],
  ],
  [
    'a place that the next fix confirms was right',
    [fix(0, 64), fix(15, 64.5), fix(30, 64.503), fix(45, 64.506)],
    [true, false, true, true],
  ],
  ['a tunnel of an hour is no jump', [fix(0, 64), fix(3600, 65)], [true, true]],
  ['a place that is known within 20 km does not jump', [fix(0, 64, 20_000), fix(15, 64.1, 5)], [true, true]],
  ['fixes that arrive late are compared as well', [fix(600, 64), fix(15, 64.001), fix(590, 65)], [true, true, false]],
  [
    'what the phone does not believe changes nothing',
    [fix(0, 64), { ...fix(15, 70), isValid: false }, fix(30, 64.001)],
    [true, false, true],
  ],
])('%s', (_, fixes, expected) => {
  expect(believed(fixes)).toEqual(expected)
})

const minutes = (count: number): Date => after(count * 60)
const session = (from: number, to: number | null, more: Partial<Session> = {}): Session => ({
  id: `${from}`,
  staffId: 'ada',
  vehicleId: null,
  startedAt: minutes(from),
  endedAt: to === null ? null : minutes(to),
  trackedFrom: minutes(from),
  breakStartedAt: null,
  breaks: [],
  ...more,
})
const outcome = (sessions: readonly Session[], minute: number): string => {
  const found = sessionFor(sessions, minutes(minute))
  return typeof found === 'string' ? found : found.id
}

test.each([
  ['inside', [session(0, 60)], 30, '0'],
  ['five minutes of grace before', [session(0, 60)], -5, '0'],
  ['and no more', [session(0, 60)], -6, 'outside_session'],
  ['five minutes of grace after', [session(0, 60)], 65, '0'],
  ['and no more after', [session(0, 60)], 66, 'outside_session'],
  ['a duty under way has no end', [session(0, null)], 600, '0'],
  ['between two duties the one that holds the moment', [session(0, 60), session(63, null)], 62, '63'],
  ['in the first although the second has its grace', [session(0, 60), session(63, null)], 59, '0'],
  ['without duty', [], 0, 'outside_session'],
  ['without consent', [session(0, null, { trackedFrom: null })], 10, 'no_consent'],
  ['before the consent', [session(0, null, { trackedFrom: minutes(30) })], 10, 'no_consent'],
  ['after the consent', [session(0, null, { trackedFrom: minutes(30) })], 31, '0'],
  ['in a break under way', [session(0, null, { breakStartedAt: minutes(30) })], 31, 'on_break'],
  ['in a break that is over', [session(0, null, { breaks: [{ from: minutes(10), to: minutes(20) }] })], 15, 'on_break'],
  ['after a break', [session(0, null, { breaks: [{ from: minutes(10), to: minutes(20) }] })], 20, '0'],
])('%s', (_, sessions, minute, expected) => {
  expect(outcome(sessions, minute)).toBe(expected)
})
