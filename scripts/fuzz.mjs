// `npm run fuzz -- --seed N --count N --only callable`: the fuzz test with other requests, or more of them.
import { parseArgs } from 'node:util'
import { runTool } from './run-tool.mjs'

/** Each round has its own database: one that has grown under 100,000 requests answers ever more slowly. */
const requestsPerRound = 10_000

/** Sends the requests in rounds and shows what failed; a failure says the seed and the number of its request. True when nothing did. */
export function fuzz(args) {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
      count: { type: 'string', default: '100000' },
      only: { type: 'string' },
    },
  })
  const seed = Number(values.seed)
  const count = Number(values.count)
  let areGood = true
  for (let sent = 0; sent < count; sent += requestsPerRound) {
    // no request of one round is one of the next: they are seed + 7,919 times their number
    const round = { seed: seed + sent, count: Math.min(requestsPerRound, count - sent) }
    const label = `fuzz ${sent + round.count} of ${count}, seed ${round.seed}`
    areGood = sendRound(round, values.only, label) && areGood
  }
  return areGood
}

function sendRound({ seed, count }, only, label) {
  const env = { FUZZ_SEED: String(seed), FUZZ_COUNT: String(count), ...(only ? { FUZZ_ONLY: only } : {}) }
  return runTool('vitest', ['run', '--project', 'server', 'apps/server/tests/fuzz.test.ts'], { label, env }).ok
}
