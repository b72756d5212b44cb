import type { FitReason } from '@tour-ops/contract/field-staff/assignments'
import { refuse } from '@tour-ops/contract/refusals'
import { expect, test } from 'vitest'
import { refusalText } from '../../errors/refusal-text.ts'
import { fitReasonText } from './fit-labels.ts'
import { acceptRefusal, againstIn, reasonsSince } from './fit-refusals.ts'

const rest: FitReason = { ok: false, reason: 'rest', hours: 9, limitHours: 11, code: 'GOLD-1' }
const certificate: FitReason = { ok: false, reason: 'certificate' }
const noReason = refuse('override_reason_missing', {
  against: [{ staffId: '018f0000-0000-7000-8000-000000000001', name: 'Björn Ólafsson', reasons: [rest, certificate] }],
})
const fitsNoLonger = refuse('no_longer_fits', { reasons: [rest, certificate] })

test('accepting names what speaks against the person by now, as assigning does', () => {
  expect(reasonsSince(fitsNoLonger)).toEqual([rest, certificate])
  expect(againstIn(noReason)?.[0]?.reasons).toEqual([rest, certificate])
  const said = acceptRefusal(fitsNoLonger) ?? ''
  for (const reason of [rest, certificate]) expect(said).toContain(fitReasonText(reason))
  expect(said).toContain('9 h')
  expect(said).toContain('GOLD-1')
})

test('any other refusal has its own sentence, and neither list handles refusals of the other', () => {
  const busy = refuse('staff_busy', { name: 'Björn', code: 'GOLD-2', kind: 'assignment' })
  expect(acceptRefusal(null)).toBeNull()
  expect(acceptRefusal(busy)).toBe(refusalText(busy))
  expect([reasonsSince(busy), reasonsSince(noReason), againstIn(busy), againstIn(fitsNoLonger)]).toEqual([
    null,
    null,
    null,
    null,
  ])
})
