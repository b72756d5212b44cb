import type { Overview } from '@tour-ops/contract/overview/overview'
import { expect, test } from 'vitest'
import { departuresFigure } from './day-figures.tsx'

const figures = { running: 2, departures: 12, cancelled: 1 } as Overview['figures']

test('today the figure is what runs now, of another day what it has', () => {
  expect(departuresFigure(figures, true)).toEqual({ label: 'Running now', value: '2', note: '12 today · 1 cancelled' })
  expect(departuresFigure(figures, false)).toEqual({
    label: 'Departures on this day',
    value: '12',
    note: '2 running now · 1 cancelled',
  })
  expect(departuresFigure({ ...figures, running: 0, cancelled: 0 }, false).note).toBe('')
})
