import { test as base } from './fixtures.ts'
import { startOwnServer, type OwnServer } from './own-server.ts'
import { openFront } from './stand-ins/clerk/front.ts'
import { clerkPackages } from './stand-ins/clerk/packages.ts'
import { clerkStandIn, type ClerkStandIn, type StandInOptions } from './stand-ins/clerk/stand-in.ts'
import type { User } from './stand-ins/clerk/state.ts'

/** An installation on the hosted identity service and our own server. */
export interface ClerkWorld {
  /** Where people reach it. */
  readonly url: string
  readonly service: ClerkStandIn
  readonly server: OwnServer
  /** A person with a password, in organizations by role key. */
  person(name: string, memberships?: readonly { orgId: string; role: string }[]): User & { email: string }
  stop(): Promise<void>
}

export const servicePassword = 'correct horse battery'

let people = 0

/** @param port Ours; the application's server takes the next one. */
export async function openClerkWorld(port: number, options: Omit<StandInOptions, 'origin'> = {}): Promise<ClerkWorld> {
  const url = `http://localhost:${port}`
  const service = clerkStandIn({ origin: url, packages: clerkPackages(), ...options })
  const { publishableKey, secretKey, webhookSecret, proxyUrl, apiUrl } = service.settings
  const front = await openFront(port, port + 1, service)
  const server = await startOwnServer(port + 1, {
    IDENTITY: 'clerk',
    PUBLIC_URL: url,
    CLERK_PUBLISHABLE_KEY: publishableKey,
    CLERK_SECRET_KEY: secretKey,
    CLERK_WEBHOOK_SECRET: webhookSecret,
    CLERK_PROXY_URL: proxyUrl,
    CLERK_API_URL: apiUrl,
  })
  return {
    url,
    service,
    server,
    person(name, memberships = []) {
      people += 1
      const email = `${name.toLowerCase()}-${people}@example.com`
      const user = service.state.addUser({ email, password: servicePassword, firstName: name, lastName: 'Berg' })
      for (const { orgId, role } of memberships) service.state.addMember(user.id, orgId, role)
      return Object.assign(user, { email })
    },
    async stop() {
      await server.stop()
      await front.stop()
    },
  }
}

/** Hosts that a page asked beside its own; they are cut off, since tests reach nobody. */
export const test = base.extend<{ foreignHosts: Set<string> }>({
  foreignHosts: [
    async ({ context }, use) => {
      const hosts = new Set<string>()
      await context.route(
        (url) => url.hostname !== 'localhost' && url.protocol.startsWith('http'),
        (route) => {
          hosts.add(new URL(route.request().url()).host)
          return route.abort()
        },
      )
      await use(hosts)
    },
    { auto: true },
  ],
})

export { expect } from '@playwright/test'
