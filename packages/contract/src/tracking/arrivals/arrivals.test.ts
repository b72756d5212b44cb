import { expect, test } from 'vitest'
import type { TravelMode } from '../../tours/tour-terms.ts'
import { arrivalsOf, type Arrivals, type RoutedWay, type StopArrival } from './arrivals.ts'
import { addFixes, type Fix, noEvidence } from './evidence.ts'
import type { DeparturePlan, StopPlan, Tap } from './plan.ts'
import { seededRandom, simulateTrack, type TrueVisit } from './simulated-track.ts'
import { metersTo, type Point, straightLineTime, wayMeters } from './travel.ts'

const minute = 60_000
const at = (time: string, day = 24): number => Date.parse(`2026-11-${day}T${time}Z`)

/** Places of the demo: public geography. */
const places = {
  bsi: { lat: 64.1375, lng: -21.935 },
  thingvellir: { lat: 64.2559, lng: -21.1299 },
  geysir: { lat: 64.3104, lng: -20.3014 },
  gullfoss: { lat: 64.3271, lng: -20.1199 },
  kerid: { lat: 64.0413, lng: -20.8851 },
  landeyjahofn: { lat: 63.5301, lng: -20.1172 },
  heimaey: { lat: 63.4433, lng: -20.2716 },
  rossio: { lat: 38.7139, lng: -9.1394 },
  se: { lat: 38.7098, lng: -9.1326 },
  santaLuzia: { lat: 38.7115, lng: -9.1302 },
  portasDoSol: { lat: 38.7123, lng: -9.1302 },
  fado: { lat: 38.7113, lng: -9.1277 },
  nayapul: { lat: 28.301, lng: 83.774 },
  ulleri: { lat: 28.36, lng: 83.733 },
  ghorepani: { lat: 28.4, lng: 83.7 },
  evora: { lat: 38.5714, lng: -7.9135 },
  merida: { lat: 38.9161, lng: -6.3437 },
} satisfies Record<string, Point>
type Place = keyof typeof places

/** place, planned arrival and departure, what differs from a visit by road. */
type Row = readonly [place: Place, arrive: string, depart: string, more?: Partial<StopPlan>]

function planOf(rows: readonly Row[], mode: TravelMode = 'drive', startedAt?: number): DeparturePlan {
  const stops = rows.map(([place, arrive, depart, more], index): StopPlan => {
    const day = 23 + (more?.dayIndex ?? 1)
    return {
      id: `${index}-${place}`,
      kind: index === 0 ? 'start' : index === rows.length - 1 ? 'end' : 'visit',
      dayIndex: 1,
      ...places[place],
      plannedArriveAt: at(arrive, day),
      plannedDepartAt: at(depart, day),
      slackMin: 0,
      optional: false,
      enterM: 80,
      exitM: 120,
      dwellS: 60,
      mode,
      ...more,
    }
  })
  const startsAt = stops[0]?.plannedArriveAt ?? 0
  return { startsAt, endsAt: stops.at(-1)?.plannedDepartAt ?? 0, startedAt: startedAt ?? startsAt, stops }
}

/** They come and go as planned, each shifted by this many minutes. */
const truth = (plan: DeparturePlan, late: readonly (readonly [arrive: number, depart: number])[] = []): TrueVisit[] =>
  plan.stops.map((stop, index) => ({
    place: stop,
    arriveAt: stop.plannedArriveAt + (late[index]?.[0] ?? 0) * minute,
    departAt: stop.plannedDepartAt + (late[index]?.[1] ?? 0) * minute,
  }))

function answer(
  plan: DeparturePlan,
  fixes: readonly Fix[],
  { taps = [], now = Number.MAX_SAFE_INTEGER / 4 }: { taps?: readonly Tap[]; now?: number } = {},
): Arrivals {
  const evidence = noEvidence()
  addFixes(evidence, fixes)
  return arrivalsOf({ plan, evidence, taps, now: Math.min(now, (fixes.at(-1)?.at ?? 0) + 60 * minute) })
}

/** By how many seconds each time differs from the truth; an arrival or departure that is missing is null. */
const errorsOf = (
  { stops }: Arrivals,
  visits: readonly TrueVisit[],
): { arrive: number | null; leave: number | null }[] =>
  visits.map(({ arriveAt, departAt }, index) => {
    const { arrivedAt, leftAt } = stops[index] as StopArrival
    return {
      arrive: arrivedAt === null ? null : Math.round((arrivedAt - arriveAt) / 1000),
      leave: leftAt === null ? null : Math.round((leftAt - departAt) / 1000),
    }
  })

