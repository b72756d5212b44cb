import type { In, Out } from '@tour-ops/contract/callable'
import { recordHeadcount } from '@tour-ops/contract/departures/run-sheet'
import { maxMonitored, monitoringList, type MonitoringRow } from '@tour-ops/contract/monitoring/monitoring-list'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { accountOf } from '../apps/server/testing/accounts.ts'
import { freePort, signIn, startProgram, type Person, type Program } from '../apps/server/testing/programs.ts'
import { chromiumPath } from '../e2e/chromium.ts'
import { type Board, checkIn, connect, measureAfter, measureByHand, type Pace } from './board-cost.ts'
import { monitoringByHand, watchedFactsOf } from './boards-by-hand.ts'
import { firstEvaluation } from './first-evaluation.ts'
import { fillRunningDepartures } from './large-organization.ts'
import { databaseProcessor, processorMs } from './machine.ts'
import { atMost, median, percentile, type Bench, type Measure, type Scale } from './measurement.ts'
import { prepareOrganization } from './prepared.ts'

/** Most time from a commit to the row on the screen of somebody who has the whole list open. */
const goalMs = 1_000
/** Who waits longer for the list after a change measures nothing. */
const mostMs = 30_000

/** The list of everything that runs, as an office leaves it open: what one change costs when it holds 2,000 departures. */
export const monitoringListBench: Bench = {
  name: 'monitoring-list',
  title: 'Monitoring list of 2,000 running departures',
  async run(scale) {
    return [...(await measureSize(200, scale)), ...(await measureSize(maxMonitored, scale))]
  },
}

async function measureSize(departures: number, scale: Scale): Promise<Measure[]> {
  const prepared = await prepareOrganization('monitoring-list', (ownerPool, orgId) =>
    fillRunningDepartures(ownerPool, orgId, departures),
  )
  const program = await startProgram({
    DATA_DIR: prepared.dataDir,
    PORT: String(await freePort()),
    RATE_LIMIT_USER: '0',
    RATE_LIMIT_IP: '0',
  })
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu'],
  })
  try {
    const account = accountOf('dispatcher')
    const person = await signIn(program.base, account)
    const { rows } = await person.call(monitoringList, { size: maxMonitored })
    if (rows.length !== departures) throw new Error(`The list has ${rows.length} rows instead of ${departures}.`)
    const page = await openList(browser, program.base, account)
    const changes = scale === 'full' ? 20 : 3
    // the rows in sight are changed; the first change warms both sides
    const inSight = [...rows.entries()].slice(0, changes + 1)
    const seen: Seen[] = []
    let before = 0
    for (const [at, row] of inSight) {
      seen.push(await change(page, person, at, row))
      if (at === 0) before = processorMs(program.child.pid ?? 0)
    }
    const serverMs = (processorMs(program.child.pid ?? 0) - before) / changes
    // an open list would read as well
    await browser.close()
    return [
      ...measuresOf(departures, seen.slice(1), serverMs),
      ...(await measureDatabase(departures, { program, person, dataDir: prepared.dataDir }, scale)),
    ]
  } finally {
    await browser.close()
    program.child.kill('SIGTERM')
    await program.ended
    prepared.remove()
  }
}

/** The whole list in one answer. */
const wholeList: Board = {
  callable: monitoringList,
  input: { size: maxMonitored } satisfies In<typeof monitoringList>,
  told: (answer) => (answer as Out<typeof monitoringList>).rows.map(watchedFactsOf),
  isWhole: true,
}

/** What the whole list costs after a change when one person has it, against statements that read the same by hand. */
async function measureDatabase(
  departures: number,
  { program, person, dataDir }: { program: Program; person: Person; dataDir: string },
  scale: Scale,
): Promise<Measure[]> {
  const database = connect({ DATA_DIR: dataDir })
  try {
    await database.connect()
    await firstEvaluation(database)
    const isFull = scale === 'full'
    const pace: Pace = {
      label: departures.toLocaleString('en-US'),
      // a statement's sixth run is the first with a plan for all
      warmUp: isFull ? 10 : 1,
      rounds: isFull ? 5 : 1,
      answers: isFull ? 20 : 3,
    }
    const world = { program, person, database, databaseMs: databaseProcessor(dataDir, database), DATA_DIR: dataDir }
    const afterCheckIn = await measureAfter(checkIn, pace, wholeList, world)
    const ours = afterCheckIn[0]?.value ?? Number.NaN
    return [...afterCheckIn, await measureByHand(pace, wholeList, monitoringByHand, world, ours)]
  } finally {
    await database.end()
  }
}

