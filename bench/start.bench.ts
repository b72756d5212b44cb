import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { freePort, newDataFolder, startProgram } from '../apps/server/testing/programs.ts'
import { atMost, median, type Bench, type Measure } from './measurement.ts'

/** Seconds for the whole demo. */
const seedGoalSeconds = 30

/** A seeding on a busy machine. */
const longestStartMs = 600_000

/** From starting the process to its line "Ready on …", after which the first request is answered. */
export const startBench: Bench = {
  name: 'start',
  title: 'Start of the server',
  async run(scale) {
    const times = scale === 'full' ? 5 : 1
    const bare = await repeat(times, bareStart)
    const cold = await repeat(times, () => withFolder((dataDir) => start(dataDir, 'off')))
    const demo: { seeded: number; warm: number }[] = []
    for (let n = 0; n < (scale === 'full' ? 3 : 1); n += 1) demo.push(await withFolder(demoStarts))
    const node = { name: 'a Node process that does nothing', value: median(bare) }
    const seconds = (name: string, values: readonly number[], change: Partial<Measure> = {}): Measure => ({
      name,
      value: median(values),
      unit: 's',
      samples: values.length,
      ...change,
    })
    const coldStart = median(cold)
    const seedings = demo.map(({ seeded }) => seeded - coldStart)
    return [
      seconds('cold start: new database, all migrations, no demo', cold, { against: node }),
      seconds(
        'warm start: the demo is there',
        demo.map(({ warm }) => warm),
        { against: node },
      ),
      seconds('seeding the demo (first start with it, less the cold start)', seedings, {
        goal: atMost(median(seedings), seedGoalSeconds, 's'),
      }),
    ]
  },
}

async function repeat(times: number, run: () => Promise<number>): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < times; n += 1) taken.push(await run())
  return taken
}

async function withFolder<T>(run: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = newDataFolder('bench-start')
  try {
    return await run(dataDir)
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}

async function demoStarts(dataDir: string): Promise<{ seeded: number; warm: number }> {
  const seeded = await start(dataDir, 'on')
  return { seeded, warm: await start(dataDir, 'on') }
}

/** Seconds to "Ready on …"; the server is stopped again. */
async function start(dataDir: string, demo: 'on' | 'off'): Promise<number> {
  const port = String(await freePort())
  const startedAt = performance.now()
  // as people start it, without the cache of compiled code that tests use
  const env = { DATA_DIR: dataDir, PORT: port, DEMO: demo, NODE_DISABLE_COMPILE_CACHE: '1' }
  const program = await startProgram(env, longestStartMs)
  const seconds = (performance.now() - startedAt) / 1000
  program.child.kill('SIGTERM')
  await program.ended
  return seconds
}

async function bareStart(): Promise<number> {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['--eval', '0']), 'exit')
  return (performance.now() - startedAt) / 1000
}
