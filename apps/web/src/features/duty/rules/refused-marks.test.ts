import { expect, test } from 'vitest'
import type { StoredEvent, ShownDay } from '../store/shown-day.ts'
import { refusedMarks } from './refused-marks.ts'

const day = {
  departures: [
    {
      id: 'd1',
      assignment: { id: 'a1' },
      departure: { stops: [{ id: 's1', placeName: 'Geysir' }] },
      groups: [{ parties: [{ entries: [{ id: 'e1', name: 'Emma Walker' }] }] }],
    },
  ],
} as unknown as ShownDay
const kept = (event: object, outcome: string | null = 'refused'): StoredEvent =>
  ({
    seq: 1,
    event: { id: 'x', departureId: 'd1', ...event },
    outcome: outcome && { outcome },
  }) as unknown as StoredEvent
const about = (event: object) => refusedMarks([kept(event)], day).map((mark) => [mark.about, mark.departure?.id])

test('only what the office refused is there', () => {
  const marks = [kept({}, 'done'), kept({}, 'met'), kept({}, null), kept({ id: 'r', kind: 'seen' })]
  expect(refusedMarks(marks, day).map(({ id }) => id)).toEqual(['r'])
})

test('each says what it was about: a guest, a stop, a departure', () => {
  expect(about({ kind: 'check_in', entryId: 'e1' })).toEqual([['Emma Walker', 'd1']])
  expect(about({ kind: 'stop', stopId: 's1' })).toEqual([['Geysir', 'd1']])
  expect(about({ kind: 'status' })).toEqual([[null, 'd1']])
  expect(about({ kind: 'answer', assignmentId: 'a1', departureId: undefined })).toEqual([[null, 'd1']])
})

test('what is no longer on this phone has no name, and is not lost', () => {
  expect(about({ kind: 'check_in', entryId: 'gone', departureId: 'd9' })).toEqual([[null, undefined]])
  expect(about({ kind: 'check_in', entryId: 'gone' })).toEqual([[null, 'd1']])
  expect(about({ kind: 'duty', departureId: null })).toEqual([[null, undefined]])
})
