import { setTimeout as sleep } from 'node:timers/promises'
import type { In, Out } from '@tour-ops/contract/callable'
import { uploadChunkBytes } from '@tour-ops/contract/files'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { applyImport, createImport, getImport, previewImport, undoImport } from '@tour-ops/contract/imports/imports'
import type pg from 'pg'
import { accountOf } from '../apps/server/testing/accounts.ts'
import { freePort, signIn, startProgram, type Person, type Program } from '../apps/server/testing/programs.ts'
import { insertByHand } from './manifest-by-hand.ts'
import { manifestCsv } from './manifest-csv.ts'
import { peakMemoryMb, residentMemoryMb, resetPeakMemory } from './machine.ts'
import { atMost, percentile, type Bench, type Measure } from './measurement.ts'
import { prepareOrganization } from './prepared.ts'

/** Guests of one departure in the file; its capacity is a little more. */
const guestsPerDeparture = 100

/** A manifest file through upload, dry run, apply and undo over HTTP, while somebody else works; the floor are the same rows written by hand. */
export const importBench: Bench = {
  name: 'import',
  title: 'Import of a manifest with 50,000 rows',
  async run(scale) {
    const rows = scale === 'full' ? 50_000 : 1_000
    let floorSeconds = Number.NaN
    const prepared = await prepareOrganization('import', async (pool, orgId) => {
      const departures = rows / guestsPerDeparture
      floorSeconds = await insertByHand(pool, rows, (floorId) => addDepartures(pool, floorId, departures))
      await addDepartures(pool, orgId, departures)
    })
    const program = await startProgram({ DATA_DIR: prepared.dataDir, PORT: String(await freePort()) })
    try {
      return await measure(program, rows, rows / floorSeconds)
    } finally {
      program.child.kill('SIGTERM')
      await program.ended
      prepared.remove()
    }
  },
}

async function addDepartures(pool: pg.Pool, orgId: string, count: number): Promise<void> {
  await pool.query(
    `with tour as (insert into tours (org_id, id, code, name) values ($1, uuidv7(), 'GOLD', 'Golden Circle') returning id),
     revision as (
       insert into tour_revisions (org_id, id, tour_id, number, content)
       select $1, uuidv7(), id, 1, '{"units": [{"unitType": "adult", "priceMinor": 4900, "currency": "EUR"},
         {"unitType": "child", "priceMinor": 2500, "currency": "EUR"}]}' from tour returning id, tour_id)
     insert into departures (org_id, id, code, tour_id, revision_id, starts_at, ends_at, time_zone, local_date, local_start_time, capacity)
     select $1, uuidv7(), 'GOLD-' || n, tour_id, id, start, start + interval '8 hours', 'UTC', start::date, start::time, $3
     from revision, generate_series(1, $2::int) n, lateral (select date_trunc('day', now()) + make_interval(days => n, hours => 9) as start) s`,
    [orgId, count, Math.round(guestsPerDeparture * 1.2)],
  )
}