function expectTrue(found: Arrivals, visits: readonly TrueVisit[], withinS = 60): void {
  const errors = errorsOf(found, visits)
  for (const [index, { arrive, leave }] of errors.entries()) {
    const isLast = index === visits.length - 1
    expect.soft(arrive, `arrival at stop ${index}: ${JSON.stringify(errors)}`).not.toBeNull()
    expect.soft(Math.abs(arrive ?? 0), `arrival at stop ${index}`).toBeLessThanOrEqual(withinS)
    if (isLast) expect.soft(leave, 'nobody leaves the end').toBeNull()
    else expect.soft(leave, `leaving stop ${index}: ${JSON.stringify(errors)}`).not.toBeNull()
    if (!isLast) expect.soft(Math.abs(leave ?? 0), `leaving stop ${index}`).toBeLessThanOrEqual(withinS)
  }
}

/** Asks again after each half of a minute, as the server does, and lists every arrival and departure that appears, moves or is undone. */
function eventsOf(plan: DeparturePlan, fixes: readonly Fix[], taps: readonly Tap[] = []): string[] {
  const evidence = noEvidence()
  const events: string[] = []
  const before = new Map<string, number | null>()
  for (const fix of fixes) {
    addFixes(evidence, [fix])
    const now = fix.at
    if (now % 30_000 !== 0) continue
    for (const stop of arrivalsOf({ plan, evidence, taps, now }).stops) {
      for (const [what, moment] of [
        ['arrived', stop.arrivedAt],
        ['left', stop.leftAt],
      ] as const) {
        const key = `${stop.id} ${what}`
        if (moment !== (before.get(key) ?? null)) events.push(moment === null ? `${key} taken back` : key)
        before.set(key, moment)
      }
    }
  }
  return events
}

/** Each stop reached and left once, in order. */
const onceEach = (plan: DeparturePlan): string[] =>
  plan.stops.flatMap(({ id }, index) =>
    index === plan.stops.length - 1 ? [`${id} arrived`] : [`${id} arrived`, `${id} left`],
  )

const goldenCircle = planOf([
  ['bsi', '09:00', '09:10'],
  ['thingvellir', '10:00', '10:50'],
  ['geysir', '11:50', '12:50'],
  ['gullfoss', '13:05', '14:00', { slackMin: 5 }],
  ['kerid', '15:10', '15:40', { slackMin: 8 }],
  ['bsi', '16:40', '16:50'],
])
/** 18 minutes lost at Geysir. */
const goldenTruth = truth(goldenCircle, [
  [0, 0],
  [0, 0],
  [0, 18],
  [18, 13],
  [13, 5],
  [5, 5],
])

const alfama = planOf(
  [
    ['rossio', '10:00', '10:15'],
    ['se', '10:30', '10:45'],
    ['santaLuzia', '10:52', '11:05'],
    ['portasDoSol', '11:07', '11:25'],
    ['fado', '11:32', '11:50'],
    ['rossio', '12:15', '12:25'],
  ],
  'walk',
)

const westman = planOf([
  ['landeyjahofn', '09:00', '09:45'],
  ['heimaey', '10:25', '14:00', { mode: 'boat' }],
  ['landeyjahofn', '14:40', '15:00', { mode: 'boat' }],
])

const acrossTheBorder = planOf([
  ['evora', '08:00', '08:15'],
  // 11:30 in Spain, whose clocks are an hour ahead of Portugal's: an instant is an instant
  ['merida', '10:30', '12:00'],
  ['evora', '14:15', '14:30'],
])

const trek = planOf(
  [
    ['nayapul', '03:30', '03:45'],
    ['ulleri', '08:15', '08:15', { kind: 'overnight' }],
    ['ulleri', '01:15', '01:30', { kind: 'start', dayIndex: 2 }],
    ['ghorepani', '06:15', '06:30', { kind: 'overnight', dayIndex: 2 }],
  ],
  'walk',
)

