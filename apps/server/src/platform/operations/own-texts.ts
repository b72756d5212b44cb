import type { RuleText } from '@tour-ops/contract/notifications/guest-rule-texts'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { requireVersion } from '../optimistic-lock.ts'

/** For what texts are kept, and what its row says where nobody has changed anything else of it. */
interface TextsFor {
  readonly event: string
  readonly audience: 'travelers' | 'suppliers'
  readonly isOn: boolean
  readonly offset: number
}

/**
 * Replaces the texts that an organization has written itself.
 *
 * @returns their version.
 * @throws AppError `aborted` with reason `version_conflict` where somebody else has meanwhile.
 */
export async function saveOwnTexts(
  tx: Tx,
  orgId: string,
  { event, audience: for_, isOn, offset }: TextsFor,
  { version, texts }: { readonly version: number; readonly texts: readonly RuleText[] },
): Promise<number> {
  // written into the statement, so that the index of the audience is known to be meant
  const audience = sql.lit(for_)
  const { rows: before } = await sql<{ version: number }>`
    select texts_version as version from notification_rules
    where org_id = ${orgId} and event = ${event} and audience = ${audience} for update`.execute(tx)
  requireVersion(before[0] ?? { version: 0 }, version, 'template')
  // made with its texts where nobody has changed it yet; somebody else may make it at the same moment
  const { rows } = await sql<{ version: number }>`
    insert into notification_rules as r (org_id, id, event, audience, channels, enabled, offset_min, texts, texts_version)
    values (${orgId}, ${newId()}, ${event}, ${audience}, '{email}', ${isOn}, ${offset}, ${JSON.stringify(texts)}::jsonb, 1)
    on conflict (org_id, event) where audience = ${audience}
      do update set texts = excluded.texts, texts_version = r.texts_version + 1 where r.texts_version = ${version}
    returning texts_version as version`.execute(tx)
  if (!rows[0]) throw refuse('version_conflict', { current: version + 1, what: 'template' })
  return rows[0].version
}
