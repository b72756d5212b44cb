import type { DemoAccount, PageConfig } from '@tour-ops/contract/page-config'
import { demoAccounts } from '../../../seed/data/staff.ts'
import type { Config } from '../../config.ts'

const demoPassword = 'demo-operations'

/** Shown for one-click sign-in; the configuration refuses demo mode wherever others can reach it. */
export const demoAccountsOf = (config: Config): DemoAccount[] =>
  config.demo
    ? demoAccounts.map(({ role, name }) => ({ role, name, email: `${role}@example.com`, password: demoPassword }))
    : []

/** What the web application may know of the configuration. Everything here is public. */
export const pageConfigOf = (config: Config, buildId: string): PageConfig => ({
  baseUrl: '/api',
  buildId,
  identity: publicIdentityOf(config),
  backend: config.backend,
  redirects: config.redirects,
  signUp: config.identity.signUp,
  // another identity service shows its own ways in
  providers: config.identity.kind === 'embedded' ? ['password', 'wallet'] : [],
  passwordMinLength: config.identity.passwordMinLength,
  locale: config.locale,
  demoAccounts: demoAccountsOf(config),
  mapHosts: [...config.map.styleHosts],
})

function publicIdentityOf({ identity }: Config): PageConfig['identity'] {
  if (identity.kind === 'embedded') return { kind: 'embedded' }
  const { publishableKey, proxyUrl } = identity.clerk
  return { kind: 'clerk', publishableKey, ...(proxyUrl === null ? {} : { proxyUrl }) }
}
