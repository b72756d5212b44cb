import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Role } from '@tour-ops/contract/identity/access'
import { type Page, type Request, type Route, expect, test as base } from '@playwright/test'

export const demoPassword = 'demo-operations'

/** Where the signed-in state of a role is stored between files, so that nobody signs in twice. */
export const sessionFile = (role: Role): string =>
  path.resolve(import.meta.dirname, `../test-results/sessions/${role}.json`)

interface Fixtures {
  /** Everything the browser complained about; asserted empty after each test unless it is taken. */
  complaints: string[]
}

/** Calls that have no answer yet, by page. The live stream never ends and does not count. */
const callsUnderWay = new WeakMap<Page, Set<Request>>()

/** So that `settled` can be asked of a page; the journey's own one is counted from the beginning. */
export function countCalls(page: Page): void {
  const underWay = new Set<Request>()
  callsUnderWay.set(page, underWay)
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && !pathname.startsWith('/api/live/')) underWay.add(request)
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
}

/** Logged by Chromium about its software graphics card, which is slow at what the map asks of it. */
const graphicsDriver = /^\[\.WebGL-\w+\]GL Driver Message \(OpenGL, Performance/

export const test = base.extend<Fixtures>({
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('console', (message) => {
        const isComplaint = message.type() === 'error' || message.type() === 'warning'
        if (isComplaint && !graphicsDriver.test(message.text())) {
          complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`)
        }
      })
      page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`))
      countCalls(page)
      await use(complaints)
      // A screen may be reading on through a handler of the journey when that has ended.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      expect(complaints, 'the browser console is clean').toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Takes the complaints of the browser itself about answers with these statuses, and for 404 what the page says of it; what else there is
 * stays for the end.
 */
export function takeAnswers(complaints: string[], ...statuses: number[]): void {
  const isExpected = (line: string): boolean =>
    statuses.some((status) => line.includes(`status of ${status}`)) ||
    (statuses.includes(404) && line.startsWith('error: Page Not Found: /'))
  complaints.splice(0, complaints.length, ...complaints.filter((line) => !isExpected(line)))
}

/**
 * Keeps one request of each page back on its way to the server.
 *
 * @returns Lets them all go at once, as soon as every page has sent its own.
 */
export async function holdBack(pages: readonly Page[], address: string): Promise<() => Promise<void>> {
  const held = await Promise.all(pages.map((page) => heldRequest(page, address)))
  return async () => {
    const routes = await Promise.all(held.map(({ route }) => route))
    await Promise.all(routes.map((route) => route.continue()))
  }
}

async function heldRequest(page: Page, address: string): Promise<{ route: Promise<Route> }> {
  const { promise, resolve } = Promise.withResolvers<Route>()
  await page.route(address, (route) => resolve(route), { times: 1 })
  return { route: promise }
}

/** Goes to a path inside the running application, as a link does: nothing is reloaded. Waits until the page is there. */
export async function goWithin(page: Page, target: string): Promise<void> {
  const isElsewhere = await page.evaluate((to) => {
    if (location.pathname === to) return false
    // Every navigation puts the focus into the page; that is how we see that this one has ended.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    history.pushState({}, '', to)
    return true
  }, target)
  if (isElsewhere) await page.waitForFunction(() => document.activeElement !== document.body)
  await settled(page)
}

/** Waits until every call has its answer and nothing shows "busy". */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect
    .poll(() => callsUnderWay.get(page)?.size ?? 0, { message: 'calls without an answer', intervals: [30, 60, 100] })
    .toBe(0)
  await expect(page.locator('.skeleton, [aria-busy="true"]')).toHaveCount(0)
}

/** The accessibility rules every screen keeps: WCAG 2.2 AA. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await brokenRules(page), 'axe finds nothing').toEqual([])
}

/** The rules above on a desk and on a phone, where nothing is wider than the screen, and the colors of the dark as well. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  const desk = page.viewportSize() ?? { width: 1440, height: 900 }
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth), 'fits a phone').toBeLessThanOrEqual(390)
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  // a button on its way from light to dark has a color of neither
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(transitions.map((transition) => transition.finished))
  })
  expect(await brokenRules(page, ['color-contrast']), 'axe finds nothing in the dark').toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(desk)
}

const dialog = '[role="dialog"], [role="alertdialog"]'

/**
 * What axe finds, one line per rule; `rules` narrows it to those. Of a page with an open dialog only that: the screen behind it has its own
 * check, and what is hidden or covered there is half of the work.
 */
export async function brokenRules(page: Page, rules?: string[]): Promise<string[]> {
  // only what is broken is collected: everything that is right on a full page is far more
  const builder = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  if ((await page.locator(dialog).count()) > 0) builder.include(dialog)
  if (rules) builder.withRules(rules)
  else builder.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
  const { violations } = await builder.analyze()
  return violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.target.join(' ')).join(' | ')}`)
}

/** Waits until the start-up bar is gone and the page has its head. */
export async function expectScreen(page: Page, title: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

export { expect } from '@playwright/test'
