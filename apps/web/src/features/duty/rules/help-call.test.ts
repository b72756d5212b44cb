import type { DutyEvent, DutyOutcome } from '@tour-ops/contract/duty/duty-phone'
import { expect, test } from 'vitest'
import type { StoredEvent } from '../store/shown-day.ts'
import { helpCallOf, isCalling, sentNext } from './help-call.ts'

const event = (kind: string, at: string, outcome: DutyOutcome['outcome'] | null = null): StoredEvent => ({
  seq: 1,
  event: { id: at, kind, at } as DutyEvent,
  outcome: outcome && { id: at, outcome, reason: null, params: null, office: null },
})
const atOffice = { calledAt: '14:00', takenBy: 'Ása', overAt: null, closedAt: null }

test('nobody calls before a press, and a call is on this phone alone until the office has it', () => {
  expect(helpCallOf(null, [])).toBeNull()
  // a day that an earlier version has stored says nothing of calls
  expect(helpCallOf(undefined, [])).toBeNull()
  expect(helpCallOf(null, [event('help', '14:00')])).toMatchObject({
    calledAt: '14:00',
    isWaiting: true,
    takenBy: null,
  })
  expect(helpCallOf(null, [event('help', '14:00', 'done')])).toMatchObject({ isWaiting: false })
  expect(helpCallOf(null, [event('help', '14:00', 'refused')])).toBeNull()
})

test('who has taken a call is forgotten by another one, until the office has that', () => {
  const taken = helpCallOf(atOffice, [])
  expect(taken).toMatchObject({ takenBy: 'Ása', isWaiting: false })
  expect(helpCallOf(atOffice, [event('help', '14:05')])).toMatchObject({ calledAt: '14:05', takenBy: null })
})

test('a call ends for its caller when they say so, when the office closes it, and begins anew after that', () => {
  expect(isCalling(helpCallOf(atOffice, []))).toBe(true)
  expect(isCalling(helpCallOf(atOffice, [event('help_over', '14:10')]))).toBe(false)
  expect(isCalling(helpCallOf({ ...atOffice, closedAt: '14:20' }, []))).toBe(false)
  expect(isCalling(helpCallOf({ ...atOffice, closedAt: '14:20' }, [event('help', '14:30')]))).toBe(true)
})

test('a call for help is sent before what waits and alone, and everything else in its order', () => {
  const waiting = ['check_in', 'stop', 'help', 'note', 'help_place'].map((kind) => ({ kind }) as DutyEvent)
  expect(sentNext(waiting).map(({ kind }) => kind)).toEqual(['help', 'help_place'])
  const rest = waiting.filter(({ kind }) => !kind.startsWith('help'))
  expect(sentNext(rest)).toEqual(rest)
})
