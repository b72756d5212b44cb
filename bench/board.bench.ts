import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { type DepartureRow, listDepartures } from '@tour-ops/contract/departures/departures'
import { monitoringList } from '@tour-ops/contract/monitoring/monitoring-list'
import { getOverview, type Overview } from '@tour-ops/contract/overview/overview'
import { Client } from 'pg'
import { accountOf } from '../apps/server/testing/accounts.ts'
import {
  freePort,
  newDataFolder,
  signIn,
  startProgram,
  type Person,
  type Program,
} from '../apps/server/testing/programs.ts'
import { type BoardByHand, monitoringByHand, overviewByHand, runByHand, factsOf } from './boards-by-hand.ts'
import { firstEvaluation } from './first-evaluation.ts'
import { fillLargeOrganization } from './large-organization.ts'
import { databaseProcessor, processorMs } from './machine.ts'
import { atMost, median, type Bench, type Measure, type Scale } from './measurement.ts'
import { prepareOrganization } from './prepared.ts'

/** Most processor time of the database for one answer, milliseconds. */
const goalMs = { demo: 4, large: 15 } as const
type Size = keyof typeof goalMs

interface Board {
  readonly callable: Callable
  readonly input: unknown
  readonly byHand?: BoardByHand
  /** Departures of an answer, and the part of the peer's answer that has the same. */
  readonly departures?: (answer: unknown) => readonly DepartureRow[]
  readonly part?: string
}

const boards: readonly Board[] = [
  {
    callable: getOverview,
    input: {} satisfies In<typeof getOverview>,
    byHand: overviewByHand,
    departures: (answer) => (answer as Overview).departures,
    part: 'today',
  },
  {
    callable: monitoringList,
    input: { size: 200 } satisfies In<typeof monitoringList>,
    byHand: monitoringByHand,
    departures: (answer) => (answer as Out<typeof monitoringList>).rows,
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
  const program = await startProgram({
    PORT: String(await freePort()),
    RATE_LIMIT_USER: '0',
    RATE_LIMIT_IP: '0',
    ...env,
  })
  const database = connect(env)
  try {
    await database.connect()
    // what a new server does once is no part of an answer
    await firstEvaluation(database)
    const password = size === 'demo' ? 'demo-operations' : accountOf('dispatcher').password
    const person = await signIn(program.base, { email, password })
    const measures: Measure[] = []
    for (const board of boards) {
      const world = { program, person, database, databaseMs: databaseProcessor(env.DATA_DIR, database), ...env }
      const afterCheckIn = await measureAfter(checkIn, size, board, world, scale)
      measures.push(...afterCheckIn, ...(await measureAfter(vehicleChange, size, board, world, scale)))
      measures.push(await measureTwenty(size, board, world, scale))
      if (board.byHand)
        measures.push(
          await measureByHand(size, board, board.byHand, world, scale, afterCheckIn[0]?.value ?? Number.NaN),
        )
    }
    return measures
  } finally {
    await database.end()
    program.child.kill('SIGTERM')
    await program.ended
  }
}

const connect = ({ DATA_DIR }: { readonly DATA_DIR: string }): Client =>
  new Client({ host: path.join(DATA_DIR, 'postgres'), user: 'app_owner', database: 'tour_operations' })

interface World {
  readonly program: Program
  readonly person: Person
  readonly database: Client
  readonly DATA_DIR: string
  /** Processor time of the database so far, milliseconds. */
  readonly databaseMs: () => number
}

/** Leaves something in the change log: what was answered before no longer counts. */
interface Change {
  readonly name: string
  readonly leave: (world: World) => Promise<unknown>
}

/** What a check-in of a guest on a running departure leaves. */
const checkIn: Change = {
  name: 'a change',
  leave: ({ database }) =>
    database.query(`insert into changes (org_id, topic, entity_id, op) select m.org_id, 'manifest_entries', m.id, 'update'
    from (select org_id, id from departures where status = 'in_progress' limit 1) d
    join lateral (select org_id, id from manifest_entries where org_id = d.org_id and departure_id = d.id limit 1) m on true`),
}

/** What a new label leaves of a vehicle that is out: a row that several departures may show. */
const vehicleChange: Change = {
  name: 'a change of a vehicle',
  leave: ({ database }) =>
    database.query(`insert into changes (org_id, topic, entity_id, op) select e.org_id, 'vehicles', e.vehicle_id, 'update'
    from departures d join vehicle_assignments a on a.org_id = d.org_id and a.departure_id = d.id
    join vehicle_calendar_entries e on e.org_id = a.org_id and e.id = a.calendar_entry_id
    where d.status = 'in_progress' limit 1`),
}

/** One person's answer right after a change, made from the tables. */
async function measureAfter(
  change: Change,
  size: Size,
  { callable, input }: (typeof boards)[number],
  world: World,
  scale: Scale,
): Promise<Measure[]> {
  const server = world.program.child.pid ?? 0
  const answers = scale === 'full' ? 60 : 3
  const ask = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      await change.leave(world)
      await world.person.call(callable, input)
    }
  }
  // plans are made, the server's code is compiled
  await ask(scale === 'full' ? 60 : 1)
  const rounds: { database: number; server: number; elapsed: number }[] = []
  for (let round = 0; round < (scale === 'full' ? 7 : 1); round += 1) {
    const before = { database: world.databaseMs(), server: processorMs(server), at: performance.now() }
    await ask(answers)
    const used = {
      database: (world.databaseMs() - before.database) / answers,
      server: (processorMs(server) - before.server) / answers,
      elapsed: (performance.now() - before.at) / answers,
    }
    const unasked = await withoutAnswers(change, world, { changes: answers, everyMs: used.elapsed })
    rounds.push({ ...used, database: used.database - unasked.database, server: used.server - unasked.server })
  }
  const database = median(rounds.map((round) => round.database))
  const samples = rounds.length * answers
  const name = `${size}: ${callable.name} after ${change.name}`
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

