import { createHash, type Hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { inTransaction, withoutLimits } from '../db/pool.ts'
import { isEmptyDatabase, unfinishedMark } from '../place.ts'
import { insertWaitingJobs } from '../jobs/waiting-jobs.ts'
import { StartRefused } from '../start-refused.ts'
import { readArchive, type Line } from './archive.ts'
import type { CheckedBackup } from './check-backup.ts'
import { refuseOtherKeys, writeKeyFiles } from './key-files.ts'
import { loadRows } from './load-rows.ts'

export interface RestoreTarget {
  readonly db: Database
  readonly dataDir: string
  readonly filesFolder: string
  readonly log: Logger
}

/** @throws StartRefused where something is already, or the disk has no room. Nothing was changed then. */
export async function refuseUsedPlace(backup: CheckedBackup, target: Omit<RestoreTarget, 'log'>): Promise<void> {
  const { db, dataDir, filesFolder } = target
  if (!(await isEmptyDatabase(db.ownerPool))) {
    const place = db.kind === 'url' ? 'The database at DATABASE_URL' : `The database in ${dataDir}`
    throw new StartRefused(
      `${place} is not empty. Restore into an empty place: another DATA_DIR, or an empty database.`,
    )
  }
  refuseOtherKeys(dataDir, backup.manifest.keys)
  if (hasContents(filesFolder))
    throw new StartRefused(`${filesFolder} holds files already. Restore into an empty DATA_DIR.`)
  const { bavail, bsize } = await fs.promises.statfs(dataDir)
  if (bavail * bsize < backup.fileBytes * 1.1) {
    throw new StartRefused(`The disk of ${dataDir} has no room for ${Math.ceil(backup.fileBytes / 1e6)} MB of files.`)
  }
}

/**
 * Puts a checked backup into an empty place: the backup's migrations, every row in one transaction, waiting work, contents of files, keys.
 * Until its last step the database says that it is not finished, and no server starts on it.
 */
export async function restoreBackup(
  file: string,
  { manifest, migrations }: CheckedBackup,
  { db, dataDir, filesFolder, log }: RestoreTarget,
  onProgress: (what: string) => void = () => undefined,
): Promise<void> {
  await migrate(db.ownerPool, log, migrations)
  await db.ownerPool.query(`create table ${unfinishedMark} ()`)
  const contents = new ContentWriter(filesFolder, onProgress)
  await inTransaction(db.ownerPool, async (client) => {
    const lines = withoutManifest(readArchive(file))
    await loadRows(client, manifest, lines, onProgress, (line) => contents.take(line))
    await contents.finish()
  })
  await insertWaitingJobs(db, manifest.jobs)
  writeKeyFiles(dataDir, manifest.keys)
  await withoutLimits(db.ownerPool, (client) => client.query('analyze'))
  await db.ownerPool.query(`drop table ${unfinishedMark}`)
}

async function* withoutManifest(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  let isFirst = true
  for await (const line of lines) {
    if (!isFirst) yield line
    isFirst = false
  }
}

const hasContents = (folder: string): boolean =>
  fs.existsSync(folder) && fs.readdirSync(folder).some((name) => !name.startsWith('.'))

/** Writes contents of files one after the other; each must have the hash that is its name. */
class ContentWriter {
  readonly #folder: string
  readonly #onProgress: (what: string) => void
  #open: { readonly name: string; readonly target: string; readonly handle: number; readonly hash: Hash } | undefined
  #count = 0

  constructor(folder: string, onProgress: (what: string) => void) {
    this.#folder = folder
    this.#onProgress = onProgress
  }

  async take(line: Line): Promise<void> {
    if (typeof line === 'string') {
      if (!this.#open) throw new Error('The backup has content without a name.')
      const bytes = Buffer.from(line, 'base64')
      fs.writeSync(this.#open.handle, bytes)
      this.#open.hash.update(bytes)
      return
    }
    if (line.section !== 'file') throw new Error(`The backup has a part of an unknown kind: ${line.section}.`)
    await this.finish()
    if (!/^[0-9a-f]{32}\/[0-9a-f]{2}\/[0-9a-f]{64}$/.test(line.name))
      throw new Error(`The backup has a file of a wrong name: ${line.name}.`)
    const target = path.join(this.#folder, line.name)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    this.#open = { name: line.name, target, handle: fs.openSync(target, 'w', 0o600), hash: createHash('sha256') }
    this.#onProgress(`files: ${(this.#count += 1)}`)
  }

  async finish(): Promise<void> {
    if (!this.#open) return
    const { name, target, handle, hash } = this.#open
    fs.fsyncSync(handle)
    fs.closeSync(handle)
    this.#open = undefined
    if (hash.digest('hex') !== path.basename(target)) throw new Error(`The file ${name} of the backup is damaged.`)
  }
}
