import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { expect, type Page } from '@playwright/test'
import { test as base } from './fixtures.ts'
import { startOwnServer } from './own-server.ts'
import { openFront } from './stand-ins/clerk/front.ts'
import { clerkPackages } from './stand-ins/clerk/packages.ts'
import { clerkStandIn, type ClerkStandIn, type StandInOptions } from './stand-ins/clerk/stand-in.ts'
import { newId, type User } from './stand-ins/clerk/state.ts'

/** An installation on the hosted identity service and our own server. */
export interface ClerkWorld {
  /** Where people reach it. */
  readonly url: string
  /** What the application's server was configured with, for other processes of the installation. */
  readonly settings: Readonly<Record<string, string>>
  readonly service: ClerkStandIn
  /** A person with a password, in organizations by role key. */
  person(name: string, memberships?: readonly { orgId: string; role: string }[]): User & { email: string }
  /** Of a session other than the browser's. */
  sessionToken(userId: string, orgId: string): string
  /** Exchanges such a session for a token of our backend, which makes the member. */
  backendToken(userId: string, orgId: string): Promise<string>
  /** Calls a verb as a person in an organization, with a session other than the browser's. */
  call<C extends Callable>(userId: string, orgId: string, callable: C, input: In<C>): Promise<Out<C>>
  /** Another server takes the application's place, with some settings changed. @returns puts the first one back. */
  changeSettings(port: number, changed: Readonly<Record<string, string>>): Promise<() => Promise<void>>
  stop(): Promise<void>
}

export const servicePassword = 'correct horse battery'

let people = 0

/**
 * @param port Ours; the application's server takes the next one.
 * @param env More settings of that server.
 * @param startBeside Starts with these settings what need not wait for that server.
 */
export async function openClerkWorld(
  port: number,
  options: Omit<StandInOptions, 'origin'> = {},
  env: Readonly<Record<string, string>> = {},
  startBeside?: (settings: ClerkWorld['settings']) => Promise<unknown>,
): Promise<ClerkWorld> {
  const url = `http://localhost:${port}`
  const service = clerkStandIn({ origin: url, packages: clerkPackages(), ...options })
  const { publishableKey, secretKey, webhookSecret, proxyUrl, apiUrl } = service.settings
  const settings = {
    IDENTITY: 'clerk',
    PUBLIC_URL: url,
    CLERK_PUBLISHABLE_KEY: publishableKey,
    CLERK_SECRET_KEY: secretKey,
    CLERK_WEBHOOK_SECRET: webhookSecret,
    CLERK_PROXY_URL: proxyUrl,
    CLERK_API_URL: apiUrl,
    CLERK_WALLET: 'on',
    ...env,
  }
  const front = await openFront(port, port + 1, service)
  const [server] = await Promise.all([startOwnServer(port + 1, settings), startBeside?.(settings)])
  const sessionToken = (userId: string, orgId: string): string => {
    const now = Date.now()
    const session = { id: newId('sess'), userId, status: 'active' as const, orgId, createdAt: now, lastActiveAt: now }
    return service.tokens.sessionToken(session, url)
  }
  const backendToken = async (userId: string, orgId: string): Promise<string> => {
    const token = sessionToken(userId, orgId)
    const { idToken } = await post(`${url}/api/v1/accounts:signInWithCustomToken`, { token, returnSecureToken: true })
    return String(idToken)
  }
  return {
    url,
    sessionToken,
    settings,
    service,
    person(name, memberships = []) {
      people += 1
      const email = `${name.toLowerCase()}-${people}@example.com`
      const user = service.state.addUser({ email, password: servicePassword, firstName: name, lastName: 'Berg' })
      for (const { orgId, role } of memberships) service.state.addMember(user.id, orgId, role)
      return Object.assign(user, { email })
    },
    backendToken,
    async call(userId, orgId, callable, input) {
      const bearer = await backendToken(userId, orgId)
      const { result } = await post(`${url}/api/${callable.name}`, { data: input }, bearer)
      return result as Out<typeof callable>
    },
    async changeSettings(nextPort, changed) {
      const next = await startOwnServer(nextPort, { ...settings, ...changed })
      front.passTo(nextPort)
      return async () => {
        front.passTo(port + 1)
        await next.stop()
      }
    },
    async stop() {
      await server.stop()
      await front.stop()
    },
  }
}

/** Fills the service's form for signing in, both of its steps. */
export async function fillSignIn(page: Page, email: string, password = servicePassword): Promise<void> {
  const next = page.getByRole('button', { name: 'Continue', exact: true })
  await page.getByLabel('Email address').fill(email)
  await next.click()
  // The first step has a password field of its own, for password managers.
  await page.getByRole('heading', { name: 'Enter your password' }).waitFor({ timeout: 60_000 })
  await page.getByLabel('Password', { exact: true }).fill(password)
  await next.click()
}

/**
 * That the service's loader asked for its script again as late as specified: after 125 ms, doubled each time, and up to as much again by
 * chance; a busy machine adds its own.
 *
 * @param attempts When each was seen, in milliseconds.
 */
export function expectRetryPauses(attempts: readonly number[]): void {
  for (const [at, startedAt] of attempts.slice(0, -1).entries()) {
    const pauseMs = (attempts[at + 1] ?? 0) - startedAt
    expect(pauseMs, `pause ${at + 1}`).toBeGreaterThanOrEqual(125 * 2 ** at)
    expect(pauseMs, `pause ${at + 1}`).toBeLessThan(250 * 2 ** at + 1_500)
  }
}

/** @throws Error with the answer's words when it is no success. */
export async function post(address: string, body: object, bearer?: string): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) }
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

/** `foreignAddresses`: what a page requested from other hosts. It is blocked, since tests reach nobody. */
export const test = base.extend<{ foreignAddresses: Set<string>; developmentKeys: void }>({
  foreignAddresses: [
    async ({ context }, use) => {
      const addresses = new Set<string>()
      await context.route(
        (url) => url.hostname !== 'localhost' && url.protocol.startsWith('http'),
        (route) => {
          const { host, pathname } = new URL(route.request().url())
          addresses.add(host + pathname)
          // pictures are answered with an empty image, since a refused one is an error in the console
          if (route.request().resourceType() === 'image')
            return route.fulfill({ contentType: 'image/svg+xml', body: dot })
          return route.abort()
        },
      )
      await use(addresses)
    },
    { auto: true },
  ],
  /** The service's script says in the console that the instance is one for development: it is. */
  developmentKeys: [
    async ({ complaints }, use) => {
      await use()
      const others = complaints.filter((line) => !line.includes('loaded with development keys'))
      complaints.splice(0, complaints.length, ...others)
    },
    { auto: true },
  ],
})

const dot = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'

export { expect } from '@playwright/test'
