import { setTimeout } from 'node:timers/promises'
import { leastBytesToEncode } from '../apps/server/src/platform/http/encodings.ts'
import { expect, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'

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
 * @param worker Name of a script that draws what is there, and counts whenever it comes.
 */
export async function scriptsOf(
  browser: Browser,
  {
    address,
    ready,
    worker,
    storageState,
    width,
  }: { address: string; ready: string; worker?: string | undefined; width?: number | undefined } & Required<
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
    await noteWhenThere(page, ready)
    await page.goto(address)
    await expect(page.locator(ready).first()).toBeVisible()
    const files = await filesBefore(page)
    if (worker !== undefined) files.push(await fileOf(page, worker))
    return [...new Set(files.filter((file) => new URL(file).pathname.endsWith('.js')))]
  } finally {
    await context.close()
  }
}

/** More than any page loads: a map has hundreds of files, and a browser remembers 250. */
const rememberedFiles = 5000

/**
 * Notes in the page itself when something is first on it: whoever looks from outside sees it later, and more is loaded by then, the more the slower the machine.
 * What was hidden is shown by an attribute, so those are looked at as well.
 */
async function noteWhenThere(page: Page, selector: string): Promise<void> {
  await page.addInitScript(
    ([wanted, files]) => {
      performance.setResourceTimingBufferSize(files)
      const look = () => {
        if (!document.querySelector(wanted)?.getClientRects().length) return
        Reflect.set(globalThis, 'firstThereAt', performance.now())
        observer.disconnect()
      }
      const observer = new MutationObserver(look)
      observer.observe(document, { attributes: true, childList: true, subtree: true })
    },
    [selector, rememberedFiles] as const,
  )
}

/** Addresses of what the page had asked for when that was there, by the page's own clock: another one may be ahead. */
async function filesBefore(page: Page): Promise<string[]> {
  const moment = await page.waitForFunction((): unknown => Reflect.get(globalThis, 'firstThereAt'))
  const readyAt = Number(await moment.jsonValue())
  return page.evaluate((end) => {
    const files = performance.getEntriesByType('resource').filter(({ startTime }) => startTime <= end)
    return files.map(({ name }) => name)
  }, readyAt)
}

/** Address of a file that the page asks for, soon at the latest. */
async function fileOf(page: Page, name: string): Promise<string> {
  const found = await page.waitForFunction((wanted) => {
    const files = performance.getEntriesByType('resource').map((entry) => entry.name)
    return files.find((file) => file.includes(`/${wanted}-`))
  }, name)
  return String(await found.jsonValue())
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
