import http from 'node:http'
import { maxFixesOfRequest } from '@tour-ops/contract/tracking/duty-fixes'
import { accountOf } from '../apps/server/testing/accounts.ts'
import { freePort, signIn, startProgram, type Program } from '../apps/server/testing/programs.ts'
import { openBoard } from './board-screen.ts'
import { firstEvaluation } from './first-evaluation.ts'
import { fillLargeOrganization } from './large-organization.ts'
import { listenMany } from './listeners.ts'
import { databaseProcessor, processorMs } from './machine.ts'
import { openMap } from './map-screen.ts'
import { atLeast, atMost, percentile, type Bench, type Measure, type Scale } from './measurement.ts'
import { agentOfPhones, devices, fillDevices, sendAtRate, tokenOf } from './phones.ts'
import { prepareOrganization, type Prepared } from './prepared.ts'

/** Goals of single fixes, as phones send them, a second. */
const postgresRate = 2_000
const pgliteRate = 200
/** Who looks meanwhile. */
const people = 10
/** Goal of an answer: a phone waits for it before it sends the next one. */
const answerGoalMs = 500
/** Goal relative to the bare statement. */
const goalRatio = 0.6
/** Rows of one bare statement: as many as the product writes at once. */
const rowsOfStatement = 1_000

/** Positions from the wire to the disk: fixes one by one, and batches compared with the statement that stores as many without anything around it. */
export const positionsBench: Bench = {
  name: 'positions',
  title: 'Positions',
  async run(scale) {
    return [...(await measurePostgres(scale)), ...(await measurePglite(scale))]
  },
}

async function measurePostgres(scale: Scale): Promise<Measure[]> {
  const prepared = await prepareOrganization('positions', async (pool, orgId) => {
    await fillLargeOrganization(pool, orgId)
    await fillDevices(pool, orgId)
  })
  const program = await startOn(prepared)
  const owner = prepared.owner()
  try {
    // what a new server does once is no part of a fix
    await firstEvaluation(owner)
    const databaseMs = databaseProcessor(prepared.dataDir)
    const used = () => ({ server: processorMs(program.child.pid ?? 0), database: databaseMs() })
    const single = await whileLookedAt(prepared, program.base, () =>
      measureSingle(program.base, used, { fixesPerSecond: postgresRate, seconds: scale === 'full' ? 20 : 5 }),
    )
    return [...single, ...(await measureBatches(prepared, program.base, scale))]
  } finally {
    await owner.end()
    await endOf(prepared, program)
  }
}

/** The database inside of the process, where no other can run. */
async function measurePglite(scale: Scale): Promise<Measure[]> {
  const prepared = await prepareOrganization('positions-pglite', fillDevices, 'pglite')
  const program = await startOn(prepared, { EMBEDDED_ENGINE: 'pglite' })
  const used = () => ({ server: processorMs(program.child.pid ?? 0), database: 0 })
  try {
    const rate = { fixesPerSecond: pgliteRate, seconds: scale === 'full' ? 20 : 5 }
    const measures = await whileLookedAt(prepared, program.base, () => measureSingle(program.base, used, rate))
    return measures
      .filter(({ name }) => name !== databaseShare)
      .map((each) => ({ ...each, name: `PGlite: ${each.name}` }))
  } finally {
    await endOf(prepared, program)
  }
}

const startOn = async ({ dataDir }: Prepared, env: Readonly<Record<string, string>> = {}): Promise<Program> =>
  startProgram({
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    RATE_LIMIT_IP: '0',
    // all who look are one person
    RATE_LIMIT_USER: '0',
    ...env,
  })

async function endOf(prepared: Prepared, { child, ended }: Program): Promise<void> {
  child.kill('SIGTERM')
  await ended
  prepared.remove()
}

/** Ten people have the overview and the map open meanwhile. */
async function whileLookedAt<T>({ orgId }: Prepared, base: string, work: () => Promise<T>): Promise<T> {
  const { bearer } = await signIn(base, accountOf('dispatcher'))
  const reader = { base, orgId, bearer }
  const agent = new http.Agent({ keepAlive: true })
  const boards = await listenMany(people, () => openBoard(reader, agent))
  const maps = await listenMany(people, () => openMap(reader))
  try {
    return await work()
  } finally {
    for (const map of maps) map.close()
    await Promise.all(boards.map((board) => board.close()))
    agent.destroy()
  }
}

type Used = () => { readonly server: number; readonly database: number }

const databaseShare = 'processor of the database'

