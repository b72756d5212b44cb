import fs from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { StartRefused } from './start-refused.ts'

// The place of an installation: its data folder and its database. They belong together, and one without the other is no new beginning.

/** A table that is there while a restore has begun and not finished. */
export const unfinishedMark = 'migrations.unfinished_restore'

/** In a data folder while its first start has not come as far as a database; then other files in it prove nothing. */
const firstStartFile = 'first-start'

/** What is left in a data folder by an installation that has worked there. */
const traces = ['secret', 'data-keys', 'postgres.lock', 'pglite.lock', 'files']

/** Writes down that a folder is new, before anything is put into it. */
export function noteFirstStart(dataDir: string): void {
  if (tracesIn(dataDir).length === 0) fs.writeFileSync(path.join(dataDir, firstStartFile), '')
}

/** The database is made: from now on the folder and the database belong together. */
export function endFirstStart(dataDir: string): void {
  fs.rmSync(path.join(dataDir, firstStartFile), { force: true })
}

export const isFirstStart = (dataDir: string): boolean => fs.existsSync(path.join(dataDir, firstStartFile))

/** What says that an installation has worked in this folder; nothing during its first start. */
export const tracesOfWork = (dataDir: string): string[] => (isFirstStart(dataDir) ? [] : tracesIn(dataDir))

const tracesIn = (dataDir: string): string[] => traces.filter((name) => fs.existsSync(path.join(dataDir, name)))

/** The server would make a folder; a command that was given the wrong one must not. @throws StartRefused */
export function requireDataFolder({ DATA_DIR: given, DATABASE_URL: url }: NodeJS.ProcessEnv): void {
  const folder = path.resolve(given?.trim() || './data')
  if (!url && !fs.existsSync(folder)) {
    throw new StartRefused(`There is no data folder ${folder}. Give DATA_DIR as to the server.`)
  }
}

/** Whether nothing was ever made in a database. */
export async function isEmptyDatabase(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ isEmpty: boolean }>(`
    select not exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')) as "isEmpty"`)
  return rows[0]?.isEmpty ?? false
}

/**
 * Refuses to begin with an empty database next to the remains of an installation, and on a database that was restored in part.
 *
 * @param found What `tracesOfWork` found before the database was opened, which leaves traces itself.
 * @throws StartRefused
 */
export async function refuseUnfitPlace(
  ownerPool: pg.Pool,
  { dataDir, found }: { dataDir: string; found: readonly string[] },
): Promise<void> {
  const { rowCount } = await ownerPool.query(`select where to_regclass('${unfinishedMark}') is not null`)
  if (rowCount !== 0) throw new StartRefused(halfRestored)
  if (found.length > 0 && (await isEmptyDatabase(ownerPool))) throw new StartRefused(databaseGone(dataDir, found))
}

const databaseGone = (dataDir: string, found: readonly string[]): string =>
  `The database is empty, but ${dataDir} is not new: it holds ${found.join(', ')}. Starting here would begin a second installation beside what ` +
  'is left of the first.\n' +
  '- If its database is elsewhere, set DATABASE_URL or DATA_DIR to it. A server that was started as root may have put it below ' +
  '/var/lib/tour-operations.\n' +
  '- To bring it back from a backup, run "npm run restore -- FILE" with an empty DATA_DIR.\n' +
  '- To begin empty, set DATA_DIR to an empty folder.'

const halfRestored =
  'A restore into this place did not finish. Remove what it left (the DATA_DIR, or the database at DATABASE_URL), and repeat ' +
  '"npm run restore -- FILE" into the empty place.'
