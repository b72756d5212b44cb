// Any unit, on PGlite: node node_modules/vitest/vitest.mjs run FILE
// The server's on the embedded PostgreSQL: TEST_DATABASE=embedded node node_modules/vitest/vitest.mjs run --project server FILE
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { runsOn, testFiles } from './apps/server/testing/tested-on.ts'

// Limits end what hangs and judge no speed: a slow machine takes three times as long as a quiet one. A test that needs longer says so itself.
const timeouts = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
}

const firestoreOfBrowsers = fileURLToPath(
  new URL('node_modules/@firebase/firestore/dist/index.esm.js', import.meta.url),
)

/** Ten seconds to a minute each, most of it waiting for another process: they begin first, so that nobody waits for one of them at the end. */
const isLong = ({ moduleId }: TestSpecification): boolean =>
  /\/(durability|positions-killed|several-\w+|database-killed|(restore-)?backup|main|upgrade|failover|supervisor|launcher|outages-at-endpoints|demo-at-any-hour|seed-history|renew-demo|change-feed-crash|documents-contract)\.test\.ts$/.test(
    moduleId,
  )

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- of the sequencer, not of an array
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const onPostgres = process.env['TEST_DATABASE'] === 'embedded'

/** In the run of everything, which sets the variable, most of the server's files run on one of the databases; a person runs any on either. */
const elsewhere =
  process.env['TEST_ALL'] === '1'
    ? testFiles.filter((file) => !runsOn(onPostgres ? 'postgres' : 'pglite', file)).map((file) => `apps/server/${file}`)
    : []

export default defineConfig({
  test: {
    pool: 'forks',
    // Two cores. On PGlite every worker of the server's project holds a database in memory; on PostgreSQL workers wait for it a fifth of the time.
    maxWorkers: onPostgres ? 3 : 2,
    // One process for many files saves half of the time. What a file changes of the process it puts back, or says why it may stay.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'contract',
          environment: 'node',
          include: ['packages/contract/src/**/*.test.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'server',
          environment: 'node',
          include: ['apps/server/{src,seed,tests}/**/*.test.ts'],
          exclude: elsewhere,
          globalSetup: ['apps/server/testing/setup.ts'],
          setupFiles: ['apps/server/testing/row-types/setup.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'row-types',
          environment: 'node',
          include: ['apps/server/testing/row-types/every-row-type.ts'],
          // it sums up what the server's tests have found
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
      {
        // The database's SDK for Node speaks gRPC; the browser's runs here as well and is the one that people get.
        resolve: { alias: { 'firebase/firestore': firestoreOfBrowsers } },
        test: {
          name: 'web',
          environment: 'node',
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'repository',
          environment: 'node',
          include: ['{scripts,bench,docs,deploy}/**/*.test.{ts,mjs}'],
          ...timeouts,
        },
      },
    ],
  },
})
