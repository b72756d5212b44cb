import { createHmac, randomBytes } from 'node:crypto'

// How a webhook proves where it comes from. Source: Standard Webhooks 1.0, "Signature scheme".

const prefix = 'whsec_'

/** 256 bits, in the form that libraries for receivers expect. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

/**
 * The signature over id, time and body, as the receiver computes it.
 *
 * @param timestamp Seconds since 1970, as it is sent.
 */
export function webhookSignature(secret: string, id: string, timestamp: string, body: string): Buffer {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
}

/** Headers that prove to a receiver where a request comes from, and when it left. @param secrets Several while one is replaced by another. */
export function signedHeaders(
  secrets: readonly string[],
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map((secret) => `v1,${webhookSignature(secret, id, timestamp, body).toString('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
