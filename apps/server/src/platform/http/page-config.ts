import type { DemoAccount, PageConfig } from '@tour-ops/contract/page-config'
import { demoAccounts, demoEmail, demoPassword } from '../../../seed/data/staff.ts'
import { isLoopback, type Config } from '../../config.ts'

/** Shown for one-click sign-in; the configuration refuses demo mode wherever others can reach it. */
export const demoAccountsOf = (config: Config): DemoAccount[] =>
  config.demo
    ? demoAccounts.map(({ role, name }) => ({ role, name, email: demoEmail(role), password: demoPassword }))
    : []

/** What the web application may know of the configuration. Everything here is public. */
export const pageConfigOf = (config: Config, buildId: string): PageConfig => ({
  publicOrigin: isLoopback(new URL(config.publicUrl).hostname) ? null : config.publicUrl,
  baseUrl: '/api',
  buildId,
  identity: publicIdentityOf(config),
  backend: config.backend,
  redirects: config.redirects,
  signUp: config.identity.signUp,
  providers: providersOf(config),
  passwordMinLength: config.identity.passwordMinLength,
  locale: config.locale,
  demoAccounts: demoAccountsOf(config),
  mapHosts: [...config.map.styleHosts],
})

/** Another identity service shows its own ways in by itself; the wallet has a button of ours. */
function providersOf({ identity }: Config): string[] {
  if (identity.kind === 'embedded') return ['password', 'wallet']
  return identity.clerk.hasWallet ? ['wallet'] : []
}

function publicIdentityOf({ identity }: Config): PageConfig['identity'] {
  if (identity.kind === 'embedded') return { kind: 'embedded' }
  const { publishableKey, proxyUrl } = identity.clerk
  return { kind: 'clerk', publishableKey, ...(proxyUrl === null ? {} : { proxyUrl }) }
}