test.each([
  ['a coach tour that loses 18 minutes', goldenCircle, goldenTruth, { everyS: 3, jitterM: 8 }],
  ['the same with a phone that reports twice a minute', goldenCircle, goldenTruth, { everyS: 30, jitterM: 15 }],
  ['a walk from door to door, two of them 90 m apart', alfama, truth(alfama), { everyS: 5, jitterM: 8, bend: 0.35 }],
  [
    'a ferry out and back',
    westman,
    truth(westman, [
      [0, 4],
      [6, 0],
      [0, 0],
    ]),
    { everyS: 10, jitterM: 10 },
  ],
  [
    'a journey over a border of zones',
    acrossTheBorder,
    truth(acrossTheBorder, [
      [0, 0],
      [9, 9],
      [9, 0],
    ]),
    { everyS: 5, jitterM: 10 },
  ],
])('times of %s are right to a minute, each told once', (_, plan, visits, phone) => {
  for (const seed of Array.from({ length: 8 }, (_, index) => index + 1)) {
    const fixes = simulateTrack(visits, phone, seed)
    expectTrue(answer(plan, fixes), visits)
    expect(eventsOf(plan, fixes)).toEqual(onceEach(plan))
  }
})

test('a trek sleeps where it starts in the morning: the night ends when the plan continues', () => {
  const visits = [
    { place: places.nayapul, arriveAt: at('03:30'), departAt: at('03:50') },
    { place: places.ulleri, arriveAt: at('08:40'), departAt: at('01:40', 25) },
    { place: places.ghorepani, arriveAt: at('06:30', 25), departAt: at('07:00', 25) },
  ]
  // the phone is off from the afternoon until they set out, and until they are far away
  for (const [until, withinMin] of [
    [at('01:10', 25), 5],
    [at('03:00', 25), 30],
  ] as const) {
    const fixes = simulateTrack(visits, { everyS: 30, jitterM: 15, silent: [[at('15:00'), until]] }, 4)
    const [first, night, morning, last] = answer(trek, fixes).stops as [
      StopArrival,
      StopArrival,
      StopArrival,
      StopArrival,
    ]
    expect(night.leftAt).toBe(at('01:15', 25))
    expect(morning.arrivedAt).toBe(at('01:15', 25))
    // nobody walks slower than 4 km/h by our reckoning; a group in the mountains does
    for (const [found, wanted, within] of [
      [first.leftAt, at('03:50'), 5],
      [night.arrivedAt, at('08:40'), 5],
      [morning.leftAt, at('01:40', 25), withinMin],
      [last.arrivedAt, at('06:30', 25), 5],
    ] as const) {
      expect(Math.abs((found ?? 0) - wanted)).toBeLessThan(within * minute)
    }
  }
})

test('someone who stays with a weak signal has arrived once and has not left', () => {
  const plan = planOf([
    ['geysir', '11:00', '12:00'],
    ['gullfoss', '12:20', '13:00'],
  ])
  const stay = [{ place: places.geysir, arriveAt: at('11:00'), departAt: at('13:00') }]
  for (const seed of [1, 2, 3, 4, 5]) {
    const fixes = simulateTrack(stay, { everyS: 3, jitterM: 45, wanderM: 25 }, seed)
    expect(eventsOf(plan, fixes)).toEqual(['0-geysir arrived'])
  }
})

test('driving by, also at a red light, is no visit; a later stop in passing does not reorder the day', () => {
  const plan = planOf([
    ['bsi', '09:00', '09:10'],
    ['thingvellir', '10:00', '10:50'],
    ['kerid', '11:50', '12:20'],
    ['bsi', '13:20', '13:30'],
  ])
  const visits = [
    { place: places.bsi, arriveAt: at('09:00'), departAt: at('09:10') },
    { place: places.kerid, arriveAt: at('09:58'), departAt: at('10:00') },
    { place: places.thingvellir, arriveAt: at('10:45'), departAt: at('11:40') },
    { place: places.kerid, arriveAt: at('12:30'), departAt: at('12:55') },
    { place: places.bsi, arriveAt: at('13:50'), departAt: at('14:00') },
  ]
  const fixes = simulateTrack(visits, { everyS: 5, jitterM: 8 }, 7)
  expect(eventsOf(plan, fixes)).toEqual(onceEach(plan))
  const [, thingvellir, kerid] = answer(plan, fixes).stops
  expect(Math.abs((thingvellir?.arrivedAt ?? 0) - at('10:45'))).toBeLessThan(minute)
  expect(Math.abs((kerid?.arrivedAt ?? 0) - at('12:30'))).toBeLessThan(minute)
})

