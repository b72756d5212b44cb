import { expect, test } from 'vitest'
import { CancellationSteps, refundPercentOf } from '../tours/cancellation-steps.ts'
import { balanceOf, feeMinorOf, proposedFeeMinor } from './cancellation.ts'

const steps = [
  { daysBefore: 14, refundPercent: 100 },
  { daysBefore: 7, refundPercent: 50 },
  { daysBefore: 1, refundPercent: 10 },
]

test.each([
  [30, 100],
  [14, 100],
  [13, 50],
  [7, 50],
  [6, 10],
  [1, 10],
  [0, 0],
  [-3, 0],
])('who cancels %i days before the start gets %i % back', (days, percent) => {
  expect(refundPercentOf(steps, days)).toBe(percent)
})

test('a tour without steps keeps nothing, also after the start', () => {
  expect(refundPercentOf([], -1)).toBeNull()
  expect(feeMinorOf(8_900, { daysBefore: -1, refundPercent: null })).toBe(0)
})

test('a fee and what goes back are the whole amount, to the last minor unit', () => {
  for (const amount of [0, 1, 3, 8_901, 123_457]) {
    for (let percent = 0; percent <= 100; percent += 1) {
      const fee = feeMinorOf(amount, { daysBefore: 3, refundPercent: percent })
      expect(Number.isInteger(fee) && fee >= 0 && fee <= amount).toBe(true)
    }
  }
})

test('steps that rise, repeat a day or leave out a number are refused', () => {
  const isGood = (given: unknown) => CancellationSteps.safeParse(given).success
  expect(isGood(steps)).toBe(true)
  expect(isGood([])).toBe(true)
  expect(isGood(steps.toReversed())).toBe(false)
  expect(isGood([steps[1], { daysBefore: 3, refundPercent: 60 }])).toBe(false)
  expect(isGood([steps[1], steps[1]])).toBe(false)
  expect(isGood([{ daysBefore: Number.NaN, refundPercent: 10 }])).toBe(false)
  expect(isGood([{ daysBefore: 2, refundPercent: 101 }])).toBe(false)
})

const booking = {
  status: 'confirmed',
  departureStatus: 'scheduled',
  amountTotalMinor: 10_000,
  cancellationFeeMinor: 0,
  amountPaidMinor: 10_000,
  paymentStatus: 'paid',
} as const
const half = { daysBefore: 8, refundPercent: 50 }

test('only a guest who cancels pays by the rule, and only once for what was given up before', () => {
  expect(proposedFeeMinor(booking, 'guest_request', half)).toBe(5_000)
  expect(proposedFeeMinor({ ...booking, cancellationFeeMinor: 2_000 }, 'guest_request', half)).toBe(6_000)
  expect(proposedFeeMinor(booking, 'duplicate', half)).toBe(0)
  expect(proposedFeeMinor(booking, 'departure_cancelled', half)).toBe(0)
  expect(proposedFeeMinor({ ...booking, departureStatus: 'cancelled' }, 'guest_request', half)).toBe(0)
  expect(proposedFeeMinor({ ...booking, status: 'on_hold' }, 'guest_request', half)).toBe(0)
})

test('of a booking that has ended only the fee is owed', () => {
  const cancelled = { ...booking, status: 'cancelled', cancellationFeeMinor: 4_000 } as const
  expect(balanceOf(booking)).toEqual({ dueMinor: 0, refundMinor: 0 })
  expect(balanceOf(cancelled)).toEqual({ dueMinor: 0, refundMinor: 6_000 })
  expect(balanceOf({ ...cancelled, amountPaidMinor: 1_000 })).toEqual({ dueMinor: 3_000, refundMinor: 0 })
  expect(balanceOf({ ...booking, amountPaidMinor: 0, paymentStatus: 'agent_credit' })).toEqual({
    dueMinor: 0,
    refundMinor: 0,
  })
})
