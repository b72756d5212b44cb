import type { Channels } from '../channels/channels.ts'
import type { Tx } from '../db/database.ts'

/** Where seats change: inside one organization, in one transaction, with a way to notify those on the waitlist. */
export interface SeatCall {
  readonly tx: Tx
  readonly orgId: string
  readonly channels: Channels
}
