import type { Config } from '../config.ts'
import { createDataKeyFile, type DataKeys, derivedDataKey, fileDataKeys, fixedDataKeys } from './data-keys.ts'
import type { Database } from './db/database.ts'
import { inTransaction } from './db/pool.ts'
import { existsSync } from 'node:fs'
import { SealedText } from './sealed-text.ts'
import { StartRefused } from './start-refused.ts'

type KeyConfig = Pick<Config, 'dataKeys' | 'secret'>

/** The name under which values from before keys had ids are given up (`npm run keys -- retire nameless --lost`). */
export const namelessKeyId = 'nameless'

/**
 * Opens the installation's keys and compares them with the database, which lists every key that may have sealed something. An empty
 * database gets to know ours; the file in the data folder is made then.
 *
 * @throws StartRefused when a key is missing.
 */
export async function openSealing(config: KeyConfig, db: Pick<Database, 'ownerPool'>): Promise<SealedText> {
  return inTransaction(db.ownerPool, async (client) => {
    // two processes with different keys must not both begin
    await client.query('lock table data_keys in share row exclusive mode')
    const { rows } = await client.query<{ id: string; lost: boolean }>(
      'select id, lost_at is not null as lost from data_keys order by added_at, id',
    )
    const known = rows.filter(({ lost }) => !lost).map(({ id }) => id)
    const { dataKeys: source } = config
    if (source.kind === 'file' && source.isOwn && !existsSync(source.path)) {
      if (known.length > 0) throw missingKeys(known, source)
      createDataKeyFile(source.path)
    }
    const keys = dataKeysOf(config)
    const absent = known.filter((id) => !keys.find(id))
    if (absent.length > 0) throw missingKeys(absent, source)
    for (const { id } of keys.all()) {
      await client.query('insert into data_keys (id) values ($1) on conflict (id) do update set lost_at = null', [id])
    }
    return new SealedText(keys)
  })
}

/** @throws Error with a readable message when a file of keys cannot be used. */
export function dataKeysOf({ dataKeys: source, secret }: KeyConfig): DataKeys {
  const derived = derivedDataKey(secret)
  if (source.kind === 'environment') return fixedDataKeys(source.keys, derived)
  return source.kind === 'file' ? fileDataKeys(source.path, derived) : fixedDataKeys([derived], derived)
}

function missingKeys(ids: readonly string[], source: Config['dataKeys']): StartRefused {
  const place = {
    environment: 'DATA_KEYS does not hold it',
    file: `${source.kind === 'file' ? source.path : ''} does not hold it`,
    secret: 'it does not follow from SESSION_SECRET, and DATA_KEYS is not set',
  }[source.kind]
  return new StartRefused(
    `The database holds values that were encrypted with the key ${ids.join(', ')}, and ${place}. ` +
      'Bring the keys of the installation that this database comes from: its file DATA_DIR/data-keys, or its DATA_KEYS. ' +
      'If they are lost for good, so are these values; "npm run keys -- retire KEY --lost" lets the server start without them.',
  )
}
