import type { channelKinds } from '@tour-ops/contract/notifications/notifications'
import type { Tx } from '../db/database.ts'

export type ChannelKind = (typeof channelKinds)[number]

/** A message to one recipient. */
export interface Outgoing {
  readonly channel: ChannelKind
  /** E-mail address, phone number or web address, as the channel needs it; of a push notice the name of the browser. */
  readonly to: string
  readonly subject?: string
  readonly body: string
  /** Null for e-mails of the identity service, which belong to no organization. */
  readonly orgId: string | null
  /** What it is about, `booking_confirmed`; the log of messages shows and filters by it. */
  readonly kind: string
  readonly locale?: string
  readonly departureId?: string
  /** The shared link that it carries: its address is put in when it leaves. */
  readonly linkId?: string
  /** The record that shows it among its own. */
  readonly about?: { readonly subjectType: 'booking'; readonly subjectId: string }
  /** The rule by which it is written, and for which occasion: it is written once for each of a record. See docs/domain.md, I14. */
  readonly rule?: { readonly id: string; readonly occurrence: string }
  /** What it says of the record, and what its recipient knew before, to compare the next change with. */
  readonly said?: { readonly now: unknown; readonly before: unknown }
  /** The party that it is for, as it is when it is written: conditions of a rule ask about it. */
  readonly party?: { readonly pax: number; readonly owes: boolean }
  /** Not sent before; at once without one. */
  readonly dueAt?: Date
  /** Of a push notice: the browser, and the path of our own that a press on it opens. */
  readonly push?: { readonly subscriptionId: string; readonly link: string }
  /** The guest or member that the address belongs to, so that their record shows the message. */
  readonly recipient?: {
    readonly travelerId?: string
    readonly staffId?: string
    readonly supplierId?: string
    readonly userId?: string
  }
}

/** A message to several, of whom each reads a text of their own. */
export interface OutgoingToMany {
  readonly orgId: string
  readonly kind: string
  /** As the sender wrote it: what the log of messages shows of it. */
  readonly subject: string
  readonly body: string
  readonly locale: string
  /** Of all of them. */
  readonly departureId: string | null
  /** Whom the sender meant, and the texts: see `guest-audience.ts`. */
  readonly audience: unknown
  readonly texts: unknown
  readonly dueAt: Date
  readonly recipients: readonly {
    readonly channel: ChannelKind
    readonly to: string
    readonly bookingId: string
    /** Chosen for this message; null: the one of the booking, as it is when it leaves. */
    readonly language: string | null
    readonly subject: string
    readonly body: string
  }[]
}

/**
 * Notifies people. Sending writes a row in the given transaction; the delivery starts after the commit, at least
 * once. What no provider delivers can be read on the notifications screen.
 */
export interface Channels {
  /** Whether e-mails leave the house (`smtp`) or are only read on screen (`outbox`). */
  readonly delivery: 'outbox' | 'smtp'
  /** @param tx A transaction in the organization of the message; without one it gets its own. */
  send(tx: Tx | null, message: Outgoing): Promise<void>
  /** @returns id of the message. */
  sendToMany(tx: Tx, message: OutgoingToMany): Promise<string>
}
