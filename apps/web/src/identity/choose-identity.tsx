import type { PageConfig } from '@tour-ops/contract/page-config'
import { Fragment, type ComponentType, type ReactNode } from 'react'
import { makeHttpClient } from '../backend/http-client.ts'
import { backendTokenTemplate } from '../backend/constants.ts'
import { provideAccountSecurity } from './account-security-port.ts'
import { provideAccounts } from './accounts-port.ts'
import { makeEmbeddedIdentity } from './embedded.ts'
import { portLater } from './port-later.ts'
import { provideIdentity, type Identity } from './port.ts'

interface ChosenIdentity {
  readonly identity: Identity
  /** What our own server's sign-in takes. */
  readonly ownServerToken: () => Promise<string>
  /** Wraps everything that is rendered, from the start. */
  readonly Root: ComponentType<{ children: ReactNode }>
}

/**
 * The identity adapter that the configuration names, provided to the screens. The code of a hosted service is loaded only where it is
 * configured: others download not one byte of it.
 *
 * @param hasWidgets Whether the page shows widgets of a hosted service, such as its sign-in form.
 */
export async function chooseIdentity(
  config: PageConfig,
  fetch: typeof globalThis.fetch,
  { hasWidgets = true }: { hasWidgets?: boolean } = {},
): Promise<ChosenIdentity> {
  if (config.identity.kind === 'clerk') {
    const { makeClerk } = await import('./clerk/clerk-root.tsx')
    const { identity, Root } = await makeClerk(config.identity, config.redirects, hasWidgets)
    provideIdentity(identity)
    return { identity, ownServerToken: () => identity.sessionToken(), Root }
  }
  const service = makeHttpClient(`${config.baseUrl}/auth`, fetch)
  const identity = makeEmbeddedIdentity(service)
  provideIdentity(identity)
  provideAccounts(
    portLater(async () => (await import('./embedded-accounts.ts')).makeEmbeddedAccounts(service, identity)),
  )
  provideAccountSecurity(
    portLater(async () => (await import('./embedded-security.ts')).makeEmbeddedSecurity(service, identity)),
  )
  return { identity, ownServerToken: () => identity.templateToken(backendTokenTemplate), Root: Fragment }
}
