import type { ReportOfLink } from '@tour-ops/contract/links/report-of-link'
import { expect, test } from 'vitest'
import { reportInAddress, reportOfAddress } from './report-words.ts'

test('a report goes through an address and comes back, and anything else names none', () => {
  const reports: ReportOfLink[] = [
    { name: 'tour-performance', period: { kind: 'days', days: 28 }, compare: 'previous' },
    {
      name: 'traveler-insights',
      period: { kind: 'dates', from: '2030-07-01', to: '2030-07-31' },
      compare: 'last_year',
    },
  ]
  for (const report of reports) expect(reportOfAddress(reportInAddress(report))).toEqual(report)
  const none = [
    undefined,
    '',
    'staff-performance.none.28',
    'tour-performance.none.29',
    'tour-performance.none.2030-07-31.2030-07-01',
  ]
  for (const parameter of none) expect(reportOfAddress(parameter)).toBeUndefined()
})
