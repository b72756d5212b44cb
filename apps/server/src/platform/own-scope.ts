import type { Permission } from '@tour-ops/contract/identity/access'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../context.ts'
import { applicationRole, ownRole, type DatabaseRole } from './db/transaction.ts'
import { opensWithOffer } from './membership.ts'

// Which departures, guests, tours, vehicles and colleagues belong to a caller is decided by the database (docs/decisions/0039): a statement of a
// caller with scope `own` finds no others, and need not filter. Here is what such a call also needs.

/** From here on the transaction reaches as far as this permission does: a part of a call may need another one than the call itself. */
export async function reachAs({ tx, scope }: Pick<MemberCall, 'tx' | 'scope'>, permission: Permission): Promise<void> {
  if (scope === 'all') return
  await sql`select set_config('app.own_offers', ${opensWithOffer(permission) ? 'on' : 'off'}, true)`.execute(tx)
}

/**
 * Runs a part of a call as far as the office reaches, for what follows from a departure that was found to be the caller's own and that
 * they lead: setting out changes bookings, crew and vehicles which no guide may write to by themselves. A failure leaves the wide role to
 * the savepoint or the transaction that rolls back.
 */
export async function reachingAsOffice<T>(call: MemberCall, run: (call: MemberCall) => Promise<T>): Promise<T> {
  if (call.scope === 'all') return run(call)
  await takeRole(call, applicationRole)
  const result = await run({ ...call, scope: 'all' })
  await takeRole(call, ownRole)
  return result
}

/** From here on the transaction works as this role of the database. */
export async function takeRole({ tx }: Pick<MemberCall, 'tx'>, role: DatabaseRole): Promise<void> {
  await sql`select set_config('role', ${role}, true) as database_role`.execute(tx)
}

/**
 * Whether a traveler travels on a departure within reach. Names of those whose entry was cancelled are found without it: their booking
 * names them.
 *
 * @param travelerId The column that holds the traveler's id.
 */
export const isGuestWithinScope = (
  { scope }: Pick<MemberCall, 'scope'>,
  travelerId: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  scope === 'all' ? sql<boolean>`true` : sql<boolean>`${travelerId} = any ((select own_guests(false))::uuid[])`

/**
 * Joins an assignment `a` with its departure `d` and that departure's tour `t`. With scope `own` the row of an assignment that was declined
 * or withdrawn stays the caller's, while its departure is closed: then `d` and `t` hold only what names the departure.
 */
export const joinAssigned = ({ scope }: Pick<MemberCall, 'scope'>, join: 'join' | 'left join'): RawBuilder<unknown> =>
  scope === 'all'
    ? sql`${sql.raw(join)} departures d on d.org_id = a.org_id and d.id = a.departure_id
      ${sql.raw(join)} tours t on t.org_id = d.org_id and t.id = d.tour_id`
    : sql`${sql.raw(join)} own_assignment_departures() d on d.org_id = a.org_id and d.id = a.departure_id
      left join lateral (select d.tour_code as code, d.tour_name as name) t on true`
