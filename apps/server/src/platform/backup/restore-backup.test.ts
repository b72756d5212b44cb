import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import { Client, type ClientConfig } from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { travelersVerbs } from '../../features/travelers/verbs.ts'
import { foundOrganization } from '../../../testing/accounts.ts'
import { addDeparture, book, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { migrateDatabase, openDatabase, type Database } from '../db/database.ts'
import { ensureApplicationLogin } from '../db/logins.ts'
import { inTransaction } from '../db/pool.ts'
import { describeSchema } from '../db/schema-text.ts'
import { diskBlobs } from '../files/blobs.ts'
import { createFiles, filesFolder } from '../files/stored-files.ts'
import { bossJobs } from '../jobs/boss-jobs.ts'
import { endFirstStart, noteFirstStart, refuseUnfitPlace, tracesOfWork } from '../place.ts'
import { checkBackup } from './check-backup.ts'
import { refuseUsedPlace, restoreBackup } from './restore-backup.ts'
import { carriedTables, measureTable, settleText } from './tables.ts'
import { takeBackup } from './take-backup.ts'

const log = pino({ level: 'silent' })
const admin = inject('embeddedPostgres')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tour-operations-restore-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

let count = 0
const newPath = (): string => path.join(folder, String((count += 1)))
const newFolder = (): string => fs.mkdtempSync(newPath())

const keys = { secret: 'the secret of this installation\n' }
const sourceOf = (database: Database, contents: string | null = null) => ({
  ownerPool: database.ownerPool,
  version: '0.1.0',
  keys,
  secretFingerprint: 'f',
  filesFolder: contents,
})
const targetOf = (db: Database, dataDir = newFolder()) => ({ db, dataDir, filesFolder: filesFolder({ dataDir }), log })

async function run(config: ClientConfig, ...statements: string[]): Promise<void> {
  const client = new Client(config)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** A database with nothing in it. */
async function emptyDatabase(): Promise<Database> {
  if (!admin) throw new Error('needs PostgreSQL')
  const name = `restore_${randomBytes(6).toString('hex')}`
  await ensureApplicationLogin(admin, name)
  opened.push(() => run(admin, `drop database ${name} with (force)`))
  return remember(await openDatabase({ databaseUrl: addressOf(admin, name), dataDir: folder, log }))
}

function remember(database: Database): Database {
  opened.push(() => database.close())
  return database
}

function addressOf({ host, port, user, password }: ClientConfig, database: string): string {
  const query = new URLSearchParams({ host: String(host), port: String(port ?? 5432), user: String(user) })
  if (typeof password === 'string') query.set('password', password)
  return `postgres:///${database}?${query.toString()}`
}

/** Rows and their sum for every table, as a superuser sees them. */
const measured = ({ ownerPool }: Database) =>
  inTransaction(ownerPool, async (client) => {
    await settleText(client)
    const sums: Record<string, unknown> = {}
    for (const { name } of await carriedTables(client)) sums[name] = await measureTable(client, name)
    return sums
  })

describe.runIf(admin !== null)('a restored database (runs on PostgreSQL)', () => {
  let world: TestWorld
  let manager: TestCaller
  beforeAll(async () => {
    world = await testDatabase()
    manager = await world.as('operations_manager')
    const { tourId } = await publishedTour(manager)
    await book(manager, await addDeparture(manager, tourId), 2)
    await manager.call(verbsOf(travelersVerbs)(createTraveler), {
      firstName: 'Zoë',
      lastName: '"Quote", \\ (x)\n\u2028',
    })
    await foundOrganization(world.database.ownerPool)
    await world.database.ownerPool.query(`select ensure_position_days('2031-01-01', '2031-01-02')`)
  })
  afterAll(() => world.close())

  test('has every row, sequence and guard, files, keys and waiting work, and takes new rows', async () => {
    const { services } = world
    const jobs = bossJobs({ db: world.database, log })
    jobs.register('long-work', async () => undefined)
    await jobs.start()
    await services.db.transaction(
      { orgId: null, actor: { kind: 'system', id: null }, action: 'test', requestId: 'test' },
      (tx) =>
        jobs.enqueue(
          tx,
          'long-work',
          { what: 'waits' },
          { singletonKey: 'one', startAfter: new Date('2031-01-01T00:00:00Z') },
        ),
    )
    await jobs.stop()
    const content = Buffer.from('a picture '.repeat(20_000))
    const contents = filesFolder(services.config)
    await diskBlobs(contents).put('some organization', content)
    const { orgId } = manager
    const manifest = await manager.transaction((tx) =>
      services.files.put(tx, orgId, {
        use: 'import',
        name: 'a.csv',
        content: Buffer.from('Name\nZoë'),
        createdBy: null,
      }),
    )
    const damaged = path.join(contents, '0'.repeat(32), '00', '0'.repeat(64))
    fs.mkdirSync(path.dirname(damaged), { recursive: true })
    fs.writeFileSync(damaged, 'not what its name says')

    const file = newPath()
    const report = await takeBackup(file, sourceOf(world.database, contents))
    expect(report).toMatchObject({ files: 2, damaged: [damaged] })
    const backup = await checkBackup(file)
    const database = await emptyDatabase()
    const target = targetOf(database)
    await refuseUsedPlace(backup, target)
    await restoreBackup(file, backup, target)

    expect(await measured(database)).toEqual(await measured(world.database))
    expect(await describeSchema(database.ownerPool)).toBe(await describeSchema(world.database.ownerPool))
    expect(fs.readFileSync(path.join(target.dataDir, 'secret'), 'utf8')).toBe(keys.secret)
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(await diskBlobs(target.filesFolder).listOlder('some organization', new Date('2100-01-01'))).toEqual([sha256])
    const scope = { orgId, actor: { kind: 'system', id: null }, action: 'test', requestId: 'test' } as const
    const restored = createFiles({ dataDir: target.dataDir, secret: 'x' }, services.sealed)
    const found = await database.transaction(scope, (tx) => restored.get(tx, orgId, manifest.id))
    expect(await text(await restored.open(orgId, found))).toBe('Name\nZoë')
    const waiting = await database.ownerPool.query('select name, data, singleton_key, start_after from jobs.job')
    expect(waiting.rows).toEqual([
      {
        name: 'long-work',
        data: { what: 'waits' },
        singleton_key: 'one',
        start_after: new Date('2031-01-01T00:00:00Z'),
      },
    ])
    const sequences = `select format('%I.%I', schemaname, sequencename) as name, last_value from pg_sequences
      where schemaname <> 'jobs' and sequencename !~ 'changes' order by 1`
    expect((await database.ownerPool.query(sequences)).rows).toEqual(
      (await world.database.ownerPool.query(sequences)).rows,
    )
    await migrateDatabase(database, log)
    await foundOrganization(database.ownerPool)

    await expect(refuseUsedPlace(backup, target)).rejects.toThrow('is not empty')
  }, 240_000)

  test('that is not finished lets no server start, and a place with other keys or files is refused before anything is done', async () => {
    const file = newPath()
    await takeBackup(file, sourceOf(world.database))
    const backup = await checkBackup(file)
    const database = await emptyDatabase()
    const target = targetOf(database)
    const failing = { ...backup, manifest: { ...backup.manifest, keys: { '../elsewhere': 'x' } } }
    await expect(restoreBackup(file, failing, target)).rejects.toThrow('unknown name')
    await expect(refuseUnfitPlace(database.ownerPool, { dataDir: target.dataDir, found: [] })).rejects.toThrow(
      'did not finish',
    )

    const free = targetOf(await emptyDatabase())
    fs.writeFileSync(path.join(free.dataDir, 'secret'), 'of another installation')
    await expect(refuseUsedPlace(backup, free)).rejects.toThrow('another installation')
    fs.rmSync(path.join(free.dataDir, 'secret'))
    fs.mkdirSync(path.join(free.filesFolder, 'ab'), { recursive: true })
    await expect(refuseUsedPlace(backup, free)).rejects.toThrow('holds files')
  }, 240_000)
})

describe.runIf(admin !== null)('with logins that row-level security binds (runs on PostgreSQL)', () => {
  test('an owner without superuser rights backs up every row of every organization and restores them', async () => {
    const source = await boundDatabase()
    await migrateDatabase(source.database, log)
    await foundOrganization(source.database.ownerPool)
    await inTransaction(source.database.ownerPool, async (client) => {
      await client.query(`select set_config('app.user_id', (select min(id) from identity."user"), true)`)
      await client.query(`insert into documents (user_id, path, data) values (app_user_id(), 'users/x/settings', '{}')`)
    })
    const file = newPath()
    await takeBackup(file, sourceOf(source.database))
    const backup = await checkBackup(file)
    const target = await boundDatabase()
    await restoreBackup(file, backup, targetOf(target.database))
    const [before, after] = [await measured(source.asSuperuser), await measured(target.asSuperuser)]
    expect(after).toEqual(before)
    expect(before).toMatchObject({ 'public.members': { rows: 2 }, 'public.documents': { rows: 1 } })
    expect([...backup.tables.values()].map(({ name, rows }) => [name, rows])).toEqual(
      Object.entries(before).map(([name, table]) => [name, (table as { rows: number }).rows]),
    )
  }, 240_000)

  /** A database of an owner who may make roles and nothing else, and an application's login. */
  async function boundDatabase(): Promise<{ database: Database; asSuperuser: Database }> {
    if (!admin) throw new Error('needs PostgreSQL')
    const name = `bound_${randomBytes(6).toString('hex')}`
    await run(
      admin,
      `create role ${name}_owner login createrole nosuperuser`,
      `create role ${name}_app login nosuperuser`,
      `create database ${name} owner ${name}_owner`,
      `do $$ declare r text; begin
         for r in select rolname from pg_roles where rolname in ('app_user', 'app_recorder', 'app_directory', 'app_feed', 'app_janitor', 'app_search', 'app_positions')
         loop execute format('grant %I to ${name}_owner with admin option', r); end loop; end $$`,
      `grant app_own to ${name}_owner with admin true, inherit false`,
    )
    await run({ ...admin, database: name }, `alter schema public owner to ${name}_owner`)
    opened.push(() =>
      run(admin, `drop database ${name} with (force)`, `drop role ${name}_app`, `drop role ${name}_owner`),
    )
    const database = remember(
      await openDatabase({
        databaseUrl: addressOf({ ...admin, user: `${name}_app` }, name),
        migrationDatabaseUrl: addressOf({ ...admin, user: `${name}_owner` }, name),
        dataDir: folder,
        log,
      }),
    )
    const asSuperuser = remember(await openDatabase({ databaseUrl: addressOf(admin, name), dataDir: folder, log }))
    return { database, asSuperuser }
  }
})

describe.runIf(admin !== null)('an empty database (runs on PostgreSQL)', () => {
  test('is no new beginning where a data folder holds what is left of an installation', async () => {
    const { ownerPool } = await emptyDatabase()
    const dataDir = newFolder()
    const start = (): Promise<void> => refuseUnfitPlace(ownerPool, { dataDir, found: tracesOfWork(dataDir) })
    noteFirstStart(dataDir)
    fs.writeFileSync(path.join(dataDir, 'secret'), 'x')
    fs.writeFileSync(path.join(dataDir, 'postgres.lock'), '')
    // a first start that was interrupted here may be repeated
    await expect(start()).resolves.toBeUndefined()
    endFirstStart(dataDir)
    noteFirstStart(dataDir)
    await expect(start()).rejects.toThrow('it holds secret, postgres.lock')
    fs.rmSync(path.join(dataDir, 'secret'))
    await expect(start()).rejects.toThrow('it holds postgres.lock')
  })
})
