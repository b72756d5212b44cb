import type { PartyOfCancelled, ProposalState } from '@tour-ops/contract/bookings/proposals'
import { expect, test } from 'vitest'
import { proposalsProgress } from './proposals-progress.ts'

const party = (state: ProposalState, isAsked = true): PartyOfCancelled => ({
  id: state,
  version: 1,
  bookingRef: 'AUR-1',
  contact: { name: 'Nora Lind', email: null, phone: null, locale: null, country: null },
  pax: 2,
  amountTotalMinor: 0,
  amountPaidMinor: 0,
  currency: 'EUR',
  state,
  proposal: isAsked
    ? { id: 'p', toDepartureId: null, expiresAt: '2030-07-11T12:00:00Z', endedAt: null, answeredBy: null }
    : null,
  departure: null,
  amountsThere: [],
})

test('says how many were asked and what became of each; nothing before anybody is asked', () => {
  expect(proposalsProgress([party('unasked', false), party('unasked', false)])).toBeUndefined()
  const asked = [party('moved'), party('moved'), party('refunded'), party('open'), party('unasked', false)]
  expect(proposalsProgress(asked)).toBe('4 asked: 2 moved, 1 refund, 1 open')
  expect(proposalsProgress([party('expired'), party('settled')])).toBe(
    '2 asked: 1 without an answer, 1 arranged by the office',
  )
})