test('a stop that the plan passes twice is two stops', () => {
  const plan = planOf([
    ['bsi', '09:00', '09:10'],
    ['geysir', '10:30', '11:00'],
    ['gullfoss', '11:15', '12:00'],
    ['geysir', '12:15', '13:15', { kind: 'meal' }],
    ['bsi', '14:45', '15:00'],
  ])
  const visits = truth(plan, [
    [0, 0],
    [7, 7],
    [7, 4],
    [4, 0],
    [0, 0],
  ])
  const fixes = simulateTrack(visits, { everyS: 5, jitterM: 8 }, 3)
  expectTrue(answer(plan, fixes), visits)
  expect(eventsOf(plan, fixes)).toEqual(onceEach(plan))
})

test('who turns back has not left, and is not at the end already where the tour ends at its start', () => {
  const plan = planOf([
    ['bsi', '09:00', '09:10'],
    ['thingvellir', '10:00', '10:50'],
    ['bsi', '11:50', '12:00'],
  ])
  const forgotten = [
    { place: places.bsi, arriveAt: at('09:00'), departAt: at('09:10') },
    { place: { lat: 64.14, lng: -21.9 }, arriveAt: at('09:14'), departAt: at('09:15') },
    { place: places.bsi, arriveAt: at('09:19'), departAt: at('09:25') },
    { place: places.thingvellir, arriveAt: at('10:15'), departAt: at('11:00') },
    { place: places.bsi, arriveAt: at('12:00'), departAt: at('12:10') },
  ]
  const { stops } = answer(plan, simulateTrack(forgotten, { everyS: 5, jitterM: 8 }, 3))
  expect(Math.abs((stops[0]?.leftAt ?? 0) - at('09:25'))).toBeLessThan(minute)
  expect(Math.abs((stops[1]?.arrivedAt ?? 0) - at('10:15'))).toBeLessThan(minute)
  expect(Math.abs((stops[2]?.arrivedAt ?? 0) - at('12:00'))).toBeLessThan(minute)
})

test('a tour that comes home without having been anywhere is at its end', () => {
  const plan = planOf([
    ['bsi', '09:00', '09:10'],
    ['thingvellir', '10:00', '10:50'],
    ['bsi', '11:50', '12:00'],
  ])
  const storm = [
    { place: places.bsi, arriveAt: at('09:00'), departAt: at('09:10') },
    { place: { lat: 64.2, lng: -21.5 }, arriveAt: at('09:50'), departAt: at('10:40') },
    { place: places.bsi, arriveAt: at('11:20'), departAt: at('11:40') },
  ]
  const { stops } = answer(plan, simulateTrack(storm, { everyS: 5, jitterM: 8 }, 3))
  expect(Math.abs((stops[0]?.leftAt ?? 0) - at('09:10'))).toBeLessThan(minute)
  expect(stops[1]).toMatchObject({ status: 'planned', isPassed: true })
  expect(Math.abs((stops[2]?.arrivedAt ?? 0) - at('11:20'))).toBeLessThan(minute)
})

test('a stop that was passed is marked as passed, an optional one and a pickup are not', () => {
  const plan = planOf([
    ['bsi', '09:00', '09:10'],
    ['thingvellir', '10:00', '10:30'],
    ['geysir', '11:30', '12:00', { optional: true }],
    ['gullfoss', '12:15', '13:00'],
    ['kerid', '14:10', '14:40'],
    ['bsi', '15:40', '15:50'],
  ])
  const visits = truth(plan).filter((_, index) => index !== 1 && index !== 2)
  const { stops } = answer(plan, simulateTrack(visits, { everyS: 5, jitterM: 8 }, 2))
  expect(stops.map(({ isPassed }) => isPassed)).toEqual([false, true, true, false, false, false])
  expect(stops.map(({ status }) => status)).toEqual([
    'departed',
    'planned',
    'planned',
    'departed',
    'departed',
    'arrived',
  ])
})

