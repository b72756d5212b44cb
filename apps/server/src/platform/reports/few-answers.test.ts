import { expect, test } from 'vitest'
import { partsWithFewAnswers } from './figures.ts'
import type { DepartureFact } from './report-store.ts'

const answers = (npsAnswers: number): DepartureFact[] => [{ status: 'completed', npsAnswers } as DepartureFact]
const hidden = (...counts: number[]): number[] =>
  [...partsWithFewAnswers(new Map(counts.map((count, at) => [at, answers(count)])), 5)].toSorted((a, b) => a - b)

test('opinions of few are hidden, with the next smallest where they are few together', () => {
  expect(hidden(9, 0, 8)).toEqual([])
  expect(hidden(9, 2, 8)).toEqual([1, 2])
  expect(hidden(9, 2, 8, 3)).toEqual([1, 3])
  expect(hidden(9, 1, 2, 5)).toEqual([1, 2, 3])
  expect(hidden(3)).toEqual([0])
  expect([...partsWithFewAnswers(new Map([['only', answers(1)]]), 0)]).toEqual([])
})
