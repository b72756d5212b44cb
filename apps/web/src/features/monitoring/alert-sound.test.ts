import type { AlertRow } from '@tour-ops/contract/monitoring/alerts'
import { expect, test } from 'vitest'
import { newlyCritical } from './alert-sound.ts'

const alert = (id: string, severity: AlertRow['severity'], status: AlertRow['status'] = 'open') =>
  ({ id, severity, status }) as AlertRow

const heard = (before: AlertRow[] | null, now: AlertRow[]) => newlyCritical(before, now).map(({ id }) => id)

test('a critical alert that was not there before sounds, also one that became critical or was reopened', () => {
  expect(heard([], [alert('a', 'critical'), alert('b', 'warning')])).toEqual(['a'])
  expect(heard([alert('a', 'warning')], [alert('a', 'critical')])).toEqual(['a'])
  expect(heard([alert('a', 'critical', 'snoozed')], [alert('a', 'critical')])).toEqual(['a'])
})

test('what was there when the board opened, what waits already, and what somebody has taken is not', () => {
  expect(heard(null, [alert('a', 'critical')])).toEqual([])
  expect(heard([alert('a', 'critical')], [alert('a', 'critical')])).toEqual([])
  expect(heard([], [alert('a', 'critical', 'acknowledged')])).toEqual([])
})
