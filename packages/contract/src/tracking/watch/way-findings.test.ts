import { describe, expect, test } from 'vitest'
import { arrivalsOf } from '../arrivals/arrivals.ts'
import { addFixes, type Fix, noEvidence } from '../arrivals/evidence.ts'
import type { DeparturePlan, StopPlan, Tap } from '../arrivals/plan.ts'
import { type Phone, seededRandom, simulateTrack, type TrueVisit } from '../arrivals/simulated-track.ts'
import type { TravelMode } from '../../tours/tour-terms.ts'
import { type Point, speedLimitMps } from '../arrivals/travel.ts'
import { trustedFixes } from '../arrivals/trusted-fixes.ts'
import { type Finding, type NoGoArea, type Way, wayFindingsOf, type WayLimits } from './way-findings.ts'

const minute = 60_000
const at = (time: string): number => Date.parse(`2026-11-24T${time}Z`)

/** Public geography of the south of Iceland. */
const bsi = { lat: 64.1375, lng: -21.935 }
const geysir = { lat: 64.3104, lng: -20.3014 }
const landeyjahofn = { lat: 63.5301, lng: -20.1172 }
const heimaey = { lat: 63.4433, lng: -20.2716 }
/** 4 km north of the straight line between BSÍ and Geysir. */
const aside = { lat: 64.26, lng: -21.1 }

interface Row {
  readonly place: Point
  readonly arrive: string
  readonly depart: string
  readonly dayIndex?: number
  readonly by?: TravelMode
}

function planOf(rows: readonly Row[], mode: TravelMode = 'drive', isStarted = true): DeparturePlan {
  const stops = rows.map(({ place, arrive, depart, dayIndex = 1, by = mode }, index): StopPlan => ({
    ...place,
    id: `stop-${index}`,
    kind: index === 0 ? 'start' : index === rows.length - 1 ? 'end' : 'visit',
    dayIndex,
    plannedArriveAt: at(arrive),
    plannedDepartAt: at(depart),
    slackMin: 0,
    optional: false,
    enterM: 80,
    exitM: 120,
    dwellS: 60,
    mode: by,
  }))
  const startsAt = stops[0]?.plannedDepartAt ?? 0
  return { startsAt, endsAt: stops.at(-1)?.plannedDepartAt ?? 0, startedAt: isStarted ? startsAt : null, stops }
}

/** Out and back: a loop that ends where it began, with a first leg of any kind. */
const dayBy = (by: TravelMode) =>
  planOf([
    { place: bsi, arrive: '08:45:00', depart: '09:00:00' },
    { place: geysir, arrive: '11:00:00', depart: '12:00:00', by },
    { place: bsi, arrive: '14:00:00', depart: '14:15:00' },
  ])
const goldenCircle = dayBy('drive')
const asPlanned = (plan: DeparturePlan): TrueVisit[] =>
  plan.stops.map((stop) => ({ place: stop, arriveAt: stop.plannedArriveAt, departAt: stop.plannedDepartAt }))

const wayOf = (points: readonly Point[], dayIndex = 1): Way => ({
  dayIndex,
  line: points.map(({ lat, lng }) => [lng, lat]),
})
const straight = wayOf([bsi, geysir])

const usual: WayLimits = {
  offRouteM: 500,
  offRouteWalkM: 150,
  offRouteMin: 3,
  longStopMin: 30,
  absentMin: 5,
  speedKmh: null,
}
/** On the straight line, so that what is off it is so on purpose. */
const phone: Phone = { everyS: 20, jitterM: 12, bend: 0 }

interface Told {
  readonly plan?: DeparturePlan
  readonly fixes: readonly Fix[]
  readonly until: string | number
  readonly ways?: readonly Way[]
  readonly areas?: readonly NoGoArea[]
  readonly limits?: Partial<WayLimits>
  readonly taps?: readonly Tap[]
}

