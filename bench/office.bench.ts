import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listDepartures, noteDeparture } from '@tour-ops/contract/departures/departures'
import { Client } from 'pg'
import { freePort, newDataFolder, signIn, startProgram, type Person } from '../apps/server/testing/programs.ts'
import { openBoard, type BoardScreen } from './board-screen.ts'
import { listenMany } from './listeners.ts'
import { databaseProcessor, processorMs } from './machine.ts'
import { percentile, type Bench, type Measure } from './measurement.ts'

/** Most processor time of many people on a board, as a multiple of one person's. */
const goalTimes = 3
const changesASecond = 5

/** What it costs when a whole office has the same board open on a busy day, compared with one person. */
export const officeBench: Bench = {
  name: 'office',
  title: 'One board, many people, five changes a second',
  async run(scale) {
    const dataDir = newDataFolder('bench-office')
    const program = await startProgram({
      DATA_DIR: dataDir,
      DEMO: 'on',
      PORT: String(await freePort()),
      // all of them are one person
      RATE_LIMIT_USER: '0',
      RATE_LIMIT_IP: '0',
    })
    const database = new Client({
      host: path.join(dataDir, 'postgres'),
      user: 'app_owner',
      database: 'tour_operations',
    })
    try {
      await database.connect()
      const databaseMs = databaseProcessor(dataDir, database)
      const password = 'demo-operations'
      const office: Office = {
        base: program.base,
        dispatcher: await signIn(program.base, { email: 'dispatcher@example.com', password }),
        orgId: await organizationOf(database),
        usedMs: () => ({
          server: processorMs(program.child.pid ?? 0),
          database: databaseMs(),
        }),
      }
      const people = scale === 'full' ? 500 : 20
      await measure(office, 1, 5)
      const one = await measure(office, 1, scale === 'full' ? 20 : 3)
      const many = await measure(office, people, scale === 'full' ? 20 : 3)
      return measuresOf(one, many, people)
    } finally {
      await database.end()
      program.child.kill('SIGTERM')
      await program.ended
      fs.rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

interface Used {
  readonly server: number
  readonly database: number
}

interface Office {
  readonly base: string
  readonly orgId: string
  readonly dispatcher: Person
  /** Processor time so far, milliseconds. */
  readonly usedMs: () => Used
}

/** Processor time in milliseconds for each second, with what was answered in it. */
interface Cost extends Used {
  readonly answers: number
  /** Milliseconds from hearing of a change to the answer that was asked after it. */
  readonly waits: readonly number[]
  readonly changes: number
}

async function measure(office: Office, people: number, seconds: number): Promise<Cost> {
  const screens = await openScreens(office, people)
  try {
    // what the streams brought at their opening has been read
    await sleep(1_000)
    for (const screen of screens) screen.forget()
    const [before, from] = [office.usedMs(), performance.now()]
    const changes = await change(office, seconds)
    const elapsed = (performance.now() - from) / 1_000
    const after = office.usedMs()
    return {
      server: (after.server - before.server) / elapsed,
      database: (after.database - before.database) / elapsed,
      answers: screens.reduce((sum, { waits }) => sum + waits.length, 0) / elapsed,
      waits: screens.flatMap(({ waits }) => waits),
      changes: changes / elapsed,
    }
  } finally {
    await Promise.all(screens.map((screen) => screen.close()))
  }
}

/** Somebody notes something on a departure of today, five times a second. */
async function change({ dispatcher }: Office, seconds: number): Promise<number> {
  const { rows } = await dispatcher.call(listDepartures, { filters: { status: ['in_progress'] }, size: 1 })
  const [departure] = rows
  if (!departure) throw new Error('No departure is on its way')
  let { version } = departure
  let made = 0
  const until = performance.now() + seconds * 1_000
  for (let due = performance.now(); due < until; due += 1_000 / changesASecond) {
    await sleep(Math.max(0, due - performance.now()))
    const note = { weatherNote: null, internalNote: `Note ${made}` }
    version = (await dispatcher.call(noteDeparture, { id: departure.id, version, ...note })).version
    made += 1
  }
  return made
}

function openScreens({ base, orgId, dispatcher }: Office, people: number): Promise<BoardScreen[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  return listenMany(people, () => openBoard({ base, orgId, bearer: dispatcher.bearer }, agent))
}

function measuresOf(one: Cost, many: Cost, people: number): Measure[] {
  const [least, all] = [one.server + one.database, many.server + many.database]
  const against = { name: 'one person', value: least }
  const unit = 'ms of processor a second'
  return [
    {
      name: `${people} people, server and database`,
      value: all,
      unit,
      against,
      ratio: least / all,
      goal: { text: `under ${goalTimes} times one person's`, met: all < goalTimes * least },
      samples: many.waits.length,
    },
    {
      name: `${people} people, server`,
      value: many.server,
      unit,
      against: { name: 'one person', value: one.server },
      samples: many.waits.length,
    },
    {
      name: `${people} people, database`,
      value: many.database,
      unit,
      against: { name: 'one person', value: one.database },
      samples: many.waits.length,
    },
    {
      name: `${people} people, answers`,
      value: many.answers,
      unit: '/s',
      against: { name: 'one person', value: one.answers },
      samples: many.waits.length,
    },
    {
      name: `${people} people, changes`,
      value: many.changes,
      unit: '/s',
      against: { name: 'one person', value: one.changes },
      samples: many.waits.length,
    },
    {
      name: `${people} people, change heard to answer, p95`,
      value: percentile(many.waits, 0.95),
      unit: 'ms',
      against: { name: 'one person', value: percentile(one.waits, 0.95) },
      samples: many.waits.length,
    },
  ]
}

async function organizationOf(database: Client): Promise<string> {
  const { rows } = await database.query<{ org_id: string }>(
    `select org_id from public.members where email = 'dispatcher@example.com'`,
  )
  const [row] = rows
  if (!row) throw new Error('The demo has no dispatcher')
  return row.org_id
}
