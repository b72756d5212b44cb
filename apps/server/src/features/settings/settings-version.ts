import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'

/** Holds the settings of the organization and refuses to overwrite what somebody else changed. */
export async function requireSettingsVersion(call: MemberCall, version: number): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    select version from org_settings where org_id = ${call.orgId} for update`.execute(call.tx)
  const current = rows[0]
  if (!current) throw notFound('settings')
  requireVersion(current, version, 'settings')
}
