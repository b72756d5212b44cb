import type { Config } from '../config.ts'
import {
  type DataKey,
  derivedDataKey,
  newDataKey,
  readDataKeyFile,
  textOfDataKey,
  writeDataKeyFile,
} from './data-keys.ts'
import type { Database } from './db/database.ts'
import { dataKeysOf, namelessKeyId, openSealing } from './key-registry.ts'
import { reseal } from './reseal.ts'
import { StartRefused } from './start-refused.ts'

// What `npm run keys` does. Each command is safe while servers run, and may be ended and repeated at any moment.

export interface KeyCommands {
  readonly config: Pick<Config, 'dataKeys' | 'secret'>
  readonly db: Database
  readonly print: (line: string) => void
}

interface KnownKey {
  readonly id: string
  readonly addedAt: Date
  readonly isLost: boolean
}

async function knownKeys({ db }: KeyCommands): Promise<KnownKey[]> {
  const { rows } = await db.ownerPool.query<KnownKey>(
    'select id, added_at as "addedAt", lost_at is not null as "isLost" from data_keys order by added_at, id',
  )
  return rows
}

async function usesOf({ db }: KeyCommands): Promise<{ keyId: string; place: string; n: number }[]> {
  const { rows } = await db.pool.query<{ keyId: string; place: string; n: number }>(
    'select key_id as "keyId", place, n from data_key_uses() order by 1, 2',
  )
  return rows
}

/** The keys here; none where the file is not made yet or gone. */
function keysHere({ config }: KeyCommands): readonly DataKey[] {
  try {
    return dataKeysOf(config).all()
  } catch {
    return []
  }
}

/** Every key of the database and of this installation, what it encrypts, and whether it is here. */
export async function listKeys(commands: KeyCommands): Promise<void> {
  const { print } = commands
  const here = keysHere(commands)
  const uses = await usesOf(commands)
  const known = await knownKeys(commands)
  const ids = [
    ...new Set([...here.map(({ id }) => id), ...known.map(({ id }) => id), ...uses.map(({ keyId }) => keyId)]),
  ]
  for (const id of ids) {
    const of = uses.filter((use) => use.keyId === id).map(({ place, n }) => `${n} ${place}`)
    print(
      [
        id.padEnd(16),
        known
          .find((key) => key.id === id)
          ?.addedAt.toISOString()
          .slice(0, 16)
          .replace('T', ' ') ?? ' '.repeat(16),
        stateOf(id, here, known).padEnd(8),
        of.join(', ') || 'nothing',
      ].join('  '),
    )
  }
  print(
    `Keys come from ${placeOf(commands)}. The first one encrypts; "${namelessKeyId}" is what was encrypted before keys had ids.`,
  )
}

function stateOf(id: string, here: readonly DataKey[], known: readonly KnownKey[]): string {
  if (here[0]?.id === id) return 'encrypts'
  if (here.some((key) => key.id === id)) return 'opens'
  if (known.find((key) => key.id === id)?.isLost) return 'lost'
  return id === namelessKeyId ? '' : 'MISSING'
}

function placeOf({ config: { dataKeys } }: KeyCommands): string {
  if (dataKeys.kind === 'environment') return 'DATA_KEYS'
  return dataKeys.kind === 'file' ? dataKeys.path : 'SESSION_SECRET'
}

/** Makes a new key, lets it encrypt from now on, and encrypts everything with it. Older keys stay, to open copies of the database. */
export async function rotateKeys(commands: KeyCommands): Promise<void> {
  const { config, db, print } = commands
  const { dataKeys: source } = config
  if (source.kind !== 'file') {
    explainRotation(commands)
    return
  }
  await openSealing(config, db)
  await alone(db, async () => {
    const older = readDataKeyFile(source.path)
    const fresh = newDataKey()
    // Processes that run take the first key at once: it comes first when the database knows it, and they can open what it encrypts.
    writeDataKeyFile(source.path, [...older, fresh])
    await db.ownerPool.query('insert into data_keys (id) values ($1)', [fresh.id])
    writeDataKeyFile(source.path, [fresh, ...older])
    print(`The new key ${fresh.id} in ${source.path} encrypts from now on.`)
  })
  await resealKeys(commands)
  print(`Copy ${source.path} to where your backups of keys are. Older keys open older backups of the database.`)
  print('When you need one no longer: npm run keys -- retire KEY')
}

