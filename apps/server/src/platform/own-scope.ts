import { openWithOffer } from '@tour-ops/contract/identity/access'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../context.ts'

/**
 * Who asks, and how far the permission reaches that they ask with. A caller with scope `own` and without a linked staff record has no
 * departures: comparing with a missing staff record is never true.
 */
export type OwnScope = Pick<MemberCall, 'scope' | 'permission' | 'orgId' | 'staffId'>

/** `own_assignment_statuses` of the database says which assignments count; nobody else lists statuses to decide what is one's own. */
const isMine = (
  { orgId, staffId }: OwnScope,
  departureId: RawBuilder<unknown>,
  withOffers: boolean,
): RawBuilder<boolean> =>
  sql<boolean>`exists (select from assignments mine where mine.org_id = ${orgId} and mine.departure_id = ${departureId}
    and mine.staff_id = ${staffId}::uuid and mine.status = any (own_assignment_statuses(${withOffers})))`

/**
 * Whether a departure is within the reach of the caller's permission: every one with scope `all`, with scope `own` the caller's own
 * departures.
 *
 * @param departureId The column that holds the departure's id.
 */
export const isWithinScope = (call: OwnScope, departureId: RawBuilder<unknown>): RawBuilder<boolean> =>
  call.scope === 'all'
    ? sql<boolean>`true`
    : isMine(call, departureId, call.permission !== 'member' && openWithOffer.includes(call.permission))

/** As `isWithinScope`, for what an offer does not open yet although the permission does. */
export const isOnCrew = (call: OwnScope, departureId: RawBuilder<unknown>): RawBuilder<boolean> =>
  call.scope === 'all' ? sql<boolean>`true` : isMine(call, departureId, false)

/**
 * Whether a traveler is within reach: with scope `own` those on the manifest of an own departure.
 *
 * @param travelerId The column that holds the traveler's id.
 */
export const isGuestWithinScope = (call: OwnScope, travelerId: RawBuilder<unknown>): RawBuilder<boolean> =>
  call.scope === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from manifest_entries guest where guest.org_id = ${call.orgId} and guest.traveler_id = ${travelerId}
        and guest.status <> 'cancelled' and ${isOnCrew(call, sql`guest.departure_id`)})`

/** Whether a tour is within reach: with scope `own` those of which the caller has a departure. */
export const isTourWithinScope = (call: OwnScope, tourId: RawBuilder<unknown>): RawBuilder<boolean> =>
  call.scope === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from departures own where own.org_id = ${call.orgId} and own.tour_id = ${tourId}
        and ${isWithinScope(call, sql`own.id`)})`

/** The nil id: no staff record has it. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** The staff record whose guests the functions that search may find; null where the permission reaches everybody. */
export const staffWhoseGuests = ({ scope, staffId }: OwnScope): string | null =>
  scope === 'own' ? (staffId ?? nobody) : null

/**
 * Joins an assignment `a` with its departure `d` and that departure's tour `t`. With scope `own` the row of an assignment that was declined
 * or taken back stays the caller's, while its departure is closed: then `d` and `t` hold only what names the departure.
 */
export const joinAssigned = ({ scope }: OwnScope, join: 'join' | 'left join'): RawBuilder<unknown> =>
  scope === 'all'
    ? sql`${sql.raw(join)} departures d on d.org_id = a.org_id and d.id = a.departure_id
      ${sql.raw(join)} tours t on t.org_id = d.org_id and t.id = d.tour_id`
    : sql`${sql.raw(join)} own_assignment_departures() d on d.org_id = a.org_id and d.id = a.departure_id
      left join lateral (select d.tour_code as code, d.tour_name as name) t on true`
