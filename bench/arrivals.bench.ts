import { arrivalsOf } from '@tour-ops/contract/tracking/arrivals/arrivals'
import { addFixes, type Evidence, type Fix, noEvidence } from '@tour-ops/contract/tracking/arrivals/evidence'
import type { DeparturePlan, StopPlan } from '@tour-ops/contract/tracking/arrivals/plan'
import { simulateTrack, type TrueVisit } from '@tour-ops/contract/tracking/arrivals/simulated-track'
import { atMost, type Bench, type Measure } from './measurement.ts'

const departures = 400
const hourMs = 3_600_000
const startsAt = Date.parse('2026-11-24T08:00:00Z')

/** Stops of a day of fourteen hours around Reykjavik: latitude, longitude, hours after the start of coming and of leaving. */
const stops: readonly (readonly [lat: number, lng: number, arrives: number, leaves: number])[] = [
  [64.1375, -21.935, 0, 0.25],
  [64.2559, -21.1299, 1, 2.5],
  [64.2147, -20.73, 3, 4],
  [64.3104, -20.3014, 4.5, 6],
  [64.3271, -20.1199, 6.25, 8],
  [63.6156, -19.9886, 9.5, 11],
  [64.0413, -20.8851, 12, 12.75],
  [64.1375, -21.935, 13.75, 14],
]

/** 400 departures that each report once a second, read in one process: what the engine alone takes of a processor. */
export const arrivalsBench: Bench = {
  name: 'arrivals',
  title: 'Arrivals and estimates of 400 departures with a position a second each',
  run(scale) {
    const seconds = scale === 'full' ? 60 : 5
    const measures = [3, 7, 13.5].map((hours) => measureShare(hours, seconds))
    return Promise.resolve([...measures, measureLateBatch(scale === 'full' ? 50 : 5), measureMemory()])
  },
}

const plan: DeparturePlan = {
  startsAt,
  endsAt: startsAt + 14 * hourMs,
  startedAt: startsAt,
  stops: stops.map(([lat, lng, arrives, leaves], index): StopPlan => ({
    id: `stop-${index}`,
    kind: index === 0 ? 'start' : index === stops.length - 1 ? 'end' : 'visit',
    dayIndex: 1,
    lat,
    lng,
    plannedArriveAt: startsAt + arrives * hourMs,
    plannedDepartAt: startsAt + leaves * hourMs,
    slackMin: 5,
    optional: false,
    enterM: 80,
    exitM: 120,
    dwellS: 60,
    mode: 'drive',
  })),
}

const visits: readonly TrueVisit[] = plan.stops.map((stop) => ({
  place: stop,
  arriveAt: stop.plannedArriveAt,
  departAt: stop.plannedDepartAt,
}))

/** Twenty tracks, each used by twenty departures. */
const tracks = (): readonly (readonly Fix[])[] =>
  Array.from({ length: 20 }, (_, seed) => simulateTrack(visits, { everyS: 1, jitterM: 10 }, seed + 1))

/** Processor time of the hour in which `hours` of the day have passed already, all departures at the same hour. */
function measureShare(hours: number, seconds: number): Measure {
  const from = startsAt + hours * hourMs
  const known = tracks()
  const running = Array.from({ length: departures }, (_, index) => {
    const track = known[index % known.length] ?? []
    const evidence = noEvidence()
    addFixes(
      evidence,
      track.filter(({ at }) => at < from),
    )
    return { evidence, coming: track.filter(({ at }) => at >= from).slice(0, seconds) }
  })
  // once for the compiler
  for (const { evidence } of running) arrivalsOf({ plan, evidence, taps: [], now: from })

  const before = process.cpuUsage()
  for (let second = 0; second < seconds; second += 1) {
    for (const { evidence, coming } of running) {
      const fix = coming[second]
      if (fix && addFixes(evidence, [fix])) arrivalsOf({ plan, evidence, taps: [], now: fix.at })
    }
  }
  const { user, system } = process.cpuUsage(before)
  const share = (user + system) / 1e6 / seconds
  return {
    name: `processor time a second after ${hours} hours of positions`,
    value: share,
    unit: 's',
    goal: atMost(share, 0.5, 's'),
    samples: departures * seconds,
  }
}

/** A phone that was without a network for forty minutes: one batch, one answer. */
function measureLateBatch(rounds: number): Measure {
  const [track = []] = tracks()
  const isCut = ({ at }: Fix): boolean => at > startsAt + 4 * hourMs && at < startsAt + 4.67 * hourMs
  const late = track.filter(isCut)
  const rest = track.filter((fix) => !isCut(fix))
  const all: Evidence[] = Array.from({ length: rounds }, () => {
    const evidence = noEvidence()
    addFixes(evidence, rest)
    return evidence
  })
  const startedAt = performance.now()
  for (const evidence of all) {
    addFixes(evidence, late)
    arrivalsOf({ plan, evidence, taps: [], now: plan.endsAt })
  }
  return {
    name: 'forty minutes of positions in one late batch, at the end of the day',
    value: (performance.now() - startedAt) / rounds,
    unit: 'ms',
    samples: rounds,
    note: `${late.length.toLocaleString('en-US')} positions`,
  }
}

function measureMemory(): Measure {
  const [track = []] = tracks()
  const evidence = noEvidence()
  addFixes(evidence, track)
  return {
    name: 'kept of one device at the end of the day, as text',
    value: JSON.stringify(evidence).length / 1000,
    unit: 'kB',
    samples: 1,
    note: `${evidence.fixes.length.toLocaleString('en-US')} of ${track.length.toLocaleString('en-US')} positions`,
  }
}
