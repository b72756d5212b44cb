import type { Browser, Page } from '@playwright/test'
import { createTour as newTour } from '@tour-ops/contract/tours'
import { expect as patient, servicePassword, test } from '../../clerk-world.ts'
import { openHostedWorld, type HostedWorld } from '../../hosted-world.ts'

// Identity service and backend both hosted: their real libraries in a real browser, against stand-ins of the services.

let world: HostedWorld
/** Several processes and large libraries start here. */
const expect = patient.configure({ timeout: 60_000 })

test.beforeAll(async () => {
  // a database of its own is made first
  test.setTimeout(240_000)
  world = await openHostedWorld(18_100)
})
test.afterEach(() => {
  // what the functions said belongs to the report of a journey that failed
  const { status, expectedStatus } = test.info()
  if (status !== expectedStatus) console.log(world.output())
})
test.afterAll(() => world?.stop())
test.describe.configure({ timeout: 180_000 })
test.use({ actionTimeout: 60_000 })

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${world.clerk.url}/sign-in`)
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  const password = page.getByLabel('Password', { exact: true })
  await password.fill(servicePassword)
  // the widget draws itself anew while it arrives
  await expect(password).toHaveValue(servicePassword)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\/overview/)
}

/** The function is another origin: the browser asks for leave first, which is an answer too. */
const answerOf = (page: Page, name: string) =>
  page.waitForResponse(
    (response) => response.url().endsWith(`/api/${name}`) && response.request().method() === 'POST',
    { timeout: 60_000 },
  )

async function createTour(page: Page, name: string): Promise<void> {
  await page.goto(`${world.clerk.url}/tours/constructor`)
  await page.getByLabel(/^Name/).first().fill(name)
  await page.getByLabel(/^Code/).first().fill('SEEN')
  const answer = answerOf(page, newTour.name)
  await page
    .getByRole('button', { name: /Create|Save/ })
    .first()
    .click()
  expect(await (await answer).json()).toMatchObject({ result: { version: 1 } })
}

async function inAnotherBrowser(browser: Browser, run: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  try {
    await run(await context.newPage())
  } finally {
    await context.close()
  }
}

const databasesOf = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''))

test('what one browser changes is seen in another, through functions and live documents', async ({ page, browser }) => {
  const orgId = world.clerk.service.state.addOrganization({ name: 'Alps Tours' }).id
  const ann = world.clerk.person('Ann', [{ orgId, role: 'org:admin' }])
  const ben = world.clerk.person('Ben', [{ orgId, role: 'org:tour_designer' }])
  await signIn(page, ann.email)
  await expect.poll(() => world.tokens.log).toContain('POST accounts:signInWithCustomToken')
  await page.goto(`${world.clerk.url}/tours/all`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => world.firestore.at(`orgs/${orgId}/members/${ann.id}`)).toMatchObject({ role: 'admin' })
  await inAnotherBrowser(browser, async (other) => {
    await signIn(other, ben.email)
    await createTour(other, 'Seen at once')
  })
  await expect(page.getByText('Seen at once')).toBeVisible()
})

test('sign-out removes what the browser kept, and the next person begins from nothing', async ({ page }) => {
  const orgId = world.clerk.service.state.addOrganization({ name: 'Baltic Tours' }).id
  const cid = world.clerk.person('Cid', [{ orgId, role: 'org:dispatcher' }])
  await signIn(page, cid.email)
  await expect.poll(async () => (await databasesOf(page)).some((name) => name.startsWith('firestore/'))).toBe(true)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect.poll(async () => (await databasesOf(page)).some((name) => name.startsWith('firestore/'))).toBe(false)
})
