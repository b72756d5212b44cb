import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContext, type CDPSession, chromium } from '@playwright/test'
import { freePort, newDataFolder, startProgram } from '../apps/server/testing/programs.ts'
import fs from 'node:fs'
import { chromiumPath } from '../e2e/chromium.ts'
import { signInAt, workingOrganization } from '../e2e/hosted-steps.ts'
import { openHostedWorld } from '../e2e/hosted-world.ts'
import { scriptBytes, withoutDatabase } from '../e2e/script-bytes.ts'
import { atMost, median, type Bench, type Measure, type Scale } from './measurement.ts'

interface Screen {
  readonly name: string
  readonly path: string
  readonly signedIn: boolean
  /** Whose demo account, unless it is the dispatcher's. */
  readonly as?: 'guide'
  /** An element that is on the page once it is usable: data, not the frame. */
  readonly ready: string
  /** Most brotli-compressed JavaScript until then, kB of 1,000 bytes. */
  readonly goalKb?: number
  readonly goalMs?: number
  /** Milliseconds that each request takes longer than it does on this machine. */
  readonly latencyMs?: number
}

const overview = {
  path: '/dashboard/overview',
  signedIn: true,
  ready: 'main table tbody tr td',
}

/** Goals as the product's description of this bench gives them: at 4× CPU throttle, signed in, start-up included. */
const screens: readonly Screen[] = [
  { name: 'sign-in', path: '/sign-in', signedIn: false, ready: 'form input[type=password]' },
  { ...overview, name: 'overview', goalMs: 800, goalKb: 200 },
  // what a phone on the road waits for: less what is computed than how often one answer is needed for the next question
  { ...overview, name: 'overview, 200 ms per request', goalMs: 1500, latencyMs: 200 },
  {
    name: 'travelers list',
    path: '/travelers/list',
    signedIn: true,
    ready: '.data-table tbody tr td',
    goalMs: 900,
    goalKb: 220,
  },
  {
    name: 'tours list',
    path: '/tours/all',
    signedIn: true,
    ready: '.data-table tbody tr td',
    goalMs: 900,
    goalKb: 220,
  },
  // an application of its own: what it needs until it works is counted in the journeys, here it fetches its first day as well
  { name: "guide's phone", path: '/duty', signedIn: true, as: 'guide', ready: '.duty-nav', goalMs: 1000 },
  {
    name: 'map',
    path: '/dashboard/map',
    signedIn: true,
    ready: 'canvas.maplibregl-canvas',
    goalMs: 2000,
    goalKb: 440,
  },
]

const throttle = 4

