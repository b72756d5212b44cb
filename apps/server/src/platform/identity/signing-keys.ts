import { symmetricDecrypt } from 'better-auth/crypto'
import type { Logger } from 'pino'
import type pg from 'pg'

/**
 * The identity library encrypts the keys that sign its tokens with the installation's secret, and fails where it cannot open them. Those of
 * another secret are removed at start; the library makes new ones. Its tokens last five minutes, so nobody misses the old keys.
 */
export async function removeForeignSigningKeys(ownerPool: pg.Pool, secret: string, log: Logger): Promise<void> {
  const { rows } = await ownerPool.query<{ id: string; sealed: string }>(
    'select id, "privateKey" as sealed from identity.jwks',
  )
  const foreign: string[] = []
  for (const { id, sealed } of rows) {
    try {
      await symmetricDecrypt({ key: secret, data: JSON.parse(sealed) as string })
    } catch {
      foreign.push(id)
    }
  }
  if (foreign.length === 0) return
  await ownerPool.query('delete from identity.jwks where id = any ($1)', [foreign])
  log.warn({ keys: foreign.length }, 'the secret was replaced: everybody signs in again')
}
