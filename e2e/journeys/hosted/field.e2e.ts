import type { Page } from '@playwright/test'
import { vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { subscribeReplaceAndEnd } from '../../calendar-steps.ts'
import { test } from '../../clerk-world.ts'
import { inAnotherBrowser, printOutputOfFailed, signInAt, workingOrganization } from '../../hosted-steps.ts'
import { openHostedWorld, type HostedWorld } from '../../hosted-world.ts'
import { askAndAnswerRollCall } from '../../roll-call-steps.ts'

// Roll calls and calendars where identity service and backend are hosted.

let world: HostedWorld

test.beforeAll(async () => {
  // a database of its own is made first
  test.setTimeout(240_000)
  world = await openHostedWorld(18_140)
})
test.afterEach(() => printOutputOfFailed(test.info(), world))
test.afterAll(() => world?.stop())
test.describe.configure({ timeout: 180_000 })
test.use({ actionTimeout: 60_000 })

const signIn = (page: Page, email: string): Promise<void> => signInAt(world.clerk.url, page, email)
const open = (page: Page, path: string) => page.goto(world.clerk.url + path)

test('the office asks who is safe, and a guest answers on their link, through functions', async ({ page, browser }) => {
  const { api, dispatcher } = await workingOrganization(world, 'Pine Tours', 'Ridge walk')
  await signIn(page, dispatcher.email)
  await inAnotherBrowser(browser, (phone) => askAndAnswerRollCall({ page, phone, office: api, base: world.clerk.url }))
})

test('the calendar of a vehicle is subscribed to without signing in, gets a new address, and ends', async ({
  page,
  playwright,
}) => {
  const { dispatcher, api } = await workingOrganization(world, 'Quay Tours', 'Ridge walk')
  const { id } = await api.call(vehicleRecord.create, { label: 'Van 7', plate: 'VAN7', class: 'van', seats: 8 })
  await signIn(page, dispatcher.email)
  const stranger = await playwright.request.newContext({ baseURL: world.clerk.url })
  await open(page, `/vehicles/details/${id}`)
  await subscribeReplaceAndEnd(page, stranger)
  await stranger.dispose()
})
