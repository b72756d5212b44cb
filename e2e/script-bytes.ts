import { setTimeout } from 'node:timers/promises'
import { leastBytesToEncode } from '../apps/server/src/platform/http/encodings.ts'
import { expect, type Browser, type BrowserContextOptions } from '@playwright/test'

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
    const scripts = new Set<string>()
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('.js')) scripts.add(request.url())
    })
    await page.goto(address)
    await expect(page.locator(ready).first()).toBeVisible()
    return [...scripts]
  } finally {
    await context.close()
  }
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
