import type { Departure } from '@tour-ops/contract/departures/departures'
import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import { expect, test } from 'vitest'
import { daySentence, lateMinOf, rowsOf, stopAhead, stopHere } from './run-sheet.ts'
import { sourceOf } from './stop-labels.tsx'

const at = (clock: string): string => `2026-11-20T${clock}:00.000Z`

const stop = (name: string, planned: string, change: Partial<DepartureStop> = {}): DepartureStop => ({
  id: name,
  version: 1,
  order: 1,
  dayIndex: 1,
  placeId: null,
  placeName: name,
  lat: null,
  lng: null,
  kind: 'visit',
  status: 'planned',
  plannedArriveAt: at(planned),
  plannedDepartAt: at(planned),
  actualArriveAt: null,
  actualDepartAt: null,
  source: null,
  etaAt: null,
  seenAt: null,
  leavesAt: null,
  delaySeconds: 0,
  dwellMin: 0,
  slackMin: 0,
  headcountRequired: false,
  headcountExpected: null,
  headcountActual: null,
  timedEntry: false,
  travelMode: null,
  signalGap: false,
  skipReason: null,
  note: null,
  ...change,
})

const departure = (status: Departure['status'], stops: DepartureStop[], change: Partial<Departure> = {}): Departure =>
  ({
    status,
    stops,
    startsAt: at('09:00'),
    endsAt: at('17:00'),
    actualStartAt: null,
    actualEndAt: null,
    counts: { aboard: 14, expected: 18 },
    ...change,
  }) as unknown as Departure

/** The drawing of the run sheet: 18 min late from Geysir, 13 won back until the end. */
const drawn = [
  stop('City Hall', '08:20', { kind: 'pickup', status: 'departed' }),
  stop('Harpa', '08:30', { kind: 'pickup', status: 'skipped' }),
  stop('Geysir', '12:15', { status: 'departed', actualArriveAt: at('12:18'), delaySeconds: 18 * 60 }),
  stop('Gullfoss', '13:45', { etaAt: at('14:03'), delaySeconds: 18 * 60 }),
  stop('BSÍ', '17:00', { kind: 'end', etaAt: at('17:05'), delaySeconds: 5 * 60 }),
]

test('pickups fold into one row, and the next stop is the first one ahead of the last reached', () => {
  const rows = rowsOf(departure('in_progress', drawn), false)
  expect(rows.map((row) => (row.kind === 'stop' ? row.stop.placeName : row.stops.length))).toEqual([
    2,
    'Geysir',
    'Gullfoss',
    'BSÍ',
  ])
  expect(rows.filter((row) => row.isNext)).toMatchObject([{ stop: { placeName: 'Gullfoss' } }])
  expect(rowsOf(departure('in_progress', drawn), true)).toHaveLength(5)
})

test('before boarding nothing is next', () => {
  expect(rowsOf(departure('scheduled', drawn), false).some((row) => row.isNext)).toBe(false)
})

test('a stop reached and not left is where they are', () => {
  const way = (stops: DepartureStop[]) => ({ stops, actualStartAt: null })
  expect(stopHere(way(drawn))).toBeUndefined()
  const here = drawn.with(3, { ...drawn[3]!, status: 'arrived' })
  expect(stopHere(way(here))?.placeName).toBe('Gullfoss')
  expect(stopAhead(way(here))?.placeName).toBe('BSÍ')
})

test('the day is shown in one sentence, with what the buffer makes up', () => {
  expect(daySentence(departure('in_progress', drawn))).toEqual({
    kind: 'left',
    name: 'Geysir',
    lateMin: 18,
    endName: 'BSÍ',
    endAt: at('17:05'),
    wonMin: 13,
  })
  expect(daySentence(departure('boarding', drawn))).toEqual({ kind: 'boarding', aboard: 14, expected: 18 })
  expect(daySentence(departure('scheduled', drawn))).toMatchObject({ kind: 'ahead', firstName: 'City Hall', stops: 5 })
  expect(daySentence(departure('completed', drawn, { actualEndAt: at('17:12') }))).toMatchObject({
    kind: 'over',
    lateMin: 12,
  })
  expect(daySentence(departure('cancelled', drawn))).toEqual({ kind: 'cancelled' })
  expect(daySentence(departure('aborted', drawn))).toEqual({ kind: 'aborted' })
  expect(daySentence(departure('scheduled', []))).toBeNull()
})

test('once started the start is behind, also where nobody marked it', () => {
  const unmarked = [stop('BSÍ', '09:00', { kind: 'start' }), stop('Geysir', '12:15'), stop('Gullfoss', '13:45')]
  const started = departure('in_progress', unmarked, { actualStartAt: at('09:04') })
  expect(rowsOf(started, false).find((row) => row.isNext)).toMatchObject({ stop: { placeName: 'Geysir' } })
  expect(daySentence(started)).toMatchObject({ kind: 'started', lateMin: 4 })
})

test('"left on time" is not shown while the next stop is overdue', () => {
  const late = [
    stop('Geysir', '12:15', { status: 'departed' }),
    stop('Gullfoss', '13:45', { delaySeconds: 31 * 60, etaAt: at('14:16') }),
    stop('BSÍ', '17:00', { kind: 'end', etaAt: at('17:20') }),
  ]
  expect(daySentence(departure('in_progress', late, { actualStartAt: at('09:00') }))).toEqual({
    kind: 'overdue',
    name: 'Gullfoss',
    lateMin: 31,
    endName: 'BSÍ',
    endAt: at('17:20'),
  })
})

test('at a stop, the time to leave is the server’s estimate', () => {
  const late = { status: 'arrived', delaySeconds: 600, leavesAt: at('14:41') } as const
  expect(daySentence(departure('in_progress', [stop('Gullfoss', '13:45', late), stop('BSÍ', '17:00')]))).toEqual({
    kind: 'at',
    name: 'Gullfoss',
    lateMin: 10,
    leavesAt: at('14:41'),
  })
})

test('minutes late are known for what happened and for what is estimated', () => {
  expect(drawn.map(lateMinOf)).toEqual([0, null, 18, 18, 5])
  expect(lateMinOf(stop('BSÍ', '17:00'))).toBeNull()
})

test('times name their source: who marked it, positions, and of an estimate how old what it rests on is', () => {
  const words = (change: Partial<DepartureStop>) =>
    sourceOf(stop('Geysir', '12:15', change), Date.parse(at('12:10')))?.label
  expect(words({ status: 'arrived', source: 'guide', actualArriveAt: at('12:09') })).toBe('Marked by guide')
  expect(words({ status: 'arrived', source: 'gps', actualArriveAt: at('12:09') })).toBe('GPS')
  expect(words({ etaAt: at('12:20') })).toBe('Estimate')
  expect(words({ etaAt: at('12:20'), seenAt: at('12:08') })).toBe('GPS, 2\u00a0min ago')
  expect(words({})).toBeUndefined()
})