test('silence: in a tunnel nobody arrives, in a cave nobody leaves, and who left is found by the way they made', () => {
  const visits = goldenTruth
  const [, thingvellir, geysir] = visits as [TrueVisit, TrueVisit, TrueVisit]
  const silentAt = (from: number, to: number) =>
    answer(goldenCircle, simulateTrack(visits, { everyS: 5, jitterM: 8, silent: [[from, to]] }, 3)).stops
  // 20 minutes of tunnel that end at the stop: first seen there
  const tunnel = silentAt(thingvellir.arriveAt - 20 * minute, thingvellir.arriveAt)
  expect(Math.abs((tunnel[1]?.arrivedAt ?? 0) - thingvellir.arriveAt)).toBeLessThan(minute)
  // no signal for most of the stay
  const cave = silentAt(geysir.arriveAt + 5 * minute, geysir.departAt - 5 * minute)
  expect(Math.abs((cave[2]?.leftAt ?? 0) - geysir.departAt)).toBeLessThan(minute)
  // silent from the stay until halfway to the next stop
  const left = silentAt(thingvellir.arriveAt + 5 * minute, thingvellir.departAt + 20 * minute)
  expect(Math.abs((left[1]?.leftAt ?? 0) - thingvellir.departAt)).toBeLessThan(8 * minute)
  // silent through the whole stop: nothing is invented
  const missed = silentAt(thingvellir.arriveAt - 10 * minute, thingvellir.departAt + 10 * minute)
  expect(missed[1]).toMatchObject({ arrivedAt: null, leftAt: null, isPassed: true })
  expect(missed[2]?.arrivedAt).not.toBeNull()
})

test('a phone that only reports when it moves has arrived once it is quiet', () => {
  const plan = planOf([
    ['bsi', '09:00', '09:10'],
    ['thingvellir', '10:00', '10:50'],
    ['bsi', '11:50', '12:00'],
  ])
  const visits = truth(plan)
  const quiet: [number, number] = [at('10:00:20'), at('10:50:10')]
  const fixes = simulateTrack(visits, { everyS: 10, jitterM: 8, silent: [quiet] }, 3).filter(
    (fix) => fix.at < at('11:00'),
  )
  const before = fixes.filter((fix) => fix.at < at('10:30'))
  expect(answer(plan, before, { now: at('10:02') }).stops[1]?.status).toBe('planned')
  expect(answer(plan, before, { now: at('10:05') }).stops[1]?.status).toBe('arrived')
  const { arrivedAt, leftAt } = answer(plan, fixes).stops[1] as StopArrival
  expect(Math.abs((arrivedAt ?? 0) - at('10:00'))).toBeLessThan(minute)
  expect(Math.abs((leftAt ?? 0) - at('10:50'))).toBeLessThan(minute)
})

test('positions that cannot be are left out: jumps, bad ones, invalid ones, the future', () => {
  const track = simulateTrack(goldenTruth, { everyS: 5, jitterM: 8 }, 3)
  const clean = answer(goldenCircle, track)
  const wrong = track.flatMap((fix, index): Fix[] => {
    if (index % 40 === 7) return [{ ...fix, at: fix.at + 1, ...places.gullfoss, accuracyM: 3 }]
    if (index % 40 === 17) return [{ ...fix, at: fix.at + 1, ...places.kerid, accuracyM: 3, isValid: false }]
    if (index % 40 === 27) return [{ ...fix, at: fix.at + 1, ...places.kerid, accuracyM: 900 }]
    return []
  })
  const found = answer(
    goldenCircle,
    [...track, ...wrong].toSorted((a, b) => a.at - b.at),
  )
  expectTrue(found, goldenTruth)
  expect(errorsOf(clean, goldenTruth)).toHaveLength(found.stops.length)
  // at noon nothing is known of the afternoon, whatever the phone's clock says
  const noon = answer(goldenCircle, track, { now: at('12:00') })
  expect(noon.stops.map(({ status }) => status).slice(2)).toEqual(['arrived', 'planned', 'planned', 'planned'])
})

test('a group that was really carried off is accepted after a minute', () => {
  const plan = planOf([
    ['bsi', '09:00', '09:10'],
    ['kerid', '10:00', '10:30'],
    ['bsi', '11:30', '11:40'],
  ])
  const before = simulateTrack(
    [{ place: places.bsi, arriveAt: at('09:00'), departAt: at('09:10') }],
    { everyS: 5, jitterM: 8 },
    1,
  )
  const after = simulateTrack(
    [{ place: places.kerid, arriveAt: at('09:11'), departAt: at('09:25') }],
    { everyS: 5, jitterM: 8 },
    2,
  )
  const { stops } = answer(plan, [...before, ...after])
  expect(Math.abs((stops[1]?.arrivedAt ?? 0) - at('09:11'))).toBeLessThan(minute)
})

