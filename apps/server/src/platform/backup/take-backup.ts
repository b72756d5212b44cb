import fs from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { digestOf, filesLockKey } from '../files/blobs.ts'
import { selectWaitingJobs } from '../jobs/waiting-jobs.ts'
import { writeArchive, type Line } from './archive.ts'
import { exportTable, findReaders } from './export-rows.ts'
import type { FileHead, Manifest, Sequence } from './manifest.ts'
import { noLimits } from '../db/pool.ts'
import { carriedTables, settleText } from './tables.ts'

export interface BackupSource {
  readonly ownerPool: pg.Pool
  readonly version: string
  readonly keys: Manifest['keys']
  readonly secretFingerprint: string
  /** The folder of contents on this machine; null where a bucket holds them. */
  readonly filesFolder: string | null
}

export interface BackupReport {
  readonly bytes: number
  readonly tables: number
  readonly rows: number
  readonly files: number
  /** Contents that no longer have the hash they are named after; they are not in the backup. */
  readonly damaged: readonly string[]
}

/**
 * Writes a backup as of one moment, while others work: one snapshot of the database, the contents of files as they are after it (a content
 * is there before its row, and never changes), and the secret.
 *
 * @param onProgress Called with each table or the number of contents so far.
 */
export async function takeBackup(
  file: string,
  source: BackupSource,
  onProgress: (what: string) => void = () => undefined,
): Promise<BackupReport> {
  const client = await source.ownerPool.connect()
  const report = { tables: 0, rows: 0, files: 0, damaged: new Array<string>() }
  try {
    // another backup may be on its way
    await client.query(noLimits)
    // before the snapshot, which the first statement inside the transaction takes
    await client.query('select pg_advisory_lock($1)', [filesLockKey])
    await client.query('begin isolation level repeatable read read only')
    await settleText(client)
    const bytes = await writeArchive(
      file,
      watched(
        linesOf(client, source, (damaged) => void report.damaged.push(damaged)),
        report,
        onProgress,
      ),
    )
    await client.query('commit')
    return { bytes, ...report }
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    // closes the connection, and with it ends the lock
    client.release(true)
  }
}

async function* watched(
  lines: AsyncIterable<Line>,
  report: { tables: number; rows: number; files: number },
  onProgress: (what: string) => void,
): AsyncGenerator<Line> {
  for await (const line of lines) {
    if (typeof line === 'object') {
      if (line.section === 'table') onProgress(`${(report.tables += 1)} ${line.name}`)
      if (line.section === 'table end') report.rows += line.rows
      if (line.section === 'file') onProgress(`files: ${(report.files += 1)}`)
    }
    yield line
  }
}

async function* linesOf(
  client: pg.PoolClient,
  source: BackupSource,
  onDamaged: (file: string) => void,
): AsyncGenerator<Line> {
  // the first statement fixes the snapshot; sequences are not part of it and may only be further on
  const readers = await findReaders(client)
  const tables = await carriedTables(client)
  yield await describe(client, source)
  for (const table of tables) yield* exportTable(client, readers, table)
  if (source.filesFolder !== null) yield* contentsBelow(source.filesFolder, onDamaged)
}

async function describe(
  client: pg.PoolClient,
  { version, keys, secretFingerprint, filesFolder }: BackupSource,
): Promise<Manifest> {
  const migrations = await client.query<Manifest['migrations'][number]>(
    'select name, hash from migrations.applied order by name',
  )
  const days = await client.query<{ day: string }>(`
    select to_char(to_date(right(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.positions'::regclass and c.relname ~ '^positions_\\d{8}$' order by 1`)
  const sequences = await client.query<Sequence>(`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences
    where last_value is not null and schemaname not in ('migrations', 'jobs') order by 1`)
  return {
    section: 'manifest',
    format: 1,
    version,
    createdAt: new Date().toISOString(),
    migrations: migrations.rows,
    sequences: sequences.rows,
    positionDays: days.rows.map(({ day }) => day),
    jobs: await selectWaitingJobs(client),
    keys,
    secretFingerprint,
    files: filesFolder === null ? 'bucket' : 'here',
  }
}

const contentName = /^[0-9a-f]{32}\/[0-9a-f]{2}\/[0-9a-f]{64}$/
/** Of a content; Base64 of 48 kB is one line of 64 kB. */
const partBytes = 48 * 1024

/** Contents by their names; what is still arriving has another name and is sent again. */
async function* contentsBelow(folder: string, onDamaged: (file: string) => void): AsyncGenerator<Line> {
  const entries = await fs
    .readdir(folder, { recursive: true, withFileTypes: true })
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name)
    const name = path.relative(folder, file).split(path.sep).join('/')
    if (!entry.isFile() || !contentName.test(name)) continue
    const { sha256, size } = await digestOf(file)
    if (sha256 !== entry.name) {
      onDamaged(file)
      continue
    }
    yield { section: 'file', name, size } satisfies FileHead
    const handle = await fs.open(file)
    try {
      for (let at = 0; at < size; at += partBytes) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(partBytes, size - at)), 0, null, at)
        yield buffer.toString('base64', 0, bytesRead)
      }
    } finally {
      await handle.close()
    }
  }
}