/** What is found once everything has come in that was recorded until then. */
function findings({
  plan = goldenCircle,
  fixes,
  until,
  ways = [straight],
  areas = [],
  limits,
  taps = [],
}: Told): Finding[] {
  const now = typeof until === 'number' ? until : at(until)
  const evidence = noEvidence()
  addFixes(evidence, fixes)
  return wayFindingsOf({
    plan,
    arrivals: arrivalsOf({ plan, evidence, taps, now }),
    fixes: trustedFixes(evidence, now, speedLimitMps(plan.stops.map(({ mode }) => mode))),
    ways,
    areas,
    limits: { ...usual, ...limits },
    now,
  })
}

const kinds = (told: Told): string[] => findings(told).map(({ kind }) => kind)

/** By way of a place that is not on the way. */
const detour: TrueVisit[] = [
  { place: bsi, arriveAt: at('08:45:00'), departAt: at('09:00:00') },
  { place: aside, arriveAt: at('10:00:00'), departAt: at('10:00:00') },
  { place: geysir, arriveAt: at('11:00:00'), departAt: at('12:00:00') },
  { place: bsi, arriveAt: at('14:00:00'), departAt: at('14:15:00') },
]

describe('off the route', () => {
  test('three minutes more than 500 m away are reported, with how far and since when, until they are back', () => {
    const fixes = simulateTrack(detour, phone, 5)
    const [found] = findings({ fixes, until: '09:45:00' })
    expect(found).toMatchObject({ kind: 'off_route', cause: null, facts: { limitM: 500, limitMin: 3 } })
    expect(found?.facts['meters']).toBeGreaterThan(2000)
    expect(found?.since).toBeGreaterThan(at('09:02:00'))
    expect(found?.since).toBeLessThan(at('09:12:00'))
    expect(kinds({ fixes, until: '11:30:00' })).toEqual([])
  })

  test('two minutes are nothing', () => {
    const fixes = simulateTrack(detour, phone, 5)
    const since = findings({ fixes, until: '09:45:00' })[0]?.since ?? 0
    expect(kinds({ fixes, until: since + 2 * minute })).toEqual([])
    expect(kinds({ fixes, until: since + 3 * minute + 20_000 })).toEqual(['off_route'])
  })

  test('a walk has a limit of its own', () => {
    const plan = planOf(
      [
        { place: bsi, arrive: '08:45:00', depart: '09:00:00' },
        { place: { lat: 64.1465, lng: -21.935 }, arrive: '09:20:00', depart: '09:40:00' },
      ],
      'walk',
    )
    const wrong: TrueVisit[] = [
      { place: bsi, arriveAt: at('08:45:00'), departAt: at('09:00:00') },
      { place: { lat: 64.142, lng: -21.929 }, arriveAt: at('09:10:00'), departAt: at('09:15:00') },
    ]
    const told = { plan, fixes: simulateTrack(wrong, phone, 2), until: '09:14:00' }
    const ways = [wayOf(plan.stops)]
    expect(findings({ ...told, ways })).toMatchObject([{ kind: 'off_route', facts: { limitM: 150 } }])
    expect(kinds({ ...told, ways, limits: { offRouteWalkM: 800 } })).toEqual([])
  })

  test('each leg of a day has its own rule: a ship may leave the line, a bus may not, and a walk less', () => {
    const told = { fixes: simulateTrack(detour, phone, 5), until: '09:45:00', limits: { offRouteWalkM: 2000 } }
    expect(findings({ ...told, plan: dayBy('drive') })).toMatchObject([{ facts: { limitM: 500 } }])
    expect(findings({ ...told, plan: dayBy('walk') })).toMatchObject([{ facts: { limitM: 2000 } }])
    for (const by of ['boat', 'rail', 'air'] as const) expect(kinds({ ...told, plan: dayBy(by) })).toEqual([])
  })

  test('nobody is off a way that nobody has drawn, of the day that they are on', () => {
    const fixes = simulateTrack(detour, phone, 5)
    expect(kinds({ fixes, until: '09:45:00', ways: [] })).toEqual([])
    expect(kinds({ fixes, until: '09:45:00', ways: [wayOf([bsi, geysir], 2)] })).toEqual([])
  })

  test('a loop that returns on the same route is on it in both directions', () => {
    const fixes = simulateTrack(asPlanned(goldenCircle), phone, 8)
    for (let now = at('09:00:00'); now < at('14:20:00'); now += 5 * minute)
      expect(kinds({ fixes, until: now })).toEqual([])
  })

  test('a distance within the error of a position is neither off the route nor back on it', () => {
    const fixes = simulateTrack(detour, phone, 5)
    const since = findings({ fixes, until: '09:45:00' })[0]?.since ?? 0
    const blurred = fixes.map((fix) => (fix.at > since + 4 * minute ? { ...fix, accuracyM: 99 } : fix))
    expect(kinds({ fixes: blurred, until: since + 4 * minute })).toEqual(['off_route'])
    const close = fixes.map((fix) => ({
      ...fix,
      lat: bsi.lat + 540 / 111_195,
      lng: bsi.lng,
      accuracyM: 60,
      speedMps: 0,
    }))
    expect(kinds({ fixes: close, until: '09:45:00' })).not.toContain('off_route')
  })
})

