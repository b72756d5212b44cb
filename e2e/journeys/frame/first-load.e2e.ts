import { expect, sessionFile, takeAnswers, test } from '../../fixtures.ts'
import { scriptKilobytes, scriptsOf } from '../../script-bytes.ts'

test.use({ storageState: sessionFile('dispatcher') })

interface Budget {
  readonly path: string
  /** What is on the page when it is of use. */
  readonly ready: string
  /** Script that draws it, and counts whenever it comes. */
  readonly worker?: string
  /** Brotli-compressed JavaScript until then, as it travels, kB of 1,000 bytes. */
  readonly kilobytes: number
  /** Of the window, pixels; a desk's without it. */
  readonly width?: number
}

/** Bytes and never times: those depend on the machine, and `npm run bench -- web` measures them. */
const budgets: readonly Budget[] = [
  { path: '/dashboard/overview', ready: 'main table tbody tr td', kilobytes: 200 },
  { path: '/travelers/list', ready: '.data-table tbody tr td', kilobytes: 220 },
  { path: '/tours/all', ready: '.data-table tbody tr td', kilobytes: 220 },
  { path: '/user-management/list', ready: '.data-table tbody tr td', kilobytes: 220 },
  { path: '/field-staff/list', ready: '.data-table tbody tr td', kilobytes: 220 },
  // The list without the map: with the map, the map loads after the rows, once there is something to draw.
  { path: '/field-staff/tracking?f.state=off_duty', ready: 'main ul li', width: 390, kilobytes: 220 },
  { path: '/dashboard/map', ready: 'canvas.maplibregl-canvas', worker: 'map-worker', kilobytes: 440 },
]

const fileNames = (urls: readonly string[]) => urls.map((url) => url.slice(url.lastIndexOf('/') + 1)).join(' ')

for (const budget of budgets) {
  test(`${budget.path} needs at most ${budget.kilobytes} kB of scripts for its first load`, async ({ browser }) => {
    const scripts = await scriptsOf(browser, {
      address: budget.path,
      ready: budget.ready,
      worker: budget.worker,
      width: budget.width,
      storageState: sessionFile('dispatcher'),
    })
    const kilobytes = await scriptKilobytes(scripts)
    test.info().annotations.push({ type: 'kB', description: kilobytes.toFixed(1) })
    expect(scripts.length).toBeGreaterThan(5)
    // which, where it is too much: on another machine there may be one more
    expect(kilobytes, fileNames(scripts)).toBeLessThanOrEqual(budget.kilobytes)
  })
}

test("the guide's phone needs at most 120 kB of scripts until it works; what reaches the office comes after them", async ({
  page,
  baseURL,
}) => {
  const document = await (await page.request.get('/duty')).text()
  const named = [...document.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, file]) => `${baseURL}${file}`)
  const kilobytes = await scriptKilobytes([...new Set(named)])
  test.info().annotations.push({ type: 'kB', description: kilobytes.toFixed(1) })
  expect(named.length).toBeGreaterThan(1)
  expect(kilobytes).toBeLessThanOrEqual(120)
})

test('the first paint waits for no script: style sheets are named first, and everything is two rounds of six files', async ({
  page,
}) => {
  const document = await page.request.get('/dashboard/overview')
  const files = (document.headers()['link'] ?? '').split(', ').map((link) => link.slice(1, link.indexOf('>')))
  const kinds = files.map((file) => /\.(\w+)$/.exec(file.split('?')[0] ?? '')?.[1] ?? 'answer')
  expect(kinds.slice(0, 4)).toEqual(['js', 'answer', 'css', 'js'])
  expect(files[0]).toBe('/before-paint.js')
  expect(kinds.slice(3)).not.toContain('css')
  // Six at a time is what a browser asks one server for without HTTP/2.
  expect(files.length).toBeLessThanOrEqual(12)
})