/** First load of the main screens in Chromium: nothing cached, the processor four times slower, the server on the same machine. */
export const webBench: Bench = {
  name: 'web',
  title: 'First load in the browser, 4× CPU throttle',
  async run(scale) {
    const dataDir = newDataFolder('bench-web')
    const env = { DATA_DIR: dataDir, PORT: String(await freePort()), DEMO: 'on', WEB_DIST: webDist }
    const program = await startProgram(env, 600_000)
    const browser = await chromium.launch({
      executablePath: chromiumPath,
      args: flags,
    })
    try {
      const measures = await measure(browser, program.base, scale)
      const embedded = measures.find(({ name }) => name === 'overview: JavaScript, brotli')?.value ?? Number.NaN
      return [...measures, await measureHosted(browser, embedded)]
    } finally {
      await browser.close()
      program.child.kill('SIGTERM')
      await program.ended
      fs.rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

const webDist = process.env['WEB_DIST'] ?? path.resolve(import.meta.dirname, '../apps/web/dist')

/** Without them Chromium looks for the internet in the background. */
const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // drawn by the processor: an imitated graphics card would be most of what is measured
  '--disable-gpu',
  '--enable-unsafe-swiftshader',
  // the identity service's script takes a browser that says it is driven for a robot
  '--disable-blink-features=AutomationControlled',
]

async function measure(browser: Browser, base: string, scale: Scale): Promise<Measure[]> {
  const sessions = {
    dispatcher: await signedInState(browser, base, 'dispatcher'),
    guide: await signedInState(browser, base, 'guide'),
  }
  const times = scale === 'full' ? 9 : 1
  const measures: Measure[] = []
  for (const screen of screens) {
    const loads: Load[] = []
    // the first one warms the server
    for (let n = 0; n <= times; n += 1)
      loads.push(await load(browser, base, screen, sessions[screen.as ?? 'dispatcher']))
    measures.push(...(await measuresOf(screen, loads.slice(1), base)))
  }
  return measures
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

async function signedInState(browser: Browser, base: string, role: 'dispatcher' | 'guide'): Promise<Session> {
  const context = await browser.newContext({ baseURL: base })
  const answer = await context.request.post('/api/auth/sign-in/email', {
    data: { email: `${role}@example.com`, password: 'demo-operations' },
    headers: { origin: base },
  })
  if (!answer.ok()) throw new Error(`The demo account was refused: ${answer.status()}`)
  const state = await context.storageState()
  await context.close()
  return state
}

interface Load {
  /** Milliseconds from navigation to the end of the last long task after which the page was quiet, its content on screen. */
  readonly interactiveMs: number
  readonly contentMs: number
  /** First paint: the static frame, before any of our code has run. */
  readonly frameMs: number
  /** Main thread busy in long tasks, milliseconds. */
  readonly blockedMs: number
  /** Addresses of scripts asked for until then. */
  readonly scripts: readonly string[]
}

async function load(browser: Browser, base: string, screen: Screen, session: Session): Promise<Load> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    serviceWorkers: 'block',
    ...(screen.signedIn ? { storageState: session } : {}),
  })
  try {
    const page = await context.newPage()
    const scripts: { url: string; at: number }[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script' || /\.js(\?|$)/.test(request.url())) {
        scripts.push({ url: request.url(), at: Date.now() })
      }
    })
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: throttle })
    if (screen.latencyMs !== undefined) await slowNetwork(devtools, screen.latencyMs)
    await page.addInitScript(watchPage, screen.ready)
    await page.goto(screen.path, { waitUntil: 'commit' })
    const seen = await quiet(devtools)
    const until = seen.origin + seen.interactiveMs
    return { ...seen, scripts: scripts.filter(({ at }) => at <= until).map(({ url }) => url) }
  } finally {
    await context.close()
  }
}

async function slowNetwork(devtools: CDPSession, latency: number): Promise<void> {
  await devtools.send('Network.enable')
  // minus one: as fast as it is
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
}

interface Seen {
  readonly origin: number
  readonly frameMs: number
  readonly contentMs: number
  readonly interactiveMs: number
  readonly blockedMs: number
}

/** What the page notes about itself, in milliseconds since its navigation. */
interface Notes {
  contentMs: number | null
  readonly long: { readonly from: number; readonly to: number }[]
}

declare global {
  interface Window {
    bench?: Notes
  }
}

/** Runs in the page before anything else. */
function watchPage(selector: string): void {
  const bench: Notes = { contentMs: null, long: [] }
  window.bench = bench
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      bench.long.push({ from: startTime, to: startTime + duration })
  }).observe({ type: 'longtask', buffered: true })
  const look = (): void => {
    const isThere = document.querySelector(selector) !== null && document.querySelector('.skeleton') === null
    if (isThere) bench.contentMs = performance.now()
    else requestAnimationFrame(look)
  }
  look()
}

const pollMs = 250

/**
 * Quiet means: the content is there, and a second has passed without a long task. Asked through the browser's own protocol: the driver's
 * functions bring a script of theirs into the page, which is a long task by itself.
 */
async function quiet(devtools: CDPSession): Promise<Seen> {
  const expression = `JSON.stringify({
    ...bench, now: performance.now(), origin: performance.timeOrigin, frameMs: performance.getEntriesByType('paint')[0]?.startTime
  })`
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(pollMs)) {
    const { result } = await devtools.send('Runtime.evaluate', { expression })
    if (typeof result.value !== 'string') continue
    const seen = JSON.parse(result.value) as Notes & { now: number; origin: number; frameMs?: number }
    const { contentMs, long, now, origin, frameMs } = seen
    if (contentMs === null || frameMs === undefined) continue
    const interactiveMs = Math.max(contentMs, long.at(-1)?.to ?? 0)
    if (now - interactiveMs < 1000) continue
    return {
      origin,
      frameMs,
      contentMs,
      interactiveMs,
      blockedMs: long.reduce((sum, { from, to }) => sum + to - from, 0),
    }
  }
  throw new Error('The page did not become quiet within two minutes.')
}

