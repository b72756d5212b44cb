import fs from 'node:fs'
import type { In, Out } from '@tour-ops/contract/callable'
import { listDepartures } from '@tour-ops/contract/departures/departures'
import { monitoringList } from '@tour-ops/contract/monitoring/monitoring-list'
import { getOverview, type Overview } from '@tour-ops/contract/overview/overview'
import { accountOf } from '../apps/server/testing/accounts.ts'
import { newDataFolder } from '../apps/server/testing/programs.ts'
import {
  type Board,
  checkIn,
  inFolder,
  measureAfter,
  measureByHand,
  type Pace,
  vehicleChange,
  type World,
} from './board-cost.ts'
import { factsOf, monitoringByHand, overviewByHand, watchedFactsOf } from './boards-by-hand.ts'
import { fillLargeOrganization } from './large-organization.ts'
import { atMost, type Bench, type Measure, type Scale } from './measurement.ts'
import { prepareOrganization } from './prepared.ts'

/** Most processor time of the database for one answer, milliseconds. */
const goalMs = { demo: 4, large: 15 } as const
type Size = keyof typeof goalMs

const boards: readonly Board[] = [
  {
    callable: getOverview,
    input: {} satisfies In<typeof getOverview>,
    byHand: overviewByHand,
    told: (answer) => (answer as Overview).departures.map(factsOf),
    part: 'today',
  },
  {
    callable: monitoringList,
    input: { size: 200 } satisfies In<typeof monitoringList>,
    byHand: monitoringByHand,
    told: (answer) => (answer as Out<typeof monitoringList>).rows.map(watchedFactsOf),
  },
  { callable: listDepartures, input: {} satisfies In<typeof listDepartures> },
]

/** The screens that stay open all day: what one answer of them costs the database and the server, by processor time. */
export const boardBench: Bench = {
  name: 'board',
  title: 'Boards and lists of departures',
  async run(scale) {
    const large = await prepareOrganization('board', scale === 'full' ? fillLargeOrganization : undefined)
    const demo = newDataFolder('bench-demo')
    try {
      return [
        ...(await measureFolder('demo', { DATA_DIR: demo, DEMO: 'on' }, 'dispatcher@example.com', scale)),
        ...(await measureFolder('large', { DATA_DIR: large.dataDir }, accountOf('dispatcher').email, scale)),
      ]
    } finally {
      large.remove()
      fs.rmSync(demo, { recursive: true, force: true })
    }
  },
}

async function measureFolder(
  size: Size,
  env: Record<string, string> & { DATA_DIR: string },
  email: string,
  scale: Scale,
): Promise<Measure[]> {
  const password = size === 'demo' ? 'demo-operations' : accountOf('dispatcher').password
  const isFull = scale === 'full'
  const pace: Pace = {
    label: size,
    goalMs: goalMs[size],
    warmUp: isFull ? 60 : 1,
    rounds: isFull ? 7 : 1,
    answers: isFull ? 60 : 3,
  }
  return inFolder(env, { email, password }, async (world) => {
    const measures: Measure[] = []
    for (const board of boards) {
      const afterCheckIn = await measureAfter(checkIn, pace, board, world)
      measures.push(...afterCheckIn, ...(await measureAfter(vehicleChange, pace, board, world)))
      measures.push(await measureTwenty(size, board, world, scale))
      if (board.byHand)
        measures.push(await measureByHand(pace, board, board.byHand, world, afterCheckIn[0]?.value ?? Number.NaN))
    }
    return measures
  })
}

/** Screens of an office that are open at once, and read again after each change. */
const people = 20

/** The same for twenty open screens, which all read again after each change. */
async function measureTwenty(size: Size, { callable, input }: Board, world: World, scale: Scale): Promise<Measure> {
  const changes = scale === 'full' ? 30 : 1
  const before = world.databaseMs()
  for (let n = 0; n < changes; n += 1) {
    await checkIn.leave(world)
    await Promise.all(Array.from({ length: people }, () => world.person.call(callable, input)))
  }
  const value = (world.databaseMs() - before) / changes / people
  return {
    name: `${size}: ${callable.name}, ${people} screens after each change, database for each`,
    value,
    unit: 'ms of processor',
    goal: atMost(value, goalMs[size], 'ms'),
    samples: changes * people,
  }
}
