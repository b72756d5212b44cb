import { roles } from '@tour-ops/contract/identity/access'
import { expect, test } from 'vitest'
import { mayDo } from './may-do.ts'

const of = (role: (typeof roles)[number]) =>
  Object.fromEntries(mayDo(role).map(({ label, answer, text }) => [label, `${answer}: ${text}`]))

test('an administrator may do everything in every area', () => {
  expect(new Set(mayDo('admin').map(({ answer }) => answer))).toEqual(new Set(['yes']))
})

test('a dispatcher sees sensitive data near the tour only, and reports without export', () => {
  expect(of('dispatcher')).toMatchObject({
    Departures: 'yes: see, run',
    'Medical, passport, birth': 'limited: 48 h around the tour',
    Reports: 'limited: see only',
    'Change history': 'no: no',
  })
})

test('what reaches only the own departures says so', () => {
  expect(of('guide')).toMatchObject({ Departures: 'limited: own: see', Users: 'no: no' })
})