async function measuresOf(screen: Screen, loads: readonly Load[], base: string): Promise<Measure[]> {
  const time = timeOf(screen, loads)
  // how long the way is changes nothing about what travels
  return screen.latencyMs === undefined ? [await weightOf(screen, loads, base), time] : [time]
}

async function weightOf({ name, goalKb }: Screen, loads: readonly Load[], base: string): Promise<Measure> {
  const kilobytes = median(await Promise.all(loads.map((one) => brotliKb(one.scripts, base))))
  return {
    name: `${name}: JavaScript, brotli`,
    value: kilobytes,
    unit: 'kB',
    samples: loads.length,
    note: `${new Set(loads.at(-1)?.scripts).size} files`,
    ...(goalKb === undefined ? {} : { goal: atMost(kilobytes, goalKb, 'kB') }),
  }
}

function timeOf({ name, goalMs }: Screen, loads: readonly Load[]): Measure {
  const interactive = median(loads.map((one) => one.interactiveMs))
  const frame = median(loads.map((one) => one.frameMs))
  return {
    name: `${name}: time to interactive`,
    value: interactive,
    unit: 'ms',
    samples: loads.length,
    against: { name: 'first paint of the static frame, before any of our code', value: frame },
    ratio: frame / interactive,
    note: `content after ${Math.round(median(loads.map((one) => one.contentMs)))} ms, blocked for ${Math.round(median(loads.map((one) => one.blockedMs)))} ms`,
    ...(goalMs === undefined ? {} : { goal: atMost(interactive, goalMs, 'ms') }),
  }
}

/** What the libraries of identity service and backend may cost of our own JavaScript, before live documents are needed. */
const hostedExtraKb = 60

/**
 * The overview on the hosted identity service and backend, with their real libraries in front of stand-ins: our own JavaScript until
 * it is of use. The identity service's own script comes from its host and is not ours; the database's library is left out.
 */
async function measureHosted(browser: Browser, embeddedKb: number): Promise<Measure> {
  const world = await openHostedWorld(18_400)
  try {
    const { dispatcher } = await workingOrganization(world, 'Bench Tours', 'Old town walk')
    const base = world.clerk.url
    const session = await signedInAtService(browser, base, dispatcher.email)
    const { scripts } = await load(browser, base, { ...overview, name: 'overview, hosted' }, session)
    const own = scripts.filter((url) => url.startsWith(`${base}/assets/`))
    const kilobytes = await brotliKb(await withoutDatabase(own), base)
    return {
      name: 'overview, hosted: our JavaScript above the embedded one, brotli',
      value: kilobytes - embeddedKb,
      unit: 'kB',
      samples: 1,
      note: `${kilobytes.toFixed(0)} kB in all, without the database's library`,
      goal: atMost(kilobytes - embeddedKb, hostedExtraKb, 'kB'),
    }
  } finally {
    await world.stop()
  }
}

async function signedInAtService(browser: Browser, baseURL: string, email: string): Promise<Session> {
  const context = await browser.newContext({ baseURL, locale: 'en-US' })
  await signInAt(baseURL, await context.newPage(), email)
  const state = await context.storageState()
  await context.close()
  return state
}

const sizes = new Map<string, Promise<number>>()

/** Compressed sizes as the server sends them, kB of 1,000 bytes. */
async function brotliKb(scripts: readonly string[], base: string): Promise<number> {
  const own = [...new Set(scripts)].filter((url) => url.startsWith(base))
  const bytes = await Promise.all(
    own.map((url) => {
      const known = sizes.get(url) ?? scriptBytes(url)
      sizes.set(url, known)
      return known
    }),
  )
  return bytes.reduce((sum, one) => sum + one, 0) / 1000
}
