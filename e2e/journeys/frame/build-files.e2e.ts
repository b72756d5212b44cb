import type { Page } from '@playwright/test'
import { expect, sessionFile, settled, test } from '../../fixtures.ts'

// What the build made, as a browser gets it: headers, hints, manifests, and code that does not come.

test.use({ storageState: sessionFile('admin') })

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** What a file may say about itself that documents refer to. */
const useful = new Set(
  (
    'cache-control content-encoding content-length content-type etag vary ' +
    'cross-origin-resource-policy x-content-type-options connection date keep-alive'
  ).split(' '),
)

/** Counts loads of the document, and breaks code that was not loaded so far. */
async function watchLoads(page: Page) {
  let count = 0
  const known = new Set<string>()
  let mode: 'whole' | 'once' | 'always' = 'whole'
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) count += 1
  })
  await page.route('**/assets/*.js', async (route) => {
    const url = route.request().url()
    if (mode === 'whole' || known.has(url)) {
      known.add(url)
      return route.continue()
    }
    if (mode === 'once') mode = 'whole'
    return route.abort('failed')
  })
  return {
    documents: () => count,
    breakNewCode: async (next: 'once' | 'always') => {
      mode = next
    },
  }
}

test('every script of the first load begins with the hint that lets the browser compile it while it arrives', async ({
  page,
}) => {
  const asked = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/assets/') && pathname.endsWith('.js')) asked.add(pathname)
  })
  await page.goto('/dashboard/overview')
  await expect(heading(page, 'Today')).toBeVisible()
  // those until now: more come later, and the last of them only when the page is closed
  const scripts = [...asked]
  expect(scripts.length).toBeGreaterThan(5)
  for (const pathname of scripts) {
    const text = await (await page.request.get(pathname)).text()
    expect(text.startsWith('//# allFunctionsCalledOnLoad\n'), pathname).toBe(true)
  }
})

test('what the document refers to carries only the headers that it has use for', async ({ page }) => {
  const files = new Map<string, Promise<Record<string, string>>>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    const isDocument = response.request().isNavigationRequest()
    if (!isDocument && !pathname.startsWith('/api/')) files.set(pathname, response.allHeaders())
  })
  const document = await page.goto('/dashboard/map')
  await settled(page)
  await expect.poll(() => [...files.keys()].some((path) => path.endsWith('.pbf'))).toBe(true)
  expect((await document?.allHeaders())?.['content-security-policy']).toContain("default-src 'none'")
  expect(files.size).toBeGreaterThan(15)
  for (const [pathname, headers] of files) {
    const names = Object.keys(await headers).filter((name) => !useful.has(name))
    if (!/\.svg$|worker/.test(pathname)) expect(names, pathname).toEqual([])
  }
})

test('code of a screen that does not load brings one reload, and then the screen', async ({ page, complaints }) => {
  const { documents, breakNewCode } = await watchLoads(page)
  await page.goto('/dashboard/overview')
  await settled(page)
  await breakNewCode('once')
  await page.getByRole('link', { name: 'Travelers', exact: true }).click()
  await expect(heading(page, 'Travelers')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/travelers/list')
  expect(documents()).toBe(2)
  complaints.length = 0
})

test('code that never loads is reloaded once and then reported', async ({ page, complaints }) => {
  const { documents, breakNewCode } = await watchLoads(page)
  await page.goto('/dashboard/overview')
  await settled(page)
  await breakNewCode('always')
  await page.getByRole('link', { name: 'Travelers', exact: true }).click()
  await expect(heading(page, 'Internal Server Error')).toBeVisible()
  // What carries no status is a 500.
  await expect(page.locator('[data-error-status="500"]').getByText('500', { exact: true })).toBeVisible()
  expect(documents()).toBe(2)
  complaints.length = 0
})

test('a second after the start the manifest of the running build is fetched; it lists the files that the page runs', async ({
  page,
}) => {
  const manifests: string[] = []
  const scripts: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/builds/meta/')) manifests.push(pathname)
    if (/^\/assets\/.*\.js$/.test(pathname)) scripts.push(pathname.slice(1))
  })
  await page.goto('/dashboard/overview')
  await expect.poll(() => manifests).toHaveLength(1)
  const manifest: { id: string; files: string[] } = await (await page.request.get(manifests[0] ?? '')).json()
  const latest: { id: string } = await (await page.request.get(`/builds/latest.json?${Date.now()}`)).json()
  const running = await page.locator('meta[name="build-id"]').getAttribute('content')
  expect(manifests).toEqual([`/builds/meta/${running}.json`])
  expect([manifest.id, latest.id]).toEqual([running, running])
  expect(manifest.files).toEqual(expect.arrayContaining(scripts))
})

test('a new build is looked for after an hour and loaded with the next navigation', async ({ page }) => {
  const { documents } = await watchLoads(page)
  await page.clock.install()
  await page.goto('/dashboard/overview')
  await settled(page)
  const asked = page.waitForRequest(/\/builds\/latest\.json\?\d+$/)
  await page.route('**/builds/latest.json?*', (route) => route.fulfill({ json: { id: 'another-build' } }))
  await page.clock.fastForward(3_600_000)
  const answer = await (await asked).response()
  await answer?.finished()
  expect(documents(), 'nothing happens to a person at work').toBe(1)
  await page.getByRole('link', { name: 'Travelers', exact: true }).click()
  await expect.poll(documents).toBe(2)
  await expect(heading(page, 'Travelers')).toBeVisible()
})
