import { createHmac, randomBytes } from 'node:crypto'
import { webhookOverlapHours } from '@tour-ops/contract/webhooks/webhooks'
import type { SealedPlace, SealedText } from '../../platform/sealed-text.ts'

/** What signs the requests to an endpoint. Source: Standard Webhooks 1.0, "Signature scheme". */
export interface WebhookSecrets {
  readonly current: string
  /** Signs too until a moment, so that a receiver can be changed without losing anything. */
  readonly former?: { readonly secret: string; readonly until: string }
}

/** 256 bits, in the form that libraries for receivers expect. */
const prefix = 'whsec_'
const secretBytes = 32

export const newSecret = (): string => `${prefix}${randomBytes(secretBytes).toString('base64')}`

/** Puts a new secret in the place of the present one, which signs too for a while. */
export const rotated = ({ current }: WebhookSecrets, secret: string, now: Date): WebhookSecrets => ({
  current: secret,
  former: { secret: current, until: new Date(now.getTime() + webhookOverlapHours * 3_600_000).toISOString() },
})

const placeOf = (orgId: string, id: string): SealedPlace => ({ orgId, column: 'webhook_queues.secrets_sealed', id })

export const sealSecrets = (sealed: SealedText, orgId: string, id: string, secrets: WebhookSecrets): Buffer =>
  sealed.seal(JSON.stringify(secrets), placeOf(orgId, id))

/** Null when they cannot be opened: then nothing is sent unsigned. */
export function openSecrets(sealed: SealedText, orgId: string, id: string, value: Uint8Array): WebhookSecrets | null {
  const text = sealed.openIfPossible(value, placeOf(orgId, id))
  return text === null ? null : (JSON.parse(text) as WebhookSecrets)
}

/** Headers that prove to a receiver where a request comes from, and when it left. */
export function signedHeaders(
  secrets: WebhookSecrets,
  { eventId, body, now }: { readonly eventId: string; readonly body: string; readonly now: Date },
): Record<string, string> {
  const { current, former } = secrets
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signers = former && new Date(former.until) > now ? [current, former.secret] : [current]
  const signatures = signers.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
