import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Enclose } from './courier.ts'

/** Who may stop the e-mails of a delivery's recipient: whoever has its address, which is in that e-mail alone. */
const proofOf = (secret: string, orgId: string, deliveryId: string): Buffer =>
  createHmac('sha256', secret).update(`unsubscribe ${orgId} ${deliveryId}`).digest()

/** Whether an address was made for this delivery. */
export function isProof(secret: string, orgId: string, deliveryId: string, given: string): boolean {
  const bytes = Buffer.from(given, 'base64url')
  const proof = proofOf(secret, orgId, deliveryId)
  return bytes.length === proof.length && timingSafeEqual(bytes, proof)
}

export interface OneClickOptions {
  readonly publicUrl: string
  readonly secret: string
}

/**
 * Gives e-mails that guests can do without an address at which a mail program stops them by itself; a person who opens it gets to the page of the choice.
 * Only with HTTPS. Source: RFC 8058.
 */
export const withOneClick =
  (enclose: Enclose, { publicUrl, secret }: OneClickOptions): Enclose =>
  async (tx, orgId, message) => {
    const content = await enclose(tx, orgId, message)
    if (typeof content === 'string' || content.optOutUrl === undefined) return content
    if (!publicUrl.startsWith('https:')) return content
    const proof = proofOf(secret, orgId, message.deliveryId).toString('base64url')
    const url = new URL(`/unsubscribe/${orgId}/${message.deliveryId}/${proof}`, publicUrl)
    const { pathname } = new URL(content.optOutUrl)
    url.searchParams.set('page', pathname)
    return { ...content, optOutUrl: url.href, isOneClick: true }
  }
