// All units: node node_modules/vitest/vitest.mjs run
// The server's on the embedded PostgreSQL: TEST_DATABASE=embedded node node_modules/vitest/vitest.mjs run --project server
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// A database start on a machine that does other things as well takes seconds; a test that needs longer says so itself.
const timeouts = {
  testTimeout: 20_000,
  hookTimeout: 30_000,
  teardownTimeout: 30_000,
  expect: { poll: { timeout: 10_000 } },
}

const firestoreOfBrowsers = fileURLToPath(
  new URL('node_modules/@firebase/firestore/dist/index.esm.js', import.meta.url),
)

/** Ten seconds to a minute each, most of it waiting for another process: they begin first, so that nobody waits for one of them at the end. */
const isLong = ({ moduleId }: TestSpecification): boolean =>
  /\/(durability|several-\w+|database-killed|(restore-)?backup|main|upgrade|failover|supervisor|launcher|outages-at-doors|change-feed-crash|documents-contract)\.test\.ts$/.test(
    moduleId,
  )

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- of the sequencer, not of an array
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const asksDatabaseOfRun = /from '.*testing(?!-(programs|boarding|workbooks)\b)|inject\('embeddedPostgres'\)/

/**
 * On PostgreSQL only those run again that ask the database of the run, by one of the `testing` modules; the others bring a database of
 * their own or need none, and would find the same as before.
 */
const indifferent =
  process.env['TEST_DATABASE'] === 'embedded'
    ? fs
        .globSync('apps/server/{src,seed}/**/*.test.ts', { cwd: import.meta.dirname })
        .filter((file) => !asksDatabaseOfRun.test(fs.readFileSync(`${import.meta.dirname}/${file}`, 'utf8')))
    : []

export default defineConfig({
  test: {
    // Two cores; every worker of the server's project holds a database in memory.
    pool: 'forks',
    maxWorkers: 2,
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
          include: ['apps/server/{src,seed}/**/*.test.ts'],
          exclude: indifferent,
          globalSetup: ['apps/server/src/testing-setup.ts'],
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
