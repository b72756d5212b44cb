import { tourPerformance } from '@tour-ops/contract/reports/reports'
import { expect, test } from 'vitest'
import { periodProblem } from './period-problem.ts'

test.each([
  ['2026-03-10', '2026-03-10', undefined],
  ['2026-03-10', '2026-03-09', 'Ends before it starts. Choose 10 Mar 2026 or later.'],
  ['2024-03-10', '2026-03-10', undefined],
  ['2024-03-10', '2026-03-11', 'At most two years at a time. Choose 10 Mar 2026 or earlier.'],
])('a report from %s to %s: %s', (from, to, said) => {
  expect(periodProblem({ from, to })).toBe(said)
  // the day that the sentence names is one that the server takes
  expect(tourPerformance.input.safeParse({ from, to }).success).toBe(said === undefined)
})
