import type { GuardReason, NextStatus } from '@tour-ops/contract/departures/departures'
import { expect, test } from 'vitest'
import type { ShownDeparture, ShownEntry } from '../store/shown-day.ts'
import { nextStepOf } from './next-step.ts'

const asOf = '2026-11-21T08:00:00Z'
const soon = Date.parse(asOf) + 60_000
const later = Date.parse(asOf) + 10 * 60_000

interface Facts {
  status?: string
  guards?: readonly GuardReason[]
  overridable?: boolean
  guests?: readonly ShownEntry['status'][]
  counted?: number | null
  lead?: boolean
}
function tour({
  status = 'scheduled',
  guards = [],
  overridable = true,
  guests = [],
  counted = null,
  lead = true,
}: Facts) {
  const next = { scheduled: 'boarding', boarding: 'in_progress', in_progress: 'completed' }[status]
  return {
    can: { lead },
    departure: {
      status,
      nextStatuses: [{ to: next, unmet: guards, overridable }] as unknown as NextStatus[],
      stops: [{ kind: 'start', headcountActual: counted }],
    },
    groups: [{ parties: [{ entries: guests.map((one) => ({ status: one })) }] }],
  } as unknown as ShownDeparture
}

test('boarding, setting out and the end follow each other; nothing follows the end', () => {
  const steps = ['scheduled', 'boarding', 'in_progress'].map((status) => nextStepOf(tour({ status }), asOf, soon)?.to)
  expect(steps).toEqual(['boarding', 'in_progress', 'completed'])
  expect(nextStepOf(tour({ status: 'completed' }), asOf, soon)).toBeNull()
})

test('who does not lead is asked for nothing', () => {
  expect(nextStepOf(tour({ lead: false }), asOf, soon)).toBeNull()
})

test('guests who are decided on this phone since no longer block it, and those who are open are, whatever the office knew', () => {
  const decided = tour({ status: 'boarding', guards: ['guests_undecided'], guests: ['checked_in', 'no_show'] })
  expect(nextStepOf(decided, asOf, soon)?.unmet).toEqual([])
  const open = tour({ status: 'boarding', guests: ['checked_in', 'expected'] })
  expect(nextStepOf(open, asOf, soon)).toMatchObject({ unmet: ['guests_undecided'], needsReason: true })
  expect(nextStepOf(tour({ guests: ['expected'] }), asOf, soon)?.unmet).toEqual([])
})

test('at the end a missing guest is shown, and needs no reason', () => {
  const step = nextStepOf(tour({ status: 'in_progress', guests: ['missing'] }), asOf, soon)
  expect(step).toMatchObject({ to: 'completed', unmet: ['guests_undecided'], needsReason: false })
})

test('heads that were counted here since are counted', () => {
  const before = tour({ status: 'boarding', guards: ['headcount_missing'] })
  const after = tour({ status: 'boarding', guards: ['headcount_missing'], counted: 17 })
  expect([nextStepOf(before, asOf, soon)?.unmet, nextStepOf(after, asOf, soon)?.unmet]).toEqual([
    ['headcount_missing'],
    [],
  ])
})

test('an old answer says nothing about the clock: the office decides', () => {
  const early = tour({ guards: ['too_early'], overridable: false })
  expect(nextStepOf(early, asOf, soon)).toMatchObject({ unmet: ['too_early'], isAllowed: false })
  expect(nextStepOf(early, asOf, later)).toMatchObject({ unmet: [], isAllowed: true })
})

test('what no reason helps against is not asked for', () => {
  const blocked = tour({ guards: ['no_lead_guide'], overridable: false })
  const asked = tour({ guards: ['no_vehicle'] })
  expect(nextStepOf(blocked, asOf, soon)?.isAllowed).toBe(false)
  expect(nextStepOf(asked, asOf, soon)).toMatchObject({ isAllowed: true, needsReason: true })
})
