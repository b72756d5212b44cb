import fs from 'node:fs'
import path from 'node:path'
import type { Callable, In } from '@tour-ops/contract/callable'
import { listDepartures } from '@tour-ops/contract/departures'
import { monitoringList } from '@tour-ops/contract/monitoring'
import { getOverview } from '@tour-ops/contract/overview'
import { accountOf } from '../apps/server/src/testing-boarding.ts'
import {
  freePort,
  newDataFolder,
  signIn,
  startProgram,
  type Person,
  type Program,
} from '../apps/server/src/testing-programs.ts'
import { fillLargeOrganization } from './large-organization.ts'
import { processorMs, processorMsOfChildren } from './machine.ts'
import { atMost, median, type Bench, type Measure, type Scale } from './measurement.ts'
import { prepareOrganization } from './prepared.ts'

/** Most processor time of the database for one answer, milliseconds. */
const goalMs = { demo: 4, large: 15 } as const
type Size = keyof typeof goalMs

const boards: readonly { callable: Callable; input: unknown }[] = [
  { callable: getOverview, input: {} satisfies In<typeof getOverview> },
  { callable: monitoringList, input: {} satisfies In<typeof monitoringList> },
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
  const program = await startProgram({ PORT: String(await freePort()), ...env })
  try {
    const password = size === 'demo' ? 'demo-operations' : accountOf('dispatcher').password
    const person = await signIn(program.base, { email, password })
    const measures: Measure[] = []
    for (const board of boards) measures.push(...(await measureBoard(size, board, { program, person, ...env }, scale)))
    return measures
  } finally {
    program.child.kill('SIGTERM')
    await program.ended
  }
}

interface World {
  readonly program: Program
  readonly person: Person
  readonly DATA_DIR: string
}

async function measureBoard(
  size: Size,
  { callable, input }: (typeof boards)[number],
  { program, person, DATA_DIR }: World,
  scale: Scale,
): Promise<Measure[]> {
  const server = program.child.pid ?? 0
  const postmaster = Number(fs.readFileSync(path.join(DATA_DIR, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const answers = scale === 'full' ? 60 : 3
  const ask = async (times: number) => {
    for (let n = 0; n < times; n += 1) await person.call(callable, input)
  }
  // plans are made, the server's code is compiled
  await ask(scale === 'full' ? 60 : 1)
  const rounds: { database: number; server: number; elapsed: number }[] = []
  for (let round = 0; round < (scale === 'full' ? 7 : 1); round += 1) {
    const before = { database: processorMsOfChildren(postmaster), server: processorMs(server), at: performance.now() }
    await ask(answers)
    const after = processorMsOfChildren(postmaster)
    const database = [...after].reduce((sum, [pid, ms]) => sum + ms - (before.database.get(pid) ?? 0), 0)
    rounds.push({
      database: database / answers,
      server: (processorMs(server) - before.server) / answers,
      elapsed: (performance.now() - before.at) / answers,
    })
  }
  const database = median(rounds.map((round) => round.database))
  const samples = rounds.length * answers
  const name = `${size}: ${callable.name}`
  return [
    {
      name: `${name}, database`,
      value: database,
      unit: 'ms of processor',
      goal: atMost(database, goalMs[size], 'ms'),
      samples,
    },
    { name: `${name}, server`, value: median(rounds.map((round) => round.server)), unit: 'ms of processor', samples },
    { name: `${name}, answer`, value: median(rounds.map((round) => round.elapsed)), unit: 'ms', samples },
  ]
}
