import { expect, test } from 'vitest'
import { spanOf, timeMarks } from './span.ts'

const minute = 60_000
const point = (minutes: number) => ({ at: minutes * minute })

test('the axis goes from the first to the last position of all tracks', () => {
  const day = { from: 0, to: 1440 * minute }
  expect(spanOf([{ points: [point(0), point(10)] }, { points: [point(30)] }], day)).toEqual({
    from: 0,
    to: 30 * minute,
  })
  expect(spanOf([{ points: [] }], day)).toEqual(day)
  expect(spanOf([{ points: [point(5)] }], day)).toEqual({ from: 4 * minute, to: 5 * minute })
})

test('marks of the axis are whole hours of the reader’s clock', () => {
  const nepal = (5 * 60 + 45) * minute
  const marks = timeMarks({ from: 0, to: 300 * minute }, nepal)
  expect(marks.map((at) => (at + nepal) % (60 * minute))).toEqual([0, 0, 0, 0, 0])
  expect(timeMarks({ from: 0, to: 30 * 60 * minute }, 0).length).toBeLessThanOrEqual(7)
})
