import { expect, test } from 'vitest'
import { spreadMarks } from './spread-marks.ts'

test('marks with room around them are drawn at their places', () => {
  expect(
    spreadMarks(
      [
        { x: 10, y: 10 },
        { x: 50, y: 10 },
      ],
      30,
    ),
  ).toEqual([
    { x: 0, y: 0 },
    { x: 0, y: 0 },
  ])
})

test('two marks of the same place are side by side, the earlier one first', () => {
  const place = { x: 100, y: 80 }
  expect(spreadMarks([place, place], 30)).toEqual([
    { x: -15, y: 0 },
    { x: 15, y: 0 },
  ])
})

test('however many touch, none covers another afterwards', () => {
  const places = [
    { x: 0, y: 0 },
    { x: 4, y: 3 },
    { x: 0, y: 0 },
    { x: 12, y: -6 },
    { x: 20, y: 2 },
  ]
  const drawn = spreadMarks(places, 30).map(({ x, y }, index) => ({
    x: x + (places[index]?.x ?? 0),
    y: y + (places[index]?.y ?? 0),
  }))
  for (const [index, one] of drawn.entries()) {
    for (const other of drawn.slice(index + 1)) {
      expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(29)
    }
  }
})