/** One request a fix, at a rate whatever the answers do. */
async function measureSingle(
  base: string,
  used: Used,
  rate: { readonly fixesPerSecond: number; readonly seconds: number },
): Promise<Measure[]> {
  const agent = agentOfPhones()
  const before = used()
  const startedAt = performance.now()
  // a fix a millisecond and device: none is sent twice
  const timestampOf = (n: number): number => Date.now() - 60_000 + Math.floor(n / devices)
  const took = await sendAtRate({ base, agent }, rate, timestampOf)
  const elapsed = (performance.now() - startedAt) / 1000
  const after = used()
  agent.destroy()
  const p95 = percentile(took, 0.95)
  const reached = took.length / elapsed
  const wanted = rate.fixesPerSecond * 0.95
  const samples = took.length
  return [
    {
      name: `single fixes of ${devices} phones, all answered, ${people} boards and maps open`,
      value: reached,
      unit: 'fixes/s',
      samples,
      goal: { text: `≥ ${wanted.toLocaleString('en-US')}`, met: reached >= wanted },
    },
    { name: 'their answer, p50', value: percentile(took, 0.5), unit: 'ms', samples },
    { name: 'their answer, p95', value: p95, unit: 'ms', samples, goal: atMost(p95, answerGoalMs, 'ms') },
    { name: 'processor of the server', value: (after.server - before.server) / elapsed, unit: 'ms/s', samples },
    { name: databaseShare, value: (after.database - before.database) / elapsed, unit: 'ms/s', samples },
  ]
}

async function measureBatches(prepared: Prepared, base: string, scale: Scale): Promise<Measure[]> {
  const seconds = scale === 'full' ? 10 : 2
  const rounds = scale === 'full' ? 3 : 1
  const ratios: number[] = []
  const rates: { ours: number; bare: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const bare = await bareRate(prepared, seconds, round)
    const ours = await batchRate(base, seconds, round)
    rates.push({ ours, bare })
    ratios.push(ours / bare)
  }
  const ratio = percentile(ratios, 0.5)
  return [
    {
      name: `batches of ${maxFixesOfRequest} over HTTP`,
      value: percentile(
        rates.map(({ ours }) => ours),
        0.5,
      ),
      unit: 'fixes/s',
      against: {
        name: `INSERT of ${rowsOfStatement} rows into the same table`,
        value: percentile(
          rates.map(({ bare }) => bare),
          0.5,
        ),
      },
      ratio,
      goal: atLeast(ratio, goalRatio),
      samples: rounds,
    },
  ]
}

const senders = 4

/** Batches one after the other from each sender, as a phone that was long without a network. */
async function batchRate(base: string, seconds: number, round: number): Promise<number> {
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  const sent = await Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      let fixes = 0
      for (let batch = 0; performance.now() < endsAt; batch += 1) {
        // each batch has a phone and a time of its own
        const device = (batch * senders + sender) % devices
        const from =
          Date.now() - 3_600_000 + round * 600_000 + Math.floor(batch / (devices / senders)) * maxFixesOfRequest
        const body = JSON.stringify({
          sentAt: new Date().toISOString(),
          fixes: Array.from({ length: maxFixesOfRequest }, (_each, index) => ({
            recordedAt: new Date(from + index).toISOString(),
            lat: 64.1,
            lng: -21,
            accuracyM: 5,
            speedMps: 5,
            headingDeg: 90,
            batteryPct: 80,
          })),
        })
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(`${base}/track/${tokenOf(device)}`, { method: 'POST', body, headers })
        if (!answer.ok) throw new Error(`A batch was answered with ${answer.status}.`)
        await answer.arrayBuffer()
        fixes += maxFixesOfRequest
      }
      return fixes
    }),
  )
  return (sent.reduce((sum, fixes) => sum + fixes, 0) / (performance.now() - startedAt)) * 1000
}

/** The same rows from one connection, with what the table itself asks for and nothing else. */
async function bareRate(prepared: Prepared, seconds: number, round: number): Promise<number> {
  const pool = prepared.owner()
  const client = await pool.connect()
  try {
    await client.query(`select set_config('app.org_id', $1, false)`, [prepared.orgId])
    const { rows } = await client.query<{ device: string; session: string }>(
      `select d.id as device, u.id as session from devices d join duty_sessions u on u.org_id = d.org_id and u.staff_id = d.staff_id where d.org_id = $1`,
      [prepared.orgId],
    )
    const startedAt = performance.now()
    let inserted = 0
    for (let batch = 0; performance.now() - startedAt < seconds * 1000; batch += 1) {
      const fixes = Array.from({ length: rowsOfStatement }, (_, index) => rows[index % rows.length])
      const from = Date.now() - 5_400_000 + round * 600_000 + batch * 10
      await client.query({
        name: 'bare-positions',
        text: `insert into positions (org_id, device_id, duty_session_id, recorded_at, lat, lng, accuracy_m, speed_mps, heading_deg, battery_pct)
          select $1, f.*, 64.1, -21, 5, 5, 90, 80 from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) f on conflict do nothing`,
        values: [
          prepared.orgId,
          fixes.map((fix) => fix?.device),
          fixes.map((fix) => fix?.session),
          fixes.map((_fix, index) => new Date(from + Math.floor(index / rows.length)).toISOString()),
        ],
      })
      inserted += rowsOfStatement
    }
    return (inserted / (performance.now() - startedAt)) * 1000
  } finally {
    client.release()
    await pool.end()
  }
}