describe('a long stop', () => {
  const broken = { lat: 64.2, lng: -21.35 }
  const visits: TrueVisit[] = [
    { place: bsi, arriveAt: at('08:45:00'), departAt: at('09:00:00') },
    { place: broken, arriveAt: at('09:30:00'), departAt: at('10:30:00') },
    { place: geysir, arriveAt: at('11:30:00'), departAt: at('12:00:00') },
  ]

  test('half an hour where nothing is planned is reported, and ends once they continue', () => {
    const fixes = simulateTrack(visits, phone, 4)
    expect(kinds({ fixes, until: '09:55:00', ways: [] })).toEqual([])
    const [found] = findings({ fixes, until: '10:05:00', ways: [] })
    expect(found).toMatchObject({ kind: 'long_stop', facts: { limitMin: 30 } })
    expect(found?.lat).toBeCloseTo(broken.lat, 2)
    expect(kinds({ fixes, until: '10:40:00', ways: [] })).toEqual([])
  })

  test('an hour at a planned stop is none', () => {
    const fixes = simulateTrack(asPlanned(goldenCircle), phone, 8)
    expect(kinds({ fixes, until: '11:58:00' })).toEqual([])
  })

  test('a crossing by ferry is none, on the way that is drawn over the water', () => {
    const plan = planOf([
      { place: landeyjahofn, arrive: '08:45:00', depart: '09:00:00' },
      { place: heimaey, arrive: '09:40:00', depart: '16:00:00' },
    ])
    const fixes = simulateTrack(asPlanned(plan), phone, 3)
    for (const until of ['09:20:00', '09:35:00', '12:00:00']) {
      expect(kinds({ plan, fixes, until, ways: [wayOf([landeyjahofn, heimaey])] })).toEqual([])
    }
  })

  test('silence is none: a phone that was quiet for an hour and reports from the same place may have been away', () => {
    const fixes = simulateTrack(visits, { ...phone, silent: [[at('09:31:00'), at('10:26:00')]] }, 4)
    expect(kinds({ fixes, until: '10:29:00', ways: [] })).toEqual([])
  })
})

