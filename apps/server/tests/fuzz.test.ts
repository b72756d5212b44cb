import { callables } from '@tour-ops/contract/callables'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fuzz, type FuzzPlan } from '../testing/fuzz.ts'
import { testDatabase, type TestWorld } from '../testing/world.ts'

// `npm run fuzz -- --seed N --count N --only callable` sends other requests, or more of them.

/** Enough that three quarters of all callables do their work with one of them. */
const requestsPerCallable = 16
const ordered = process.env['FUZZ_COUNT']
const plan: FuzzPlan = {
  seed: Number(process.env['FUZZ_SEED'] ?? 20_261_123),
  count: Number(ordered ?? callables.length * requestsPerCallable),
  only: process.env['FUZZ_ONLY'],
  // a long run says how far it is
  onProgress: ordered === undefined ? undefined : (sent) => void process.stdout.write(`${sent} of ${ordered}\n`),
}
/** More than any request may take: a run that hangs ends. */
const msPerRequest = 500

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

test(
  `${plan.count} requests from seed ${plan.seed}: no input of any shape breaks a callable`,
  async () => {
    const { failures, statuses, done, isForeignUntouched } = await fuzz(world, plan)
    expect(failures.slice(0, 20), `${failures.length} of ${plan.count} failed: ${JSON.stringify(statuses)}`).toEqual([])
    expect(isForeignUntouched).toBe(true)
    // requests that are all refused at once would find nothing
    if (plan.only === undefined && plan.count >= 2_000) expect(done.size).toBeGreaterThan(callables.length * 0.75)
  },
  60_000 + plan.count * msPerRequest,
)
