import path from 'node:path'
import { maxFixesOfRequest } from '@tour-ops/contract/tracking/duty-fixes'
import { Client } from 'pg'
import { freePort, startProgram } from '../apps/server/testing/programs.ts'
import { databaseProcessorMs, processorMs } from './machine.ts'
import { atLeast, atMost, percentile, type Bench, type Measure, type Scale } from './measurement.ts'
import { agentOfPhones, devices, fillDevices, sendAtRate, tokenOf } from './phones.ts'
import { prepareOrganization, type Prepared } from './prepared.ts'

/** Goal of single fixes, as phones send them. */
const fixesPerSecond = 2_000
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
    const prepared = await prepareOrganization('positions', fillDevices)
    const program = await startProgram({
      DATA_DIR: prepared.dataDir,
      PORT: String(await freePort()),
      RATE_LIMIT_IP: '0',
    })
    const database = new Client({
      host: path.join(prepared.dataDir, 'postgres'),
      user: 'app_owner',
      database: 'tour_operations',
    })
    const used = () => ({
      server: processorMs(program.child.pid ?? 0),
      database: databaseProcessorMs(prepared.dataDir, database),
    })
    try {
      await database.connect()
      const single = await measureSingle(program.base, used, scale)
      return [...single, ...(await measureBatches(prepared, program.base, scale))]
    } finally {
      await database.end()
      program.child.kill('SIGTERM')
      await program.ended
      prepared.remove()
    }
  },
}

type Used = () => { readonly server: number; readonly database: number }

/** One request a fix, at the goal's rate whatever the answers do. */
async function measureSingle(base: string, used: Used, scale: Scale): Promise<Measure[]> {
  const seconds = scale === 'full' ? 20 : 5
  const agent = agentOfPhones()
  const before = used()
  const startedAt = performance.now()
  // a fix a millisecond and device: none is sent twice
  const timestampOf = (n: number): number => Date.now() - 60_000 + Math.floor(n / devices)
  const took = await sendAtRate({ base, agent }, { fixesPerSecond, seconds }, timestampOf)
  const elapsed = (performance.now() - startedAt) / 1000
  const after = used()
  agent.destroy()
  const p95 = percentile(took, 0.95)
  const rate = took.length / elapsed
  const samples = took.length
  return [
    {
      name: `single fixes of ${devices} phones, all answered`,
      value: rate,
      unit: 'fixes/s',
      samples,
      goal: { text: `≥ ${fixesPerSecond * 0.95}`, met: rate >= fixesPerSecond * 0.95 },
    },
    { name: 'their answer, p50', value: percentile(took, 0.5), unit: 'ms', samples },
    { name: 'their answer, p95', value: p95, unit: 'ms', samples, goal: atMost(p95, answerGoalMs, 'ms') },
    { name: 'processor of the server', value: (after.server - before.server) / elapsed, unit: 'ms/s', samples },
    { name: 'processor of the database', value: (after.database - before.database) / elapsed, unit: 'ms/s', samples },
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
