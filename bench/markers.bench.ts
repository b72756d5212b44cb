import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { accountOf } from '../apps/server/testing/accounts.ts'
import { freePort, startProgram } from '../apps/server/testing/programs.ts'
import { chromiumPath } from '../e2e/chromium.ts'
import { frameWork } from './frame-work.ts'
import { atMost, type Bench, type Measure, percentile, type Scale } from './measurement.ts'
import { movePositions } from './moving-positions.ts'
import { fillDevices } from './phones.ts'
import { prepareOrganization } from './prepared.ts'

const people = 10_000

/** What a map costs the browser on which everybody of a very large operator moves, beside an element of the page for each of them. */
export const markersBench: Bench = {
  name: 'markers',
  title: 'A live map on which 10,000 people move once a second',
  async run(scale) {
    const subjects: string[] = []
    const prepared = await prepareOrganization('markers', async (pool, orgId) => {
      await fillDevices(pool, orgId, people)
      const { rows } = await pool.query<{ id: string }>('select id from field_staff where org_id = $1', [orgId])
      subjects.push(...rows.map(({ id }) => id))
    })
    const moving = await movePositions(prepared.orgId, subjects)
    const program = await startProgram({
      DATA_DIR: prepared.dataDir,
      PORT: String(await freePort()),
      WEB_DIST: path.resolve(import.meta.dirname, '../apps/web/dist'),
    })
    const browser = await chromium.launch({ executablePath: chromiumPath, args: flags })
    try {
      return await measure(browser, { base: program.base, moving: moving.address }, scale)
    } finally {
      await browser.close()
      await moving.close()
      program.child.kill('SIGTERM')
      await program.ended
      prepared.remove()
    }
  },
}

const flags = ['--no-sandbox', '--disable-background-networking', '--disable-gpu', '--enable-unsafe-swiftshader']

/** A sixteenth of the dots: filling them is the graphics card's part, which is imitated here and would be all that there is time for. */
const screen = { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 0.25 }

interface Addresses {
  readonly base: string
  readonly moving: string
}

async function measure(browser: Browser, addresses: Addresses, scale: Scale): Promise<Measure[]> {
  const seconds = scale === 'full' ? 30 : 8
  const watch = async (page: Page): Promise<readonly number[]> => {
    // the first message holds everybody, and draws the map
    await sleep(5_000)
    const work = await frameWork(browser, page, () => sleep(seconds * 1_000))
    await page.close()
    return work
  }
  const own = await watch(await openMap(browser, addresses))
  const byHand = await watch(await openByHand(browser, addresses))
  return measuresOf(own, byHand, seconds)
}

async function openMap(browser: Browser, { base, moving }: Addresses): Promise<Page> {
  const context = await browser.newContext({ baseURL: base, ...screen, locale: 'en-US' })
  const { email, password } = accountOf('dispatcher')
  await context.request.post('/api/auth/sign-in/email', { data: { email, password }, headers: { origin: base } })
  const page = await context.newPage()
  await page.route('**/api/live/listen', (route) => route.continue({ url: `${moving}/api/live/listen` }))
  await page.goto('/dashboard/map')
  await page.getByRole('button', { name: `${people} on duty seen` }).waitFor({ timeout: 120_000 })
  // the last of them has a name only when every page of names has come
  await page.getByRole('searchbox', { name: 'Find' }).fill(`Guide ${people}`)
  await page.getByText(`Guide ${people}`, { exact: true }).waitFor({ timeout: 120_000 })
  await page.getByRole('searchbox', { name: 'Find' }).fill('')
  return page
}

async function openByHand(browser: Browser, { moving }: Addresses): Promise<Page> {
  const page = await browser.newPage(screen)
  await page.goto(moving)
  await page
    .locator('.mark')
    .nth(people - 1)
    .waitFor({ state: 'attached' })
  return page
}

function measuresOf(own: readonly number[], byHand: readonly number[], seconds: number): Measure[] {
  const inSecond = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / seconds
  return [
    {
      name: 'work of a frame, 95 of 100',
      value: percentile(own, 0.95),
      unit: 'ms',
      against: { name: 'an element for each', value: percentile(byHand, 0.95) },
      goal: atMost(percentile(own, 0.95), 16, 'ms'),
      samples: own.length,
    },
    {
      name: 'work of the longest frame',
      value: Math.max(...own),
      unit: 'ms',
      against: { name: 'an element for each', value: Math.max(...byHand) },
      samples: own.length,
    },
    {
      name: 'work in a second',
      value: inSecond(own),
      unit: 'ms',
      against: { name: 'an element for each', value: inSecond(byHand) },
      ratio: inSecond(byHand) / inSecond(own),
      samples: seconds,
    },
  ]
}
