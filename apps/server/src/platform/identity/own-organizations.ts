import type { Role } from '@tour-ops/contract/identity/access'
import type pg from 'pg'

/** An organization as its member sees it in the choice of organizations. */
interface OwnOrganization {
  readonly id: string
  readonly name: string
  /** Null with all that follows while the membership is suspended: the organization is listed by name, but cannot be entered. */
  readonly slug: string | null
  readonly logo: string | null
  readonly createdAt: Date | null
  readonly updatedAt: Date | null
  readonly role: Role | null
  readonly memberCount: number | null
  /** Of the person, not of the organization: also while suspended. Null where they never worked. */
  readonly lastUsedAt: Date | null
}

/** The organizations of a person, the one used last first. */
export async function selectOwnOrganizations(ownerPool: pg.Pool, userId: string): Promise<OwnOrganization[]> {
  const { rows } = await ownerPool.query<OwnOrganization>(
    `select o.id, o.name, a.slug, a.logo, a."createdAt", a."updatedAt", a.role, a."memberCount", u.at as "lastUsedAt"
     from identity.member m
     join identity.organization o on o.id = m."organizationId"
     left join lateral (
       select o.slug, o.logo, o."createdAt", o."updatedAt", m.role,
         (select count(*)::int from identity.member c where c."organizationId" = o.id and c.status = 'active') as "memberCount"
       where m.status = 'active'
     ) a on true
     left join identity.organization_uses u on u."userId" = m."userId" and u."organizationId" = m."organizationId"
     where m."userId" = $1
     order by u.at desc nulls last, o.name, o.id`,
    [userId],
  )
  return rows
}