test('the overview asks once for who is here, the organization, the tokens and its first data, together with the document', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname + search)
  })
  // Other journeys change departures and alerts meanwhile, and a change is read again: none is heard here.
  await page.route('**/api/live/**', () => undefined)
  const document = await page.goto('/dashboard/overview')
  await expect(page.locator('main table tbody tr td').first()).toBeVisible()
  expect((await document?.allHeaders())?.['link']).toContain('</api/start?screen=overview>; rel=preload; as=fetch')
  expect(asked.filter((path) => path === '/api/start?screen=overview')).toHaveLength(1)
  expect(
    asked.filter((path) => /get-session|get-full-organization|\/token|accounts:|session-get|overview-get/.test(path)),
  ).toEqual([])

  await page.getByRole('button', { name: 'Tomorrow' }).click()
  await expect.poll(() => asked).toContain('/api/overview-get')
})

test('the overview of another day asks for that day alone', async ({ page }) => {
  const days: unknown[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/api/start') days.push(search)
    if (pathname === '/api/overview-get') days.push((request.postDataJSON() as { data: unknown }).data)
  })
  await page.goto('/dashboard/overview?day=2030-07-15')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('15')
  // Other journeys change departures meanwhile: then the same day is requested again, and no other one.
  await expect.poll(() => days.length).toBeGreaterThan(1)
  expect(days[0]).toBe('?screen=page')
  expect(new Set(days.slice(1).map((asked) => JSON.stringify(asked)))).toEqual(new Set(['{"localDate":"2030-07-15"}']))
})

test('any other page of signed-in people asks once for who is here, and its own data by itself', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname + search)
  })
  // As above: a member who is added meanwhile would be heard.
  await page.route('**/api/live/**', () => undefined)
  await page.goto('/tours/all')
  await expect(page.locator('.data-table tbody tr td').first()).toBeVisible()
  expect(asked[0]).toBe('/api/start?screen=page')
  expect(asked).toContain('/api/tours-list')
  expect(asked.filter((path) => /get-session|get-full-organization|\/token|accounts:|session-get/.test(path))).toEqual(
    [],
  )
})

test('a start that does not come is asked piece by piece, and the screen is the same', async ({ page, complaints }) => {
  await page.route('**/api/start?**', (route) => route.abort())
  await page.goto('/dashboard/overview')
  await expect(page.locator('main table tbody tr td').first()).toBeVisible()
  complaints.splice(0)
})

test('a page of another site gets nothing of a start, even with the cookies of this browser', async ({
  page,
  baseURL,
  complaints,
}) => {
  await page.goto('/tours/all')
  const navigated = await page.goto('/api/start?screen=overview')
  expect(navigated?.status(), 'as an address of its own').toBe(403)
  const elsewhere = await page.request.get(`${baseURL}/api/start?screen=overview`, {
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(elsewhere.status()).toBe(403)
  expect(await elsewhere.text()).not.toContain('answers')
  takeAnswers(complaints, 403)
})

test.describe('somebody who schedules', () => {
  test.use({ storageState: sessionFile('operations_manager') })

  test('a dialog whose code does not arrive ends at the error page, and its retry loads it again', async ({
    page,
    complaints,
  }) => {
    await page.goto('/tours/all')
    await expect(page.locator('.data-table tbody tr').first()).toBeVisible()
    // A page that was reloaded a moment ago is not reloaded again.
    await page.evaluate(() => sessionStorage.setItem('last-reload-at', String(Date.now())))
    await page.route('**/assets/schedule-dialog-*.js', (route) => route.abort())
    await page.clock.install()
    await page.getByRole('button', { name: 'Schedule departures' }).first().click()
    await expect(page.locator('[data-error-status="500"]')).toBeVisible()
    await page.unroute('**/assets/schedule-dialog-*.js')
    // A second after it failed, a load is forgotten (`ui/load-later.tsx`): only then a retry asks for the code again.
    await page.clock.fastForward(1_000)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    complaints.splice(0)
  })
})