async function measure({ base, child }: Program, rows: number, floorPerSecond: number): Promise<Measure[]> {
  const person = await signIn(base, accountOf('admin'))
  const idleMb = (child.pid !== undefined && residentMemoryMb(child.pid)) || Number.NaN
  const file = manifestCsv(rows, guestsPerDeparture)
  const fileId = await upload(base, person, file)
  const draft = await person.call(createImport, { fileId })
  const preview = await job(person, child.pid, () =>
    person.call(previewImport, { id: draft.id, version: draft.version }),
  )
  expectCounts(preview.batch, { add: rows })
  const apply = await job(person, child.pid, () =>
    person.call(applyImport, { id: draft.id, version: preview.batch.version }),
  )
  // the file is forgotten once its lines are written
  const again = await person.call(createImport, { fileId: await upload(base, person, file) })
  const repeat = await job(person, child.pid, () =>
    person.call(previewImport, { id: again.id, version: again.version }),
  )
  expectCounts(repeat.batch, { unchanged: rows })
  const undo = await job(person, child.pid, () =>
    person.call(undoImport, { id: draft.id, version: apply.batch.version }),
  )
  if (undo.batch.status !== 'undone') throw new Error(`The undo left the import ${undo.batch.status}.`)

  const speed = (name: string, run: Job, least: number): Measure => ({
    name,
    value: rows / run.seconds,
    unit: 'rows/s',
    samples: 1,
    goal: { text: `≥ ${least.toLocaleString('en-US')} rows/s`, met: rows / run.seconds >= least },
  })
  const floor = { name: 'the same rows by INSERT … SELECT', value: floorPerSecond }
  const memory = Math.max(...[preview, apply, repeat, undo].map((run) => run.peakMb ?? Number.NaN)) - idleMb
  const answers = percentile([...preview.answersMs, ...apply.answersMs], 0.95)
  return [
    speed('dry run', preview, 4_000),
    { ...speed('apply', apply, 3_000), against: floor, ratio: rows / apply.seconds / floor.value },
    speed('dry run of the same file again', repeat, 4_000),
    speed('undo', undo, 3_000),
    {
      name: 'peak memory of the server process, above idle',
      value: memory,
      unit: 'MB',
      samples: 1,
      goal: atMost(memory, 300, 'MB'),
      note: `file of ${(file.length / 1e6).toFixed(1)} MB, ${Math.round(idleMb)} MB when idle`,
    },
    {
      name: 'answer to somebody else meanwhile, p95',
      value: answers,
      unit: 'ms',
      samples: preview.answersMs.length + apply.answersMs.length,
      goal: atMost(answers, 100, 'ms'),
    },
  ]
}

interface Job {
  readonly seconds: number
  readonly peakMb: number | null
  readonly batch: ImportBatch
  /** How long the questions "how far is it" took. */
  readonly answersMs: readonly number[]
}

/** Starts a job of a batch and waits for its end, as the wizard does. */
async function job(person: Person, pid: number | undefined, start: () => Promise<Out<typeof getImport>>): Promise<Job> {
  if (pid !== undefined) resetPeakMemory(pid)
  const answersMs: number[] = []
  const startedAt = performance.now()
  let batch = await start()
  while (batch.progress !== null) {
    await sleep(50)
    const askedAt = performance.now()
    batch = await person.call(getImport, { id: batch.id } satisfies In<typeof getImport>)
    answersMs.push(performance.now() - askedAt)
  }
  if (batch.error) throw new Error(`The import failed: ${batch.error.message}`)
  const seconds = (performance.now() - startedAt) / 1000
  return { seconds, batch, answersMs, peakMb: pid === undefined ? null : peakMemoryMb(pid) }
}

function expectCounts({ counts }: ImportBatch, wanted: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(wanted)) {
    if (counts?.[name as keyof typeof counts] !== count) throw new Error(`Wrong counts: ${JSON.stringify(counts)}`)
  }
}

async function upload(base: string, { bearer }: Person, content: Buffer<ArrayBuffer>): Promise<string> {
  const send = async (
    method: string,
    address: string,
    body: Buffer<ArrayBuffer> | string,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${base}/api/files/uploads${address}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}`, ...headers },
      body,
    })
    if (!response.ok) throw new Error(`The upload was refused: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { result: { id: string; uploadId: string } }).result
  }
  const announced = { data: { use: 'import', name: 'manifest.csv', size: content.length } }
  const { uploadId } = await send('POST', '', JSON.stringify(announced))
  for (let from = 0; from < content.length; from += uploadChunkBytes) {
    const piece = content.subarray(from, from + uploadChunkBytes)
    const range = `bytes ${from}-${from + piece.length - 1}/${content.length}`
    await send('PUT', `/${uploadId}`, piece, { 'content-range': range, 'content-type': 'application/octet-stream' })
  }
  return (await send('POST', `/${uploadId}/finish`, '')).id
}
