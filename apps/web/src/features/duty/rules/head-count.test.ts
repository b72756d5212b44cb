import { expect, test } from 'vitest'
import type { ShownDeparture, ShownStop } from '../store/shown-day.ts'
import { afterCountOf, headCountEvents, isBlocked } from './head-count.ts'

const shown = (status: string) => ({ id: 'd1', departure: { status } }) as unknown as ShownDeparture
const stop = (kind: string, status: string) => ({ id: 's1', kind, status }) as unknown as ShownStop
const geysir = stop('visit', 'arrived')
const luis = { id: 'e9', name: 'Luis Ortega' }
const short = {
  counted: 16,
  expected: 17,
  reason: 'Guest chose to stay here',
  kind: 'stays',
  missing: [luis],
} as const

test('a number that differs is blocked until there is a reason', () => {
  expect(isBlocked({ counted: 16, expected: 17, reason: ' ' })).toBe(true)
  expect(isBlocked({ counted: 18, expected: 17, reason: '' })).toBe(true)
  expect(isBlocked({ counted: 16, expected: 17, reason: 'stays' })).toBe(false)
  expect(isBlocked({ counted: 17, expected: 17, reason: '' })).toBe(false)
})

test('the count comes first, then who is not there, then the departure from the stop', () => {
  expect(headCountEvents(shown('in_progress'), geysir, short, 'depart')).toEqual([
    {
      kind: 'headcount',
      departureId: 'd1',
      stopId: 's1',
      counted: 16,
      reason: 'Guest chose to stay here (Luis Ortega)',
    },
    { kind: 'guest', departureId: 'd1', entryId: 'e9', to: 'left_early' },
    { kind: 'stop', departureId: 'd1', stopId: 's1', to: 'departed', reason: null },
  ])
})

test('a count that fits needs no reason and changes no guest', () => {
  const events = headCountEvents(shown('in_progress'), geysir, { ...short, counted: 17 }, 'stay')
  expect(events).toEqual([{ kind: 'headcount', departureId: 'd1', stopId: 's1', counted: 17, reason: null }])
})

test('at the start the tour sets out with its count, when nothing else blocks it', () => {
  const step = { to: 'in_progress', unmet: ['headcount_missing'], isAllowed: true, needsReason: true } as const
  const start = stop('start', 'arrived')
  expect(afterCountOf(shown('boarding'), start, step)).toBe('set-out')
  expect(afterCountOf(shown('boarding'), start, { ...step, unmet: ['headcount_missing', 'no_vehicle'] })).toBe('stay')
  expect(afterCountOf(shown('boarding'), start, null)).toBe('stay')
  expect(afterCountOf(shown('in_progress'), geysir, null)).toBe('depart')
  expect(afterCountOf(shown('in_progress'), stop('end', 'arrived'), null)).toBe('stay')
})
