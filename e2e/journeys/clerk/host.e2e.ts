import type { Page, Route } from '@playwright/test'
import { expect, expectRetryPauses, openClerkWorld, test, type ClerkWorld } from '../../clerk-world.ts'

// Without a proxy path the service's script and API are asked at the host that the publishable key names.

const host = 'clerk.tours.test'
const script = /^\/npm\/@clerk\/clerk-js@[^/]+\/dist\/clerk\.browser\.js$/

let world: ClerkWorld
test.beforeAll(async () => {
  world = await openClerkWorld(
    18_234,
    {},
    {
      CLERK_PROXY_URL: '',
      CLERK_PUBLISHABLE_KEY: `pk_live_${Buffer.from(`${host}$`).toString('base64')}`,
      CLERK_SECRET_KEY: 'sk_live_of_the_stand_in',
    },
  )
})
test.afterAll(() => world?.stop())

/** Answers requests to the host, which exists on no network, with the stand-in. */
async function playHost(page: Page, onRequest: (path: string) => 'answer' | 'break off'): Promise<void> {
  const answer = async (route: Route): Promise<void> => {
    const request = route.request()
    const { pathname, search } = new URL(request.url())
    if (onRequest(pathname) === 'break off') return route.abort()
    const body = request.postData()
    const given = await world.service.handle(
      new Request(`${world.url}/__clerk${pathname}${search}`, {
        method: request.method(),
        headers: { 'content-type': request.headers()['content-type'] ?? '', origin: world.url },
        ...(body === null ? {} : { body }),
      }),
    )
    const headers = { 'access-control-allow-origin': world.url, 'access-control-allow-credentials': 'true' }
    const type = given.headers.get('content-type') ?? 'text/plain'
    const content = Buffer.from(await given.arrayBuffer())
    await route.fulfill({ status: given.status, headers, contentType: type, body: content })
  }
  await page.route((url) => url.host === host, answer)
}

test('script, widgets and API come from the host that the publishable key names; a script that is cut off is requested again', async ({
  page,
  foreignAddresses,
  complaints,
}) => {
  const attempts: number[] = []
  const paths = new Set<string>()
  await playHost(page, (path) => {
    paths.add(path)
    if (!script.test(path)) return 'answer'
    attempts.push(performance.now())
    return attempts.length < 3 ? 'break off' : 'answer'
  })
  await page.goto(`${world.url}/sign-in`)
  await expect(page.getByLabel('Email address')).toBeVisible()
  expect(attempts).toHaveLength(3)
  expectRetryPauses(attempts)
  expect([...paths].some((path) => path.startsWith('/npm/@clerk/ui@'))).toBe(true)
  expect([...paths]).toEqual(expect.arrayContaining(['/v1/environment', '/v1/client']))
  expect([...foreignAddresses], 'and no other host is').toEqual(['img.clerk.com/static/metamask.svg'])
  await expect(page.getByText('Development instance'), 'a key of production').toHaveCount(0)
  // what the browser says of the two that were broken off
  const others = complaints.filter((line) => !line.includes(`https://${host}/npm/@clerk/clerk-js@`))
  complaints.splice(0, complaints.length, ...others)
})
