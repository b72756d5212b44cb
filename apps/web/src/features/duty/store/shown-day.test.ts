import type { DutyDay, DutyEvent } from '@tour-ops/contract/duty/duty-phone'
import { expect, test } from 'vitest'
import { type StoredEvent, shownDay } from './shown-day.ts'

const day = {
  duty: null,
  departures: [
    {
      departure: { id: 'd1', status: 'boarding', actualStartAt: null, actualEndAt: null, stops: [] },
      assignment: null,
      manifest: null,
    },
  ],
} as unknown as DutyDay
const kept = (to: string, at: string, outcome: string | null = null): StoredEvent => ({
  seq: 1,
  event: { id: at, kind: 'status', departureId: 'd1', to, at } as DutyEvent,
  outcome: outcome === null ? null : ({ outcome } as StoredEvent['outcome']),
})
const course = (...events: StoredEvent[]) => {
  const departure = shownDay(day, events).departures[0]?.departure
  return [departure?.status, departure?.actualStartAt, departure?.actualEndAt]
}

test('a start and an end that only this phone knows have their times', () => {
  expect(course(kept('in_progress', '09:02'))).toEqual(['in_progress', '09:02', null])
  expect(course(kept('in_progress', '09:02'), kept('completed', '17:10'))).toEqual(['completed', '09:02', '17:10'])
})

test('what the office refused did not happen', () => {
  expect(course(kept('in_progress', '09:02', 'refused'))).toEqual(['boarding', null, null])
})

test('what was seen without a signal is the revision that was on the phone, also after a newer one has come', () => {
  const assignment = { id: 'a1', status: 'accepted', seenVersion: 1 }
  const changed = { ...day.departures[0], assignment } as unknown as DutyDay['departures'][number]
  const seenWith = (revisionNumber?: number) => {
    const event = { id: 's', kind: 'seen', departureId: 'd1', revisionNumber, at: '09:00' } as DutyEvent
    const departures = [{ ...changed, departure: { ...changed.departure, revisionNumber: 3 } }]
    return shownDay({ ...day, departures }, [{ seq: 1, event, outcome: null }]).departures[0]?.assignment?.seenVersion
  }
  expect(seenWith(2)).toBe(2)
  // stored by an older build of the phone
  expect(seenWith()).toBe(3)
})
