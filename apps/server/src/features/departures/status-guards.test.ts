import { expect, test } from 'vitest'
import { statusOptions, type DepartureFacts } from './status-guards.ts'

const now = new Date('2026-11-20T08:00:00Z')
const facts: DepartureFacts = {
  status: 'scheduled',
  startsAt: new Date('2026-11-20T09:00:00Z'),
  actualEndAt: null,
  seatsConfirmed: 18,
  minPax: 4,
  hasLeadGuide: true,
  hasHeadcount: false,
  vehicleSeats: 18,
  needsVehicle: true,
  aboard: 17,
  undecided: 0,
}
const rules = { boardingOpensMinutes: 90, needsHeadcount: true }
const option = (change: Partial<DepartureFacts>, to: string, at = now) =>
  statusOptions({ ...facts, ...change }, rules, at).find((each) => each.to === to)

test('only legal next states are offered', () => {
  expect(statusOptions(facts, rules, now).map((each) => each.to)).toEqual(['guaranteed', 'boarding', 'cancelled'])
  expect(statusOptions({ ...facts, status: 'cancelled' }, rules, now)).toEqual([])
})

test('below the minimum a guarantee needs a reason', () => {
  expect(option({}, 'guaranteed')).toMatchObject({ allowed: true, unmet: [], needsReason: false })
  expect(option({ seatsConfirmed: 3 }, 'guaranteed')).toMatchObject({
    allowed: true,
    overridable: true,
    unmet: ['below_min_pax'],
    needsReason: true,
  })
})

test('boarding opens 90 minutes before the start, with a lead guide, and no reason changes that', () => {
  expect(option({}, 'boarding')).toMatchObject({ allowed: true })
  expect(option({}, 'boarding', new Date('2026-11-20T07:29:59Z'))).toMatchObject({
    allowed: false,
    unmet: ['too_early'],
  })
  expect(option({ hasLeadGuide: false }, 'boarding')).toMatchObject({ allowed: false, unmet: ['no_lead_guide'] })
})

test('a start says all that is missing, and takes a reason for it', () => {
  const boarding: Partial<DepartureFacts> = { status: 'boarding', hasHeadcount: true }
  const at = (change: Partial<DepartureFacts>, when = '2026-11-20T08:45:00Z') =>
    option({ ...boarding, ...change }, 'in_progress', new Date(when))
  expect(at({})).toMatchObject({ allowed: true, unmet: [], needsReason: false })
  expect(at({ hasHeadcount: false })).toMatchObject({ unmet: ['headcount_missing'], overridable: true })
  expect(at({ aboard: 19 })).toMatchObject({ unmet: ['not_enough_seats'], overridable: true })
  expect(at({}, '2026-11-20T08:44:59Z')).toMatchObject({ unmet: ['before_start'], needsReason: true })
  expect(at({ undecided: 2 })).toMatchObject({ unmet: ['guests_undecided'], allowed: true, needsReason: true })
  expect(at({ vehicleSeats: null })).toMatchObject({ unmet: ['no_vehicle'], allowed: true, needsReason: true })
  expect(at({ vehicleSeats: null, needsVehicle: false })).toMatchObject({ unmet: [] })
})

test('nobody is left behind: completing waits until everyone is accounted for', () => {
  expect(option({ status: 'in_progress', undecided: 1 }, 'completed')).toMatchObject({
    allowed: false,
    unmet: ['guests_undecided'],
  })
})

test('a completed departure reopens for two hours', () => {
  const ended = { status: 'completed', actualEndAt: new Date('2026-11-20T06:30:00Z') } as const
  expect(option(ended, 'in_progress')).toMatchObject({ allowed: true, needsReason: true })
  expect(option(ended, 'in_progress', new Date('2026-11-20T08:30:01Z'))).toMatchObject({ allowed: false })
})
