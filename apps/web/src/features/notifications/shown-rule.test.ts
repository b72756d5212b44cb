import { expect, test } from 'vitest'
import { withChange } from './shown-rule.ts'

const rule = { event: 'delay_notice', isOn: true, setting: 15, escalateTo: 'admin' } as const

test('a rule is shown as it was chosen while that is being saved, also where nobody is notified from now on', () => {
  expect(withChange(rule, undefined)).toBe(rule)
  expect(withChange(rule, { event: 'delay_notice', escalateTo: null })).toEqual({ ...rule, escalateTo: null })
  expect(withChange(rule, { event: 'delay_notice', isOn: false })).toEqual({ ...rule, isOn: false })
  expect(withChange(rule, { event: 'delay_notice', setting: 20 })).toEqual({ ...rule, setting: 20 })
  expect(withChange(rule, { event: 'booking_changed', escalateTo: null })).toBe(rule)
})
