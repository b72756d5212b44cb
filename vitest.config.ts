// All units: node node_modules/vitest/vitest.mjs run
// The server's on the embedded PostgreSQL: TEST_DATABASE=embedded node node_modules/vitest/vitest.mjs run --project server
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// A database start on a machine that does other things as well takes seconds; a test that needs longer says so itself.
const timeouts = { testTimeout: 20_000, hookTimeout: 30_000, teardownTimeout: 30_000 }

const firestoreOfBrowsers = fileURLToPath(
  new URL('node_modules/@firebase/firestore/dist/index.esm.js', import.meta.url),
)

export default defineConfig({
  test: {
    // Two cores; every worker of the server's project holds a database in memory.
    pool: 'forks',
    maxWorkers: 2,
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
