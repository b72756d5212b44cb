import type { PhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import * as z from 'zod/mini'

export type ReceiptState = 'sent' | 'delivered' | 'read' | 'failed'

/** What became of a text. */
export interface PhoneReceipt {
  readonly kind: 'receipt'
  /** The same whenever this comes again. */
  readonly key: string
  /** What the other side calls the text. */
  readonly providerId: string
  /** Ours, where the other side says it. */
  readonly deliveryId: string | null
  readonly state: ReceiptState
  /** Of a failure, in words. */
  readonly reason: string | null
}

/** What somebody wrote to a number of the organization. */
export interface PhoneMessage {
  readonly kind: 'message'
  readonly key: string
  /** By which it came. */
  readonly channel: PhoneChannel
  /** E.164, as far as the other side keeps to it. */
  readonly from: string
  readonly text: string
  /** Pictures and the like, which are not fetched. */
  readonly hasFiles: boolean
  /** What the provider made of it by its own rules. */
  readonly choice: 'stop' | 'start' | null
}

export type PhoneAnswer = PhoneReceipt | PhoneMessage

const ownId = z.string().check(z.regex(/^[\w.-]{1,100}$/))

/** What an own service posts. Source: docs/adapters.md, "SMS and WhatsApp". */
const OwnAnswer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message.receipt'),
    data: z.object({
      id: ownId,
      status: z.enum(['sent', 'delivered', 'read', 'failed']),
      reason: z.optional(z.string().check(z.maxLength(500))),
    }),
  }),
  z.object({
    type: z.literal('message.received'),
    data: z.object({ from: z.string().check(z.maxLength(40)), text: z.string().check(z.maxLength(10_000)) }),
  }),
])

/**
 * What a signed request of an own service says; null where it is something else.
 *
 * @param key Its `webhook-id`.
 */
export function ownAnswerOf(content: unknown, key: string, channel: PhoneChannel): PhoneAnswer | null {
  const parsed = OwnAnswer.safeParse(content)
  if (!parsed.success) return null
  const { type, data } = parsed.data
  if (type === 'message.received') {
    return { kind: 'message', key, channel, from: data.from, text: data.text, hasFiles: false, choice: null }
  }
  const { id, status: state, reason } = data
  const words = state === 'failed' ? reason?.trim() || 'The message did not arrive.' : null
  return { kind: 'receipt', key, providerId: id, deliveryId: id, state, reason: words }
}
