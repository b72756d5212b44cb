import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { livePath } from '@tour-ops/contract/live/live-paths'
import type pg from 'pg'
import { newId } from '../apps/server/src/platform/ids.ts'
import { accountOf } from '../apps/server/testing/accounts.ts'
import { freePort, signIn, startProgram } from '../apps/server/testing/programs.ts'
import { bareStreamChannel, bareStreamProgram } from './bare-stream-server.ts'
import { listen, listenMany, type Listener } from './listeners.ts'
import { peakMemoryMb } from './machine.ts'
import { percentile, type Bench, type Measure, type Scale } from './measurement.ts'
import { prepareOrganization, type Prepared } from './prepared.ts'

/** Longest wait for a change to reach everybody. */
const patienceMs = 10_000

/**
 * From COMMIT to the last of 500 listeners, for the change log with its rights, positions and resumption, compared with a stream that
 * sends the payload of NOTIFY to everybody.
 */
export const liveBench: Bench = {
  name: 'live',
  title: 'Commit to screen for 500 listeners',
  async run(scale) {
    const prepared = await prepareOrganization('live')
    try {
      return await compare(prepared, scale)
    } finally {
      prepared.remove()
    }
  },
}

/** Makes one change; resolves with the moment just before its COMMIT was sent. */
type Change = (id: string) => Promise<number>

async function compare(prepared: Prepared, scale: Scale): Promise<Measure[]> {
  const listeners = scale === 'full' ? 500 : 20
  const changes = scale === 'full' ? 60 : 5
  const program = await startProgram({
    DATA_DIR: prepared.dataDir,
    PORT: String(await freePort()),
    // all listeners are one person
    RATE_LIMIT_USER: '0',
  })
  const owner = prepared.owner()
  const client = await owner.connect()
  const bare = await startBare(prepared)
  try {
    const { bearer } = await signIn(program.base, accountOf('dispatcher'))
    const body = JSON.stringify({ targets: [livePath.changes(prepared.orgId, 'suppliers')] })
    const onOurs = await listenMany(listeners, () =>
      listen(`${program.base}/api/live/listen`, { authorization: `Bearer ${bearer}` }, body),
    )
    const onBare = await listenMany(listeners, () => listen(bare.url, {}, '{}'))
    const ours: number[] = []
    const floor: number[] = []
    const { orgId } = prepared
    for (let n = 0; n < changes; n += 1) {
      ours.push(...(await delays(onOurs, (id) => insertSupplier(client, orgId, id))))
      floor.push(...(await delays(onBare, (id) => insertAndNotify(client, orgId, id))))
    }
    const memory = program.child.pid === undefined ? null : peakMemoryMb(program.child.pid)
    for (const listener of [...onOurs, ...onBare]) listener.close()
    return measuresOf(ours, floor, memory)
  } finally {
    client.release()
    await owner.end()
    bare.stop()
    program.child.kill('SIGTERM')
    await program.ended
  }
}

function measuresOf(ours: readonly number[], floor: readonly number[], memory: number | null): Measure[] {
  const delay = (name: string, share: number): Measure => {
    const [value, least] = [percentile(ours, share), percentile(floor, share)]
    const against = { name: 'bare stream', value: least }
    return { name, value, unit: 'ms', against, ratio: least / value, samples: ours.length }
  }
  const held: Measure[] =
    memory === null ? [] : [{ name: 'memory of the server process, peak', value: memory, unit: 'MB', samples: 1 }]
  return [delay('p50', 0.5), delay('p99', 0.99), ...held]
}

async function startBare(prepared: Prepared): Promise<{ url: string; stop: () => void }> {
  const pool = prepared.application(1)
  const { host, user, database } = pool.options
  const child = fork(bareStreamProgram, { env: { BARE_STREAM: JSON.stringify({ host, user, database }) } })
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill('SIGKILL') }
}

/** Milliseconds from the commit of one change to each listener. */
async function delays(listeners: readonly Listener[], change: Change): Promise<number[]> {
  const id = newId()
  const committedAt = await change(id)
  const deadline = performance.now() + patienceMs
  while (listeners.some((listener) => listener.heardAt(id) === undefined)) {
    if (performance.now() > deadline) throw new Error('A change did not reach every listener')
    await sleep(5)
  }
  // the next change is a new burst, not a part of this one: changes of a topic are gathered for 2 ms a listener
  await sleep(Math.max(120, listeners.length * 2 + 50))
  return listeners.map((listener) => (listener.heardAt(id) ?? Number.NaN) - committedAt)
}

async function insertSupplier(client: pg.PoolClient, orgId: string, id: string): Promise<number> {
  await client.query('begin')
  await client.query(`insert into suppliers (org_id, id, name, kind) values ($1, $2, 'Hotel', 'other')`, [orgId, id])
  const committedAt = performance.now()
  await client.query('commit')
  return committedAt
}

/** The same row, and the payload that the peer passes on: about as long as ours. */
async function insertAndNotify(client: pg.PoolClient, orgId: string, id: string): Promise<number> {
  const payload = { path: livePath.changes(orgId, 'suppliers'), data: { version: '1', ids: [id], isComplete: true } }
  await client.query('begin')
  await client.query(`insert into suppliers (org_id, id, name, kind) values ($1, $2, 'Hotel', 'other')`, [
    orgId,
    newId(),
  ])
  await client.query('select pg_notify($1, $2)', [bareStreamChannel, JSON.stringify(payload)])
  const committedAt = performance.now()
  await client.query('commit')
  return committedAt
}
