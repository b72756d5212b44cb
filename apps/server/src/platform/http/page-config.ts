import type { DemoAccount, PageConfig } from '@tour-ops/contract/page-config'
import { demoAccounts, demoEmail, demoPassword } from '../../../seed/data/staff.ts'
import type { Config } from '../../config.ts'
import { isLoopback, publicOriginOf } from '../loopback.ts'

/** Shown for one-click sign-in; the configuration refuses demo mode wherever others can reach it. */
export const demoAccountsOf = (config: Config): DemoAccount[] =>
  config.demo
    ? demoAccounts.map(({ role, name }) => ({ role, name, email: demoEmail(role), password: demoPassword }))
    : []

/**
 * Whether a start is answered in one: our own identity and backend, no proof of App Check on calls, and an address at which browsers say where
 * a request comes from (`Sec-Fetch-Site`: https, or this computer).
 */
export const hasStart = ({ identity, backend, appCheckProject, publicUrl }: Config): boolean =>
  identity.kind === 'embedded' &&
  backend.kind === 'own' &&
  backend.callHeaders === undefined &&
  appCheckProject === null &&
  (publicUrl.startsWith('https:') || isLoopback(new URL(publicUrl).hostname))

/** What the web application may know of the configuration. Everything here is public. */
export const pageConfigOf = (config: Config, buildId: string): PageConfig => ({
  publicOrigin: publicOriginOf(config.publicUrl),
  baseUrl: '/api',
  buildId,
  identity: publicIdentityOf(config),
  backend: config.backend,
  hasStart: hasStart(config),
  redirects: config.redirects,
  signUp: config.identity.signUp,
  providers: providersOf(config),
  passwordMinLength: config.identity.passwordMinLength,
  locale: config.locale,
  demoAccounts: demoAccountsOf(config),
  mapHosts: [...config.map.styleHosts],
})

/** Another identity service shows its own sign-in methods; the wallet has our button. */
function providersOf({ identity }: Config): string[] {
  if (identity.kind === 'embedded') return ['password', 'wallet']
  return identity.clerk.hasWallet ? ['wallet'] : []
}

function publicIdentityOf({ identity }: Config): PageConfig['identity'] {
  if (identity.kind === 'embedded') return { kind: 'embedded' }
  const { publishableKey, proxyUrl } = identity.clerk
  return { kind: 'clerk', publishableKey, ...(proxyUrl === null ? {} : { proxyUrl }) }
}