/** A command cannot change the variables of running processes. */
function explainRotation({ config, print }: KeyCommands): void {
  const { dataKeys: source, secret } = config
  const present = source.kind === 'environment' ? source.keys : [derivedDataKey(secret)]
  print(
    `Keys come from ${source.kind === 'environment' ? 'DATA_KEYS' : 'SESSION_SECRET'}, which this command cannot change. Do it in three steps:`,
  )
  const texts = present.map(textOfDataKey)
  const fresh = textOfDataKey(newDataKey())
  print(
    `1. Restart every process with DATA_KEYS="${[...texts, fresh].join(' ')}": all can open what the new key will encrypt.`,
  )
  print(`2. Restart every process with DATA_KEYS="${[fresh, ...texts].join(' ')}": the new key encrypts.`)
  print('3. npm run keys -- reseal, with the same DATA_KEYS.')
}

/** Encrypts everything with the key that encrypts now. */
export async function resealKeys({ config, db, print }: KeyCommands): Promise<void> {
  const sealed = await openSealing(config, db)
  let printedAt = performance.now()
  const { sealed: done, unreadable } = await reseal(
    { db, sealed },
    {
      which: 'older',
      onProgress: (soFar) => {
        if (performance.now() - printedAt < 1_000) return
        printedAt = performance.now()
        print(`${soFar.sealed} values encrypted …`)
      },
    },
  )
  print(`${done} values encrypted with the key ${sealed.keys.all()[0]?.id}; the others were already.`)
  if (unreadable > 0) print(`${unreadable} values cannot be opened by any key here, and stay as they are.`)
}

/**
 * Removes a key that no longer encrypts anything, or gives up one that is lost.
 *
 * @throws StartRefused with a message when the key still encrypts something, encrypts now, or is not known.
 */
export async function retireKey(commands: KeyCommands, id: string, { lost }: { lost: boolean }): Promise<void> {
  const { config, db, print } = commands
  const here = keysHere(commands)
  if (lost) return giveUpKey(commands, id)
  if (here[0]?.id === id)
    throw new StartRefused(`The key ${id} encrypts now. Make a new one first: npm run keys -- rotate`)
  const uses = (await usesOf(commands)).filter((use) => use.keyId === id)
  if (uses.length > 0) {
    throw new StartRefused(
      `The key ${id} still encrypts ${uses.map(({ place, n }) => `${n} ${place}`).join(', ')}. ` +
        `Encrypt them with the newest key first: npm run keys -- reseal.`,
    )
  }
  // The foreign keys of the database refuse this while somebody writes with the key.
  const { rowCount } = await db.ownerPool.query('delete from data_keys where id = $1', [id]).catch((error: unknown) => {
    throw new StartRefused(`The key ${id} was used just now. Run "npm run keys -- reseal", then retire it.`, {
      cause: error,
    })
  })
  if (rowCount === 0 && !here.some((key) => key.id === id)) throw new StartRefused(`There is no key ${id}.`)
  const { dataKeys: source } = config
  if (source.kind === 'file') {
    writeDataKeyFile(
      source.path,
      readDataKeyFile(source.path).filter((key) => key.id !== id),
    )
    print(`The key ${id} is retired. Backups of the database from its time need it: keep a copy with them.`)
  } else {
    print(`The key ${id} is retired. Take it out of DATA_KEYS before the next start.`)
  }
}

async function giveUpKey(commands: KeyCommands, id: string): Promise<void> {
  const { db, print } = commands
  if (keysHere(commands).some((key) => key.id === id))
    throw new StartRefused(`The key ${id} is here, so it is not lost.`)
  const known = (await knownKeys(commands)).some((key) => key.id === id)
  if (!known && id !== namelessKeyId) throw new StartRefused(`There is no key ${id}.`)
  await db.ownerPool.query(
    'insert into data_keys (id, lost_at) values ($1, clock_timestamp()) on conflict (id) do update set lost_at = clock_timestamp()',
    [id],
  )
  print(
    `The key ${id} is given up. The server starts without it; what it encrypted cannot be read and can be entered again.`,
  )
}

/** Two rotations at once would each lose the other's key. */
async function alone(db: Database, run: () => Promise<void>): Promise<void> {
  // this process holds the only connection there is
  if (db.kind === 'pglite') return run()
  const client = await db.ownerPool.connect()
  try {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [rotationLock])
    if (!rows[0]?.free) throw new StartRefused('Keys are being rotated by another command. Wait for it.')
    await run()
    await client.query('select pg_advisory_unlock($1)', [rotationLock])
  } finally {
    client.release()
  }
}

/** The number is arbitrary. */
const rotationLock = 7_263_548_120
