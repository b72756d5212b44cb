import path from 'node:path'
import { readConfig, type Config } from './config.ts'
import { fingerprintOf, readKeptKeys } from './platform/backup/kept-keys.ts'
import { takeBackup } from './platform/backup/take-backup.ts'
import { openDatabaseBeside } from './platform/db/database.ts'
import { filesFolder } from './platform/files/stored-files.ts'
import { writeFact } from './platform/installation.ts'
import { isEmptyDatabase, requireDataFolder } from './platform/place.ts'
import { programVersion } from './platform/program-version.ts'
import { progressOn } from './platform/progress.ts'
import { commandLog, runCommand } from './platform/run-command.ts'
import { StartRefused } from './platform/start-refused.ts'

// npm run backup -- FILE: database, files and keys as of one moment, while the server runs.

await runCommand(async () => {
  const [given, ...more] = process.argv.slice(2)
  if (!given || more.length > 0)
    throw new StartRefused('Name the file to write: npm run backup -- /backups/tours.backup')
  const file = path.resolve(given)
  requireDataFolder(process.env)
  const config = readConfig({ ...process.env, DEMO: 'off' })
  const log = commandLog(config)
  const access = await openDatabaseBeside({ ...config, log })
  const progress = progressOn(process.stderr)
  try {
    if (await isEmptyDatabase(access.ownerPool))
      throw new StartRefused('The database is empty. Set DATA_DIR or DATABASE_URL as the server has it.')
    const report = await takeBackup(
      file,
      {
        ownerPool: access.ownerPool,
        version: programVersion(),
        keys: keysOf(config),
        secretFingerprint: fingerprintOf(config.secret),
        filesFolder: config.backend.kind === 'firebase' ? null : filesFolder(config),
      },
      (what) => progress.say(what),
    )
    progress.end()
    for (const damaged of report.damaged) console.error(`Damaged, and not in the backup: ${damaged}`)
    await remember(file, report.bytes)
    console.log(
      `Backed up ${report.rows} rows of ${report.tables} tables and ${report.files} files into ${file} ` +
        `(${(report.bytes / 1e6).toFixed(1)} MB).\nIt holds personal data and, unless the environment gives them, the keys: keep it like a password.`,
    )
    if (config.backend.kind === 'firebase') console.log('Files are in the bucket and not in this backup.')
  } finally {
    progress.end()
    await access.close()
  }

  /** A database from before there were facts has none to write. */
  async function remember(name: string, bytes: number): Promise<void> {
    const { rowCount } = await access.ownerPool.query(`select where to_regclass('installation.facts') is not null`)
    if (rowCount !== 0) await writeFact(access.ownerPool, 'last backup', { file: name, bytes })
  }
})

/** What the environment gives is the operator's; a file of the same kind in the folder, if there is one, is not in use then. */
function keysOf({ dataDir, dataKeys }: Config): Record<string, string> {
  const { secret, 'data-keys': keys } = readKeptKeys(dataDir)
  const isSecretOurs = secret !== undefined && !process.env['SESSION_SECRET']?.trim()
  const areKeysOurs = keys !== undefined && dataKeys.kind === 'file' && dataKeys.isOwn
  return { ...(isSecretOurs && { secret }), ...(areKeysOurs && { 'data-keys': keys }) }
}