test("the vehicle represents the group only while the guide's phone is silent", () => {
  const guide = simulateTrack(goldenTruth, { everyS: 20, jitterM: 8 }, 3)
  const parked = simulateTrack(
    goldenTruth.map((visit) => ({ ...visit, place: { lat: visit.place.lat + 0.004, lng: visit.place.lng } })),
    { everyS: 1, jitterM: 3, rank: 1 },
    4,
  )
  const both = [...guide, ...parked].toSorted((a, b) => a.at - b.at)
  expectTrue(answer(goldenCircle, both), goldenTruth)
  expect(eventsOf(goldenCircle, both)).toEqual(onceEach(goldenCircle))
  const vehicle = simulateTrack(goldenTruth, { everyS: 5, jitterM: 8, rank: 1 }, 5)
  const half = guide.filter((fix) => fix.at < at('12:00'))
  expectTrue(answer(goldenCircle, [...half, ...vehicle]), goldenTruth)
})

test('what a person marked wins, and is shown as theirs', () => {
  const fixes = simulateTrack(goldenTruth, { everyS: 5, jitterM: 8 }, 3)
  const taps: Tap[] = [
    { stopId: '2-geysir', kind: 'arrived', at: at('11:40') },
    { stopId: '3-gullfoss', kind: 'departed', at: at('14:09') },
  ]
  const { stops } = answer(goldenCircle, fixes, { taps })
  expect(stops[2]).toMatchObject({ arrivedAt: at('11:40'), arrivedBy: 'tap', leftBy: 'position', source: 'position' })
  expect(Math.abs((stops[2]?.leftAt ?? 0) - at('13:08'))).toBeLessThan(minute)
  expect(stops[3]).toMatchObject({
    arrivedBy: 'position',
    leftAt: at('14:09'),
    leftBy: 'tap',
    source: 'tap',
    asOf: at('14:09'),
  })
  expect(stops[4]).toMatchObject({ arrivedBy: 'position', leftBy: 'position' })
  // an arrival marked long before they came there: driving on does not make them leave
  const early = answer(goldenCircle, fixes, {
    taps: [{ stopId: '1-thingvellir', kind: 'arrived', at: at('09:30') }],
    now: at('09:50'),
  })
  expect(early.stops[1]).toMatchObject({ arrivedAt: at('09:30'), leftAt: null, source: 'tap' })
})

test('an arrival that a person undid is detected again only after they were away', () => {
  const fixes = simulateTrack(goldenTruth, { everyS: 5, jitterM: 8 }, 3)
  const taps: Tap[] = [{ stopId: '1-thingvellir', kind: 'withdrawn', at: at('10:10') }]
  expect(answer(goldenCircle, fixes, { now: at('10:09') }).stops[1]?.status).toBe('arrived')
  expect(answer(goldenCircle, fixes, { taps, now: at('10:40') }).stops[1]).toMatchObject({
    status: 'planned',
    arrivedAt: null,
  })
  expect(answer(goldenCircle, fixes, { taps }).stops[2]?.status).toBe('departed')
})

test('a skipped stop is not reached by driving past it', () => {
  const fixes = simulateTrack(goldenTruth, { everyS: 5, jitterM: 8 }, 3)
  const { stops } = answer(goldenCircle, fixes, {
    taps: [{ stopId: '1-thingvellir', kind: 'skipped', at: at('09:20') }],
  })
  expect(stops[1]).toMatchObject({ status: 'skipped', arrivedAt: null, etaAt: null })
  expect(stops[2]?.status).toBe('departed')
})

test('pickups are reached in any order', () => {
  const plan = planOf([
    ['rossio', '08:30', '08:32', { kind: 'pickup' }],
    ['se', '08:40', '08:42', { kind: 'pickup' }],
    ['fado', '09:00', '09:05', { kind: 'start' }],
    ['evora', '10:45', '12:00'],
    ['fado', '14:00', '14:10'],
  ])
  const [rossio, se, ...others] = truth(plan) as [TrueVisit, TrueVisit, ...TrueVisit[]]
  const swapped = [
    { ...se, arriveAt: at('08:30'), departAt: at('08:33') },
    { ...rossio, arriveAt: at('08:40'), departAt: at('08:43') },
    ...others,
  ]
  const { stops } = answer(plan, simulateTrack(swapped, { everyS: 5, jitterM: 8 }, 3))
  expect(stops.map(({ status }) => status)).toEqual(['departed', 'departed', 'departed', 'departed', 'arrived'])
  expect(Math.abs((stops[1]?.arrivedAt ?? 0) - at('08:30'))).toBeLessThan(minute)
  expect(Math.abs((stops[0]?.arrivedAt ?? 0) - at('08:40'))).toBeLessThan(minute)
})

