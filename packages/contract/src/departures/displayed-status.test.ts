import { describe, expect, test } from 'vitest'
import { defaultLateLimits, displayedStatus, type StatusFacts } from './displayed-status.ts'

const now = new Date('2026-11-20T13:52:00Z')
const calm: StatusFacts = { status: 'in_progress', delaySeconds: 0, seatsConfirmed: 18, minPax: 4, decideBy: null }
const shown = (facts: Partial<StatusFacts>) => displayedStatus({ ...calm, ...facts }, now, defaultLateLimits)

describe('running departures', () => {
  test('five minutes late is still on time, more is not', () => {
    expect(shown({ delaySeconds: 300 })).toMatchObject({ status: 'on_time', tint: 'ok', delayMin: null })
    expect(shown({ delaySeconds: 18 * 60 })).toMatchObject({ status: 'delayed', tint: 'warn', delayMin: 18 })
  })

  test('45 minutes late is at risk', () => {
    expect(shown({ delaySeconds: 45 * 60 - 1 })).toMatchObject({ status: 'delayed' })
    expect(shown({ delaySeconds: 45 * 60 })).toMatchObject({ status: 'at_risk', tint: 'bad', risk: 'delay' })
  })

  test('what is late is what the organization has set', () => {
    const strict = (delaySeconds: number) =>
      displayedStatus({ ...calm, delaySeconds }, now, { onTimeToleranceMin: 0, atRiskMin: 20 })
    expect(strict(60)).toMatchObject({ status: 'delayed', delayMin: 1 })
    expect(strict(20 * 60)).toMatchObject({ status: 'at_risk', risk: 'delay' })
    const patient = displayedStatus({ ...calm, delaySeconds: 3000 }, now, { onTimeToleranceMin: 60, atRiskMin: 90 })
    expect(patient).toMatchObject({ status: 'on_time' })
  })

  test('a timed entry that will be missed is at risk whatever the delay', () => {
    expect(shown({ delaySeconds: 120, missesTimedEntry: true })).toMatchObject({
      status: 'at_risk',
      risk: 'timed_entry',
    })
  })

  test('the minutes of a delay are shown next to a missed timed entry where there are any', () => {
    expect(shown({ delaySeconds: 120, missesTimedEntry: true })).toMatchObject({ delayMin: 2, struck: false })
    expect(shown({ delaySeconds: 29, missesTimedEntry: true })).toMatchObject({ delayMin: null })
    expect(shown({ delaySeconds: -600, missesTimedEntry: true })).toMatchObject({ delayMin: null })
  })

  test('nothing that still runs is struck through', () => {
    expect(shown({ delaySeconds: 18 * 60 })).toMatchObject({ status: 'delayed', struck: false })
    expect(shown({ delaySeconds: 45 * 60 })).toMatchObject({ status: 'at_risk', struck: false })
  })

  test('early is on time', () => {
    expect(shown({ delaySeconds: -600 })).toMatchObject({ status: 'on_time' })
  })
})

describe('departures to come', () => {
  const thin = { status: 'scheduled', seatsConfirmed: 3, minPax: 4 } as const

  test('below minimum counts from the day before the decision', () => {
    expect(shown({ ...thin, decideBy: '2026-11-20T17:00:00Z' })).toMatchObject({
      status: 'at_risk',
      risk: 'below_minimum',
    })
    expect(shown({ ...thin, decideBy: '2026-11-22T17:00:00Z' })).toMatchObject({ status: 'scheduled', tint: 'neutral' })
  })

  test('the day before begins on the minute, and the minimum itself is enough', () => {
    const aDayAhead = '2026-11-21T13:52:00Z'
    expect(shown({ ...thin, decideBy: aDayAhead })).toMatchObject({ risk: 'below_minimum' })
    expect(shown({ ...thin, decideBy: '2026-11-21T13:52:00.001Z' })).toMatchObject({ status: 'scheduled' })
    expect(shown({ ...thin, seatsConfirmed: 4, decideBy: aDayAhead })).toMatchObject({ status: 'scheduled' })
    expect(shown({ ...thin, decideBy: null })).toMatchObject({ status: 'scheduled', risk: null })
  })

  test('a guaranteed departure is past that question', () => {
    expect(shown({ ...thin, status: 'guaranteed', decideBy: '2026-11-20T17:00:00Z' })).toMatchObject({
      status: 'guaranteed',
      tint: 'neutral',
    })
  })

  test('boarding is information', () => {
    expect(shown({ status: 'boarding' })).toMatchObject({ status: 'boarding', tint: 'info' })
  })
})

test('cancelled and aborted are struck through, completed is not', () => {
  expect(shown({ status: 'cancelled' })).toMatchObject({ status: 'cancelled', struck: true, tint: 'neutral' })
  expect(shown({ status: 'aborted', delaySeconds: 9000 })).toMatchObject({ struck: true, status: 'aborted' })
  expect(shown({ status: 'completed', delaySeconds: 9000 })).toMatchObject({ struck: false, status: 'completed' })
})
