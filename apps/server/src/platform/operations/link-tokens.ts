import { dutyPath } from '@tour-ops/contract/duty/duty-terms'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { hashOfToken, newToken } from './address-token.ts'

/**
 * A new token of a link. It is returned once, here; only its hash is stored.
 *
 * @param issuedBy User id; null where the product writes to a guest on its own.
 */
export async function issueToken(
  tx: Tx,
  orgId: string,
  linkId: string,
  issuedBy: string | null,
): Promise<{ token: string; path: string }> {
  const token = newToken()
  const { rows } = await sql<{ opensPhone: boolean }>`
    insert into shared_link_tokens (org_id, id, link_id, token_hash, token_hint, issued_by)
    values (${orgId}, ${newId()}, ${linkId}, ${hashOfToken(token)}, ${token.slice(-4)}, ${issuedBy})
    returning (select l.kind = 'staff_runsheet' and coalesce(l.scopes ->> 'checkin', '') = 'true' from shared_links l
      where l.org_id = ${orgId} and l.id = ${linkId}) as "opensPhone"`.execute(tx)
  // behind the hash: the phone's page takes it from there, and no server and no log sees it
  return { token, path: rows[0]?.opensPhone ? `${dutyPath}#link=${token}` : `/share/${token}` }
}
