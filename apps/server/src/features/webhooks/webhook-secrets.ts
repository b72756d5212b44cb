import { webhookOverlapHours } from '@tour-ops/contract/webhooks/webhooks'
import type { SealedPlace, SealedText } from '../../platform/sealed-text.ts'

/** What signs the requests to an endpoint. */
export interface WebhookSecrets {
  readonly current: string
  /** Signs too until a moment, so that a receiver can be changed without losing anything. */
  readonly former?: { readonly secret: string; readonly until: string }
}

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

/** Those that sign at this moment. */
export const signersAt = ({ current, former }: WebhookSecrets, now: Date): readonly string[] =>
  former && new Date(former.until) > now ? [current, former.secret] : [current]
