import type { Page } from '@playwright/test'
import { hasAccess, roles } from '@tour-ops/contract/identity/access'
import { demoPassword, expect, goWithin, sessionFile, settled, takeAnswers, test } from '../../fixtures.ts'
import { layouts, redirects, screens } from '../../routes.ts'

test.describe.configure({ mode: 'parallel' })

/** Status and text of the specification, section 8, on the page and in the console. */
async function expectNotFound(page: Page, complaints: readonly string[], path: string): Promise<void> {
  const text = `Page Not Found: ${path}`
  await expect(page.locator('[data-error-status="404"]').getByText('404', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: text, exact: true })).toBeVisible()
  expect(complaints.filter((line) => line.startsWith(`error: ${text} (`))).toHaveLength(1)
}

test.describe('addresses of the specification', () => {
  test.use({ storageState: sessionFile('admin') })

  test('every redirect leads where the specification says', async ({ page }) => {
    await page.goto('/settings')
    await settled(page)
    for (const [from, to] of redirects) {
      await goWithin(page, from)
      await expect(page, `${from} leads to ${to}`).toHaveURL((url) => url.pathname === to)
    }
    // The same for an address that was typed: the server answers with the application.
    const answer = await page.goto('/')
    expect(answer?.status()).toBe(200)
    await expect(page).toHaveURL((url) => url.pathname === '/dashboard/overview')
  })

  test('addresses that imports and bookings had before lead on, and keep what they say', async ({ page }) => {
    const booking = (await screens()).map(({ path }) => path).find((path) => path.startsWith('/travelers/book/'))
    await page.goto('/travelers/list?import=new')
    await expect(page.getByRole('heading', { level: 1, name: 'Import travelers' })).toBeVisible()
    await expect(page).toHaveURL((url) => url.pathname === '/travelers/import')
    await settled(page)
    const id = booking?.split('/').at(-1)
    await goWithin(page, `/travelers/edit/${id}?section=booking`)
    await expect(page).toHaveURL((url) => url.pathname === booking)
    await goWithin(page, '/travelers/edit/create?section=booking')
    await expect(page).toHaveURL((url) => url.pathname === '/travelers/book')
    // a parameter that cannot be meant is left out, and takes no other with it
    await goWithin(page, '/tours/all?show=departures&as=nonsense&f.needs=lead_guide')
    await expect(page.getByRole('tab', { name: 'Departures' })).toHaveAttribute('aria-selected', 'true')
    await expect(page.locator('.data-table')).toBeVisible()
  })

  test('an unknown path and a malformed id are answered with 404 by the server and shown by the page', async ({
    page,
    complaints,
  }) => {
    for (const path of ['/nowhere', '/tours/edit/42', '/dashboard/overview/more']) {
      const answer = await page.goto(path)
      expect(answer?.status(), path).toBe(404)
      await expectNotFound(page, complaints, path)
    }
    // The browser itself reports documents that are answered with 404.
    takeAnswers(complaints, 404)
  })

  test('an id that does not exist in this organization is shown as not found', async ({ page, complaints }) => {
    const path = '/travelers/details/018f0000-0000-7000-8000-000000000000'
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(path)
    await expectNotFound(page, complaints, path)
    takeAnswers(complaints, 404)
    // On a phone the address has several lines, and no word of it more than one.
    const lines = await page.getByRole('heading', { level: 1 }).evaluate((heading) => {
      const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
      const found: [text: string, lines: number][] = []
      while (texts.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(texts.currentNode)
        const rows = new Set([...range.getClientRects()].map(({ top }) => top))
        found.push([texts.currentNode.textContent ?? '', rows.size])
      }
      return { broken: found.filter(([, rows]) => rows > 1), parts: found.length }
    })
    expect(lines.parts).toBeGreaterThan(4)
    expect(lines.broken).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })
})

test('signed out, a screen leads to sign-in and back afterwards; an unknown path is still not found', async ({
  page,
  complaints,
}) => {
  const answer = await page.goto('/nowhere')
  expect(answer?.status()).toBe(404)
  await expectNotFound(page, complaints, '/nowhere')
  takeAnswers(complaints, 404)
  await page.goto('/tours/all')
  await expect(page).toHaveURL(/\/sign-in/)
  await page.getByLabel('E-mail').fill('viewer@example.com')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/tours/all')
})

for (const role of roles) {
  test.describe(`what a ${role} may open`, () => {
    test.use({ storageState: sessionFile(role) })

    test(`a ${role} opens what the permissions allow and elsewhere sees which permission is missing`, async ({
      page,
      complaints,
    }) => {
      await page.goto('/')
      await settled(page)
      for (const { path, permission, layout, isOwn } of await screens(role)) {
        const isAllowed = permission === null || hasAccess({ role }, { permission })
        await test.step(`${path} ${isAllowed ? 'opens' : `asks for ${permission}`}`, async () => {
          await goWithin(page, path)
          const missing = page.locator('[data-missing-permission]')
          if (isAllowed) {
            await expect.soft(missing, path).toHaveCount(0)
            // Own scope: records of others are not found.
            await expect.soft(page.locator('[data-error-status]'), path).toHaveCount(isOwn ? 0 : 1)
            if (isOwn) expect.soft(await layouts(page), `layouts of ${path}`).toEqual(layout)
          } else {
            await expect.soft(missing, path).toHaveAttribute('data-missing-permission', permission ?? '')
            await expect.soft(missing, path).toContainText(permission ?? '')
          }
        })
      }
      if (role === 'guide') takeAnswers(complaints, 404)
    })
  })
}
