import type pg from 'pg'
import type { Config } from '../../config.ts'
import { filesFolder } from '../files/stored-files.ts'
import { writeFact } from '../installation.ts'
import { programVersion } from '../program-version.ts'
import { fingerprintOf, readKeyFiles } from './key-files.ts'
import { takeBackup, type BackupReport } from './take-backup.ts'

/**
 * Writes a backup of an installation as it is configured, and remembers in the database that there is one.
 *
 * @param file Must not exist yet.
 * @param onProgress Called with each table or the number of contents so far.
 */
export async function backUpInstallation(
  file: string,
  config: Config,
  ownerPool: pg.Pool,
  onProgress?: (what: string) => void,
): Promise<BackupReport> {
  const source = {
    ownerPool,
    version: programVersion(),
    keys: keysOf(config),
    secretFingerprint: fingerprintOf(config.secret),
    filesFolder: config.backend.kind === 'firebase' ? null : filesFolder(config),
  }
  const report = await takeBackup(file, source, onProgress)
  // a database from before there were facts has none to write
  const { rowCount } = await ownerPool.query(`select where to_regclass('installation.facts') is not null`)
  if (rowCount !== 0) await writeFact(ownerPool, 'last backup', { file, bytes: report.bytes })
  return report
}

/** What the environment gives is the operator's; a file of the same kind in the folder, if there is one, is not in use then. */
function keysOf({ dataDir, dataKeys }: Config): Record<string, string> {
  const { secret, 'data-keys': keys } = readKeyFiles(dataDir)
  const isSecretOurs = secret !== undefined && !process.env['SESSION_SECRET']?.trim()
  const areKeysOurs = keys !== undefined && dataKeys.kind === 'file' && dataKeys.isOwn
  return { ...(isSecretOurs && { secret }), ...(areKeysOurs && { 'data-keys': keys }) }
}
