import { linkPlaceholder } from '@tour-ops/contract/notifications/guest-rules'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { linkDeparture, linkEnd } from './link-end.ts'
import { issueToken } from './link-tokens.ts'

/**
 * Puts an address of a link where a text has a place for it, on a line of its own. Each message has an address of its own, which is stored nowhere.
 *
 * @returns `outdated` for a link that is paused or over by now: it would open nothing.
 */
export async function withAddressOf(
  tx: Tx,
  orgId: string,
  publicUrl: string,
  { linkId, body }: { readonly linkId: string; readonly body: string },
): Promise<{ body: string } | 'outdated'> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select l.status in ('active', 'scheduled') and ${linkEnd} > app_now() as "isOpen"
    from shared_links l ${linkDeparture} where l.org_id = ${orgId} and l.id = ${linkId}`.execute(tx)
  if (!rows[0]?.isOpen) return 'outdated'
  const { path } = await issueToken(tx, orgId, linkId, null)
  const address = new URL(path, publicUrl).href
  return { body: onItsLine(body, address) }
}

/** What somebody typed into a name is within a line. */
export const onItsLine = (body: string, address: string): string =>
  body
    .split('\n')
    .map((line) => (line === linkPlaceholder ? address : line))
    .join('\n')