test('a guide who goes for a coffee before the start has not left, and the depot is not the start before everybody is picked up', () => {
  const coffee = { lat: 64.1345, lng: -21.93 }
  const plan = planOf([
    ['bsi', '09:00', '09:00'],
    ['thingvellir', '10:00', '10:50'],
    ['bsi', '11:50', '12:00'],
  ])
  const visits = [
    { place: places.bsi, arriveAt: at('08:20'), departAt: at('08:30') },
    { place: coffee, arriveAt: at('08:34'), departAt: at('08:45') },
    { place: places.bsi, arriveAt: at('08:50'), departAt: at('09:07') },
    { place: places.thingvellir, arriveAt: at('10:05'), departAt: at('10:55') },
    { place: places.bsi, arriveAt: at('11:55'), departAt: at('12:05') },
  ]
  for (const startedAt of [null, at('09:05')]) {
    const started = { ...plan, startedAt }
    const fixes = simulateTrack(visits, { everyS: 5, jitterM: 8 }, 3)
    expect(eventsOf(started, fixes)).toEqual(onceEach(started))
    expect(Math.abs((answer(started, fixes).stops[0]?.leftAt ?? 0) - at('09:07'))).toBeLessThan(minute)
  }

  const pickups = planOf([
    ['rossio', '08:30', '08:33', { kind: 'pickup' }],
    ['fado', '09:00', '09:05', { kind: 'start' }],
    ['evora', '10:45', '12:00'],
    ['fado', '14:00', '14:10'],
  ])
  const fromTheDepot = [{ place: places.fado, arriveAt: at('08:00'), departAt: at('08:20') }, ...truth(pickups)]
  const fixes = simulateTrack(fromTheDepot, { everyS: 5, jitterM: 8 }, 3)
  expectTrue(answer(pickups, fixes), truth(pickups))
  expect(eventsOf(pickups, fixes)).toEqual(onceEach(pickups))
})

test('a delay is carried on less slack, and where they are says more on the way', () => {
  const fixes = simulateTrack(goldenTruth, { everyS: 5, jitterM: 8 }, 3)
  const lateMinutes = ({ stops }: Arrivals) => stops.map(({ delaySeconds }) => Math.abs(Math.round(delaySeconds / 60)))
  const known = answer(goldenCircle, fixes, { now: at('13:10') })
  expect(lateMinutes(known)).toEqual([0, 0, 18, 18, 13, 5])
  expect(known.stops[3]).toMatchObject({ source: 'position', asOf: at('13:10') })
  // a breakdown between Gullfoss and Kerið: long before the planned time has passed, it can no longer be kept
  const stuck = { lat: 64.3, lng: -20.2 }
  const broken: TrueVisit[] = [
    ...truth(goldenCircle).slice(0, 4),
    { place: stuck, arriveAt: at('14:10'), departAt: at('15:20') },
  ]
  const track = simulateTrack(broken, { everyS: 10, jitterM: 8 }, 3)
  const straight = wayMeters(stuck, places.kerid, 'drive') / (60 / 3.6)
  const found = answer(goldenCircle, track, { now: at('15:00') })
  expect(found.stops[4]?.delaySeconds).toBeGreaterThan(straight - 10 * 60 - 120)
  expect(found.stops[4]?.delaySeconds).toBeLessThan(straight - 10 * 60 + 60)
  expect(found.stops[4]?.source).toBe('position')
  // no signal for ten minutes: the plan and the last delay, and what that rests on
  const silent = answer(
    goldenCircle,
    track.filter((fix) => fix.at < at('14:45')),
    { now: at('15:00') },
  )
  expect(silent.stops[4]).toMatchObject({ source: 'position' })
  expect(silent.stops[4]?.delaySeconds).toBeLessThan(60)
  expect(silent.stops[4]?.asOf).toBeLessThan(at('14:02'))
  expect(answer(goldenCircle, []).stops[4]).toMatchObject({ source: 'plan', asOf: null })
})

