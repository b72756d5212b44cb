import { expect, type Page } from '@playwright/test'

// Steps on the guide's phone, whatever the installation runs on.

/** The check-in of the only tour of the day. */
export async function openCheckIn(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('link', { name: 'Guests', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Check-in' })).toBeVisible()
}

/** The phone has the application: from here on it opens without a network. */
export const installed = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    return true
  })

/** What the phone has of the application, by address. */
export const storedFiles = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const requests = await Promise.all(stores.map((store) => store.keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })

/** The office may see this phone while its person is on duty. */
export async function agreeToTracking(page: Page): Promise<void> {
  await page.locator('header').getByRole('button', { name: 'Agree' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Agree' }).click()
}

/** Checks parties of this size in, as many as there are. */
export async function checkInParties(page: Page, size: number, count: number): Promise<void> {
  const button = page.getByRole('button', { name: `Check in all ${size}` })
  for (let left = count; left > 0; left -= 1) {
    await button.first().click()
    await expect(button).toHaveCount(left - 1)
  }
}

/** The network is back. The page is notified as well: where this computer itself has no network, the browser notices nothing. */
export async function endCutOff(page: Page): Promise<void> {
  await page.context().setOffline(false)
  await page.evaluate(() => dispatchEvent(new Event('online')))
}

/** What the browser says of requests without a network; what else there is stays for the end. */
export function takeCutOffs(complaints: string[]): void {
  const others = complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|The network connection was lost/.test(text))
  complaints.splice(0, complaints.length, ...others)
}
