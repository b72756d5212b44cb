import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { bossJobs, deadLetterQueue } from './boss-jobs.ts'
import type { Jobs, RegisterOptions } from './jobs.ts'

const log = pino({ level: 'silent' })
let world: TestWorld
let running: Jobs[] = []
beforeAll(async () => {
  world = await testDatabase()
})
afterEach(async () => {
  for (const jobs of running) await jobs.stop()
  running = []
})
afterAll(() => world?.close())

let count = 0
/** A separate job for each test, done by `handler`. */
async function started(handler: (data: object) => Promise<void>, options: RegisterOptions = {}) {
  const name = `test-${(count += 1)}`
  const jobs = bossJobs({ db: world.database, log, timings: { pollSeconds: 0.5 } })
  jobs.register(name, handler, options)
  running.push(jobs)
  await jobs.start()
  return { jobs, name }
}

test('a job runs after its transaction has committed, and never when that rolls back', async () => {
  const ada = await world.as('dispatcher')
  const seen: object[] = []
  const { jobs, name } = await started(async (data) => {
    seen.push(data)
  })
  await expect(
    ada.transaction(async (tx) => {
      await jobs.enqueue(tx, name, { wanted: false })
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  await ada.transaction((tx) => jobs.enqueue(tx, name, { wanted: true }))
  await expect.poll(() => seen).toEqual([{ wanted: true }])
})

test('a program that only asks for jobs leaves the work to one that works', async () => {
  const ada = await world.as('dispatcher')
  const seen: object[] = []
  const { name } = await started(async (data) => {
    seen.push(data)
  })
  const asking = bossJobs({ db: world.database, log, works: false })
  asking.register(name, async () => {
    throw new Error('this program works nothing off')
  })
  running.push(asking)
  await asking.start()
  await ada.transaction((tx) => asking.enqueue(tx, name, { asked: true }))
  await expect.poll(() => seen).toEqual([{ asked: true }])
})

test('what failed is tried again, and goes to the dead-letter queue in the end', async () => {
  const ada = await world.as('dispatcher')
  let attempts = 0
  const { jobs, name } = await started(
    async () => {
      attempts += 1
      throw new Error('the mail server is down')
    },
    { retryLimit: 1 },
  )
  await ada.transaction((tx) => jobs.enqueue(tx, name, { letter: 7 }))
  const dead = async () => {
    const { rows } = await world.database.ownerPool.query<{ data: object }>(
      `select data from jobs.job where name = $1 and data @> '{"letter": 7}'`,
      [deadLetterQueue],
    )
    return rows.map(({ data }) => data)
  }
  await expect.poll(dead, { timeout: 15_000, interval: 200 }).toEqual([{ letter: 7 }])
  expect(attempts).toBe(2)
})

test('a job that is to start later does, and one key waits once', async () => {
  const ada = await world.as('dispatcher')
  const ranAt: number[] = []
  const { jobs, name } = await started(async () => {
    ranAt.push(Date.now())
  })
  const startAfter = new Date(Date.now() + 1_500)
  await ada.transaction(async (tx) => {
    await jobs.enqueue(tx, name, {}, { startAfter, singletonKey: 'recount' })
    await jobs.enqueue(tx, name, {}, { startAfter, singletonKey: 'recount' })
  })
  await expect.poll(() => ranAt.length).toBe(1)
  expect(ranAt[0]).toBeGreaterThanOrEqual(startAfter.getTime() - 50)
  await ada.transaction((tx) => jobs.enqueue(tx, name, {}, { singletonKey: 'recount' }))
  await expect.poll(() => ranAt.length).toBe(2)
})

test('the application may put jobs on a queue, but not look at those of others', async () => {
  const ada = await world.as('dispatcher')
  await started(async () => undefined)
  const { sql } = await import('kysely')
  const look = ada.transaction((tx) => sql`select data from jobs.job`.execute(tx))
  await expect(look).rejects.toMatchObject({
    message: expect.stringMatching(/permission denied|not allowed/i) as string,
  })
})

test('schedules follow what is registered', async () => {
  const schedules = async () => {
    const { rows } = await world.database.ownerPool.query<{ name: string; timezone: string }>(
      'select name, timezone from jobs.schedule order by name',
    )
    return rows
  }
  const { name } = await started(async () => undefined, { cron: '5 4 * * *', tz: 'Atlantic/Reykjavik' })
  expect(await schedules()).toEqual([{ name, timezone: 'Atlantic/Reykjavik' }])
  await started(async () => undefined)
  expect(await schedules()).toEqual([])
})

test('stopping waits for the job that is under way', async () => {
  const ada = await world.as('dispatcher')
  const steps: string[] = []
  const { jobs, name } = await started(async () => {
    steps.push('begun')
    await new Promise((resolve) => setTimeout(resolve, 500))
    steps.push('done')
  })
  await ada.transaction((tx) => jobs.enqueue(tx, name, {}))
  await expect.poll(() => steps).toContain('begun')
  await jobs.stop()
  expect(steps).toEqual(['begun', 'done'])
})
