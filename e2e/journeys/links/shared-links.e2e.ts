import type { Browser, BrowserContext, Page } from '@playwright/test'
import { setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createLink } from '@tour-ops/contract/links/links'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, expectScreen, sessionFile, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

const phone = { width: 390, height: 844 }

/** Makes a link to a Golden Circle and returns its address. */
async function makeLink(page: Page, label: string): Promise<string> {
  await page.goto('/tools/shared-links')
  await expectScreen(page, 'Shared links')
  await page.getByRole('button', { name: 'New link' }).click()
  const dialog = page.getByRole('dialog', { name: 'New link' })
  await dialog.getByRole('combobox', { name: 'Departure' }).fill('golden')
  await page
    .getByRole('option', { name: /Golden Circle/ })
    .first()
    .click()
  await dialog.getByRole('textbox', { name: 'Label' }).fill(label)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const ready = page.getByRole('dialog', { name: 'The link is ready' })
  const address = await ready.getByLabel('URL', { exact: true }).inputValue()
  expect(address).toMatch(/\/share\/[\w-]{43}$/)
  await ready.getByRole('button', { name: 'Close' }).click()
  return address
}

/** Somebody with a phone and no account. */
async function guest(browser: Browser): Promise<{ page: Page; context: BrowserContext; hosts: Set<string> }> {
  const context = await browser.newContext({ viewport: phone, storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  return { page, context, hosts }
}

const actions = async (page: Page, label: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${label}` }).click()
}

test('what a mouse presses in a searched list is chosen at once: by the time of the release another list may be shown', async ({
  page,
}) => {
  await page.goto('/tools/shared-links')
  await page.getByRole('button', { name: 'New link' }).click()
  const dialog = page.getByRole('dialog', { name: 'New link' })
  const field = dialog.getByRole('combobox', { name: 'Departure' })
  await field.fill('golden')
  const first = page.getByRole('listbox').getByRole('option').first()
  // the previous list is shown until the server has searched
  await expect(first).toHaveText(/Golden Circle/)
  await first.hover()
  await page.mouse.down()
  await expect(field).toHaveValue(/Golden Circle/)
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await page.mouse.up()
  await expect(field).toHaveValue(/Golden Circle/)
  await expect(dialog).toBeVisible()
})

test('a guest opens the link without an account, is counted once, and loses the page within seconds of its end', async ({
  page,
  browser,
  baseURL,
}) => {
  const label = `Guests ${Date.now()}`
  const address = await makeLink(page, label)
  const { page: guestPage, context, hosts } = await guest(browser)
  // The first answer is lost on its way, after the server has counted it: the page asks again for the same visit.
  let asked = 0
  await guestPage.route('**/api/share-get', async (route) => {
    asked += 1
    if (asked > 1) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  const answer = await guestPage.goto(address)
  expect(answer?.headers()['x-robots-tag']).toBe('noindex, nofollow')
  await expect(guestPage.getByRole('heading', { level: 1, name: 'Golden Circle' })).toBeAttached()
  await expect(guestPage.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
  await expect(guestPage.getByRole('list').getByText('Gullfoss')).toBeVisible()
  await expect(guestPage.getByRole('link', { name: /Call us/ })).toHaveAttribute('href', /^tel:\+/)
  expect(await guestPage.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
    0,
  )
  await expectAccessible(guestPage)
  expect([...hosts]).toEqual([new URL(baseURL ?? '').host])

  // The page asks again every few seconds, which is no new visit; the office sees the one live.
  const row = page.getByRole('row').filter({ hasText: label })
  await expect.poll(() => asked, { message: 'the page asks again', timeout: 20_000 }).toBeGreaterThan(2)
  await expect(row).toContainText('1')
  await actions(page, label)
  await page.getByRole('menuitem', { name: 'Access log' }).click()
  const log = page.getByRole('dialog', { name: label })
  await expect(log.getByText('1 view')).toBeVisible()
  await expect(log.getByRole('cell', { name: 'Chrome' })).toHaveCount(1)
  await expectAccessible(page)
  // Nothing is entered in it: both ways out work.
  await page.keyboard.press('Escape')
  await expect(log).toBeHidden()
  await actions(page, label)
  await page.getByRole('menuitem', { name: 'Access log' }).click()
  await expect(log).toBeVisible()
  await page.mouse.click(20, 880)
  await expect(log).toBeHidden()

  await actions(page, label)
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
  // docs/domain.md, "Shared links": within 5 s.
  await expect(guestPage.getByRole('heading', { name: 'This link has expired' })).toBeVisible({ timeout: 6_000 })
  await expectAccessible(guestPage)
  await context.close()
})

test('an unknown address and an ended one look the same', async ({ page, browser }) => {
  const label = `Ended ${Date.now()}`
  const address = await makeLink(page, label)
  await actions(page, label)
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
  // live links come first, of other journeys too
  await page.getByPlaceholder('Label, tour, booking').fill(label)
  await expect(page.getByRole('row').filter({ hasText: label })).toContainText('Revoked')
  const { page: guestPage, context } = await guest(browser)
  const words: string[] = []
  for (const url of [address, '/share/somebody-made-this-up']) {
    await guestPage.goto(url)
    await expect(guestPage.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
    words.push(await guestPage.locator('body').innerText())
  }
  expect(words[0]).toBe(words[1])
  await context.close()
})

test('copying again gives another address for the same link, and pausing closes both for a while', async ({
  page,
  browser,
}) => {
  const label = `Twice ${Date.now()}`
  const first = await makeLink(page, label)
  // live links come first, of other journeys too
  await page.getByPlaceholder('Label, tour, booking').fill(label)
  await actions(page, label)
  await page.getByRole('menuitem', { name: /^Create another URL/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Another URL of this link' })
  const second = await dialog.getByLabel('URL', { exact: true }).inputValue()
  expect(second).not.toBe(first)
  await dialog.getByRole('button', { name: 'Close' }).click()
  const { page: guestPage, context } = await guest(browser)
  for (const url of [first, second]) {
    await guestPage.goto(url)
    await expect(guestPage.getByText('The day')).toBeVisible()
  }
  await actions(page, label)
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await expect(guestPage.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: label })
  // guests know it before the list does, on a slow computer: until then its menu offers to pause
  await expect(row).toContainText('Paused')
  await actions(page, label)
  await page.getByRole('menuitem', { name: 'Resume' }).click()
  // a page that finds it paused does not ask again
  await expect(row).toContainText('Active')
  await guestPage.goto(first)
  await expect(guestPage.getByText('The day')).toBeVisible()
  await context.close()
})

test('on a phone the list fits and a link opens with what can be done with it', async ({ page }) => {
  await page.setViewportSize(phone)
  // other journeys make links, and the newest come first
  await page.goto('/tools/shared-links?q=all+guests')
  await page.getByText('all guests').first().click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Create another URL' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  await expectAccessible(page)
})

test.describe('as a viewer', () => {
  test.use({ storageState: sessionFile('viewer') })

  test('links are seen and cannot be made or ended', async ({ page }) => {
    await page.goto('/tools/shared-links?q=all+guests')
    await expectScreen(page, 'Shared links')
    await expect(page.getByText('all guests').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'New link' })).toHaveCount(0)
    await expectAccessible(page)
  })
})

test('a link to a departure that is cancelled says so in the list, and is no longer green', async ({ page }) => {
  const api = await apiAs('admin')
  const departure = await makeDeparture(await makeTour('Storm watch'), { hours: 6 })
  const label = `Link ${departure.code}`
  await api.call(createLink, { kind: 'departure_guest', subjectId: departure.id, label, language: null })
  await page.goto(`/tools/shared-links?q=${departure.code}`)
  const row = page.getByRole('row').filter({ hasText: label })
  await expect(row).toContainText('Active')
  const { id, version } = departure
  await api.call(setDepartureStatus, { id, version, to: 'cancelled', cancelReason: 'weather' })
  // without being reloaded
  await expect(row).toContainText('Cancelled')
  await expect(row).not.toContainText('Active')
})
