import fs from 'node:fs'
import path from 'node:path'
import { listBookings } from '@tour-ops/contract/bookings/bookings'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkBackup } from '../src/platform/backup/check-backup.ts'
import { openDatabaseBeside } from '../src/platform/db/database.ts'
import { readMigrations } from '../src/platform/db/migrate.ts'
import { freePort, newDataFolder, runToEnd, signIn, startProgram, type Program } from '../testing/programs.ts'

/** The demo as the first version that landed (98a2bdf) left it, on 2026-11-22. */
const firstVersion = path.resolve(import.meta.dirname, '../fixtures/first-version.backup')

const log = pino({ level: 'silent' })

// On the embedded PostgreSQL, by the programs that people start.

describe('an upgrade', () => {
  const folders: string[] = []
  let dataDir: string
  let running: Program | undefined
  const newFolder = (label: string): string => {
    const folder = newDataFolder(label)
    folders.push(folder)
    return folder
  }
  const start = async (env: Record<string, string> = {}): Promise<Program> => {
    running = await startProgram({ DATA_DIR: dataDir, DEMO: 'on', PORT: String(await freePort()), ...env })
    return running
  }
  const stop = async (): Promise<void> => {
    running?.child.kill('SIGTERM')
    await running?.ended
    running = undefined
  }
  /** Rows of tables that nothing but people changes. */
  async function countRows(): Promise<Record<string, number>> {
    const access = await openDatabaseBeside({ dataDir, log })
    try {
      const { rows } = await access.ownerPool.query<Record<string, number>>(`
        select (select count(*)::int from bookings) as "public.bookings", (select count(*)::int from travelers) as "public.travelers",
          (select count(*)::int from check_ins) as "public.check_ins", (select count(*)::int from identity."user") as "identity.user"`)
      return rows[0] ?? {}
    } finally {
      await access.close()
    }
  }

  beforeAll(async () => {
    dataDir = newFolder('first-version')
    const restored = await runToEnd('restore.ts', [firstVersion], { DATA_DIR: dataDir })
    expect(restored, restored.err).toMatchObject({ code: 0 })
  }, 180_000)
  afterAll(async () => {
    await stop()
    folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true }))
  })

  test('from the first version keeps everything, and makes a backup of that version before', async () => {
    const server = await start()
    const first = await checkBackup(firstVersion)
    const admin = await signIn(server.base, { email: 'admin@example.com', password: 'demo-operations' })
    const { total } = await admin.call(listBookings, {})
    expect(total).toBeGreaterThan(0)
    const rows = await countRows()
    expect(rows).toEqual(
      Object.fromEntries(
        Object.keys(rows).map((table) => [table, first.tables.get(table.replace('user', '"user"'))?.rows]),
      ),
    )

    const [file = '', ...more] = fs.readdirSync(path.join(dataDir, 'backups'))
    expect(more).toEqual([])
    expect(file).toMatch(/^before-0092_hold_sweep-\d{8}T\d{6}Z\.backup$/)
    const made = await checkBackup(path.join(dataDir, 'backups', file))
    expect(made.manifest.migrations).toEqual(first.manifest.migrations)
    expect(made.tables).toEqual(first.tables)
  }, 180_000)

  test('that has been made makes no second backup', async () => {
    await stop()
    await start()
    expect(fs.readdirSync(path.join(dataDir, 'backups'))).toHaveLength(1)
  }, 180_000)

  test('cannot be undone by starting the previous version: it refuses with a message, and changes nothing', async () => {
    const access = await openDatabaseBeside({ dataDir, log })
    await access.ownerPool.query(`insert into migrations.applied (name, hash) values ('9999_later.sql', 'x')`)
    await access.close()
    await stop()
    const refused = await start().catch((error: unknown) => String(error))
    expect(refused).toContain('The database is newer than this program: it holds 9999_later.sql.')
    expect(refused).toContain('npm run restore -- FILE')
    expect(refused).not.toMatch(/^\s+at /m)
    expect(fs.readdirSync(path.join(dataDir, 'backups'))).toHaveLength(1)
    const now = await openDatabaseBeside({ dataDir, log })
    const { rows } = await now.ownerPool.query<{ name: string }>(
      'delete from migrations.applied where hash = $1 returning name',
      ['x'],
    )
    expect(rows).toHaveLength(1)
    await now.close()
  }, 180_000)

  test('whose backup cannot be written does not begin', async () => {
    const newest = (await readMigrations()).at(-1)?.name ?? ''
    const access = await openDatabaseBeside({ dataDir, log })
    const { rows } = await access.ownerPool.query<{ hash: string }>(
      'delete from migrations.applied where name = $1 returning hash',
      [newest],
    )
    await access.close()
    fs.renameSync(path.join(dataDir, 'backups'), path.join(dataDir, 'backups-moved'))
    fs.writeFileSync(path.join(dataDir, 'backups'), 'in the way')
    const refused = await start().catch((error: unknown) => String(error))
    expect(refused).toContain('The backup before the upgrade could not be written')
    expect(refused).toContain('BACKUP_BEFORE_UPGRADE=off')
    const now = await openDatabaseBeside({ dataDir, log })
    expect((await now.ownerPool.query('select from migrations.applied where name = $1', [newest])).rowCount).toBe(0)
    await now.ownerPool.query('insert into migrations.applied (name, hash) values ($1, $2)', [newest, rows[0]?.hash])
    await now.close()
  }, 180_000)
})