test('a router may say that they catch up, the straight line of a long way may not', () => {
  const fixes = simulateTrack(goldenTruth, { everyS: 10, jitterM: 8 }, 3)
  const evidence = noEvidence()
  addFixes(evidence, fixes)
  const now = at('14:40')
  const stopId = goldenCircle.stops[4]?.id ?? ''
  const ask = (routed: RoutedWay | null) => arrivalsOf({ plan: goldenCircle, evidence, taps: [], now, routed }).stops[4]
  const answered = (arriveAt: string, seenAt: string) => ({ stopId, arriveAt: at(arriveAt), seenAt: at(seenAt) })
  expect(ask(answered('15:09', '14:39'))).toMatchObject({ delaySeconds: 0 })
  expect(ask(answered('15:40', '14:39'))).toMatchObject({ delaySeconds: 30 * 60 })
  // of another stop, or of a position that is long behind
  const straight = ask(null)
  expect(straight?.delaySeconds).toBeGreaterThan(12 * 60)
  expect(ask({ ...answered('15:09', '14:39'), stopId: goldenCircle.stops[5]?.id ?? '' })).toEqual(straight)
  expect(ask(answered('15:09', '14:34'))).toEqual(straight)
})

test('distances go over the date line', () => {
  const [taveuni, suva] = [
    { lat: -16.8, lng: 179.98 },
    { lat: -16.8, lng: -179.98 },
  ]
  expect(metersTo(taveuni)(suva)).toBeCloseTo(wayMeters(taveuni, suva, 'drive') / 1.35, -2)
  expect(straightLineTime(taveuni, suva, 'drive')).toMatchObject({ means: 'at_least' })
})

test('any order, any grouping and any repetition give the same answer', () => {
  const random = seededRandom(11)
  const guide = simulateTrack(goldenTruth, { everyS: 7, jitterM: 20 }, 5)
  const vehicle = simulateTrack(
    goldenTruth,
    { everyS: 23, jitterM: 5, rank: 1, silent: [[at('11:00'), at('11:40')]] },
    6,
  )
  const all = [...guide, ...vehicle]
  const taps: Tap[] = [
    { stopId: '1-thingvellir', kind: 'arrived', at: at('10:03') },
    { stopId: '2-geysir', kind: 'withdrawn', at: at('12:01') },
    { stopId: '2-geysir', kind: 'departed', at: at('13:07') },
  ]
  const now = at('16:45')
  const live = noEvidence()
  for (const fix of all.toSorted((a, b) => a.at - b.at)) addFixes(live, [fix])
  const wanted = arrivalsOf({ plan: goldenCircle, evidence: live, taps, now })
  for (let run = 0; run < 25; run += 1) {
    const shuffled = [...all, ...all.filter(() => random() < 0.3)]
      .map((fix) => ({ fix, place: random() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ fix }) => fix)
    let evidence = noEvidence()
    for (let from = 0; from < shuffled.length;) {
      const size = 1 + Math.floor(random() * 400)
      addFixes(evidence, shuffled.slice(from, from + size))
      from += size
      // stored and read again in the middle of it
      if (random() < 0.1) evidence = JSON.parse(JSON.stringify(evidence)) as typeof evidence
    }
    const said = taps.toSorted(() => random() - 0.5)
    expect(evidence).toEqual(live)
    expect(arrivalsOf({ plan: goldenCircle, evidence, taps: said, now })).toEqual(wanted)
  }
})

test('forty minutes without a network give the same events as a live track, once they arrive', () => {
  const fixes = simulateTrack(goldenTruth, { everyS: 5, jitterM: 10 }, 8)
  const isCut = ({ at: moment }: Fix) => moment > at('11:40') && moment < at('12:20')
  const evidence = noEvidence()
  addFixes(
    evidence,
    fixes.filter((fix) => !isCut(fix) && fix.at < at('12:40')),
  )
  addFixes(evidence, fixes.filter(isCut))
  addFixes(
    evidence,
    fixes.filter((fix) => fix.at >= at('12:40')),
  )
  expect(arrivalsOf({ plan: goldenCircle, evidence, taps: [], now: at('17:00') })).toEqual(
    answer(goldenCircle, fixes, { now: at('17:00') }),
  )
})
