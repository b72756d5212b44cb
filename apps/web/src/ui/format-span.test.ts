import { describe, expect, test } from 'vitest'
import { formatSpan, formatTimeBeside, formatTimesOrSpan } from './format-span.ts'

const nepal = 'Asia/Kathmandu'
const start = '2026-11-21T01:15:00Z'

describe('a span says its last day', () => {
  test('once where it ends on the day on which it starts, as that place counts days', () => {
    expect(formatSpan(start, '2026-11-21T18:00:00Z', nepal)).toBe('Sat 21 Nov, 07:00–23:45')
    expect(formatTimesOrSpan(start, '2026-11-21T18:00:00Z', nepal)).toBe('07:00–23:45')
  })

  test('with the day where it ends later', () => {
    const end = '2026-11-25T10:15:00Z'
    expect(formatSpan(start, end, nepal)).toBe('Sat 21 Nov 07:00 – Wed 25 Nov 16:00')
    expect(formatTimesOrSpan(start, end, nepal)).toBe('Sat 21 Nov 07:00 – Wed 25 Nov 16:00')
    expect(formatSpan(start, '2026-11-21T18:30:00Z', nepal)).toBe('Sat 21 Nov 07:00 – Sun 22 Nov 00:15')
  })

  test('a time next to a date has its own day where it differs', () => {
    expect(formatTimeBeside('2026-11-21', start, nepal)).toBe('07:00')
    expect(formatTimeBeside('2026-11-20', start, nepal)).toBe('Sat 21 Nov 07:00')
  })
})
