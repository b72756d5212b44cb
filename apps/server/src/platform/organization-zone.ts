import { sql } from 'kysely'
import type { MemberCall } from '../context.ts'

/** The IANA zone in which the office counts its days. */
export async function organizationZone(call: Pick<MemberCall, 'tx' | 'orgId'>): Promise<string> {
  const { rows } = await sql<{ timeZone: string }>`
    select time_zone as "timeZone" from org_settings where org_id = ${call.orgId}`.execute(call.tx)
  return rows[0]?.timeZone ?? 'UTC'
}
