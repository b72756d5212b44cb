import type { JsonObject } from '@tour-ops/contract/live/documents'
import { livePath } from '@tour-ops/contract/live/live-paths'
import { sql } from 'kysely'
import { pino } from 'pino'
import { testDatabase, type TestCaller } from './world.ts'
import { startLiveTestServer, testToken } from './listen.ts'
import { openLive } from '../src/platform/live/live.ts'

/** Live documents on our own server, for the contract suite that every adapter of the browser passes. */
export interface DocumentsServer {
  readonly apiUrl: string
  /** A dispatcher of a new organization, or of the one named, and the bearer. */
  member(orgId?: string): Promise<{ userId: string; orgId: string; token: string }>
  /** Writes a notice into a member's inbox as the server does; null removes it. */
  notify(userId: string, messageId: string, data: JsonObject | null): Promise<void>
  /** Reports that a booking changed. */
  change(orgId: string, id: string): Promise<void>
  close(): Promise<void>
}

export async function startDocumentsServer(): Promise<DocumentsServer> {
  const world = await testDatabase()
  const live = await openLive({ db: world.database, log: pino({ level: 'silent' }), mode: 'poll' })
  const server = await startLiveTestServer(live)
  const callers = new Map<string, TestCaller>()
  const inside = async (passes: (caller: TestCaller) => boolean, run: Parameters<TestCaller['transaction']>[0]) => {
    const caller = [...callers.values()].find(passes)
    if (!caller) throw new Error('Nobody of this test is there.')
    await caller.transaction(run)
  }
  return {
    apiUrl: `${server.url}/api`,
    async member(given) {
      const caller = await world.as('dispatcher', given === undefined ? {} : { orgId: given })
      callers.set(caller.userId, caller)
      return { userId: caller.userId, orgId: caller.orgId, token: testToken(caller.caller) }
    },
    notify: (userId, messageId, data) =>
      inside(
        (caller) => caller.userId === userId,
        (tx) => {
          const path = livePath.inboxMessage(userId, messageId)
          return data ? live.setDocument(tx, path, data) : live.deleteDocument(tx, path)
        },
      ),
    change: (orgId, id) =>
      inside(
        (caller) => caller.orgId === orgId,
        (tx) => sql`select announce_changes('bookings', ${[id]}::text[])`.execute(tx),
      ),
    async close() {
      await live.close()
      await server.close()
      await world.close()
    },
  }
}
