import type { FormHold } from '@tour-ops/contract/bookings/form-hold'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { memberName } from '../private-fields.ts'

/** Whether hold `f` is that of a form of the caller. */
export const isOwnForm = (call: Pick<MemberCall, 'caller'>, formId: string | undefined): RawBuilder<boolean> =>
  formId === undefined ? sql`false` : sql`(f.user_id = ${call.caller.userId} and f.id = ${formId}::uuid)`

/** What open forms hold of departure `d` as `holds`, without a form of the caller that asks. */
export const formHoldsOf = (call: MemberCall, exceptFormId?: string): RawBuilder<unknown> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('byName', ${memberName(call, 'by_member')}, 'seats', f.seats,
    'until', to_char(f.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by f.expires_at, f.id), '[]') as holds
  from form_holds f join members by_member on by_member.org_id = f.org_id and by_member.user_id = f.user_id
  where f.org_id = d.org_id and f.departure_id = d.id and f.expires_at > app_now() and not ${isOwnForm(call, exceptFormId)})`

/** Seats of a departure that somebody is about to sell. */
export async function selectFormHolds(call: MemberCall, departureId: string): Promise<FormHold[]> {
  const { rows } = await sql<{ holds: FormHold[] }>`
    select forms.holds from departures d cross join lateral ${formHoldsOf(call)} forms
    where d.org_id = ${call.orgId} and d.id = ${departureId}`.execute(call.tx)
  return rows[0]?.holds ?? []
}
