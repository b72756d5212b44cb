import type { Browser } from '@playwright/test'
import { expect, sessionFile, test } from '../fixtures.ts'
import { scriptBytes } from '../script-bytes.ts'

test.use({ storageState: sessionFile('dispatcher') })

interface Budget {
  readonly path: string
  /** What is on the page when it is of use. */
  readonly ready: string
  /** Brotli-compressed JavaScript until then, as it travels, kB of 1,000 bytes. */
  readonly kilobytes: number
}

/** Bytes and never times: those depend on the machine, and `npm run bench -- web` measures them. */
const budgets: readonly Budget[] = [
  { path: '/dashboard/overview', ready: 'main table tbody tr td', kilobytes: 200 },
  { path: '/travelers/list', ready: '.data-table tbody tr td', kilobytes: 220 },
  { path: '/tours/all', ready: '.data-table tbody tr td', kilobytes: 220 },
  { path: '/user-management/list', ready: '.data-table tbody tr td', kilobytes: 220 },
  { path: '/field-staff/list', ready: '.data-table tbody tr td', kilobytes: 220 },
  { path: '/dashboard/map', ready: 'canvas.maplibregl-canvas', kilobytes: 440 },
]

for (const budget of budgets) {
  test(`${budget.path} needs at most ${budget.kilobytes} kB of scripts for its first load`, async ({ browser }) => {
    const scripts = await scriptsOf(browser, budget)
    const bytes = await Promise.all(scripts.map(scriptBytes))
    const kilobytes = bytes.reduce((sum, one) => sum + one, 0) / 1000
    test.info().annotations.push({ type: 'kB', description: kilobytes.toFixed(1) })
    expect(scripts.length).toBeGreaterThan(5)
    expect(kilobytes).toBeLessThanOrEqual(budget.kilobytes)
  })
}

/** Addresses of scripts, also of workers, that a browser with nothing in its cache asks for until the screen is of use. */
async function scriptsOf(browser: Browser, { path, ready }: Budget): Promise<string[]> {
  const context = await browser.newContext({ storageState: sessionFile('dispatcher'), serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    const scripts = new Set<string>()
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('.js')) scripts.add(request.url())
    })
    await page.goto(path)
    await expect(page.locator(ready).first()).toBeVisible()
    return [...scripts]
  } finally {
    await context.close()
  }
}

test.describe('somebody who schedules', () => {
  test.use({ storageState: sessionFile('operations_manager') })

  test('a dialog whose code does not arrive ends at the error page, and its retry loads it again', async ({
    page,
    complaints,
  }) => {
    await page.goto('/tours/all')
    await expect(page.locator('.data-table tbody tr').first()).toBeVisible()
    // A page that was loaded anew a moment ago is not loaded anew again.
    await page.evaluate(() => sessionStorage.setItem('last-reload-at', String(Date.now())))
    await page.route('**/assets/schedule-dialog-*.js', (route) => route.abort())
    await page.getByRole('button', { name: 'Schedule departures' }).first().click()
    await expect(page.locator('[data-error-status="500"]')).toBeVisible()
    await page.unroute('**/assets/schedule-dialog-*.js')
    await page.waitForTimeout(1_100)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    complaints.splice(0)
  })
})
