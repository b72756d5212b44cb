import { documentBatchLimit, livePath } from '@tour-ops/contract/live/live-paths'
import { gatherPositions } from '@tour-ops/contract/live/gathered-positions'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Services } from '../../context.ts'
import { eachOrganization, insideOrganization, organizationIds } from '../jobs/housekeeping.ts'
import { selectPositions } from '../live/live-positions.ts'
import { reportOutage } from '../outages.ts'
import type { LiveStore, ServerWrite } from './firestore-writer.ts'

/** As often as a phone reports at most; each round is a write, and a read for everybody who looks, of each departure that moved. */
const everyMs = 5_000

interface PositionPublisherParts extends Pick<Services, 'db' | 'clock' | 'log' | 'jobs'> {
  readonly store: LiveStore
}

/**
 * Publishes where people and vehicles on duty are, together for each departure, and only what is different from the round before. Who is not on
 * duty any more disappears with the next round, also when another process published them (docs/decisions/0100).
 */
export class PositionPublisher {
  readonly #parts: PositionPublisherParts
  /** What this process wrote last, as text by path. */
  readonly #written = new Map<string, string>()

  constructor(parts: PositionPublisherParts) {
    this.#parts = parts
  }

  /** One round. @throws AggregateError when the store refuses in an organization, after all of them; the next round repeats it. */
  async publish(): Promise<void> {
    await eachOrganization(await organizationIds(this.#parts), async (orgId) => {
      // names first, in a transaction of their own: a document that nobody knows of would stay for ever
      if (await this.#inside(orgId, (tx) => this.#round(tx, orgId)))
        await this.#inside(orgId, (tx) => this.#round(tx, orgId))
    })
  }

  #inside<T>(orgId: string, run: (tx: Tx) => Promise<T>): Promise<T> {
    return insideOrganization(this.#parts, orgId, 'positions-publish', run)
  }

  /** @returns whether names were kept, and their documents have to be written yet. */
  async #round(tx: Tx, orgId: string): Promise<boolean> {
    if (!(await takesTurn(tx, orgId))) return false
    const documents = gatherPositions(await selectPositions(tx, orgId))
    const known = await selectDocumentIds(tx, orgId)
    const fresh = [...documents.keys()].filter((id) => !known.has(id))
    if (fresh.length > 0) {
      await insertDocumentIds(tx, orgId, fresh)
      return true
    }
    const gone = [...known].filter((id) => !documents.has(id))
    const writes: ServerWrite[] = [...documents].flatMap(([id, data]) => {
      const path = livePath.position(orgId, id)
      return this.#written.get(path) === JSON.stringify(data) ? [] : [{ kind: 'set', path, data }]
    })
    writes.push(...gone.map((id) => ({ kind: 'delete', path: livePath.position(orgId, id) }) as const))
    await this.#write(writes)
    if (gone.length > 0) await deleteDocumentIds(tx, orgId, gone)
    return false
  }

  async #write(writes: readonly ServerWrite[]): Promise<void> {
    for (let from = 0; from < writes.length; from += documentBatchLimit) {
      const some = writes.slice(from, from + documentBatchLimit)
      await this.#parts.store.commit(some)
      for (const write of some) {
        if (write.kind === 'delete') this.#written.delete(write.path)
        else this.#written.set(write.path, JSON.stringify(write.data))
      }
    }
  }
}

/** Two servers write one after the other, so that none brings back what the other has removed. */
async function takesTurn(tx: Tx, orgId: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`positions of ${orgId}`}, 0)) as taken`.execute(tx)
  return rows[0]?.taken ?? false
}

async function selectDocumentIds(tx: Tx, orgId: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select document_id as id from feed.position_documents where org_id = ${orgId}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

async function insertDocumentIds(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  await sql`insert into feed.position_documents (org_id, document_id) select ${orgId}, unnest(${[...ids]}::uuid[])`.execute(
    tx,
  )
}

async function deleteDocumentIds(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  await sql`delete from feed.position_documents where org_id = ${orgId} and document_id = any (${[...ids]}::uuid[])`.execute(
    tx,
  )
}

/** Publishes every few seconds, for a server that runs all the time. @returns Stops it, after the round under way. */
export function startPublishingPositions(parts: PositionPublisherParts): () => Promise<void> {
  const publisher = new PositionPublisher(parts)
  let running: Promise<void> | undefined
  const round = async (): Promise<void> => {
    try {
      await publisher.publish()
    } catch (error) {
      if (!reportOutage(parts.log, error))
        parts.log.warn({ err: error }, 'positions were not published; the next round repeats it')
    }
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= round()
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
