import type { AlertRow } from '@tour-ops/contract/monitoring/alerts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { newlyCritical, switchAlertSound } from './alert-sound.ts'

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

describe('a sound', () => {
  const made = vi.fn(function AudioContext() {
    throw new Error('This computer has no sound.')
  })
  const unmuted = (hasBeenActive: boolean) => {
    vi.stubGlobal('AudioContext', made)
    vi.stubGlobal('navigator', { userActivation: { hasBeenActive } })
    switchAlertSound()
    switchAlertSound()
  }
  afterEach(() => {
    vi.unstubAllGlobals()
    made.mockClear()
  })

  test('is not tried before anything was pressed on the page, of which browsers complain', () => {
    unmuted(false)
    expect(made).not.toHaveBeenCalled()
  })

  test('is played after it', () => {
    unmuted(true)
    expect(made).toHaveBeenCalled()
  })
})