/** What the same changes cost at the same pace when nobody reads: they are written, listeners are looked for, alerts are evaluated. */
async function withoutAnswers(
  change: Change,
  world: World,
  { changes, everyMs }: { readonly changes: number; readonly everyMs: number },
): Promise<{ database: number; server: number }> {
  const server = world.program.child.pid ?? 0
  const before = { database: world.databaseMs(), server: processorMs(server), at: performance.now() }
  for (let n = 0; n < changes; n += 1) {
    await sleep(Math.max(0, before.at + n * everyMs - performance.now()))
    await change.leave(world)
  }
  await sleep(Math.max(0, before.at + changes * everyMs - performance.now()))
  return {
    database: (world.databaseMs() - before.database) / changes,
    server: (processorMs(server) - before.server) / changes,
  }
}

/** The same answer by hand-written statements, without access checks and caches. */
async function measureByHand(
  size: Size,
  { callable, input, departures, part }: Board,
  byHand: BoardByHand,
  { database, person, ...world }: World,
  scale: Scale,
  ours: number,
): Promise<Measure> {
  const { rows } = await database.query<{ orgId: string }>(
    `select org_id as "orgId" from departures group by org_id order by count(*) desc limit 1`,
  )
  const orgId = rows[0]?.orgId ?? ''
  // a connection of its own, since the bench's does not count
  const expert = connect(world)
  await expert.connect()
  const answer: unknown = await person.call(callable, input)
  const told = departures?.(answer).map(factsOf) ?? []
  const tells = (await runByHand(expert, orgId, byHand)).filter((row) => part === undefined || row.part === part)
  const known = new Map(tells.map((row) => [row.code, row]))
  for (const row of told) {
    const { code, aboard, lead, vehicle, next, failing, alerts } = known.get(row.code) ?? ({} as Partial<typeof row>)
    const other = { code, aboard, lead, vehicle, next, failing, alerts }
    if (JSON.stringify(row) !== JSON.stringify(other))
      throw new Error(
        `${callable.name}: we answer ${JSON.stringify(row)}, the hand-written statement ${JSON.stringify(other)}`,
      )
  }
  const times = scale === 'full' ? 60 : 3
  // as a backend keeps its plans: five of its own for a statement, then one for all
  for (let n = 0; n < 10; n += 1) await runByHand(expert, orgId, byHand)
  const rounds: number[] = []
  for (let round = 0; round < (scale === 'full' ? 7 : 1); round += 1) {
    const before = world.databaseMs()
    for (let n = 0; n < times; n += 1) await runByHand(expert, orgId, byHand)
    rounds.push((world.databaseMs() - before) / times)
  }
  await expert.end()
  const value = median(rounds)
  return {
    name: `${size}: ${callable.name} after a change, database, against hand-written statements`,
    value: ours,
    unit: 'ms of processor',
    against: { name: 'hand-written statements', value },
    ratio: value / ours,
    samples: rounds.length * times,
  }
}

/** Screens of an office that are open at once, and read again after each change. */
const people = 20

/** The same for twenty open screens, which all read again after each change. */
async function measureTwenty(
  size: Size,
  { callable, input }: (typeof boards)[number],
  world: World,
  scale: Scale,
): Promise<Measure> {
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
