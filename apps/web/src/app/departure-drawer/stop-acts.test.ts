import { expect, test } from 'vitest'
import { momentOf } from './stop-acts.tsx'

test('a time typed is the last moment at which the clocks of the zone showed it', () => {
  const now = new Date('2026-11-20T00:20:00Z')
  expect(momentOf('00:10', 'Atlantic/Reykjavik', now)).toBe('2026-11-20T00:10:00.000Z')
  expect(momentOf('23:50', 'Atlantic/Reykjavik', now)).toBe('2026-11-19T23:50:00.000Z')
  // Kathmandu is 5 h 45 min ahead.
  expect(momentOf('06:00', 'Asia/Kathmandu', now)).toBe('2026-11-20T00:15:00.000Z')
})
