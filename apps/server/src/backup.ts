import path from 'node:path'
import { readConfig } from './config.ts'
import { backUpInstallation } from './platform/backup/back-up-installation.ts'
import { openDatabaseBeside } from './platform/db/database.ts'
import { isEmptyDatabase, requireDataFolder } from './platform/place.ts'
import { plural } from './platform/plural.ts'
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
    const report = await backUpInstallation(file, config, access.ownerPool, (what) => progress.say(what))
    progress.end()
    for (const damaged of report.damaged) console.error(`Damaged, and not in the backup: ${damaged}`)
    console.log(
      `Backed up ${plural(report.rows, '# row', '# rows')} of ${report.tables} tables and ${plural(report.files, '# file', '# files')} into ${file} ` +
        `(${(report.bytes / 1e6).toFixed(1)} MB).\nIt holds personal data and, unless the environment gives them, the keys: keep it like a password.`,
    )
    if (config.backend.kind === 'firebase') console.log('Files are in the bucket and not in this backup.')
  } finally {
    progress.end()
    await access.close()
  }
})
