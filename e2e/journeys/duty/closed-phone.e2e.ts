import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { getManifest, listCheckIns } from '@tour-ops/contract/bookings/manifest'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { type Api, apiAs, origin } from '../../api.ts'
import { endCutOff, installed, openCheckIn, takeCutOffs } from '../../duty-steps.ts'
import { expect, test } from '../../fixtures.ts'
import { book, type JourneyTour, makeBoarding, makeTour } from '../../operations.ts'
import { becomeGuide } from '../../own-guide.ts'
import { isSubscribed, letSubscribe } from '../../push-service.ts'
import { storedDays } from '../../stored-days.ts'
import { boardingWithLink, openByLink } from './phone-by-link.ts'

// The guide's phone while its page is closed: sent in the background, started again without a network, and nothing left after a sign-out.

const phone = { viewport: { width: 390, height: 844 } }
test.use(phone)

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Lagoon walk')
})

const aboard = (api: Api, departureId: string) => async () =>
  (await api.call(getManifest, { departureId })).counts.aboard

/**
 * Wakes the phone's worker up, as a browser does once it has a network again and a page had asked for it. The one without a window has no
 * background sync: the event of it is made by hand, and no page of the phone is open.
 */
async function wakeWorker(page: Page): Promise<void> {
  await page.goto('/healthz')
  const worker = page
    .context()
    .serviceWorkers()
    .find((one) => one.url().endsWith('/duty-worker.js'))
  if (!worker) throw new Error('The phone has no worker')
  await worker.evaluate(async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const wake = Object.assign(new Event('sync'), { tag: 'duty-send', waitUntil: resolve })
    dispatchEvent(wake)
    await promise
  })
}

test('what waits is sent in the background after the page was closed, and the next page has it from the office', async ({
  page,
  context,
  complaints,
}) => {
  const tab = await context.newPage()
  const { api, departure } = await openByLink(tab, tour, [['Anika Patel', 'Rohan Patel'], ['Marcus Reid']])
  await installed(tab)
  await context.setOffline(true)
  await tab.getByRole('button', { name: 'Check in all 2' }).click()
  await expect(tab.getByText('on phone').first()).toBeVisible()
  await tab.close()
  await context.setOffline(false)
  expect(await aboard(api, departure.id)()).toBe(0)
  await wakeWorker(page)
  await expect.poll(aboard(api, departure.id)).toBe(2)

  await openCheckIn(page, '/duty')
  await expect(page.getByText('all synced')).toBeVisible()
  expect((await api.call(listCheckIns, { departureId: departure.id })).events).toHaveLength(2)
  takeCutOffs(complaints)
})

/** The browser of a phone with everything that it stores in a folder, as after it was closed. */
const openBrowser = (folder: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, {
    ...test.info().project.use.launchOptions,
    ...phone,
    baseURL: origin,
    locale: 'en-US',
  })

test('a browser that was closed with marks waiting has day and marks after its restart without a network, and sends them once', async () => {
  const { api, departure, link } = await boardingWithLink(tour, [['Sofía Herrera', 'Pablo Herrera'], ['Iris Dahl']])
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'phone-'))
  try {
    const before = await openBrowser(folder)
    const page = await before.newPage()
    await openCheckIn(page, `/duty#link=${link.token}`)
    await installed(page)
    await before.setOffline(true)
    await page.getByRole('button', { name: 'Check in all 2' }).click()
    await expect(page.getByText('on phone')).toHaveCount(3)
    await before.close()

    const after = await openBrowser(folder)
    await after.setOffline(true)
    const again = await after.newPage()
    await openCheckIn(again, '/duty')
    await expect(again.getByText('2 entries are waiting on this phone')).toBeVisible()
    await expect(again.getByRole('button', { name: 'Check in Iris Dahl' })).toBeVisible()
    await expect(again.getByRole('button', { name: 'Undo check-in of Pablo Herrera' })).toBeVisible()
    expect(await aboard(api, departure.id)()).toBe(0)
    await endCutOff(again)
    await expect.poll(aboard(api, departure.id)).toBe(2)
    await expect(again.getByText('all synced')).toBeVisible()
    expect((await api.call(listCheckIns, { departureId: departure.id })).events).toHaveLength(2)
    await after.close()
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})

