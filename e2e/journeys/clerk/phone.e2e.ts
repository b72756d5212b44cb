import { listTracked } from '@tour-ops/contract/tracking/tracked-subjects'
import { openClerkWorld, test, type ClerkWorld } from '../../clerk-world.ts'
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
import { expect, guideOnDuty, withOwnBackend, workThroughOutage } from '../../hosted-steps.ts'

// The guide's phone where people sign in at the hosted identity service and the backend is our own server.

let world: ClerkWorld

test.beforeAll(async () => {
  world = await openClerkWorld(18_130)
})
test.afterAll(() => world?.stop())
test.use({ viewport: { width: 390, height: 844 } })

test('a guide signs in, checks in without a network and opens the phone again: everything is at the office once when it is back', async ({
  page,
  context,
  complaints,
}) => {
  const tab = await context.newPage()
  const { phone, aboard, checkIns } = await guideOnDuty(withOwnBackend(world), tab, 'Ivo', [
    ['Emma Perry', 'Noah Perry'],
    ['Ana Rey', 'Leo Rey'],
  ])
  await openCheckIn(tab, phone)
  await installed(tab)
  expect((await storedFiles(tab)).filter((name) => /clerk/.test(name))).toHaveLength(1)
  await context.setOffline(true)
  await checkInParties(tab, 2, 2)
  await expect(tab.getByText('No signal since')).toBeVisible()
  await tab.close()

  await page.clock.install()
  await page.goto(phone)
  await expect(page.getByText('4 entries are waiting on this phone')).toBeVisible()
  // longer than the service's script waits for itself
  await page.clock.runFor(30_000)
  await endCutOff(page)
  await expect.poll(aboard).toBe(4)
  await expect(page.getByText('No signal since')).toHaveCount(0)
  await expectAccessible(page)
  const events = await checkIns()
  expect(new Set(events.map(({ entryId }) => entryId)).size).toBe(4)
  expect(events).toHaveLength(4)
  takeCutOffs(complaints)
})

test('a sign-in service that does not answer is no signal, and no session that has expired', async ({
  page,
  context,
  complaints,
}) => {
  const tab = await context.newPage()
  const { phone, aboard } = await guideOnDuty(withOwnBackend(world), tab, 'Kim', [['Emma Perry', 'Noah Perry']])
  await openCheckIn(tab, phone)
  await installed(tab)
  await tab.close()
  await workThroughOutage(world.service, page, phone, aboard)
  takeAnswers(complaints, 503)
})

test.describe('a phone that knows where it is', () => {
  test.use({ permissions: ['geolocation'], geolocation: { latitude: 64.1375, longitude: -21.935 } })

  test('is seen by the office when its person agrees, and no longer when the duty ends', async ({ page }) => {
    const { phone, api, staffId } = await guideOnDuty(withOwnBackend(world), page, 'Leo', [])
    const lastFix = async () =>
      (await api.call(listTracked, {})).rows.find(({ subject }) => subject.id === staffId)?.lastFixAt ?? null
    expect(await lastFix()).toBeNull()
    // boarding has begun the duty
    await agreeToTracking(page)
    await expect(page.getByText('Visible to the office since')).toBeVisible()
    await expect.poll(lastFix).not.toBeNull()
    await page.goto(phone)
    await page.getByRole('button', { name: 'End duty' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End duty' }).click()
    await expect.poll(lastFix).toBeNull()
    await expect(page.getByRole('button', { name: 'Begin duty' })).toBeVisible()
  })
})
