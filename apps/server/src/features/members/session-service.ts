import { grants, type Permission, type Role } from '@tour-ops/contract/identity/access'
import {
  getSession,
  type SessionOrganization,
  type SessionSettings,
  type SessionUser,
} from '@tour-ops/contract/identity/session'
import type { MapTiles } from '@tour-ops/contract/settings/map-tiles'
import { sql } from 'kysely'
import type { PersonCall } from '../../context.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { ruleIn } from '../../platform/operations/alert-limits.ts'
import { findMembership } from '../../platform/membership.ts'
import { type Verb, verb } from '../../platform/verb.ts'

const get = verb(getSession, async (call) => {
  const membership = await findMembership(call.tx, call.caller)
  const place = membership && !membership.lacksFactor ? await selectPlace(call) : null
  return {
    user: await selectUser(call),
    organization: place?.organization ?? null,
    permissions: place ? (Object.keys(grants[place.organization.role]) as Permission[]) : [],
    staffId: place?.staffId ?? null,
    settings: place?.settings ?? null,
    secondFactorDueAt: isoOrNull(membership?.factorDueAt ?? null),
    serverTime: iso(call.clock.now()),
  }
})

interface UserRow {
  name: string
  firstName: string | null
  lastName: string | null
  email: string
  imageUrl: string | null
  createdAt: Date
  lastSignInAt: Date | null
}

/** From the embedded identity service; people of another one are known by what their token says. */
async function selectUser({ tx, caller }: PersonCall): Promise<SessionUser> {
  const { rows } = await sql<UserRow>`
    select name, "firstName", "lastName", email, image as "imageUrl", "createdAt", "lastSignInAt"
    from identity."user" where id = ${caller.userId}`.execute(tx)
  const user = rows[0]
  if (!user) {
    const unknown = { firstName: null, lastName: null, imageUrl: null, createdAt: null, lastSignInAt: null }
    return { id: caller.userId, fullName: caller.name, email: caller.email, ...unknown }
  }
  return {
    id: caller.userId,
    firstName: user.firstName,
    lastName: user.lastName,
    fullName: user.name,
    email: user.email,
    imageUrl: user.imageUrl,
    createdAt: iso(user.createdAt),
    lastSignInAt: isoOrNull(user.lastSignInAt),
  }
}

interface Place {
  readonly organization: SessionOrganization
  readonly settings: SessionSettings | null
  readonly staffId: string | null
}

interface PlaceRow extends Omit<SessionSettings, 'tiles'> {
  tilesSource: MapTiles['source'] | null
  tilesAddress: string | null
  id: string
  name: string
  slug: string | null
  role: Role
  imageUrl: string | null
  createdAt: Date
  updatedAt: Date
  memberCount: number
  staffId: string | null
}

/** The organization of the token, when the person is an active member of it now. */
async function selectPlace({ tx, caller }: PersonCall): Promise<Place | null> {
  if (caller.orgId === null) return null
  const { rows } = await sql<PlaceRow>`
    select o.org_id as id, o.name, o.slug, m.role, o.logo_url as "imageUrl", o.created_at as "createdAt", o.updated_at as "updatedAt",
      (select count(*)::int from members c where c.org_id = o.org_id and c.status = 'active') as "memberCount",
      m.staff_id as "staffId", s.time_zone as "timeZone", s.locale, s.currency, s.units, s.week_start as "weekStart", s.time_format as "timeFormat", s.on_time_tolerance_minutes as "onTimeToleranceMin",
      ${ruleIn('s', 'atRiskMin')} as "atRiskMin", s.tiles_source as "tilesSource", s.tiles_address as "tilesAddress"
    from organizations o
    join members m on m.org_id = o.org_id and m.user_id = ${caller.userId} and m.status = 'active'
    left join org_settings s on s.org_id = o.org_id
    where o.org_id = ${caller.orgId}`.execute(tx)
  const row = rows[0]
  if (!row) return null
  const { id, name, slug, role, imageUrl, memberCount, staffId, createdAt, updatedAt, ...rest } = row
  const { tilesSource: source, tilesAddress: address, ...settings } = rest
  return {
    organization: {
      id,
      name,
      slug,
      role,
      imageUrl,
      memberCount,
      createdAt: iso(createdAt),
      updatedAt: iso(updatedAt),
    },
    settings: settings.timeZone
      ? { ...settings, tiles: source && address !== null ? { source, address } : null }
      : null,
    staffId,
  }
}

export const sessionVerbs: Verb[] = [get]
