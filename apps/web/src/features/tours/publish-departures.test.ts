import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import { expect, test } from 'vitest'
import { splitByStart } from './publish-departures.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const row = (status: DepartureRow['status'], startsAt: string) => ({ status, startsAt })

test('what boards, is out or should have left keeps its plan', () => {
  const tomorrow = row('scheduled', '2026-11-21T09:00:00Z')
  const rows = [
    row('in_progress', '2026-11-20T09:00:00Z'),
    // boarding begins before the start
    row('boarding', '2026-11-20T12:30:00Z'),
    row('guaranteed', '2026-11-20T11:59:00Z'),
    tomorrow,
  ]
  expect(splitByStart(rows, now)).toEqual({ ahead: [tomorrow], begun: 3 })
})
