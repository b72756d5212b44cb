import { symmetricDecrypt } from 'better-auth/crypto'
import type { Logger } from 'pino'
import type pg from 'pg'

/** Whether the identity library can open something that it has sealed with a secret. */
export async function isReadable(key: Parameters<typeof symmetricDecrypt>[0]['key'], sealed: string): Promise<boolean> {
  try {
    await symmetricDecrypt({ key, data: sealed })
    return true
  } catch {
    return false
  }
}

/**
 * Says at start how many authenticator apps another secret has sealed: the library keeps one secret, so that they open again with the old one
 * alone. Nothing is removed, since a wrong secret may be a mistake.
 */
export async function reportUnreadableAuthenticators(ownerPool: pg.Pool, secret: string, log: Logger): Promise<void> {
  const { rows } = await ownerPool.query<{ secret: string }>('select secret from identity."twoFactor" where verified')
  let unreadable = 0
  for (const row of rows) if (!(await isReadable(secret, row.secret))) unreadable += 1
  if (unreadable === 0) return
  log.warn(
    { accounts: unreadable },
    `${unreadable} of ${rows.length} authenticator apps were set up under another SESSION_SECRET, and their codes are refused. ` +
      'Bring that secret back, or reset them: in the list of users, or with npm run reset-second-factor -- EMAIL',
  )
}
