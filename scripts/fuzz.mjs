// `npm run fuzz -- --seed N --count N --only callable`: the fuzz test with other requests, or more of them.
import { parseArgs } from 'node:util'
import { runTool } from './run-tool.mjs'

/** Sends the requests and shows what failed; a failure says the seed and the number of its request. True when nothing did. */
export function fuzz(args) {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
      count: { type: 'string', default: '100000' },
      only: { type: 'string' },
    },
  })
  const env = { FUZZ_SEED: values.seed, FUZZ_COUNT: values.count, ...(values.only ? { FUZZ_ONLY: values.only } : {}) }
  return runTool('vitest', ['run', '--project', 'server', 'apps/server/src/fuzz.test.ts'], { label: 'fuzz', env }).ok
}
