import { hasAccess, isOnlyNearTour, scopeOf } from '@tour-ops/contract/identity/access'
import { ofGuests, ofStaff, sensitiveData } from '@tour-ops/contract/sensitive-data'
import { sql, type RawBuilder } from 'kysely'
import type { MemberCall } from '../context.ts'
import { endsLater } from './operations/departure-phase.ts'

type Reader = Pick<MemberCall, 'role' | 'staffId'>

/** Whether the caller reads private fields of everybody of the field staff: phones, notes, costs, reasons. */
export const seesPrivateOfAll = ({ role }: Pick<MemberCall, 'role'>): boolean => scopeOf(role, ofStaff.needs) === 'all'

/**
 * Whether the caller reads the private fields of one person of the field staff: of everybody, of oneself, or of nobody.
 *
 * @param staffId The column that holds the person's id.
 */
export function seesPrivateOf(call: Reader, staffId: RawBuilder<unknown>): RawBuilder<boolean> {
  const scope = scopeOf(call.role, ofStaff.needs)
  if (scope !== 'own') return sql<boolean>`${scope === 'all'}`
  return sql<boolean>`coalesce(${staffId} = ${call.staffId}::uuid, false)`
}

/** Dispatchers look only while it matters for a tour. See docs/domain.md, "Roles and permissions". */
export const dispatcherHours = 48

/** Whether a departure `d` is close enough, or still out, for dispatchers to see what is sensitive about its guests. */
const isNearTour = sql<boolean>`(${endsLater} and d.starts_at < app_now() + make_interval(hours => ${dispatcherHours}))`

/**
 * Whether the caller reads what is sensitive about a guest of departure `d`: documents, date of birth, medical notes. Guides have
 * diets, mobility and emergency contacts from the manifest, and nothing of this.
 */
export function seesSensitiveOn({ role }: Pick<MemberCall, 'role'>): RawBuilder<boolean> {
  if (scopeOf(role, ofGuests.needs) !== 'all') return sql<boolean>`false`
  return isOnlyNearTour(role, ofGuests.needs) ? isNearTour : sql<boolean>`true`
}

/**
 * Whether the caller reads what is sensitive about a traveler.
 *
 * @param travelerId The column that holds the traveler's id.
 */
export function seesSensitiveOf(
  call: Pick<MemberCall, 'role' | 'orgId'>,
  travelerId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (!isOnlyNearTour(call.role, ofGuests.needs)) return seesSensitiveOn(call)
  return sql<boolean>`exists (select from manifest_entries guest join departures d on d.org_id = guest.org_id and d.id = guest.departure_id
    where guest.org_id = ${call.orgId} and guest.traveler_id = ${travelerId} and guest.status <> 'cancelled' and ${isNearTour})`
}

/**
 * What a member is called: the name, and for those who may read e-mail addresses of members the address where there is no name.
 *
 * @param member Alias of the table `members`.
 */
export const memberName = (call: Pick<MemberCall, 'role'>, member: string): RawBuilder<string | null> =>
  hasAccess(call, { permission: 'members:read' })
    ? sql`coalesce(${sql.ref(`${member}.name`)}, ${sql.ref(`${member}.email`)}::text)`
    : sql`${sql.ref(`${member}.name`)}`

/** The records that an access is about, and which fields where that is not all: an access to other fields is another one. */
interface LookedAt {
  readonly entity: string
  readonly ids: readonly string[]
  readonly about?: Readonly<Record<string, unknown>>
}

type Looker = Pick<MemberCall, 'tx' | 'orgId' | 'caller'>

/** Writes into the audit log that the caller read something sensitive. */
export const recordLook = (looker: Looker, what: keyof typeof sensitiveData, at: LookedAt): Promise<void> =>
  recordAccess(looker, sensitiveData[what].look, at, { fields: [what] })

/**
 * Writes into the audit log that the caller read something. Automatic rereads of a screen count as one access an hour.
 *
 * @param more What is recorded with it, and makes no other access of it.
 */
export async function recordAccess(
  { tx, orgId, caller }: Looker,
  action: string,
  { entity, ids, about = {} }: LookedAt,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const told = JSON.stringify({ ...more, ...about })
  await sql`select record_event(${action}, ${entity}, seen.id, ${told}::jsonb)
    from unnest(${[...ids]}::text[]) seen (id) where not exists (select from audit_entries e
      where e.org_id = ${orgId} and e.entity_type = ${entity} and e.entity_id = seen.id and e.action = ${action}
        and e.actor_id = ${caller.userId} and e.at > app_now() - interval '1 hour' and e.diff @> ${JSON.stringify(about)}::jsonb)`.execute(
    tx,
  )
}
