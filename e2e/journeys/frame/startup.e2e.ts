import type { Locator, Page, Route } from '@playwright/test'
import { enterWithWallet } from '../../accounts.ts'
import { origin, signInBrowser } from '../../api.ts'
import { expect, sessionFile, settled, test } from '../../fixtures.ts'
import { openGate } from '../../gate.ts'

// The network is only ever broken here, never answered in the server's place; what works works against the real one.

const session = '**/api/auth/get-session'
const identityToken = '**/api/auth/token?**'
const backendSignIn = '**/api/v1/accounts:signInWithCustomToken'

const startBar = (page: Page) => page.getByRole('progressbar', { name: 'Starting' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Where the middle of an element is, in whole pixels. */
async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
}

/** The start has nothing for this page, as where it does not know who is here: each question is asked by itself. */
const askPieceByPiece = (page: Page): Promise<unknown> =>
  page.route('**/api/start?**', (route) => route.fulfill({ json: { answers: [] } }))

/** Keeps requests waiting until `release` is called. */
async function holdBack(page: Page, address: string): Promise<{ release: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return { release: resolve }
}

test.describe('signed in', () => {
  test.use({ storageState: sessionFile('admin') })

  test('a bar of height 4 is under the app bar until the identity service has loaded and the store is initialized', async ({
    page,
  }) => {
    await askPieceByPiece(page)
    const looking = await holdBack(page, session)
    const signingIn = await holdBack(page, backendSignIn)
    await page.goto('/tours/all')
    await expect(startBar(page)).toBeVisible()
    expect(await startBar(page).boundingBox()).toEqual({ x: 0, y: 64, width: 1440, height: 4 })
    await expect(startBar(page), 'indeterminate').not.toHaveAttribute('aria-valuenow')
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0)

    const asked = page.waitForRequest(backendSignIn)
    looking.release()
    await asked
    await expect(startBar(page), 'the identity service has loaded, the store waits for the backend').toBeVisible()

    signingIn.release()
    await expect(heading(page, 'Tours')).toBeVisible()
    await expect(startBar(page)).toHaveCount(0)
  })

  test('the user button is in the middle of the app bar, at the top of every width', async ({ page }) => {
    await page.goto('/tours/all')
    const button = page.getByRole('button', { name: /^Account, / })
    for (const width of [1920, 1440, 1280, 960, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => middleOf(button), `${width} px`).toEqual(await middleOf(page.getByRole('banner')))
    }
    expect(await page.getByRole('banner').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 64 })
  })

  test('before any script runs the frame shows the same bar', async ({ page }) => {
    const scripts = await holdBack(page, '**/assets/*.js')
    await page.goto('/tours/all', { waitUntil: 'commit' })
    const bar = page.locator('.start-progress')
    await expect(bar).toBeVisible()
    expect(await bar.boundingBox()).toEqual({ x: 0, y: 64, width: 1440, height: 4 })
    scripts.release()
    await expect(heading(page, 'Tours')).toBeVisible()
    await expect(bar).toHaveCount(0)
  })

  test("after ten seconds it says 'Still connecting'; a person who presses gets an answer, and the screen when the service is back", async ({
    page,
    complaints,
  }) => {
    await page.clock.install()
    await askPieceByPiece(page)
    await page.route(session, (route) => route.abort('connectionrefused'))
    await page.goto('/tours/all')
    await expect(startBar(page)).toBeVisible()
    await expect(heading(page, 'Still connecting')).toHaveCount(0)
    await page.clock.fastForward(10_000)
    await expect(heading(page, 'Still connecting')).toBeVisible()
    await expect(startBar(page)).toBeVisible()

    await page.getByRole('button', { name: 'Try again now' }).click()
    await expect.poll(() => complaints.join('\n')).toContain('The initialization failed. AppError: Clerk is not ready')
    await expect(heading(page, 'Still connecting')).toBeVisible()

    // Nobody needs to press again: the look of the next second finds the service.
    await page.unroute(session)
    await expect(heading(page, 'Tours')).toBeVisible()
    await expect(startBar(page)).toHaveCount(0)
    complaints.length = 0
  })

  /** What the embedded identity and our own backend can answer wrongly. Source: spec, section 8. */
  const failures: readonly {
    name: string
    address: string
    fail: (route: Route) => Promise<void>
    log: string
    status: string
    words: string
  }[] = [
    {
      name: 'no token',
      address: identityToken,
      fail: (route) => route.fulfill({ json: {} }),
      log: 'No token available from Clerk',
      status: '401',
      words: 'The sign-in service did not confirm who you are.',
    },
    {
      name: 'the token is refused',
      address: identityToken,
      fail: (route) => route.fulfill({ status: 500, json: { message: 'no' } }),
      log: 'Failed to get Firebase token from Clerk',
      status: '401',
      words: 'The sign-in service did not confirm who you are.',
    },
    {
      name: 'the backend refuses the sign-in',
      address: backendSignIn,
      fail: (route) =>
        route.fulfill({ status: 401, json: { error: { status: 'UNAUTHENTICATED', message: 'INVALID_CUSTOM_TOKEN' } } }),
      log: 'The backend sign-in failed. AppError: INVALID_CUSTOM_TOKEN',
      status: '401',
      words: 'Your session has expired.',
    },
    {
      name: 'the backend cannot be reached',
      address: backendSignIn,
      fail: (route) => route.abort('connectionrefused'),
      log: 'The backend sign-in failed. AppError: The server cannot be reached.',
      status: '503',
      words: 'The server cannot be reached just now.',
    },
    {
      name: 'the backend breaks',
      address: backendSignIn,
      fail: (route) =>
        route.fulfill({
          status: 500,
          headers: { 'x-request-id': 'request-of-a-failure' },
          json: { error: { status: 'INTERNAL', message: 'Something went wrong.' } },
        }),
      log: 'The backend sign-in failed. AppError: Something went wrong.',
      status: '500',
      words: 'Something went wrong on our side.',
    },
  ]

  for (const { name, address, fail, log, status, words } of failures) {
    test(`${name}: logged, stored, shown as text, and retried on request`, async ({ page, complaints }) => {
      await askPieceByPiece(page)
      await page.route(address, fail)
      await page.goto('/tours/all')
      await expect(heading(page, 'Internal Server Error')).toBeVisible()
      const told = page.locator(`[data-error-status="${status}"]`)
      await expect(told).toContainText(words)
      if (status === '500') await expect(told).toContainText('request-of-a-failure')
      expect(complaints.join('\n')).toContain(log)
      expect(complaints.filter((line) => line.includes('The initialization failed.'))).toHaveLength(1)

      await page.unroute(address)
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(heading(page, 'Tours')).toBeVisible()
      complaints.length = 0
    })
  }

  for (const target of ['//evil.example/x', String.raw`/\evil.example`, 'javascript:alert(1)']) {
    test(`a way back to ${target} leads nowhere else`, async ({ page }) => {
      await page.goto(`/sign-in?redirect_url=${encodeURIComponent(target)}`)
      await expect(page).toHaveURL(`${origin}/dashboard/overview`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    })
  }

  test('while the server is away a bar says so, and that the data is old; it goes when the server is back', async ({
    page,
    complaints,
  }) => {
    const gate = await openGate()
    try {
      await page.clock.install()
      await page.goto(`${gate.url}/tours/all`)
      await settled(page)
      await expect(page.locator('[data-connection="live"]')).toBeVisible()
      await gate.shut()
      await expect(page.locator('[data-connection="reconnecting"]')).toBeVisible()
      await page.clock.fastForward(10_000)
      const bar = page.getByRole('status').filter({ hasText: 'You are offline.' })
      await expect(bar).toBeVisible()
      await expect(bar).toContainText(/Showing data from \d\d:\d\d\./)
      await expect(heading(page, 'Tours'), 'what was read stays').toBeVisible()
      await gate.open()
      await bar.getByRole('button', { name: 'Try now' }).click()
      await expect(bar).toHaveCount(0)
      await expect(page.locator('[data-connection="live"]')).toBeVisible()
    } finally {
      await gate.shut()
    }
    complaints.length = 0
  })
})