describe('too fast', () => {
  const fast = (speedMps: number, seconds: number): Fix[] =>
    simulateTrack(asPlanned(goldenCircle), phone, 8).map((fix) => ({
      ...fix,
      speedMps: fix.at >= at('09:20:00') && fix.at <= at('09:20:00') + seconds * 1000 ? speedMps : 22,
    }))

  test('a minute above the limit of the vehicle is reported for five minutes, with the highest speed', () => {
    const told = { fixes: fast(31, 80), limits: { speedKmh: 100 } }
    const [found] = findings({ ...told, until: '09:22:00' })
    expect(found).toMatchObject({ kind: 'overspeed', facts: { kmh: 112, limitKmh: 100 } })
    expect(kinds({ ...told, until: '09:27:00' })).toEqual([])
  })

  test('one fast position, a train, and a vehicle without a limit are none', () => {
    expect(kinds({ fixes: fast(31, 10), limits: { speedKmh: 100 }, until: '09:22:00' })).toEqual([])
    expect(kinds({ fixes: fast(55, 80), limits: { speedKmh: 100 }, until: '09:22:00' })).toEqual([])
    expect(kinds({ fixes: fast(31, 80), limits: { speedKmh: null }, until: '09:22:00' })).toEqual([])
  })

  test('a train is fast, and nobody is told so when it has arrived either; a boat has a limit as a bus has', () => {
    const fixes = simulateTrack(asPlanned(dayBy('rail')), phone, 8).map((fix) => ({
      ...fix,
      speedMps: fix.at < at('10:59:30') ? 31 : 0,
    }))
    // on the way, and arrived, from where they go on by road
    for (const until of ['10:30:00', '11:03:00']) {
      const told = { fixes, until, limits: { speedKmh: 100 } }
      expect(kinds({ ...told, plan: dayBy('rail') }), until).toEqual([])
      expect(kinds({ ...told, plan: dayBy('boat') }), until).toContain('overspeed')
    }
  })

  test('a device that does not say its speed is measured by its way', () => {
    const fixes = fast(22, 0).map((fix) => ({ ...fix, speedMps: null }))
    // the way to Geysir in two hours is 41 km/h
    expect(kinds({ fixes, limits: { speedKmh: 30 }, until: '09:22:00' })).toEqual(['overspeed'])
    expect(kinds({ fixes, limits: { speedKmh: 60 }, until: '09:22:00' })).toEqual([])
  })
})

describe('not where they should be', () => {
  const elsewhere: TrueVisit[] = [{ place: aside, arriveAt: at('08:30:00'), departAt: at('09:30:00') }]

  test('someone who is not at the start five minutes after its time is reported with the distance; someone who has set out is not', () => {
    const waiting = planOf(
      [
        { place: bsi, arrive: '09:00:00', depart: '09:00:00' },
        { place: geysir, arrive: '11:00:00', depart: '12:00:00' },
      ],
      'drive',
      false,
    )
    const fixes = simulateTrack(elsewhere, phone, 1)
    expect(kinds({ plan: waiting, fixes, until: '09:04:00' })).toEqual([])
    const [found] = findings({ plan: waiting, fixes, until: '09:06:00' })
    expect(found).toMatchObject({ kind: 'geofence_absent', facts: { stopId: 'stop-0', limitM: 120, limitMin: 5 } })
    expect(found?.since).toBe(at('09:00:00'))
    expect(kinds({ plan: { ...waiting, startedAt: at('09:00:00') }, fixes, until: '09:06:00' })).not.toContain(
      'geofence_absent',
    )
    const there = simulateTrack([{ place: bsi, arriveAt: at('08:30:00'), departAt: at('09:30:00') }], phone, 1)
    expect(kinds({ plan: waiting, fixes: there, until: '09:20:00' })).toEqual([])
  })

  test('a stop that somebody marked while the phones are elsewhere is reported', () => {
    const fixes = simulateTrack(elsewhere, phone, 1)
    const tap: Tap = { stopId: 'stop-1', kind: 'arrived', at: at('09:10:00') }
    expect(kinds({ fixes, taps: [tap], until: '09:20:00', ways: [] })).toContain('geofence_absent')
    expect(kinds({ fixes, taps: [tap], until: '09:13:00', ways: [] })).not.toContain('geofence_absent')
  })
})

