import { readPublishableKey, type PublishableKey } from '@tour-ops/contract/identity/publishable-key'

/** An instance of the hosted identity service, as the configuration names it. */
export interface ClerkSettings {
  readonly publishableKey: string
  /** Asks its Backend API; never leaves the server. */
  readonly secretKey: string
  /** Signs its webhooks; null leaves them unanswered, which only a development instance may. */
  readonly webhookSecret: string | null
  readonly instance: PublishableKey['instance']
  /** Instead of the Frontend API's own host: an address, or a path of this site that a proxy forwards there. */
  readonly proxyUrl: string | null
  /** Host of the instance's Frontend API. */
  readonly frontendApi: string
  /** Backend API, without a slash at its end. */
  readonly apiUrl: string
  /** Whether the instance takes wallets (MetaMask); then the sign-in page has its own button for them. */
  readonly hasWallet: boolean
}

/** The settings as read from the environment. */
interface ClerkEnvironment {
  readonly text: (name: string) => string | null
  readonly flag: (name: string, fallback: boolean) => boolean
  readonly problems: string[]
}

const fallbackApiUrl = 'https://api.clerk.com'

/** Null when something is wrong; each problem is then a sentence in `problems`. */
export function readClerkSettings({ text, flag, problems }: ClerkEnvironment): ClerkSettings | null {
  const before = problems.length
  const required = (name: string, where: string): string => {
    const value = text(name)
    if (value === null) problems.push(`IDENTITY=clerk needs ${name}: ${where}.`)
    return value ?? ''
  }
  const publishableKey = required('CLERK_PUBLISHABLE_KEY', 'the publishable key on the page "API keys" of the instance')
  const secretKey = required('CLERK_SECRET_KEY', 'the secret key beside it')
  if (problems.length > before) return null
  const key = readKey(publishableKey, problems)
  const proxyUrl = readProxyUrl(text('CLERK_PROXY_URL'), problems)
  const apiUrl = readApiUrl(text('CLERK_API_URL'), problems)
  const webhookSecret = text('CLERK_WEBHOOK_SECRET')
  const hasWallet = flag('CLERK_WALLET', false)
  if (webhookSecret !== null && !webhookSecret.startsWith('whsec_')) {
    problems.push('CLERK_WEBHOOK_SECRET must be the signing secret of the webhook endpoint: it begins with "whsec_".')
  }
  if (key) refuseMixedKeys(key, secretKey, webhookSecret, problems)
  if (!key || problems.length > before) return null
  return { publishableKey, secretKey, webhookSecret, ...key, proxyUrl, apiUrl, hasWallet }
}

/** Who signs session tokens: the Frontend API as browsers reach it. The public keys are below this address. */
export const clerkIssuer = ({ proxyUrl, frontendApi }: ClerkSettings, publicUrl: string): string =>
  proxyUrl === null ? `https://${frontendApi}` : new URL(proxyUrl, publicUrl).href

function readKey(publishableKey: string, problems: string[]): PublishableKey | null {
  try {
    return readPublishableKey(publishableKey)
  } catch (error) {
    problems.push(`CLERK_PUBLISHABLE_KEY is wrong. ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

function readProxyUrl(value: string | null, problems: string[]): string | null {
  if (value === null || /^\/[a-z0-9_/-]*[a-z0-9_-]$/i.test(value) || isPlainAddress(value)) return value
  problems.push(`CLERK_PROXY_URL must be a path such as "/__clerk" or a full address without a slash at its end.`)
  return null
}

function readApiUrl(value: string | null, problems: string[]): string {
  if (value === null) return fallbackApiUrl
  if (!isPlainAddress(value)) problems.push('CLERK_API_URL must be a full address without a slash at its end.')
  return value
}

const isPlainAddress = (value: string): boolean =>
  /^https?:\/\/[^/]/.test(value) && URL.canParse(value) && !value.endsWith('/')

/** Keys of two instances would sign people in whom the other key cannot look up. */
function refuseMixedKeys(
  { instance }: PublishableKey,
  secretKey: string,
  webhookSecret: string | null,
  problems: string[],
): void {
  const prefix = instance === 'production' ? 'sk_live_' : 'sk_test_'
  if (!secretKey.startsWith(prefix)) {
    problems.push(
      `CLERK_PUBLISHABLE_KEY belongs to a ${instance} instance, so CLERK_SECRET_KEY must begin with "${prefix}".`,
    )
  }
  if (instance === 'production' && webhookSecret === null) {
    problems.push(
      'A production instance needs CLERK_WEBHOOK_SECRET, so that who was removed or demoted there is so here at once.',
    )
  }
}
