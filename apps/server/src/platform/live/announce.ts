import type { LiveTopic } from '@tour-ops/contract/live/live-paths'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Notifies the listeners of a topic of the transaction's organization that these ids look different, where no row of theirs was written. */
export async function announceChanges(tx: Tx, topic: LiveTopic, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await sql`select announce_changes(${topic}, ${[...ids]}::text[])`.execute(tx)
}