interface StoredDay {
  readonly iv: BufferSource
  readonly data: BufferSource
}

/** Takes a copy of the day as it is stored, for `readCopy`. */
const copyDay = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opened = indexedDB.open('duty')
        opened.addEventListener('success', () => {
          const days = opened.result.transaction('days').objectStore('days').getAll()
          days.addEventListener('success', () => {
            Object.assign(window, { copiedDay: days.result[0] as StoredDay })
            opened.result.close()
            resolve()
          })
        })
      }),
  )

/** What the keys that are stored now open of the copy: its text, or null. And the names of these keys, and whether a script may read one out. */
const readCopy = (page: Page): Promise<{ text: string | null; keys: string[]; canExport: boolean }> =>
  page.evaluate(async () => {
    const { iv, data } = (window as unknown as { copiedDay: StoredDay }).copiedDay
    const stored = await new Promise<[string, CryptoKey][]>((resolve) => {
      const opened = indexedDB.open('duty')
      opened.addEventListener('success', () => {
        const keys = opened.result.transaction('keys').objectStore('keys').openCursor()
        const found: [string, CryptoKey][] = []
        keys.addEventListener('success', () => {
          const row = keys.result
          if (row) {
            found.push([row.key as string, row.value as CryptoKey])
            return row.continue()
          }
          opened.result.close()
          return resolve(found)
        })
      })
    })
    const texts = await Promise.all(
      stored.map(([, key]) =>
        crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data).then(
          (opened) => new TextDecoder().decode(opened),
          () => null,
        ),
      ),
    )
    return {
      text: texts.find((text) => text !== null) ?? null,
      keys: stored.map(([name]) => name),
      canExport: stored.some(([, key]) => key.extractable),
    }
  })

test('a guide with an account: sent in the background by the session, and a sign-out destroys the key of the stored day and ends notices in this browser', async ({
  page,
  browser,
  context,
  complaints,
}) => {
  await letSubscribe(context)
  const { staffId } = await becomeGuide(page, browser)
  const api = await apiAs('admin')
  const departure = await makeBoarding(tour)
  await book(departure.id, ['Emma Perry', 'Noah Perry'])
  await api.call(createAssignment, { departureId: departure.id, staffId, role: 'guide', overrideReason: 'Journey' })
  const guests = `/duty/tours/${departure.id}/guests`
  const tab = await context.newPage()
  await tab.goto(guests)
  await expect(tab.getByRole('heading', { name: 'Check-in' })).toBeVisible()
  await installed(tab)
  await context.setOffline(true)
  await tab.getByRole('button', { name: 'Check in all 2' }).click()
  await expect(tab.getByText('on phone').first()).toBeVisible()
  await tab.close()
  await context.setOffline(false)
  await wakeWorker(page)
  await expect.poll(aboard(api, departure.id)).toBe(2)

  await page.goto('/duty')
  await expect(page.getByText('Nadia Haddad', { exact: false }).first()).toBeVisible()
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.register('/push-worker.js', { scope: '/push/' })
    await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: 'BA' })
  })
  expect(await isSubscribed(page)).toBe(true)
  await copyDay(page)
  const before = await readCopy(page)
  expect(before.text).toContain('Noah Perry')
  expect(before.canExport).toBe(false)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  const ended = page.waitForResponse((response) => response.url().endsWith('/auth/sign-out'))
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('Sign in to see your day.')).toBeVisible()
  await ended
  expect(await isSubscribed(page)).toBe(false)
  const after = await readCopy(page)
  expect(after.text).toBeNull()
  expect(after.keys).not.toContain('day')
  expect(await storedDays(page)).toBe(0)

  await context.setOffline(true)
  await page.goto(guests)
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  for (const name of ['Haddad', 'Perry']) await expect(page.getByText(name)).toHaveCount(0)
  await context.setOffline(false)
  takeCutOffs(complaints)
})
