import { demoPassword, expect, expectScreen, test } from '../../fixtures.ts'
import { farthestMoved, keepStreams } from '../../heard-positions.ts'
import { startOwnServer, type OwnServer } from '../../own-server.ts'

/** The demo as `npm start` has it: it moves. */
let server: OwnServer

test.beforeAll(async () => {
  test.setTimeout(600_000)
  server = await startOwnServer(18_238, { DEMO_MOVES: 'on', EMBEDDED_ENGINE: 'postgres' }, 'nothing')
})
test.afterAll(() => server?.stop())

/** As far as a bus turns in ten seconds at the end of its loop; a phone that lies still reports less. */
const movedM = 4
const twoMinutesMs = 120_000

test('anyone who opens the demo sees somebody move within ten seconds, and within two minutes who is late, silent and miscounted', async ({
  page,
}) => {
  test.setTimeout(600_000)
  await keepStreams(page)
  await page.goto(`${server.url}/sign-in`)
  await page.getByLabel('E-mail').fill('dispatcher@example.com')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\/overview$/)

  await page.goto(`${server.url}/dashboard/map`)
  const panel = page.getByRole('region', { name: "Today's departures", exact: true })
  await expect(panel.getByText(/[1-9]\d* on duty seen/)).toBeVisible()
  await expect.poll(() => farthestMoved(page), { timeout: 10_000 }).toBeGreaterThan(movedM)
  await panel.getByRole('button', { name: /on duty seen/ }).click()
  const person = panel.getByRole('region', { name: 'On duty' }).getByRole('button', { name: /Live · .*km\/h/ })
  await person.first().click()
  await expect(page.getByRole('status').filter({ hasText: 'Following' }).locator('..')).toContainText('Live')

  await page.goto(`${server.url}/tools/monitoring`)
  await expectScreen(page, 'Monitoring')
  const alert = (title: RegExp) => page.getByRole('article').getByRole('button', { name: title }).first()
  for (const title of [/^\d+ min late/, /^No signal since/, /^1 guest missing/])
    await expect(alert(title)).toBeVisible({ timeout: twoMinutesMs })

  await page.goto(`${server.url}/dashboard/map`)
  await expect(panel.getByRole('region', { name: 'Needs attention' })).toContainText('Airport loop bus')
  await panel.getByRole('button', { name: /on duty seen/ }).click()
  const onDuty = panel.getByRole('region', { name: 'On duty' })
  await expect(onDuty.getByRole('button', { name: /Offline · \d+ min/ }).first()).toBeVisible()

  await page.goto(`${server.url}/dashboard/overview`)
  await expect(page.getByText(/\d+ min late/).first()).toBeVisible()

  await page.goto(`${server.url}/field-staff/tracking`)
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible()
})
