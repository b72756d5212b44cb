import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Callable } from '@tour-ops/contract/callable'
import { Client } from 'pg'
import { freePort, type Person, type Program, signIn, startProgram } from '../apps/server/testing/programs.ts'
import { type BoardByHand, runByHand, type Told } from './boards-by-hand.ts'
import { firstEvaluation } from './first-evaluation.ts'
import { databaseProcessor, processorMs } from './machine.ts'
import { atMost, median, type Measure } from './measurement.ts'

// What one answer of a screen that stays open costs, and what hand-written statements for the same answer cost.

export interface Board {
  readonly callable: Callable
  readonly input: unknown
  readonly byHand?: BoardByHand
  /** What an answer says of each departure, and the part of the peer's answer that has the same. */
  readonly told?: (answer: unknown) => readonly Told[]
  readonly part?: string
  /** The answer has every departure that the peer reads, and no page of them. */
  readonly isWhole?: boolean
}

/** How much of a board is measured, and under which name. */
export interface Pace {
  readonly label: string
  /** Most processor time of the database for one answer, milliseconds. */
  readonly goalMs?: number
  readonly warmUp: number
  readonly rounds: number
  readonly answers: number
}

export interface World {
  readonly program: Program
  readonly person: Person
  readonly database: Client
  readonly DATA_DIR: string
  /** Processor time of the database so far, milliseconds. */
  readonly databaseMs: () => number
}

/** Measures a server of its own on a data folder, as somebody who is signed in there. */
export async function inFolder<Result>(
  env: Record<string, string> & { DATA_DIR: string },
  account: { email: string; password: string },
  measure: (world: World) => Promise<Result>,
): Promise<Result> {
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
    const person = await signIn(program.base, account)
    return await measure({ program, person, database, databaseMs: databaseProcessor(env.DATA_DIR, database), ...env })
  } finally {
    await database.end()
    program.child.kill('SIGTERM')
    await program.ended
  }
}

/** Leaves something in the change log: what was answered before no longer counts. */
export interface Change {
  readonly name: string
  readonly leave: (world: World) => Promise<unknown>
}

/** What a check-in of a guest on a running departure leaves. */
export const checkIn: Change = {
  name: 'a change',
  leave: ({ database }) =>
    database.query(`insert into changes (org_id, topic, entity_id, op) select m.org_id, 'manifest_entries', m.id, 'update'
    from (select org_id, id from departures where status = 'in_progress' limit 1) d
    join lateral (select org_id, id from manifest_entries where org_id = d.org_id and departure_id = d.id limit 1) m on true`),
}

/** What a new label leaves of a vehicle that is out: a row that several departures may show. */
export const vehicleChange: Change = {
  name: 'a change of a vehicle',
  leave: ({ database }) =>
    database.query(`insert into changes (org_id, topic, entity_id, op) select e.org_id, 'vehicles', e.vehicle_id, 'update'
    from departures d join vehicle_assignments a on a.org_id = d.org_id and a.departure_id = d.id
    join vehicle_calendar_entries e on e.org_id = a.org_id and e.id = a.calendar_entry_id
    where d.status = 'in_progress' limit 1`),
}

/** One person's answer right after a change, made from the tables. */
export async function measureAfter(
  change: Change,
  { label, goalMs, warmUp, rounds: count, answers }: Pace,
  { callable, input }: Board,
  world: World,
): Promise<Measure[]> {
  const server = world.program.child.pid ?? 0
  const ask = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      await change.leave(world)
      await world.person.call(callable, input)
    }
  }
  // plans are made, the server's code is compiled
  await ask(warmUp)
  const rounds: { database: number; server: number; elapsed: number }[] = []
  for (let round = 0; round < count; round += 1) {
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
  const name = `${label}: ${callable.name} after ${change.name}`
  return [
    {
      name: `${name}, database`,
      value: database,
      unit: 'ms of processor',
      ...(goalMs === undefined ? {} : { goal: atMost(database, goalMs, 'ms') }),
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
export async function measureByHand(
  { label, rounds: count, answers }: Pace,
  { callable, input, told, part, isWhole = false }: Board,
  byHand: BoardByHand,
  { database, person, ...world }: World,
  ours: number,
): Promise<Measure> {
  const { rows } = await database.query<{ orgId: string }>(
    `select org_id as "orgId" from departures group by org_id order by count(*) desc limit 1`,
  )
  const orgId = rows[0]?.orgId ?? ''
  // a connection of its own, since the bench's does not count
  const expert = connect(world)
  await expert.connect()
  try {
    const answer: unknown = await person.call(callable, input)
    const tells = (await runByHand(expert, orgId, byHand)).filter((row) => part === undefined || row.part === part)
    const departures = told?.(answer) ?? []
    compare(callable.name, departures, tells)
    if (isWhole && departures.length !== tells.length)
      throw new Error(
        `${callable.name}: we answer ${departures.length} departures, the hand-written statement ${tells.length}`,
      )
    // as a backend keeps its plans: five of its own for a statement, then one for all
    for (let n = 0; n < 10; n += 1) await runByHand(expert, orgId, byHand)
    const rounds: number[] = []
    for (let round = 0; round < count; round += 1) {
      const before = world.databaseMs()
      for (let n = 0; n < answers; n += 1) await runByHand(expert, orgId, byHand)
      rounds.push((world.databaseMs() - before) / answers)
    }
    const value = median(rounds)
    return {
      name: `${label}: ${callable.name} after a change, database, against hand-written statements`,
      value: ours,
      unit: 'ms of processor',
      against: { name: 'hand-written statements', value },
      ratio: value / ours,
      samples: rounds.length * answers,
    }
  } finally {
    await expert.end()
  }
}

/** As the owner of the database in a data folder. */
export const connect = ({ DATA_DIR }: { readonly DATA_DIR: string }): Client =>
  new Client({ host: path.join(DATA_DIR, 'postgres'), user: 'app_owner', database: 'tour_operations' })

/** Ends the run where both do not say the same of a departure: then one is no measure of the other. */
function compare(name: string, told: readonly Told[], tells: readonly Told[]): void {
  const known = new Map(tells.map((row) => [row.code, row]))
  for (const row of told) {
    const other = known.get(row.code)
    const same = Object.fromEntries(Object.keys(row).map((key) => [key, other?.[key] ?? null]))
    if (JSON.stringify(row) !== JSON.stringify(same))
      throw new Error(`${name}: we answer ${JSON.stringify(row)}, the hand-written statement ${JSON.stringify(same)}`)
  }
}
