import path from 'node:path'
import { readConfig } from './config.ts'
import { checkBackup } from './platform/backup/check-backup.ts'
import { fingerprintOf } from './platform/backup/key-files.ts'
import { refuseUsedPlace, restoreBackup } from './platform/backup/restore-backup.ts'
import { openDatabase } from './platform/db/database.ts'
import { filesFolder } from './platform/files/stored-files.ts'
import { endFirstStart } from './platform/place.ts'
import { plural } from './platform/plural.ts'
import { progressOn } from './platform/progress.ts'
import { commandLog, runCommand } from './platform/run-command.ts'
import { StartRefused } from './platform/start-refused.ts'

// npm run restore -- FILE: a backup into an empty place.

await runCommand(async () => {
  const [given, ...more] = process.argv.slice(2)
  if (!given || more.length > 0)
    throw new StartRefused('Name the backup to restore: npm run restore -- /backups/tours.backup')
  const file = path.resolve(given)
  const backup = await checkBackup(file)
  const config = readConfig({ ...process.env, DEMO: 'off' })
  const { manifest } = backup
  if (manifest.keys['secret'] === undefined || process.env['SESSION_SECRET']?.trim()) {
    if (fingerprintOf(config.secret) !== manifest.secretFingerprint) {
      throw new StartRefused('Set SESSION_SECRET to the one that the installation had when the backup was made.')
    }
  }
  const log = commandLog(config)
  const db = await openDatabase({ ...config, log })
  const progress = progressOn(process.stderr)
  try {
    const target = { db, dataDir: config.dataDir, filesFolder: filesFolder(config), log }
    await refuseUsedPlace(backup, target)
    await restoreBackup(file, backup, target, (what) => progress.say(what))
    endFirstStart(config.dataDir)
    progress.end()
    const rows = [...backup.tables.values()].reduce((sum, table) => sum + table.rows, 0)
    console.log(
      `Restored ${plural(rows, '# row', '# rows')} of ${backup.tables.size} tables and ${plural(backup.files, '# file', '# files')} as of ${manifest.createdAt}. ` +
        'Start the server with the same settings.',
    )
    if (manifest.files === 'bucket') console.log('Files were in a bucket and are not in this backup.')
  } finally {
    progress.end()
    await db.close()
  }
})
