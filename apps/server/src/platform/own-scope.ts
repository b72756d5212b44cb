import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../context.ts'

/** Assignments that make a departure one's own: somebody who is only asked may already look. */
const ownStatuses = sql`('offered', 'accepted', 'on_duty', 'completed')`

/**
 * Whether a departure is within the reach of the caller's permission: every one with scope `all`, with scope `own` those on
 * whose crew the caller is. A guide without a linked staff record sees none.
 *
 * @param departureId The column that holds the departure's id.
 */
export const isWithinScope = (
  call: Pick<MemberCall, 'scope' | 'orgId' | 'staffId'>,
  departureId: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  call.scope === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from assignments mine where mine.org_id = ${call.orgId} and mine.departure_id = ${departureId}
        and mine.staff_id = ${call.staffId}::uuid and mine.status in ${ownStatuses})`
