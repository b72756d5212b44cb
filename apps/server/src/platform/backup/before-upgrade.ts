import fs from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Database } from '../db/database.ts'
import { pendingMigrations } from '../db/migrate.ts'
import { isEmptyDatabase } from '../place.ts'
import { errorText } from '../run-command.ts'
import { StartRefused } from '../start-refused.ts'
import { backUpInstallation } from './back-up-installation.ts'

/** Backups that upgrades made, with the one of now. */
const kept = 2
const nameOfOurs = /^before-\d{4}_.*\.backup$/

/**
 * Before a newer version changes the schema of an installation: a backup in `DATA_DIR/backups` where the database is our own, words about it
 * where it is not. Nothing in an empty database, and nothing where the schema is up to date.
 *
 * @throws StartRefused where the database is newer than the program, or the backup cannot be written. Nothing was changed then.
 */
export async function backUpBeforeUpgrade(config: Config, db: Database, log: Logger): Promise<void> {
  const [first, ...more] = await pendingMigrations(db.ownerPool)
  if (!first || (await isEmptyDatabase(db.ownerPool))) return
  if (db.kind === 'url') {
    log.warn(
      { migrations: more.length + 1 },
      'the schema is brought up to date now; the way back is a backup from before: the database server’s own, or "npm run backup -- FILE"',
    )
    return
  }
  if (!config.backupBeforeUpgrade) return
  const folder = path.join(config.dataDir, 'backups')
  const moment = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const file = path.join(folder, `before-${first.name.replace('.sql', '')}-${moment}.backup`)
  log.info({ file }, 'backup before the upgrade')
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { damaged } = await backUpInstallation(file, config, db.ownerPool)
    for (const name of damaged) log.warn({ file: name }, 'a file is damaged and not in the backup')
  } catch (error) {
    throw new StartRefused(
      `The backup before the upgrade could not be written to ${file}: ${errorText(error).split('\n', 1)[0]}\n` +
        '- Nothing was changed; the version before starts as it did.\n' +
        '- Make room, or make a backup elsewhere (npm run backup -- FILE) and start once with BACKUP_BEFORE_UPGRADE=off.',
      { cause: error },
    )
  }
  removeOlder(folder)
}

/** Names begin with the migration and end with the time: of several tries of one upgrade the first is as good as the last. */
function removeOlder(folder: string): void {
  const ours = fs.readdirSync(folder).filter((name) => nameOfOurs.test(name))
  const byAge = ours.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))
  for (const name of byAge.slice(kept)) fs.rmSync(path.join(folder, name))
}

const timeOf = (name: string): string => name.split('-').at(-1) ?? ''
