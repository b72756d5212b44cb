import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { freePort, startProgram, type Program } from '../apps/server/testing/programs.ts'
import { firstEvaluation } from './first-evaluation.ts'
import { fillLargeOrganization } from './large-organization.ts'
import { processorMs } from './machine.ts'
import { atMost, percentile, type Bench, type Measure, type Scale } from './measurement.ts'
import { prepareOrganization, type Prepared } from './prepared.ts'

/** Goal of the ninety-fifth percentile from cause to open alert, seconds. See docs/domain.md, "Sizes". */
const goalS = 5
const lookMs = 50

/**
 * From a cause to its open alert, for the operator of 60,000 departures a year: rows that change (a departure falls behind, a guest does not show up), and
 * moments that come without a change (ten minutes after a start). Meanwhile other departures are written to, twenty times a second.
 */
export const alertsBench: Bench = {
  name: 'alerts',
  title: 'Cause to open alert',
  async run(scale) {
    const prepared = await prepareOrganization('alerts', fillLargeOrganization)
    const program = await startProgram({ DATA_DIR: prepared.dataDir, PORT: String(await freePort()) })
    const owner = prepared.owner()
    try {
      return await measure(prepared, program, owner, scale)
    } finally {
      await owner.end()
      program.child.kill('SIGTERM')
      await program.ended
      prepared.remove()
    }
  },
}

async function measure({ orgId }: Prepared, { child }: Program, owner: pg.Pool, scale: Scale): Promise<Measure[]> {
  const server = child.pid ?? 0
  const first = await firstEvaluation(owner)
  const before = processorMs(server)
  await sleep(scale === 'full' ? 30_000 : 3_000)
  const quiet = (processorMs(server) - before) / (scale === 'full' ? 30 : 3)

  const causes = new Map<string, number>()
  const opened = new Map<string, number>()
  const rounds = scale === 'full' ? 120 : 10
  const targets = await departuresToDisturb(owner, orgId, rounds)
  const background = new AbortController()
  const load = writeMeanwhile(owner, orgId, background.signal)
  const looking = look(owner, orgId, opened, background.signal)
  try {
    for (const [index, { id }] of targets.entries()) {
      const { key, at } = await disturb(owner, orgId, { id, index })
      causes.set(key, at)
      await sleep(500)
    }
    await sleep(15_000)
  } finally {
    background.abort()
    await Promise.all([load, looking])
  }

  const silent = [...causes.keys()].filter((key) => !opened.has(key))
  if (silent.length > 0)
    throw new Error(`${silent.length} of ${causes.size} causes opened no alert, among them ${silent[0]}.`)
  const lags = [...causes].map(([key, at]) => ((opened.get(key) ?? at) - at) / 1000)
  const p95 = percentile(lags, 0.95)
  return [
    { name: 'cause to open alert, p50', value: percentile(lags, 0.5), unit: 's', samples: lags.length },
    { name: 'cause to open alert, p95', value: p95, unit: 's', goal: atMost(p95, goalS, 's'), samples: lags.length },
    {
      name: 'everything for the first time',
      value: first.seconds,
      unit: 's',
      samples: 1,
      note: `${first.subjects.toLocaleString('en-US')} subjects`,
    },
    { name: 'server with nothing to do, a second', value: quiet, unit: 'ms of processor', samples: 1 },
  ]
}

/** Half of them on their way and on time, half of them about to start. */
async function departuresToDisturb(owner: pg.Pool, orgId: string, count: number): Promise<{ id: string }[]> {
  const { rows } = await owner.query<{ id: string }>(
    `select id from departures where org_id = $1 and status = 'in_progress' and delay_seconds = 0 and ends_at > now() + interval '1 hour' order by id limit $2`,
    [orgId, count],
  )
  // of each somebody is not there yet, past the triggers: nobody goes from the tour back to the meeting point
  await owner.query(
    `begin; set local session_replication_role = replica;
     update manifest_entries set status = 'expected' where id in (
       select distinct on (departure_id) id from manifest_entries
       where org_id = '${orgId}' and departure_id = any ('{${rows.map(({ id }) => id).join()}}'::uuid[]) order by departure_id, id);
     commit`,
  )
  return rows
}

/** @returns the alert that follows, and when its cause was there. */
async function disturb(
  owner: pg.Pool,
  orgId: string,
  { id, index }: { id: string; index: number },
): Promise<{ key: string; at: number }> {
  const write = (statement: string): Promise<unknown> =>
    owner.query(`begin; set local app.org_id = '${orgId}'; ${statement}; commit`)
  if (index % 3 === 0) {
    await write(`update departures set delay_seconds = 1500 where id = '${id}'`)
    return { key: `running_late:${id}`, at: Date.now() }
  }
  if (index % 3 === 1) {
    await write(
      `update manifest_entries set status = 'no_show' where id = (select id from manifest_entries where departure_id = '${id}' and status = 'expected' limit 1)`,
    )
    return { key: `no_show:${id}`, at: Date.now() }
  }
  // one that waits becomes late by the clock, three seconds from now
  const at = Date.now() + 3_000
  const { rows } = await owner.query<{ id: string }>(
    `select id from departures where org_id = $1 and status = 'scheduled' and starts_at > now() + interval '2 days' order by starts_at offset $2 limit 1`,
    [orgId, index],
  )
  const waiting = rows[0]?.id ?? ''
  const start = new Date(at - 600_000).toISOString()
  await write(
    `update departures set starts_at = '${start}', local_date = ('${start}'::timestamptz at time zone 'UTC')::date, local_start_time = ('${start}'::timestamptz at time zone 'UTC')::time where id = '${waiting}'`,
  )
  return { key: `late_start:${waiting}`, at }
}

async function look(owner: pg.Pool, orgId: string, opened: Map<string, number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { rows } = await owner.query<{ key: string }>(
      `select dedupe_key as key from alerts where org_id = $1 and status = 'open' and opened_at > now() - interval '1 minute'`,
      [orgId],
    )
    for (const { key } of rows) if (!opened.has(key)) opened.set(key, Date.now())
    await sleep(lookMs)
  }
}

/** Marks of stops, which make departures due that have nothing to tell. */
async function writeMeanwhile(owner: pg.Pool, orgId: string, signal: AbortSignal): Promise<void> {
  const { rows } = await owner.query<{ id: string }>(
    `select s.id from departure_stops s join departures d on d.org_id = s.org_id and d.id = s.departure_id
     where s.org_id = $1 and d.status = 'in_progress' and s.status = 'planned' limit 2000`,
    [orgId],
  )
  for (let n = 0; !signal.aborted; n += 1) {
    const id = rows[n % rows.length]?.id ?? ''
    await owner.query(
      `begin; set local app.org_id = '${orgId}'; update departure_stops set slack_min = ${n % 7} where id = '${id}'; commit`,
    )
    await sleep(50)
  }
}
