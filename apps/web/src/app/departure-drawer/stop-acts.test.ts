import { expect, test } from 'vitest'
import { momentOf } from './stop-acts.tsx'

const now = new Date('2026-11-20T00:20:00Z')
const outSince = new Date('2026-11-19T14:00:00Z')

test('a time typed is the last moment at which the clocks of the zone showed it', () => {
  expect(momentOf('00:10', 'Atlantic/Reykjavik', outSince, now).toISOString()).toBe('2026-11-20T00:10:00.000Z')
  expect(momentOf('23:50', 'Atlantic/Reykjavik', outSince, now).toISOString()).toBe('2026-11-19T23:50:00.000Z')
  // Kathmandu is 5 h 45 min ahead.
  expect(momentOf('06:00', 'Asia/Kathmandu', outSince, now).toISOString()).toBe('2026-11-20T00:15:00.000Z')
})

test('a time later than now is not taken for yesterday before the tour was out', () => {
  expect(momentOf('03:40', 'Atlantic/Reykjavik', outSince, now).toISOString()).toBe('2026-11-20T03:40:00.000Z')
})