test('after sign-out nothing of the person is left, and the backend token is worth nothing', async ({
  page,
  context,
}) => {
  await signInBrowser(context, 'viewer')
  const listed = page.waitForRequest('**/api/tours-list')
  await page.goto('/tours/all')
  const authorization = (await (await listed).allHeaders())['authorization'] ?? ''
  await settled(page)
  const revoked = page.waitForResponse('**/api/v1/accounts:signOut')
  await page.getByRole('button', { name: /^Account, / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  expect((await revoked).status()).toBe(200)
  await expect(page.getByRole('button', { name: /^Account, / })).toHaveCount(0)
  const answer = await fetch(`${origin}/api/session-get`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: '{"data":{}}',
  })
  expect(answer.status).toBe(401)

  await page.getByRole('button', { name: /Dispatcher/ }).click()
  await expect(page).toHaveURL(/\/dashboard\/overview$/)
  await expect(page.getByRole('button', { name: 'Account, Tomás Ferreira' })).toBeVisible()
})

test('a toast stays for 4 seconds', async ({ page, context, complaints }) => {
  await signInBrowser(context, 'viewer')
  await page.goto('/tours/all')
  await settled(page)
  await page.route('**/api/auth/sign-out', (route) => route.abort())
  await page.clock.install()
  await page.getByRole('button', { name: /^Account, / }).click()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  const toast = page.getByText('You are still signed in: the server did not answer.')
  await expect(toast).toBeVisible()
  // The pointer rests on the menu and not on the toast.
  await page.clock.runFor(3_999)
  await expect(toast).toBeVisible()
  await page.clock.runFor(1)
  await expect(toast).toHaveCount(0)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('/api/auth/sign-out')])
})

test('a sign-out that the server does not hear leaves the person here, and screens read on', async ({
  page,
  context,
  complaints,
}) => {
  await signInBrowser(context, 'viewer')
  await page.goto('/tours/all')
  await settled(page)
  await page.route('**/api/auth/sign-out', (route) => route.abort())
  await page.getByRole('button', { name: /^Account, / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByText('You are still signed in: the server did not answer.')).toBeVisible()
  await expect(page.locator('[data-connection="live"]')).toBeVisible()
  const read = page.waitForResponse('**/api/travelers-list')
  await page.getByRole('link', { name: 'Travelers', exact: true }).click()
  expect((await read).status()).toBe(200)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  expect(complaints.splice(0)).toEqual([expect.stringContaining('/api/auth/sign-out')])
})

test('a person without an organization is led to the choice of one from every screen', async ({ page }) => {
  await enterWithWallet(page)
  for (const path of ['/travelers/list', '/']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/organizations$/)
    await expect(heading(page, 'You are not in an organization yet')).toBeVisible()
  }
  await page.getByRole('link', { name: 'Create organization' }).click()
  await expect(page).toHaveURL(/\/create-organization$/)
})
