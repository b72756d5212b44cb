import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// How a webhook proves where it comes from. Source: Standard Webhooks 1.0, "Signature scheme".

const prefix = 'whsec_'
/** How old or how far ahead a message may be. Source: the same standard, "Verifying webhook authenticity", 5 minutes. */
const toleranceSeconds = 5 * 60

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

/** The headers of a message as they came, under whatever names. */
export interface SignedMessage {
  readonly id: string | null | undefined
  readonly timestamp: string | null | undefined
  readonly signatures: string | null | undefined
  readonly body: string
}

/** Null for a message that was signed with this secret just now, else why it is not taken. */
export function refusalOfSigned(
  secret: string,
  { id, timestamp, signatures, body }: SignedMessage,
  nowMs: number,
): string | null {
  if (!id || !timestamp || !signatures) return 'not signed'
  const ageSeconds = Math.abs(nowMs / 1000 - Number(timestamp))
  if (!(ageSeconds <= toleranceSeconds)) return 'too old'
  const expected = webhookSignature(secret, id, timestamp, body)
  // several while a secret is replaced by another
  const isOurs = signatures.split(' ').some((entry) => {
    const [version, signature = ''] = entry.split(',')
    return version === 'v1' && isSameSignature(Buffer.from(signature, 'base64'), expected)
  })
  return isOurs ? null : 'signed with another secret'
}

/** Compared in a time that says nothing about where they differ. */
export const isSameSignature = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected)
