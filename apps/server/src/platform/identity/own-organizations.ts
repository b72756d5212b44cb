import type { Role } from '@tour-ops/contract/access'
import type pg from 'pg'

/** An organization as its member sees it in the choice of organizations. */
interface OwnOrganization {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly logo: string | null
  readonly createdAt: Date
  readonly updatedAt: Date | null
  /** Null while the membership is suspended: it is listed, but cannot be entered. */
  readonly role: Role | null
  readonly memberCount: number
  /** Null where the person never worked. */
  readonly lastUsedAt: Date | null
}

/** The organizations of a person, the one used last first. */
export async function selectOwnOrganizations(ownerPool: pg.Pool, userId: string): Promise<OwnOrganization[]> {
  const { rows } = await ownerPool.query<OwnOrganization>(
    `select o.id, o.name, o.slug, o.logo, o."createdAt", o."updatedAt", case when m.status = 'active' then m.role end as role,
       (select count(*)::int from identity.member c where c."organizationId" = o.id and c.status = 'active') as "memberCount",
       u.at as "lastUsedAt"
     from identity.member m
     join identity.organization o on o.id = m."organizationId"
     left join identity.organization_uses u on u."userId" = m."userId" and u."organizationId" = m."organizationId"
     where m."userId" = $1
     order by u.at desc nulls last, o.name, o.id`,
    [userId],
  )
  return rows
}
