import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { Call } from '../../context.ts'
import { type LinkRef, openLink, type OpenLink } from './open-link.ts'

/** Whether a member of the organization looks at what its guests see. */
export async function isMembersLook({ tx, caller }: Call, { orgId }: LinkRef): Promise<boolean> {
  if (caller === null) return false
  const { rows } =
    await sql`select from members where org_id = ${orgId} and user_id = ${caller.userId} and status = 'active'`.execute(
      tx,
    )
  return rows.length > 0
}

/**
 * The link of what a guest does. Not for members, who try it out: it would stand there as said by the guest. A call for help is heard from anybody.
 *
 * @throws AppError as `openLink`; `aborted`, reason `preview_only`.
 */
export async function openForGuest(call: Call, token: string): Promise<OpenLink> {
  const link = await openLink(call, token)
  if (await isMembersLook(call, link)) throw refuse('preview_only')
  return link
}
