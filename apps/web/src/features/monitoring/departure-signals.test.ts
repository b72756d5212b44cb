import type { LivePosition } from '@tour-ops/contract/live/live-paths'
import { expect, test } from 'vitest'
import { guideStateOf, signalFor, signalsOf } from './departure-signals.ts'

const at = (time: string): string => `2026-11-20T${time}.000Z`
const position = (subjectId: string, recordedAt: string, change: Partial<LivePosition> = {}): LivePosition => ({
  subjectKind: 'staff',
  subjectId,
  recordedAt,
  receivedAt: recordedAt,
  lat: 64,
  lng: -21,
  batteryPct: 50,
  ...change,
})
const row = {
  id: 'gold',
  leadGuide: { id: 'jonas', name: 'Jonas Berg' },
  vehicle: { id: 'van', name: 'Van 2' },
  guideState: 'stale',
  lastFixAt: at('13:40:00'),
  batteryPct: 64,
} as const

test('the last signal of the guide, the vehicle or somebody else of the departure is shown with its battery', () => {
  const guide = position('jonas', at('13:51:10'), { batteryPct: 12 })
  const vehicle = position('van', at('13:51:40'), { subjectKind: 'vehicle', batteryPct: null })
  const helper = position('ana', at('13:51:50'), { departureId: 'gold', batteryPct: 80 })
  expect(signalFor(row, signalsOf([guide]))).toEqual({ at: at('13:51:10'), batteryPct: 12 })
  expect(signalFor(row, signalsOf([guide, vehicle]))).toEqual({ at: at('13:51:40'), batteryPct: null })
  expect(signalFor(row, signalsOf([helper, vehicle, guide]))).toEqual({ at: at('13:51:50'), batteryPct: 80 })
})

test('without a newer position the list counts, also where nobody is on the way', () => {
  const old = position('jonas', at('13:39:59'))
  expect(signalFor(row, signalsOf([old]))).toEqual({ at: at('13:40:00'), batteryPct: 64 })
  expect(signalFor(row, signalsOf([]))).toEqual({ at: at('13:40:00'), batteryPct: 64 })
  const nobody = { ...row, leadGuide: null, vehicle: null, lastFixAt: null, batteryPct: null }
  expect(signalFor(nobody, signalsOf([old]))).toEqual({ at: null, batteryPct: null })
})

test("the guide's phone is as fresh as its last position, and off duty while the list says so", () => {
  const signals = signalsOf([position('jonas', at('13:51:30'))])
  expect(guideStateOf(row, signals, Date.parse(at('13:52:00')))).toBe('live')
  expect(guideStateOf(row, signals, Date.parse(at('13:56:00')))).toBe('stale')
  expect(guideStateOf({ ...row, guideState: 'off_duty' }, signals, Date.parse(at('13:52:00')))).toBe('off_duty')
  expect(guideStateOf(row, signalsOf([]), Date.parse(at('13:52:00')))).toBe('stale')
})
