import type { Page } from '@playwright/test'
import { askPosition } from '@tour-ops/contract/tracking/position-ask'
import { test } from '../../clerk-world.ts'
import {
  agreeToTracking,
  checkInParties,
  endCutOff,
  installed,
  openCheckIn,
  storedFiles,
  takeCutOffs,
} from '../../duty-steps.ts'
import { expectAccessible, takeAnswers } from '../../fixtures.ts'
import {
  expect,
  guideOnDuty,
  inAnotherBrowser,
  printOutputOfFailed,
  signInAt,
  workThroughOutage,
} from '../../hosted-steps.ts'
import { openHostedWorld, type HostedWorld } from '../../hosted-world.ts'

// The guide's phone where identity service and backend are hosted: the same day, queue and marks, over Clerk's script and functions.

let world: HostedWorld

test.beforeAll(async () => {
  world = await openHostedWorld(18_120)
})
test.afterEach(() => printOutputOfFailed(test.info(), world))
test.afterAll(() => world?.stop())
test.use({ actionTimeout: 60_000, viewport: { width: 390, height: 844 } })

/** A guide on this installation, and where the office's map sees the departure's people, as text. */
async function onDuty(page: Page, name: string, parties: readonly (readonly string[])[]) {
  const guide = await guideOnDuty(world, page, name, parties)
  const { orgId, departure } = guide
  return {
    ...guide,
    position: () => JSON.stringify(world.firestore.at(`orgs/${orgId}/positions/${departure.id}`) ?? null),
  }
}

test('a guide signs in, checks in without a network and opens the phone again: everything is at the office once when it is back', async ({
  page,
  context,
  complaints,
}) => {
  const tab = await context.newPage()
  const { phone, aboard, checkIns } = await onDuty(tab, 'Ivo', [
    ['Emma Perry', 'Noah Perry'],
    ['Ana Rey', 'Leo Rey'],
  ])
  await openCheckIn(tab, phone)
  await installed(tab)
  expect((await storedFiles(tab)).filter((name) => /clerk|firebase/.test(name))).toHaveLength(2)
  await context.setOffline(true)
  await checkInParties(tab, 2, 2)
  await expect(tab.getByText('No signal since')).toBeVisible()
  await tab.close()

  // whatever the phone does not have by now does not come again, as after a new build
  await context.route('**/assets/**', (route) => route.abort())
  await page.clock.install()
  await page.goto(phone)
  await expect(page.getByText('4 entries are waiting on this phone')).toBeVisible()
  await page.getByRole('link', { name: 'Guests', exact: true }).click()
  await expect(page.getByText('on phone').first()).toBeVisible()
  // longer than the service's script waits for itself
  await page.clock.runFor(30_000)
  await endCutOff(page)
  await expect.poll(aboard).toBe(4)
  await expect(page.getByText('No signal since')).toHaveCount(0)
  await expect(page.getByText('on phone')).toHaveCount(0)
  await expectAccessible(page)
  const events = await checkIns()
  expect(events).toHaveLength(4)
  expect(new Set(events.map(({ entryId }) => entryId)).size).toBe(4)
  takeCutOffs(complaints)
})

test('the script of the sign-in service that does not come is asked for again, and what waits is sent', async ({
  page,
  context,
  complaints,
}) => {
  const tab = await context.newPage()
  const { phone, aboard } = await onDuty(tab, 'Jon', [['Emma Perry', 'Noah Perry']])
  await openCheckIn(tab, phone)
  await installed(tab)
  await tab.close()
  const script = '**/__clerk/npm/**'
  await context.route(script, (route) => route.abort())
  await page.clock.install()
  await openCheckIn(page, phone)
  await checkInParties(page, 2, 1)
  const isFailure = (line: string) => /Failed to load Clerk|ERR_FAILED .*__clerk.npm/.test(line)
  // as long as it waits for itself
  await page.clock.runFor(16_000)
  await expect.poll(() => complaints.filter(isFailure).join()).toContain('Failed to load Clerk')
  await expect(page.getByText('No signal since')).toBeVisible()
  await context.unroute(script)
  await expect.poll(aboard).toBe(2)
  await expect(page.getByText('No signal since')).toHaveCount(0)
  complaints.splice(0, complaints.length, ...complaints.filter((line) => !isFailure(line)))
})

test('a sign-in service that does not answer is no signal, and no session that has expired', async ({
  page,
  context,
  complaints,
}) => {
  const tab = await context.newPage()
  const { phone, aboard } = await onDuty(tab, 'Kim', [['Emma Perry', 'Noah Perry']])
  await openCheckIn(tab, phone)
  await installed(tab)
  await tab.close()
  await workThroughOutage(world.clerk.service, page, phone, aboard)
  takeAnswers(complaints, 503)
})

test('a guide without a network calls for help, the board has it when there is one, and the phone says who takes it', async ({
  page,
  browser,
  complaints,
}) => {
  const { phone, dispatcher } = await onDuty(page, 'Mia', [])
  await page.goto(phone)
  await installed(page)
  const help = page.getByRole('link', { name: 'Call for help', exact: true })
  await expect(help).toBeVisible()
  await page.context().setOffline(true)
  await help.click()
  await page.getByRole('button', { name: 'Call for help now' }).click()
  const state = page.getByRole('main').getByRole('status')
  await expect(state).toContainText('The call is still on this phone')
  await endCutOff(page)
  await expect(state).toContainText('The office has the call')
  takeCutOffs(complaints)
  await inAnotherBrowser(browser, async (desk) => {
    await signInAt(world.clerk.url, desk, dispatcher.email)
    await desk.goto(`${world.clerk.url}/tools/monitoring`)
    await desk
      .getByRole('button', { name: /calls for help$/ })
      .first()
      .click()
    const panel = desk.getByRole('dialog', { name: /calls for help$/ })
    await panel.getByRole('button', { name: /^Acknowledge/ }).click()
    await expect(panel.getByRole('button', { name: 'Return to New' })).toBeVisible()
  })
  await expect(state).toContainText('is taking care of it.')
})

test.describe('a phone that knows where it is', () => {
  test.use({ permissions: ['geolocation'], geolocation: { latitude: 64.1375, longitude: -21.935 } })

  test('is seen by the office when its person agrees, says that it was asked, and is seen no longer when the duty ends', async ({
    page,
  }) => {
    const { phone, position, api, staffId } = await onDuty(page, 'Leo', [])
    // boarding has begun the duty
    await agreeToTracking(page)
    await expect(page.getByText('Visible to the office since')).toBeVisible()
    await expect.poll(position).toContain('64.1375')
    await api.call(askPosition, { staffId })
    await expect(page.locator('header').getByText('The office asked where you are at', { exact: false })).toBeVisible()
    await page.goto(phone)
    await page.getByRole('button', { name: 'End duty' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End duty' }).click()
    await expect.poll(position).toBe('null')
    await expect(page.getByRole('button', { name: 'Begin duty' })).toBeVisible()
  })
})
