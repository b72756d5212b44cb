import { createHash, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Logger } from 'pino'
import { Client, type ClientConfig } from 'pg'
import { connectDatabase, fromPglite, migrateDatabase, type Database } from '../src/platform/db/database.ts'
import { ensureApplicationLogin } from '../src/platform/db/logins.ts'
import { readMigrations } from '../src/platform/db/migrate.ts'
import { startPglite } from '../src/platform/db/pglite.ts'
import { learnColumns } from './row-types/recorder.ts'

// Databases for tests: a migrated template is made once per set of migrations, and every test file gets its own copy.

const cacheFolder = path.resolve(import.meta.dirname, '../../../node_modules/.cache/tour-operations')

/** Names the state that a template holds: the migrations, and the engine that ran them. */
async function templateHash(): Promise<string> {
  const manifest = path.resolve(createRequire(import.meta.url).resolve('@electric-sql/pglite'), '../../package.json')
  const hash = createHash('sha256').update(await fs.readFile(manifest))
  for (const migration of await readMigrations()) hash.update(migration.name).update(migration.hash)
  return hash.digest('hex').slice(0, 16)
}

/** Positions have a place for the two weeks after the migrations ran; a copy from last month would have none for today. */
const templateAgeMs = 7 * 86_400_000

function isFresh(file: string): boolean {
  const made = statSync(file, { throwIfNoEntry: false })
  return made !== undefined && Date.now() - made.mtimeMs < templateAgeMs
}

/** The dump of a migrated PGlite; made when there is none that is fresh. */
export async function ensurePgliteTemplate(log: Logger): Promise<string> {
  const file = path.join(cacheFolder, `template-${await templateHash()}.tar`)
  if (isFresh(file)) return file
  await fs.mkdir(cacheFolder, { recursive: true })
  const server = await startPglite({}, log)
  const database = fromPglite(server, log, () => server.stop())
  try {
    await migrateDatabase(database, log)
    // Without it every copy would begin with a recovery from the write-ahead log.
    await server.lite.query('checkpoint')
    // Uncompressed: 66 MB that load in half the time.
    const dump = await server.lite.dumpDataDir('none')
    const fresh = `${file}.${randomBytes(6).toString('hex')}`
    await fs.writeFile(fresh, Buffer.from(await dump.arrayBuffer()))
    await fs.rename(fresh, file)
  } finally {
    await database.close()
  }
  await removeOldTemplates(file)
  return file
}

const templateLifetimeMs = 3_600_000

async function removeOldTemplates(current: string): Promise<void> {
  for (const name of await fs.readdir(cacheFolder)) {
    const file = path.join(cacheFolder, name)
    if (!name.startsWith('template-') || file === current) continue
    // Another run may remove the same file at the same moment.
    const seen = await fs.stat(file).catch(() => null)
    if (seen && Date.now() - seen.mtimeMs > templateLifetimeMs) await fs.rm(file, { force: true })
  }
}

/** The template in memory, read once by each process: from a file on the disk a copy takes a fifth longer. */
let template: Promise<Blob> | null = null

/** A database in memory, copied from the template. */
export async function openPgliteCopy(log: Logger): Promise<Database> {
  template ??= ensurePgliteTemplate(log).then(async (file) => new Blob([await fs.readFile(file)]))
  const server = await startPglite({ loadDataDir: await template }, log)
  await learnColumns(server.pool)
  return fromPglite(server, log, () => server.stop())
}

const templateName = (hash: string): string => `template_${hash}`

/** Makes the template on a running PostgreSQL. */
export async function makePostgresTemplate(admin: ClientConfig, log: Logger): Promise<void> {
  const { application, owner } = await ensureApplicationLogin(admin, templateName(await templateHash()))
  const database = connectDatabase('embedded', { application, owner }, log, async () => undefined)
  try {
    await migrateDatabase(database, log)
  } finally {
    await database.close()
  }
}

/** A separate database on a running PostgreSQL, copied from the template and dropped when it is closed. */
export async function openPostgresCopy(admin: ClientConfig, log: Logger): Promise<Database> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = templateName(await templateHash())
  await runAs(admin, `create database ${name} template ${template} strategy file_copy`)
  const { application, owner } = await ensureApplicationLogin(admin, name)
  return connectDatabase('embedded', { application, owner }, log, () =>
    runAs(admin, `drop database if exists ${name} with (force)`),
  )
}

async function runAs(config: ClientConfig, statement: string): Promise<void> {
  const client = new Client(config)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
