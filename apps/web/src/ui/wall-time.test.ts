import { expect, test } from 'vitest'
import { momentOfWall, wallTimeOf } from './wall-time.ts'

test.each([
  ['2026-11-20T09:00', 'Atlantic/Reykjavik', '2026-11-20T09:00:00.000Z'],
  ['2026-07-20T09:00', 'Europe/Berlin', '2026-07-20T07:00:00.000Z'],
  // an hour after the clocks went forward in Berlin, and an hour before they go back in New York
  ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-11-01T00:30', 'America/New_York', '2026-11-01T04:30:00.000Z'],
])('%s in %s is %s, and back', (wall, zone, moment) => {
  expect(momentOfWall(wall, zone)).toBe(moment)
  expect(wallTimeOf(moment, zone)).toBe(wall)
})

test('what is not typed completely is no moment', () => {
  expect(momentOfWall('', 'Europe/Berlin')).toBeNull()
  expect(momentOfWall('2026-11-20T', 'Europe/Berlin')).toBeNull()
})