describe('where nobody may go', () => {
  const square = (north: number, east: number, size: number): NoGoArea['shape'] => ({
    type: 'Polygon',
    coordinates: [
      [
        [east - size, north - size],
        [east + size, north - size],
        [east + size, north + size],
        [east - size, north + size],
        [east - size, north - size],
      ],
    ],
  })
  const area = (shape: NoGoArea['shape'], more: Partial<NoGoArea> = {}): NoGoArea => ({
    id: 'area-1',
    name: 'Avalanche slope',
    shape,
    enterM: 80,
    exitM: 120,
    dwellS: 60,
    ...more,
  })
  const fixes = simulateTrack(detour, phone, 5)

  test('a minute inside is reported with the name of the area, and ends outside of it', () => {
    const areas = [area(square(aside.lat, aside.lng, 0.02))]
    expect(kinds({ fixes, areas, ways: [], until: '09:50:00' })).toEqual([])
    const [found] = findings({ fixes, areas, ways: [], until: '10:00:00' })
    expect(found).toMatchObject({ kind: 'no_go_area', cause: 'area-1', facts: { area: 'Avalanche slope' } })
    expect(kinds({ fixes, areas, ways: [], until: '10:10:00' })).toEqual([])
  })

  test('a hole in an area is not in it, and a point has its radius', () => {
    const around = square(aside.lat, aside.lng, 0.05)
    const hole = square(aside.lat, aside.lng, 0.02)
    if (around.type !== 'Polygon' || hole.type !== 'Polygon') throw new Error('A square is a polygon.')
    const ring: NoGoArea['shape'] = { type: 'Polygon', coordinates: [...around.coordinates, ...hole.coordinates] }
    expect(kinds({ fixes, areas: [area(ring)], ways: [], until: '10:00:00' })).toEqual([])
    const point: NoGoArea['shape'] = { type: 'Point', coordinates: [aside.lng, aside.lat] }
    const at1000 = area(point, { enterM: 1000, exitM: 1500 })
    expect(kinds({ fixes, areas: [at1000], ways: [], until: '10:01:00' })).toEqual(['no_go_area'])
    expect(kinds({ fixes, areas: [area(point)], ways: [], until: '10:20:00' })).toEqual([])
  })

  test('several areas at once are several findings', () => {
    const both = [area(square(aside.lat, aside.lng, 0.02)), area(square(aside.lat, aside.lng, 0.03), { id: 'area-2' })]
    expect(findings({ fixes, areas: both, ways: [], until: '10:00:00' }).map(({ cause }) => cause)).toEqual([
      'area-1',
      'area-2',
    ])
  })
})

test('the order and the grouping in which positions come change nothing', () => {
  const areas: NoGoArea[] = [
    {
      id: 'a',
      name: 'Slope',
      shape: { type: 'Point', coordinates: [aside.lng, aside.lat] },
      enterM: 800,
      exitM: 1200,
      dwellS: 60,
    },
  ]
  for (let seed = 1; seed <= 25; seed += 1) {
    const random = seededRandom(seed)
    const silentFrom = at('09:05:00') + random() * 60 * minute
    const fixes = simulateTrack(
      detour,
      { ...phone, jitterM: 5 + random() * 40, silent: [[silentFrom, silentFrom + random() * 15 * minute]] },
      seed,
    )
    const until = at('09:00:00') + random() * 150 * minute
    const known = fixes.filter((fix) => fix.at <= until)
    const told = { until, areas, limits: { speedKmh: 40 } }
    const shuffled = [...known, ...known.slice(0, 40)]
      .map((fix) => [random(), fix] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, fix]) => fix)
    const inOrder = findings({ ...told, fixes: known })
    expect(findings({ ...told, fixes: shuffled }), `seed ${seed}`).toEqual(inOrder)
    // a process that reads everything at once finds what another one found minute by minute
    const evidence = noEvidence()
    let from = 0
    while (from < shuffled.length) {
      const size = 1 + Math.floor(random() * 60)
      addFixes(evidence, shuffled.slice(from, from + size))
      from += size
    }
    expect(findings({ ...told, fixes: evidence.fixes }), `seed ${seed}`).toEqual(inOrder)
  }
})

test('a day as planned, with the errors of real phones, finds nothing at any minute', () => {
  for (let seed = 1; seed <= 6; seed += 1) {
    const fixes = simulateTrack(asPlanned(goldenCircle), { everyS: 15, jitterM: 10 * seed, bend: 0 }, seed)
    for (let now = at('09:00:00'); now < at('14:15:00'); now += 7 * minute) {
      expect(
        kinds({ fixes, until: now, limits: { speedKmh: 100 } }),
        `seed ${seed}, ${new Date(now).toISOString()}`,
      ).toEqual([])
    }
  }
})