interface OpenList {
  readonly page: Page
  readonly devtools: CDPSession
  /** Answers of the list so far: milliseconds until the last byte, and bytes of the body as they travel. */
  readonly answers: { readonly ms: number; readonly bytes: number }[]
}

async function openList(
  browser: Browser,
  base: string,
  { email, password }: { email: string; password: string },
): Promise<OpenList> {
  const context = await browser.newContext({ baseURL: base, viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  const signedIn = await context.request.post('/api/auth/sign-in/email', {
    data: { email, password },
    headers: { origin: base },
  })
  if (!signedIn.ok()) throw new Error(`The account was refused: ${signedIn.status()}`)
  const page = await context.newPage()
  const answers: OpenList['answers'] = []
  page.on('requestfinished', (request) => {
    if (!request.url().endsWith(`/api/${monitoringList.name}`)) return
    void request
      .sizes()
      .then(({ responseBodySize: bytes }) => answers.push({ ms: request.timing().responseEnd, bytes }))
  })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable')
  await page.goto('/tools/full-monitoring-list')
  await page.locator('.data-table tbody tr.data-row').first().waitFor({ timeout: 120_000 })
  await page.waitForTimeout(3_000)
  return { page, devtools, answers }
}

interface Seen {
  readonly toScreenMs: number
  /** Main thread of the page busy, milliseconds. */
  readonly mainThreadMs: number
  readonly answerMs: number
  readonly bytes: number
}

/** Somebody counts heads on a departure in sight: the time until its row shows it, and what that took. */
async function change(
  { page, devtools, answers }: OpenList,
  person: Person,
  at: number,
  row: MonitoringRow,
): Promise<Seen> {
  const shown = page.evaluate(
    ([index, count]) =>
      new Promise<number>((resolve) => {
        // everybody is aboard: the same two numbers are in the row before the count is
        const times = () =>
          (document.querySelector(`tr[data-at="${index}"]`)?.textContent.split(String(count)).length ?? 1) - 1
        const before = times()
        const look = () => {
          if (times() <= before) return
          observer.disconnect()
          resolve(Date.now())
        }
        const observer = new MutationObserver(look)
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
    [at, `${row.expected}/${row.expected}`],
  )
  const asked = answers.length
  const busyBefore = await busyMs(devtools)
  await person.call(recordHeadcount, { departureId: row.id, stopId: row.next?.id ?? null, counted: row.expected })
  const committedAt = Date.now()
  const toScreenMs = (await shown) - committedAt
  // until the page is quiet: what is read again a moment later belongs to the same change
  await page.waitForTimeout(1_000)
  // and until the whole list was read again, which may take longer than that
  while (answers.length === asked && Date.now() - committedAt < mostMs) await page.waitForTimeout(100)
  const mainThreadMs = (await busyMs(devtools)) - busyBefore
  const [answer] = answers.slice(asked)
  if (!answer) throw new Error(`The open list was not read again within ${mostMs / 1000} seconds of a change.`)
  return { toScreenMs, mainThreadMs, answerMs: answer.ms, bytes: answer.bytes }
}

async function busyMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
}

function measuresOf(departures: number, seen: readonly Seen[], serverMs: number): Measure[] {
  const valuesOf = (key: keyof Seen) => seen.map((one) => one[key])
  const toScreen = percentile(valuesOf('toScreenMs'), 0.95)
  const name = departures.toLocaleString('en-US')
  const samples = seen.length
  return [
    { name: `${name}: commit to the row on screen, p50`, value: median(valuesOf('toScreenMs')), unit: 'ms', samples },
    {
      name: `${name}: commit to the row on screen, p95`,
      value: toScreen,
      unit: 'ms',
      goal: atMost(toScreen, goalMs, 'ms'),
      samples,
    },
    { name: `${name}: the call, p50`, value: median(valuesOf('answerMs')), unit: 'ms', samples },
    { name: `${name}: the answer, compressed`, value: median(valuesOf('bytes')) / 1000, unit: 'kB', samples },
    {
      name: `${name}: main thread of the browser for a change`,
      value: median(valuesOf('mainThreadMs')),
      unit: 'ms',
      samples,
    },
    { name: `${name}: processor of the server for a change`, value: serverMs, unit: 'ms', samples },
  ]
}
