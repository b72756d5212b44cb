import { setTimeout } from 'node:timers/promises'
import { leastBytesToEncode } from '../apps/server/src/platform/http/encodings.ts'
import { expect, type Browser, type BrowserContextOptions, type Page, type Request } from '@playwright/test'

/** After its start a server compresses its files one after the other, and sends each as it is until then. */
const compressedWithinMs = 60_000

/** Size of a script as the server sends it to a browser, with brotli; bytes. */
export async function scriptBytes(url: string): Promise<number> {
  for (const began = Date.now(); ; await setTimeout(250)) {
    const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
    const bytes = Number(headers.get('content-length'))
    // what is tiny goes out as it is, always
    if (headers.get('content-encoding') === 'br' || bytes < leastBytesToEncode) return bytes
    if (Date.now() - began > compressedWithinMs) throw new Error(`${url} is not sent with brotli`)
  }
}

/**
 * Addresses of scripts, also of workers, that a browser with nothing in its cache asks for until the screen is of use.
 *
 * @param ready What is on the page then.
 */
export async function scriptsOf(
  browser: Browser,
  {
    address,
    ready,
    storageState,
    width,
  }: { address: string; ready: string; width?: number | undefined } & Required<
    Pick<BrowserContextOptions, 'storageState'>
  >,
): Promise<string[]> {
  const context = await browser.newContext({
    storageState,
    serviceWorkers: 'block',
    ...(width !== undefined && { viewport: { width, height: 844 } }),
  })
  try {
    const page = await context.newPage()
    const scripts: Request[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('.js')) scripts.push(request)
    })
    const isReadyAt = await noteWhenThere(page, ready)
    await page.goto(address)
    await expect(page.locator(ready).first()).toBeVisible()
    const readyAt = await isReadyAt()
    // what is known of a request's start comes with its answer
    await Promise.all(scripts.map((request) => request.response()))
    const before = scripts.filter((request) => request.timing().startTime <= readyAt)
    return [...new Set(before.map((request) => request.url()))]
  } finally {
    await context.close()
  }
}

/**
 * Notes in the page itself when something is first on it: whoever looks from outside sees it later, and more is loaded by then, the more the slower the machine.
 *
 * @returns asks for the moment, ms since 1970.
 */
async function noteWhenThere(page: Page, selector: string): Promise<() => Promise<number>> {
  await page.addInitScript((wanted) => {
    const look = () => {
      if (!document.querySelector(wanted)?.getClientRects().length) return
      Reflect.set(globalThis, 'firstThereAt', performance.timeOrigin + performance.now())
      observer.disconnect()
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true })
  }, selector)
  const moment = (): unknown => Reflect.get(globalThis, 'firstThereAt')
  return async () => Number(await (await page.waitForFunction(moment)).jsonValue())
}

/** Sizes of all of them, kB of 1,000 bytes. */
export async function scriptKilobytes(urls: readonly string[]): Promise<number> {
  const bytes = await Promise.all(urls.map(scriptBytes))
  return bytes.reduce((sum, one) => sum + one, 0) / 1000
}

/** Without the library of the hosted database, which is loaded with the first live document and not before. */
export async function withoutDatabase(urls: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(urls.map(async (url) => (await fetch(url)).text()))
  return urls.filter((_, index) => !texts[index]?.includes('google.firestore.v1'))
}
