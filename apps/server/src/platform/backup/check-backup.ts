import { readMigrations, type Migration } from '../db/migrate.ts'
import { StartRefused } from '../start-refused.ts'
import { readArchive, type Line } from './archive.ts'
import type { Manifest, TableEnd } from './manifest.ts'

export interface CheckedBackup {
  readonly manifest: Manifest
  /** Those of this program that the backup's database had. */
  readonly migrations: readonly Migration[]
  readonly tables: ReadonlyMap<string, TableEnd>
  readonly files: number
  readonly fileBytes: number
}

/**
 * Reads a backup from its first to its last line before anything is changed.
 *
 * @throws StartRefused when it is not whole, or was made by a newer version of this program.
 */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  let manifest: Manifest | undefined
  const tables = new Map<string, TableEnd>()
  let files = 0
  let fileBytes = 0
  for await (const line of readArchive(file)) {
    if (!manifest) manifest = manifestOf(line, file)
    if (typeof line === 'string') continue
    if (line.section === 'table end') tables.set(line.name, line)
    if (line.section === 'file') {
      files += 1
      fileBytes += line.size
    }
  }
  if (!manifest) throw notOurs(file)
  return { manifest, migrations: await migrationsOf(manifest), tables, files, fileBytes }
}

function manifestOf(line: Line, file: string): Manifest {
  if (typeof line !== 'object' || line.section !== 'manifest') throw notOurs(file)
  if (line.format !== 1) throw newer(line)
  return line
}

async function migrationsOf(manifest: Manifest): Promise<Migration[]> {
  const ours = new Map((await readMigrations()).map((migration) => [migration.name, migration]))
  return manifest.migrations.map(({ name, hash }) => {
    const migration = ours.get(name)
    if (!migration) throw newer(manifest)
    if (migration.hash === hash) return migration
    throw new StartRefused(
      `The backup's database was made with another ${name} than this program has. Restore it with the version that made it.`,
    )
  })
}

const newer = ({ version }: Manifest): StartRefused =>
  new StartRefused(`The backup was made by a newer version of this program (${version}). Restore it with that version.`)

const notOurs = (file: string): StartRefused => new StartRefused(`${file} is not a backup of this program.`)
