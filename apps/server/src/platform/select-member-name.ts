import { sql } from 'kysely'
import type { MemberCall } from '../context.ts'

/** The name of a member of the caller's organization; empty where there is none. */
export async function selectMemberName(call: MemberCall, userId: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(name, '') as name from members where org_id = ${call.orgId} and user_id = ${userId}`.execute(
    call.tx,
  )
  return rows[0]?.name ?? ''
}
