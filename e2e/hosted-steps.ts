import type { Browser, Page, TestInfo } from '@playwright/test'
import type { Departure } from '@tour-ops/contract/departures/departures'
import { linkMemberStaff, listMembers } from '@tour-ops/contract/members/members'
import { createTour } from '@tour-ops/contract/tours/tours'
import { getManifest, listCheckIns } from '@tour-ops/contract/bookings/manifest'
import type { Api } from './api.ts'
import { expect as patient, fillSignIn, type ClerkWorld } from './clerk-world.ts'
import { checkInParties, openCheckIn } from './duty-steps.ts'
import type { HostedWorld } from './hosted-world.ts'
import { book, makeBoarding, makePlaces, makeTour } from './operations.ts'

/** Several processes and large libraries start here. */
export const expect = patient.configure({ timeout: 60_000 })

/** What the functions said belongs to the report of a journey that failed. */
export function printOutputOfFailed({ status, expectedStatus }: TestInfo, world: HostedWorld): void {
  if (status === expectedStatus) return
  const isNotified = (line: string) => !line.includes('callable-request-verification')
  console.log(world.output().split('\n').filter(isNotified).join('\n'))
}

/** Signs in at the service and answers the question about usage statistics, which a browser asks once. */
export async function signInAt(base: string, page: Page, email: string): Promise<void> {
  await page.goto(`${base}/sign-in`)
  await fillSignIn(page, email)
  await expect(page).toHaveURL(/\/dashboard\/overview/)
  await page.getByRole('dialog').getByRole('button', { name: 'Do not allow' }).click()
}

/**
 * @param path Of the function below its region. It is another origin: the browser asks for leave first, which is an answer too.
 */
export const answerOf = (page: Page, path: string) =>
  page.waitForResponse(
    (response) => response.url().endsWith(`/us-central1/${path}`) && response.request().method() === 'POST',
    { timeout: 60_000 },
  )

export async function createTourAt(base: string, page: Page, name: string): Promise<void> {
  await page.goto(`${base}/tours/constructor`)
  await page.getByLabel(/^Name/).first().fill(name)
  await page.getByLabel(/^Code/).first().fill('SEEN')
  const answer = answerOf(page, `api/${createTour.name}`)
  await page
    .getByRole('button', { name: /Create|Save/ })
    .first()
    .click()
  expect(await (await answer).json()).toMatchObject({ result: { version: 1 } })
}

export async function inAnotherBrowser(browser: Browser, run: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  try {
    await run(await context.newPage())
  } finally {
    await context.close()
  }
}

/** What people sign in to at the hosted identity service, and the backend behind it, ours or functions. */
export interface SignedInWorld {
  readonly clerk: ClerkWorld
  /** Calls the backend as a person who has no browser. */
  api(userId: string, orgId: string): Promise<Api>
}

/** The hosted identity service with our own backend. */
export const withOwnBackend = (clerk: ClerkWorld): SignedInWorld => ({
  clerk,
  async api(userId, orgId) {
    await clerk.backendToken(userId, orgId)
    return { call: (callable, input) => clerk.call(userId, orgId, callable, input) }
  },
})

export interface WorkingOrganization {
  readonly admin: { readonly email: string }
  readonly dispatcher: { readonly id: string; readonly email: string }
  readonly api: Api
  readonly orgId: string
  /** Boards with a guide. */
  readonly departure: Departure
}

/** An organization that has a departure today, so that nothing asks it to begin. */
export async function workingOrganization(
  world: SignedInWorld,
  name: string,
  tour: string,
): Promise<WorkingOrganization> {
  const { clerk } = world
  const orgId = clerk.service.state.addOrganization({ name }).id
  const admin = clerk.person('Fay', [{ orgId, role: 'org:admin' }])
  const dispatcher = clerk.person('Gus', [{ orgId, role: 'org:dispatcher' }])
  const api = await world.api(admin.id, orgId)
  await makePlaces(api)
  return { admin, dispatcher, api, orgId, departure: await makeBoarding(await makeTour(tour, api), 4, api) }
}

/** A guide with an account, who leads the organization's departure, and the functions as this person calls them. */
export async function leadGuide(world: SignedInWorld, name: string, { orgId, api, departure }: WorkingOrganization) {
  const lead = departure.crew.find(({ role }) => role === 'lead_guide')
  if (!lead) throw new Error('Nobody leads the departure.')
  const person = world.clerk.person(name, [{ orgId, role: 'org:guide' }])
  // the exchange makes the member
  const guide = await world.api(person.id, orgId)
  const member = (await api.call(listMembers, {})).rows.find(({ id }) => id === person.id)
  if (!member?.version) throw new Error('The guide is no member.')
  await api.call(linkMemberStaff, { userId: person.id, version: member.version, staffId: lead.staffId })
  return { email: person.email, guide, staffId: lead.staffId }
}

/** A guide who leads a departure that boards, with these guests, and is signed in on the phone. */
export async function guideOnDuty(
  world: SignedInWorld,
  page: Page,
  name: string,
  parties: readonly (readonly string[])[],
) {
  const organization = await workingOrganization(world, `${name} Tours`, 'Cliff walk')
  const { api, departure } = organization
  const { email, staffId } = await leadGuide(world, name, organization)
  for (const names of parties) await book(departure.id, names, {}, api)
  const phone = `${world.clerk.url}/duty`
  await page.goto(phone)
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await fillSignIn(page, email)
  await expect(page).toHaveURL(phone)
  return {
    ...organization,
    staffId,
    phone,
    aboard: async () => (await api.call(getManifest, { departureId: departure.id })).counts.aboard,
    checkIns: async () => (await api.call(listCheckIns, { departureId: departure.id })).events,
  }
}

/** While the sign-in service answers nothing, a phone has no signal and no expired session; then what waited is sent. */
export async function workThroughOutage(
  service: ClerkWorld['service'],
  page: Page,
  phone: string,
  aboard: () => Promise<number>,
): Promise<void> {
  service.isDown = true
  try {
    // what the browser has of the session is no token any more
    await page.clock.install({ time: Date.now() + 600_000 })
    await openCheckIn(page, phone)
    await checkInParties(page, 2, 1)
    const offline = page.getByText('No signal since')
    await expect(async () => {
      await page.clock.runFor(5_000)
      await expect(offline).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await expect(page.getByText('Your session has expired.', { exact: false })).toHaveCount(0)
    service.isDown = false
    await expect(async () => {
      await page.clock.runFor(5_000)
      expect(await aboard()).toBe(2)
    }).toPass()
    await expect(offline).toHaveCount(0)
  } finally {
    service.isDown = false
  }
}

/** A dispatcher whose rows in our tables come only from the service's messages. */
export async function notifiedDispatcher({ clerk }: HostedWorld, name: string, organization: string) {
  const orgId = clerk.service.state.addOrganization({ name: organization }).id
  const person = clerk.person(name, [{ orgId, role: 'org:dispatcher' }])
  const about = { organization: { id: orgId }, public_user_data: { user_id: person.id } }
  const message = clerk.service.webhook('organizationMembership.created', about)
  expect((await fetch(`${clerk.url}/api/auth/webhooks`, message)).status).toBe(204)
  return person
}

export const databasesOf = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''))
