import type { DutyDay } from '@tour-ops/contract/duty/duty-phone'
import { expect, test } from 'vitest'
import { asksConsent, privacyOf } from './privacy.ts'

const since = '2026-11-21T08:00:00Z'
type Duty = NonNullable<DutyDay['duty']>
const duty = (session: object | null, consent: object | null = { version: 'v2', at: since }) =>
  ({ session, consent, consentVersion: 'v2' }) as unknown as Duty
const open = { status: 'open', startedAt: since, breakStartedAt: null, consentVersion: 'v2' }

test('a link is never seen, and nobody is off duty', () => {
  expect(privacyOf(null, 'on')).toEqual({ kind: 'none' })
  expect(privacyOf(duty(null), 'on')).toEqual({ kind: 'off-duty' })
  expect(privacyOf(duty({ ...open, status: 'closed' }), 'on')).toEqual({ kind: 'off-duty' })
})

test('on duty, agreed and taken: seen; a break says so first', () => {
  expect(privacyOf(duty(open), 'on')).toEqual({ kind: 'seen', since })
  expect(privacyOf(duty({ ...open, breakStartedAt: '2026-11-21T10:00:00Z' }), 'by_office')).toEqual({
    kind: 'break',
    since: '2026-11-21T10:00:00Z',
  })
})

test.each(['denied', 'unavailable', 'by_office', 'by_other_phone', 'unknown'] as const)(
  'a phone whose positions are %s is not called seen',
  (tracking) => {
    expect(privacyOf(duty(open), tracking)).toEqual({ kind: 'unseen', since, because: tracking })
  },
)

test('without consent, or with one to an older text, nobody is seen', () => {
  for (const consentVersion of [null, 'v1']) {
    expect(privacyOf(duty({ ...open, consentVersion }), 'on')).toEqual({ kind: 'unseen', since, because: 'consent' })
  }
})

test('beginning duty asks only who never answered the text of now', () => {
  expect(asksConsent(duty(null))).toBe(false)
  expect(asksConsent(duty(null, { version: 'v1', at: since }))).toBe(true)
  expect(asksConsent(duty(null, null))).toBe(true)
})
