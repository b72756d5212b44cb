import { expect, test } from 'vitest'
import { signalText } from './signal-text.ts'

const now = Date.parse('2026-11-21T13:52:00Z')
const quiet = (quietUntil: string | null) => ({ quietUntil, timeZone: 'Asia/Kathmandu' })

test('who is not heard where no signal is expected has until about when, by the clock of the tour', () => {
  expect(signalText('offline', quiet('2026-11-21T14:15:00Z'), now)).toBe('No signal expected until about 20:00')
  expect(signalText('no_fix_yet', quiet('2026-11-22T01:15:00Z'), now)).toBe('No signal expected until about Sun 07:00')
})

test('who is heard, off duty or without a device, or should be heard again, is shown as anywhere else', () => {
  expect(signalText('live', quiet('2026-11-21T14:15:00Z'), now)).toBe('Live')
  expect(signalText('off_duty', quiet('2026-11-21T14:15:00Z'), now)).toBe('Off duty')
  expect(signalText('stale', quiet('2026-11-21T13:52:00Z'), now)).toBe('Stale')
  expect(signalText('stale', quiet(null), now)).toBe('Stale')
  expect(signalText('stale', undefined, now)).toBe('Stale')
})
