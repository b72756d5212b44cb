import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumPath as executablePath } from './chromium.ts'
import { mapServicePort } from './map-service.ts'
import { phonePort } from './phone-service.ts'
import { pushPort } from './push-service.ts'
import { routerPort } from './router-service.ts'
import { webhookPort } from './webhook-service.ts'

/** What Node has compiled before is taken from here, by every server that is started: a start takes two thirds of the time. */
process.env['NODE_COMPILE_CACHE'] ??= path.resolve(
  import.meta.dirname,
  '../node_modules/.cache/tour-operations/compiled',
)

const port = 18080
/** An own server that is running already, for writing journeys: `E2E_REUSE=1`. */
const isServerReused = process.env['E2E_REUSE'] === '1'
const dataFolder = process.env['E2E_DATA_DIR'] ?? path.resolve(import.meta.dirname, '../.cache/e2e-data')

/**
 * The flags keep Chromium from looking for the internet, which would show up as noise in the console of every page. Without a
 * graphics card the pages are drawn by the processor directly, at half the cost of an imitated card; WebGL, for the map, works all the same.
 */
const chromiumFlags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-gpu',
  '--enable-unsafe-swiftshader',
]

export default defineConfig({
  testDir: './journeys',
  testMatch: '**/*.e2e.ts',
  // Sessions are next to it: this folder is emptied at every start.
  outputDir: '../test-results/journeys',
  // Limits end what hangs and judge no speed: the slowest machine that ran this took three times as long as a quiet one with two cores.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // Two use three quarters of two cores: a journey waits for the server, for a frame, for what is to happen once.
  workers: 3,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  use: {
    actionTimeout: 30_000,
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'Atlantic/Reykjavik',
    // Noting every page costs a tenth of the time, a film of it a third; what failed leaves a picture and the page as text.
    trace: process.env['E2E_TRACE'] === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args: chromiumFlags },
  },
  projects: [
    { name: 'sign-in', testMatch: '**/sessions.e2e.ts' },
    // The longest files begin, as they continue alone: the many small ones fill what is left of both workers. Only `sign-in` comes before: what
    // depends on a project waits for all others that depend on nothing as well.
    {
      name: 'clerk',
      testMatch: '**/journeys/clerk/*.e2e.ts',
      dependencies: ['sign-in'],
      // The service's script takes a browser that says it is driven for a robot, and calls every refusal a lost connection.
      use: {
        actionTimeout: 40_000,
        launchOptions: { executablePath, args: [...chromiumFlags, '--disable-blink-features=AutomationControlled'] },
      },
    },
    {
      name: 'hosted',
      testMatch: '**/journeys/hosted/*.e2e.ts',
      dependencies: ['sign-in'],
      use: {
        launchOptions: {
          executablePath,
          args: [...chromiumFlags, '--disable-blink-features=AutomationControlled'],
        },
      },
    },
    {
      name: 'journeys',
      dependencies: ['sign-in'],
      testIgnore: ['**/sessions.e2e.ts', '**/journeys/clerk/**', '**/journeys/hosted/**'],
    },
  ],
  webServer: {
    command: `"${process.execPath}" ../apps/server/src/main.ts`,
    url: `http://127.0.0.1:${port}/readyz`,
    // seeding the demo on a machine that does something else as well
    timeout: 600_000,
    env: {
      PORT: String(port),
      DATA_DIR: dataFolder,
      LOG_LEVEL: 'warn',
      // Journeys look at times and places that stay as they are; `moving-demo.e2e.ts` has a server of its own.
      DEMO_MOVES: 'off',
      // Journeys sign in more often than people do.
      RATE_LIMIT_IDENTITY: '6000',
      // Where `startup.e2e.ts` puts a gate in front of the server, to close it.
      TRUSTED_ORIGINS: 'http://127.0.0.1:18082',
      MAP_STYLE_HOSTS: `http://127.0.0.1:${mapServicePort}`,
      ROUTER_HOSTS: `127.0.0.1:${routerPort}`,
      WEBHOOK_HOSTS: `127.0.0.1:${webhookPort}`,
      MESSAGE_HOSTS: `127.0.0.1:${phonePort},127.0.0.1:${pushPort}`,
    },
    reuseExistingServer: isServerReused,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'pipe',
  },
})
