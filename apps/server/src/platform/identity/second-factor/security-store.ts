import type pg from 'pg'
import { inTransaction } from '../../db/pool.ts'

// What an account's security page reads and changes, always for the person of the session.

export interface OwnPasskey {
  readonly id: string
  readonly name: string | null
  readonly aaguid: string | null
  readonly createdAt: Date | null
  /** Stored by a service that brings it to other devices, such as a password manager. */
  readonly isSynced: boolean
}

export async function passkeysOf(ownerPool: pg.Pool, userId: string): Promise<OwnPasskey[]> {
  const { rows } = await ownerPool.query<OwnPasskey>(
    `select id, name, aaguid, "createdAt", "backedUp" as "isSynced" from identity.passkey
     where "userId" = $1 order by "createdAt", id`,
    [userId],
  )
  return rows
}

export interface OwnSession {
  readonly id: string
  readonly isCurrent: boolean
  readonly createdAt: Date
  /** To the hour: when its backend token was renewed last. */
  readonly seenAt: Date
  readonly ip: string | null
  readonly userAgent: string | null
  readonly secondFactor: string | null
}

/** Life of a backend session after its last renewal, as `backend-tokens.ts` sets it. */
const renewalDays = 7

/** The open sessions of a person, the present one first, then the ones seen last. */
export async function sessionsOf(ownerPool: pg.Pool, userId: string, currentId: string): Promise<OwnSession[]> {
  const { rows } = await ownerPool.query<OwnSession>(
    `select s.id, s.id = $2 as "isCurrent", s."createdAt", nullif(s."ipAddress", '') as ip, nullif(s."userAgent", '') as "userAgent",
       s."secondFactor", greatest(s."createdAt", s."updatedAt", b.renewed_at) as "seenAt"
     from identity.session s
     left join lateral (
       select max(b.expires_at) - make_interval(days => $3) as renewed_at from identity.backend_sessions b
       where b.identity_session_id = s.id and b.revoked_at is null) b on true
     where s."userId" = $1 and s."expiresAt" > clock_timestamp()
     order by s.id = $2 desc, "seenAt" desc, s.id limit 100`,
    [userId, currentId, renewalDays],
  )
  return rows
}

/** Ends a session and everything that was signed in with it; false when it had ended. */
export async function endSession(ownerPool: pg.Pool, userId: string, sessionId: string): Promise<boolean> {
  const { rowCount } = await ownerPool.query('delete from identity.session where id = $1 and "userId" = $2', [
    sessionId,
    userId,
  ])
  return rowCount === 1
}

/** Ends all sessions but one, and forgets the devices that need no code. @returns how many ended. */
export async function endOtherSessions(ownerPool: pg.Pool, userId: string, keptId: string): Promise<number> {
  return inTransaction(ownerPool, async (client) => {
    await client.query(`delete from identity.verification where identifier like 'trust-device-%' and value = $1`, [
      userId,
    ])
    const { rowCount } = await client.query('delete from identity.session where "userId" = $1 and id <> $2', [
      userId,
      keptId,
    ])
    return rowCount ?? 0
  })
}
