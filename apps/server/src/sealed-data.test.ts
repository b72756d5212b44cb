import { hkdfSync, createCipheriv, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { linkFile, type UploadState } from '@tour-ops/contract/files'
import { getManifest } from '@tour-ops/contract/manifest'
import { addLeave, staffPlanner } from '@tour-ops/contract/field-staff'
import { type ImportBatch, previewImport } from '@tour-ops/contract/imports'
import {
  createTraveler,
  getTraveler,
  revealTraveler,
  saveTravelerDocument,
  updateTraveler,
} from '@tour-ops/contract/travelers'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import type { ImportJobData } from './features/imports/import-run.ts'
import { runImportJob } from './features/imports/imports-jobs.ts'
import { addDeparture as addImportDeparture, Importer } from './features/imports/testing-imports.ts'
import { movableClock } from './platform/clock.ts'
import { fixedDataKeys, newDataKey, derivedDataKey } from './platform/data-keys.ts'
import { fromPglite, migrateDatabase, type Database } from './platform/db/database.ts'
import { migrate, readMigrations } from './platform/db/migrate.ts'
import { startPglite } from './platform/db/pglite.ts'
import { createFiles, filesFolder } from './platform/files/stored-files.ts'
import { sweepFiles } from './platform/files/sweep.ts'
import { testServer, type TestServer } from './platform/http/testing-server.ts'
import { newId } from './platform/ids.ts'
import { openSealing } from './platform/key-registry.ts'
import { listKeys, type KeyCommands, resealKeys, retireKey, rotateKeys } from './platform/key-commands.ts'
import { reseal, sealRemaining } from './platform/reseal.ts'
import { keyIdOf, SealedText } from './platform/sealed-text.ts'
import { assignGuide, addDeparture, book, publishedTour } from './testing-operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from './testing.ts'
import { verbsOf } from './testing-verbs.ts'
import { allVerbs } from './verbs.ts'

// Passport numbers, medical notes and reasons of time off: nowhere readable, always to be opened, on the assembled product.

const verbOf = verbsOf(allVerbs)
const marks = { medicalNote: 'Epilepsy Kx81', changed: 'Asthma Kx82', passport: 'KX83PASS', leave: 'Surgery Kx84' }

async function addTraveler(office: TestCaller, medicalNote = marks.medicalNote): Promise<string> {
  const { id } = await office.call(verbOf(createTraveler), { lastName: 'Okafor', medicalNote })
  await office.call(verbOf(saveTravelerDocument), { travelerId: id, kind: 'passport', number: marks.passport })
  return id
}

const reveal = (office: TestCaller, id: string) =>
  office.call(verbOf(revealTraveler), { id, fields: ['medical', 'documents'] })

const importCode = 'GOLD-311121-0900'

/** An uploaded file about one guest with passport and medical note. */
function uploadGuest(importer: Importer, medicalNote = marks.medicalNote): Promise<ImportBatch> {
  const lines = [
    'departure_code,first_name,last_name,date_of_birth,passport_number,medical_note',
    `${importCode},Amara,Okafor,1989-07-04,${marks.passport},${medicalNote}`,
  ]
  return importer.upload(lines.join('\n')).then((batch) => {
    const columns = Object.fromEntries((lines[0] ?? '').split(',').map((field) => [field, field]))
    return importer.map(batch, { columns: columns as ImportBatch['mapping']['columns'] })
  })
}

interface Look {
  readonly importer: Importer
  readonly batch: ImportBatch
  readonly look: () => Promise<void>
}

/** Checks an import, and looks at the database once its lines are read and not yet compared. */
async function checkWithLook(
  world: TestWorld,
  office: TestCaller,
  { importer, batch, look }: Look,
): Promise<ImportBatch> {
  const { services } = world
  let looks = 0
  const transaction: Database['transaction'] = async (about, run) => {
    const result = await services.db.transaction(about, run)
    const { rowCount } = await world.database.ownerPool.query(
      `select from import_rows where batch_id = $1 and after -> 'values' ? 'medicalNote'`,
      [batch.id],
    )
    if (rowCount === 1 && looks === 0) {
      looks += 1
      await look()
    }
    return result
  }
  await office.call(verbOf(previewImport), { id: batch.id, version: batch.version })
  const asked = world.enqueued.findLast(({ name }) => name === 'imports-preview')
  await runImportJob({ ...services, db: { ...services.db, transaction } }, 'preview', asked?.data as ImportJobData)
  expect(looks).toBe(1)
  return importer.get(batch.id)
}

/** The traveler whom an import has written. */
async function importedTraveler(world: TestWorld, batch: ImportBatch): Promise<string> {
  const { rows } = await world.database.ownerPool.query<{ id: string }>(
    'select traveler_id as id from import_rows where batch_id = $1',
    [batch.id],
  )
  return rows[0]?.id ?? ''
}

/** Everything that the database holds, as a dump would show it; bytes also as the text that they may be. */
async function textOfDatabase(db: Database): Promise<string> {
  const { rows: tables } = await db.ownerPool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`,
  )
  const texts: string[] = []
  await db.ownerPool.query('set row_security = on')
  for (const { name } of tables) {
    const { rows } = await db.ownerPool.query<{ text: string }>(`select t::text as text from ${name} t`)
    texts.push(...rows.map(({ text }) => text))
  }
  return texts.join('\n')
}

/** No file below the folder holds a secret. */
async function expectNotBelow(folder: string): Promise<void> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(0)
  for (const { parentPath, name } of files) {
    const bytes = await fs.readFile(path.join(parentPath, name))
    for (const secret of Object.values(marks)) expect(bytes.includes(secret), `${secret} in ${name}`).toBe(false)
  }
}

/** Sends a manifest as a browser does. */
async function uploadContent(server: TestServer, as: TestCaller, content: Buffer): Promise<string> {
  const data = { use: 'import', name: 'manifest.csv', size: content.length }
  const announced = await server.fetch('/api/files/uploads', {
    method: 'POST',
    as: as.caller,
    body: JSON.stringify({ data }),
  })
  const { result } = (await announced.json()) as { result: UploadState }
  const address = `/api/files/uploads/${result.uploadId}`
  await server.fetch(address, {
    method: 'PUT',
    as: as.caller,
    body: new Uint8Array(content),
    headers: { 'content-range': `bytes 0-${content.length - 1}/${content.length}` },
  })
  const finished = await server.fetch(`${address}/finish`, { method: 'POST', as: as.caller })
  expect(finished.status).toBe(200)
  return result.uploadId
}

async function fileRow({ database }: TestWorld, id: string) {
  const { rows } = await database.ownerPool.query<{ sha256: Buffer; stored: string; version: number; key: string }>(
    `select sha256, metadata #>> '{stored,sha256}' as stored, version, content_key as key from files where id = $1`,
    [id],
  )
  if (!rows[0]) throw new Error(`There is no file ${id}.`)
  return rows[0]
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex')

async function expectNowhere(db: Database, secrets: readonly string[]): Promise<void> {
  const text = await textOfDatabase(db)
  expect(text.length).toBeGreaterThan(1000)
  for (const secret of secrets) {
    expect(text.includes(secret), secret).toBe(false)
    expect(text.includes(hexOf(secret)), `${secret}, as bytes`).toBe(false)
  }
}

describe('a database in use', () => {
  let world: TestWorld
  let server: TestServer
  beforeAll(async () => {
    world = await testDatabase()
    server = await testServer({ services: world.services, verbs: allVerbs, env: { DEMO: 'off' } })
  })
  afterAll(async () => {
    await server.close()
    await world.close()
  })

  test('shows no medical note, passport number or reason of time off in any table, log line or error', async () => {
    const office = await world.as('operations_manager')
    const post = (callable: Parameters<TestServer['call']>[0], input: object) =>
      server.call(callable, { ...input, idempotencyKey: `key-${newId()}` }, { as: office.caller })
    const created = await post(createTraveler, { lastName: 'Okafor', medicalNote: marks.medicalNote })
    const { id, version } = created.body.result as { id: string; version: number }
    await post(saveTravelerDocument, { travelerId: id, kind: 'passport', number: marks.passport })
    await post(updateTraveler, { id, version: version - 1, lastName: 'Okafor', medicalNote: marks.changed })
    const { tourId } = await publishedTour(office, { minPax: 0, cutoffMinutes: 0 })
    const departureId = await addDeparture(office, tourId)
    const staffId = await assignGuide(office, departureId)
    const leave = {
      staffId,
      kind: 'time_off',
      startsAt: '2031-01-01T00:00:00Z',
      endsAt: '2031-01-02T00:00:00Z',
      note: marks.leave,
    }
    expect(await post(addLeave, leave)).toMatchObject({ status: 200 })
    expect(await post(addLeave, leave)).toMatchObject({ status: 409 })
    expect(await post(revealTraveler, { id, fields: ['medical', 'documents'] })).toMatchObject({
      status: 200,
      body: { result: { medicalNote: marks.medicalNote, documents: [{ number: marks.passport }] } },
    })
    const refused = await post(saveTravelerDocument, { travelerId: newId(), kind: 'passport', number: marks.passport })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(refused.body)).not.toContain(marks.passport)

    await expectNowhere(world.database, Object.values(marks))
    for (const secret of Object.values(marks)) expect(JSON.stringify(server.lines)).not.toContain(secret)
  })

  test('shows none of a file either: uploaded, read and not yet checked, checked, and imported', async () => {
    const office = await world.as('operations_manager')
    const importer = new Importer(world, office)
    await addImportDeparture(office, { code: importCode })
    const batch = await uploadGuest(importer)
    const look = () => expectNowhere(world.database, [marks.medicalNote, marks.passport])
    await look()
    const checked = await checkWithLook(world, office, { importer, batch, look })
    expect(checked).toMatchObject({ status: 'previewed', counts: { add: 1, reject: 0 } })
    await look()
    await importer.apply(checked)
    await look()
    expect(await reveal(office, await importedTraveler(world, batch))).toMatchObject({
      medicalNote: marks.medicalNote,
      documents: [{ number: marks.passport }],
    })
  })

  test('nor do the contents below the data folder, once a file has been uploaded, and a link gives it back whole', async () => {
    const office = await world.as('operations_manager')
    const content = Buffer.from(
      `name,passport,note\n${`Okafor,${marks.passport},${marks.medicalNote}\n`.repeat(5_000)}`,
    )
    const id = await uploadContent(server, office, content)
    await expectNotBelow(filesFolder(server.config))
    const { body } = await server.call(linkFile, { id, size: null }, { as: office.caller })
    const { url, file } = body.result as { url: string; file: { size: number } }
    expect(file.size).toBe(content.length)
    const whole = await server.fetch(url)
    expect(whole.headers.get('content-length')).toBe(String(content.length))
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true)
    const head = await server.fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(content.length)])
    // the same file is known again, although it is kept differently each time
    const other = await uploadContent(server, office, content)
    const [first, second] = await Promise.all([id, other].map((each) => fileRow(world, each)))
    expect(second?.sha256).toEqual(first?.sha256)
    expect(second?.stored).not.toBe(first?.stored)
  })

  test('a content from before it was encrypted is encrypted by the next sweep; what was in clear may be being read, and goes with the one after', async () => {
    const office = await world.as('operations_manager')
    const files = createFiles(world.services.config, world.services.sealed)
    const content = Buffer.from(`name,passport\nOkafor,${marks.passport}\n`)
    const [id, blob] = [newId(), await files.blobs.put(office.orgId, content)]
    await world.database.ownerPool.query(
      `insert into files (org_id, id, path, purpose, file_name, content_type, size_bytes, sha256, status, completed_at)
        values ($1, $2::uuid, $2::text, 'import', 'a.csv', 'text/csv', $3, decode($4, 'hex'), 'stored', now())`,
      [office.orgId, id, blob.size, blob.sha256],
    )
    const { version } = await fileRow(world, id)
    const clock = movableClock(new Date(Date.now() + 2 * 86_400_000))
    await sweepFiles({ ...world.services, clock }, files)
    expect(await buffer(await files.blobs.open(office.orgId, blob.sha256)), 'still there').toEqual(content)
    await sweepFiles({ ...world.services, clock }, files)
    await expectNotBelow(filesFolder(world.services.config))
    const file = await office.transaction((tx) => files.get(tx, office.orgId, id))
    expect((await buffer(await files.open(office.orgId, file))).equals(content)).toBe(true)
    expect((await fileRow(world, id)).version).toBe(version)
  })

  test('refuses a note in clear text on a staged line of an import', async () => {
    const office = await world.as('operations_manager')
    const batch = await uploadGuest(new Importer(world, office))
    const write = world.database.ownerPool.query(
      `insert into import_rows (org_id, batch_id, line, status, after) values ($1, $2, 2, 'unchanged', '{"values": {"medicalNote": "in clear"}}')`,
      [office.orgId, batch.id],
    )
    await expect(write).rejects.toThrow('import_rows_medical_note_encrypted')
  })

  test('shows them where they belong: flags, profile, planner', async () => {
    const office = await world.as('operations_manager')
    const id = await addTraveler(office)
    const { tourId } = await publishedTour(office, { minPax: 0, cutoffMinutes: 0 })
    const departureId = await addDeparture(office, tourId)
    const staffId = await assignGuide(office, departureId)
    const { guests } = await book(office, departureId, 1)
    await office.transaction((tx) =>
      sql`update manifest_entries set traveler_id = ${id} where id = ${guests[0]?.entryId}`.execute(tx),
    )
    const manifest = await office.call(verbOf(getManifest), { departureId })
    expect(JSON.stringify(manifest)).toContain('"medical"')
    expect(await office.call(verbOf(getTraveler), { id })).toMatchObject({ hasMedicalNote: true })
    const day = Temporal.Now.plainDateISO('UTC')
    await office.call(verbOf(addLeave), {
      staffId,
      kind: 'time_off',
      startsAt: `${day.toString()}T00:00:00Z`,
      endsAt: `${day.add({ days: 1 }).toString()}T00:00:00Z`,
      note: marks.leave,
    })
    const planner = await office.call(verbOf(staffPlanner), {
      from: day.toString(),
      to: day.add({ days: 1 }).toString(),
    } as never)
    expect(JSON.stringify(planner)).toContain(marks.leave)
    const profile = await office.call(verbOf(getTraveler), { id })
    await office.call(verbOf(updateTraveler), { id, version: profile.version, lastName: 'Okafor', medicalNote: null })
    expect(await office.call(verbOf(getTraveler), { id })).toMatchObject({ hasMedicalNote: false })
  })

  test('refuses text in the columns that were readable before', async () => {
    const office = await world.as('operations_manager')
    const id = await addTraveler(office)
    const write = office.transaction((tx) =>
      sql`update traveler_private set medical_note = 'in clear' where traveler_id = ${id}`.execute(tx),
    )
    await expect(write).rejects.toThrow()
  })

  test('a value that somebody moves to another traveler or organization does not open there', async () => {
    const [office, stranger] = [await world.as('operations_manager'), await world.as('operations_manager')]
    const [from, to, foreign] = [
      await addTraveler(office),
      await addTraveler(office, 'Other'),
      await addTraveler(stranger, 'Foreign'),
    ]
    const sealedOf = (id: string) => `(select medical_sealed from traveler_private where traveler_id = '${id}')`
    const { ownerPool } = world.database
    await ownerPool.query(
      `update traveler_private set medical_sealed = ${sealedOf(from)} where traveler_id in ($1, $2)`,
      [to, foreign],
    )
    expect(await reveal(office, from)).toMatchObject({ medicalNote: marks.medicalNote })
    for (const [who, id] of [
      [office, to],
      [stranger, foreign],
    ] as const) {
      await expect(reveal(who, id)).rejects.toMatchObject({ details: { reason: 'sealed_value_broken' } })
    }
  })
})

describe('keys', () => {
  let world: TestWorld
  let printed: string[]
  let commands: KeyCommands
  beforeAll(async () => {
    world = await testDatabase()
    const { config, db } = world.services
    printed = []
    commands = { config, db, print: (line) => printed.push(line) }
  })
  afterEach(() => (printed.length = 0))
  afterAll(() => world.close())

  const newest = (): string => world.services.sealed.keys.all()[0]?.id ?? ''
  const usesOf = async (keyId: string): Promise<number> => {
    const { rows } = await world.database.pool.query<{ n: string }>(
      'select coalesce(sum(n), 0) as n from data_key_uses() where key_id = $1',
      [keyId],
    )
    return Number(rows[0]?.n)
  }

  test('are rotated while people work: every value opens at every moment, and afterwards the new key has sealed all', async () => {
    const office = await world.as('operations_manager')
    const ids = await Promise.all(Array.from({ length: 12 }, () => addTraveler(office)))
    const before = newest()
    const progress = { isOver: false }
    const rotation = rotateKeys(commands).finally(() => (progress.isOver = true))
    let looks = 0
    while (!progress.isOver || looks < ids.length) {
      const id = ids[looks % ids.length] ?? ''
      expect(await reveal(office, id)).toMatchObject({
        medicalNote: marks.medicalNote,
        documents: [{ number: marks.passport }],
      })
      if (looks % 3 === 0) ids.push(await addTraveler(office))
      looks += 1
    }
    await rotation
    await resealKeys(commands)
    expect(newest()).not.toBe(before)
    expect(await usesOf(before)).toBe(0)
    expect(await usesOf(newest())).toBeGreaterThanOrEqual(2 * ids.length)
    for (const id of ids) expect(await reveal(office, id)).toMatchObject({ medicalNote: marks.medicalNote })
  })

  test('are rotated and retired while an import is read, checked, applied and undone', async () => {
    const office = await world.as('operations_manager')
    const importer = new Importer(world, office)
    await addImportDeparture(office, { code: importCode })
    // an installation where another key encrypts by now, so that ours may be retired
    const elsewhere = { ...commands.config, dataKeys: { kind: 'environment' as const, keys: [newDataKey()] } }
    const replaceKey = async (...places: readonly string[]): Promise<void> => {
      const before = newest()
      for (const place of places) {
        const retired = retireKey({ ...commands, config: elsewhere }, before, { lost: false })
        await expect(retired).rejects.toThrow(place)
      }
      await rotateKeys(commands)
      expect(await usesOf(before)).toBe(0)
      await retireKey(commands, before, { lost: false })
    }
    const first = await uploadGuest(importer)
    await replaceKey('1 samples of imports')
    const look = () => replaceKey('2 lines of imports', '1 samples of imports')
    const checked = await checkWithLook(world, office, { importer, batch: first, look })
    expect(checked).toMatchObject({ status: 'previewed', counts: { add: 1, reject: 0 } })
    await replaceKey('2 lines of imports')
    await importer.apply(checked)
    const id = await importedTraveler(world, first)
    const written = { medicalNote: marks.medicalNote, documents: [{ number: marks.passport }] }
    expect(await reveal(office, id)).toMatchObject(written)
    const second = await importer.apply(await importer.preview(await uploadGuest(importer, marks.changed)))
    expect(await reveal(office, id)).toMatchObject({ medicalNote: marks.changed })
    await replaceKey('lines of imports')
    await importer.undo(second)
    expect(await reveal(office, id)).toMatchObject(written)
  })

  test('of contents are rotated and retired without writing a content again, and those that are lost give no content out', async () => {
    const office = await world.as('operations_manager')
    const { files } = world.services
    const content = Buffer.from(`name,passport\nOkafor,${marks.passport}\n`)
    const { id } = await office.transaction((tx) =>
      files.put(tx, office.orgId, { use: 'import', name: 'a.csv', content, createdBy: null }),
    )
    const [before, row] = [newest(), await fileRow(world, id)]
    expect(row.key).toBe(before)
    const elsewhere = { ...commands.config, dataKeys: { kind: 'environment' as const, keys: [newDataKey()] } }
    await expect(retireKey({ ...commands, config: elsewhere }, before, { lost: false })).rejects.toThrow(
      'files of imports',
    )
    await rotateKeys(commands)
    await retireKey(commands, before, { lost: false })
    expect(await fileRow(world, id)).toMatchObject({ stored: row.stored, version: row.version, key: newest() })
    const file = await office.transaction((tx) => files.get(tx, office.orgId, id))
    expect((await buffer(await files.open(office.orgId, file))).equals(content)).toBe(true)
    const withoutKey = createFiles(world.services.config, new SealedText(fixedDataKeys([newDataKey()], newDataKey())))
    await expect(withoutKey.open(office.orgId, file)).rejects.toMatchObject({ details: { reason: 'data_key_missing' } })
    const moved = { ...file, id: newId() }
    await expect(files.open(office.orgId, moved)).rejects.toMatchObject({ details: { reason: 'sealed_value_broken' } })
  })

  test('are replaced without a trace: no version, audit entry or event', async () => {
    const office = await world.as('operations_manager')
    const id = await addTraveler(office)
    const state = async () => {
      const { rows } = await world.database.ownerPool.query<{ state: string }>(
        `select (select count(*) from audit_entries where action <> 'travelers-reveal') || ' ' || (select count(*) from changes) || ' '
          || (select version from traveler_private where traveler_id = $1) as state`,
        [id],
      )
      return rows[0]?.state
    }
    const before = await state()
    const key = newest()
    await rotateKeys(commands)
    expect(await state()).toBe(before)
    expect(await usesOf(key)).toBe(0)
  })

  test('a rotation that is killed in the middle goes on with the next command', async () => {
    const office = await world.as('operations_manager')
    const orgs = [office, await world.as('operations_manager')]
    for (const member of orgs) await addTraveler(member)
    const before = newest()
    await rotateKeys({
      ...commands,
      db: { ...commands.db, transaction: () => Promise.reject(new Error('killed')) },
    }).catch(() => undefined)
    expect(newest()).not.toBe(before)
    expect(await usesOf(before)).toBeGreaterThan(0)
    await expect(
      reseal(world.services, {
        which: 'older',
        onProgress: () => {
          throw new Error('killed')
        },
      }),
    ).rejects.toThrow('killed')
    expect(await usesOf(before)).toBeGreaterThan(0)
    await expect(retireKey(commands, before, { lost: false })).rejects.toThrow(/still encrypts .*\d+ medical notes/)
    await resealKeys(commands)
    expect(await usesOf(before)).toBe(0)
    for (const member of orgs) await addTraveler(member)
    await retireKey(commands, before, { lost: false })
    expect(world.services.sealed.keys.all().map(({ id }) => id)).not.toContain(before)
    await expect(retireKey(commands, newest(), { lost: false })).rejects.toThrow('encrypts now')
    await expect(retireKey(commands, before, { lost: false })).rejects.toThrow('There is no key')
  })

  test('a process that still seals with a retired key is refused, and what it wrote is not lost for it', async () => {
    const office = await world.as('operations_manager')
    const id = await addTraveler(office)
    const stale = new SealedText(fixedDataKeys([newDataKey()], newDataKey()))
    const sealed = stale.seal('late', { orgId: office.orgId, column: 'traveler_private.medical_sealed', id })
    await expect(
      office.transaction((tx) =>
        sql`update traveler_private set medical_sealed = ${sealed} where traveler_id = ${id}`.execute(tx),
      ),
    ).rejects.toMatchObject({ code: 'unavailable', details: { reason: 'data_key_unknown' } })
    expect(await reveal(office, id)).toMatchObject({ medicalNote: marks.medicalNote })
  })

  // a refused delete of a referenced row ends the only connection that PGlite has
  test
    .runIf(process.env['TEST_DATABASE'] === 'embedded')
    .each([
      'values.passport.sealed',
      'values.medicalNote.sealed',
      'write.passport.set.number_encrypted',
      'write.passport.was.number_encrypted',
      'write.private.set.medical_sealed',
      'write.private.was.medical_sealed',
    ])('the database keeps a key that a staged line needs, and takes no line of an unknown one: %s', async (place) => {
    const office = await world.as('operations_manager')
    const batch = await uploadGuest(new Importer(world, office))
    const id = randomBytes(8).toString('hex')
    const holding = (key: string): object =>
      place.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), `00534b01${key}ff`) as object
    const stage = (line: number, after: object) =>
      office.transaction((tx) =>
        sql`insert into import_rows (org_id, batch_id, line, status, after)
          values (${office.orgId}, ${batch.id}, ${line}, 'unchanged', ${JSON.stringify(after)}::jsonb)`.execute(tx),
      )
    const remove = () => world.database.ownerPool.query('delete from data_keys where id = $1', [id])
    await world.database.ownerPool.query('insert into data_keys (id) values ($1)', [id])
    await stage(901, holding(id))
    await expect(remove()).rejects.toMatchObject({ code: '23503', table: 'import_rows' })
    await expect(stage(902, holding(randomBytes(8).toString('hex')))).rejects.toMatchObject({
      code: 'unavailable',
      details: { reason: 'data_key_unknown' },
    })
    // the same digits in what somebody typed are no key
    await stage(903, { values: { firstName: `00534b01${randomBytes(8).toString('hex')}` } })
    await office.transaction((tx) => sql`delete from import_rows where org_id = ${office.orgId}`.execute(tx))
    expect((await remove()).rowCount).toBe(1)
  })

  test.runIf(process.env['TEST_DATABASE'] === 'embedded')(
    'a key is not retired while somebody writes with it',
    async () => {
      const office = await world.as('operations_manager')
      const id = await addTraveler(office)
      const [key] = world.services.sealed.keys.all()
      const before = new SealedText(fixedDataKeys(key ? [key] : [], newDataKey()))
      await rotateKeys(commands)
      let retired: Promise<unknown> | undefined
      await office.transaction(async (tx) => {
        const sealed = before.seal('late', { orgId: office.orgId, column: 'traveler_private.medical_sealed', id })
        await sql`update traveler_private set medical_sealed = ${sealed} where traveler_id = ${id}`.execute(tx)
        retired = retireKey(commands, key?.id ?? '', { lost: false })
        retired.catch(() => undefined)
        const waits = async () => {
          const { rows } = await world.database.ownerPool.query(
            `select from pg_stat_activity where query like 'delete from data_keys%' and wait_event_type = 'Lock'`,
          )
          return rows.length
        }
        await expect.poll(waits).toBe(1)
      })
      await expect(retired).rejects.toThrow('was used just now')
      expect(await reveal(office, id)).toMatchObject({ medicalNote: 'late' })
    },
  )

  test('the list names every key, what it encrypts, and a key that is missing', async () => {
    await listKeys(commands)
    expect(printed.find((line) => line.startsWith(newest()))).toMatch(
      /encrypts .*\d+ medical notes, \d+ passport numbers/,
    )
    expect(printed.at(-1)).toContain('data-keys')
  })

  test('from the environment are rotated in steps that the command explains', async () => {
    const given = newDataKey()
    await rotateKeys({ ...commands, config: { ...commands.config, dataKeys: { kind: 'environment', keys: [given] } } })
    expect(printed.join('\n')).toContain(`DATA_KEYS="${given.key.toString('base64url')} `)
    expect(newest()).not.toBe(given.id)
  })
})

describe('a database that comes with other keys', () => {
  let world: TestWorld
  let elsewhere: string
  beforeAll(async () => {
    world = await testDatabase()
    elsewhere = await fs.mkdtemp(path.join(os.tmpdir(), 'other-keys-'))
  })
  afterAll(async () => {
    await world.close()
    await fs.rm(elsewhere, { recursive: true, force: true })
  })

  test('is refused at start in words, made readable by its keys, or given up, and then a reveal says why', async () => {
    const office = await world.as('operations_manager')
    const id = await addTraveler(office)
    const own = world.services.config
    const other = readConfig({ DATA_DIR: elsewhere, DEMO: 'off' })
    await expect(openSealing(other, world.database)).rejects.toThrow(/data-keys does not hold it.*Bring the keys/s)
    expect(await fs.readdir(elsewhere)).not.toContain('data-keys')
    const [key] = world.services.sealed.keys.all()
    const withKeys = readConfig({ DATA_DIR: elsewhere, DEMO: 'off', DATA_KEYS: key?.key.toString('base64') ?? '' })
    await expect(openSealing(withKeys, world.database)).resolves.toBeInstanceOf(SealedText)
    const wrong = readConfig({ DATA_DIR: elsewhere, DEMO: 'off', DATA_KEYS: newDataKey().key.toString('hex') })
    await expect(openSealing(wrong, world.database)).rejects.toThrow('DATA_KEYS does not hold it')

    const commands: KeyCommands = { config: other, db: world.database, print: () => undefined }
    await expect(retireKey({ ...commands, config: own }, key?.id ?? '', { lost: true })).rejects.toThrow('is here')
    await retireKey(commands, key?.id ?? '', { lost: true })
    const sealed = await openSealing(other, world.database)
    await sealRemaining({ ...world.services, sealed })
    const server = await testServer({ services: { ...world.services, sealed }, verbs: allVerbs, env: { DEMO: 'off' } })
    try {
      const answer = await server.call(revealTraveler, { id, fields: ['medical'] }, { as: office.caller })
      expect(answer).toMatchObject({ status: 503, body: { error: { details: { reason: 'data_key_missing' } } } })
    } finally {
      await server.close()
    }
    // whoever finds the keys again has everything back
    await expect(openSealing(own, world.database)).rejects.toThrow('does not hold it')
  })
})

describe('a database from before', () => {
  const secret = 'the secret of an installation from before'
  const log = pino({ level: 'silent' })
  let db: Database
  let folder: string
  const [orgId, travelerId, documentId, entryId, batchId] = ['org_before', newId(), newId(), newId(), newId()]

  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'keys-before-'))
    const lite = await startPglite({}, log)
    db = fromPglite(lite, log, () => lite.stop())
    const migrations = await readMigrations()
    await migrate(
      db.ownerPool,
      log,
      migrations.filter(({ name }) => name < '0105'),
    )
    await insertRowsOfBefore()
    await migrateDatabase(db, log)
  }, 120_000)
  afterAll(async () => {
    await db.close()
    await fs.rm(folder, { recursive: true, force: true })
  })

  /** As it was sealed before keys had ids. */
  function sealedBefore(text: string): Buffer {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(hkdfSync('sha256', secret, '', 'sealed-text', 32)), nonce)
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  }

  async function insertRowsOfBefore(): Promise<void> {
    const query = (text: string, values: unknown[]) => db.ownerPool.query(text, values)
    await query('insert into organizations (org_id, name) values ($1, $1)', [orgId])
    await query('insert into org_settings (org_id) values ($1)', [orgId])
    await query(`insert into travelers (org_id, id, last_name) values ($1, $2, 'Okafor')`, [orgId, travelerId])
    await query('insert into traveler_private (org_id, traveler_id, medical_note) values ($1, $2, $3)', [
      orgId,
      travelerId,
      marks.medicalNote,
    ])
    await query(
      `insert into traveler_documents (org_id, id, traveler_id, kind, number_encrypted, number_last4) values ($1, $2, $3, 'passport', $4, 'PASS')`,
      [orgId, documentId, travelerId, sealedBefore(marks.passport)],
    )
    const staffId = newId()
    await query(
      `insert into field_staff (org_id, id, code, first_name, last_name) values ($1, $2, 'B1', 'Björn', 'Ólafsson')`,
      [orgId, staffId],
    )
    await query(
      `insert into staff_calendar_entries (org_id, id, staff_id, during, kind, note)
        values ($1, $2, $3, '[2031-01-01 00:00Z,2031-01-02 00:00Z)', 'time_off', $4)`,
      [orgId, entryId, staffId, marks.leave],
    )
    await query('update staff_calendar_entries set note = $2 where id = $1', [entryId, marks.changed])
    await query(
      `insert into import_batches (org_id, id, kind, file_name, status, counts) values ($1, $2, 'manifest', 'a.csv', 'parsed', '{}')`,
      [orgId, batchId],
    )
    await query(`update import_batches set status = 'previewed', counts = '{"add": 1}' where id = $1`, [batchId])
    const set = { medical_note: marks.medicalNote, date_of_birth: '1980-01-01' }
    const plan = {
      write: { private: { id: travelerId, isNew: false, version: 1, set, was: { medical_note: marks.changed } } },
    }
    await query(`insert into import_rows (org_id, batch_id, line, status, after) values ($1, $2, 1, 'change', $3)`, [
      orgId,
      batchId,
      JSON.stringify(plan),
    ])
    await query(`insert into import_rows (org_id, batch_id, line, status, after) values ($1, $2, 2, 'unchanged', $3)`, [
      orgId,
      batchId,
      JSON.stringify({ values: { lastName: 'Okafor', medicalNote: marks.medicalNote } }),
    ])
    await query(`insert into import_work (org_id, batch_id, job, phase) values ($1, $2, 'preview', 'checking')`, [
      orgId,
      batchId,
    ])
    await query(
      `insert into idempotency_keys (org_id, key, callable, request_hash, result) values ($1, 'key-of-before', 'travelers-reveal', 'x', $2)`,
      [orgId, JSON.stringify({ medicalNote: marks.medicalNote, documents: [{ number: marks.passport }] })],
    )
  }

  const config = () => ({ ...readConfig({ DATA_DIR: folder, DEMO: 'off' }), secret })
  const states = async () => {
    const { rows } = await db.ownerPool.query(
      `select p.version, p.medical_note, p.medical_sealed, d.number_encrypted, e.note, e.note_sealed, e.version as entry_version
        from traveler_private p join traveler_documents d using (org_id, traveler_id) join staff_calendar_entries e using (org_id)`,
    )
    return rows[0] as {
      version: number
      medical_note: null
      medical_sealed: Buffer
      number_encrypted: Buffer
      note: null
      note_sealed: Buffer
      entry_version: number
    }
  }

  test('with the wrong secret it is not started, in words', async () => {
    const sealed = new SealedText(fixedDataKeys([newDataKey()], derivedDataKey('the secret of another installation')))
    const services = { db, sealed, log }
    const query = db.ownerPool.query('insert into data_keys (id) values ($1)', [sealed.keys.all()[0]?.id])
    await query
    await expect(sealRemaining(services)).rejects.toThrow(
      /^1 values .* secret of another installation.*DATA_DIR\/secret/s,
    )
    // the readable columns were encrypted with that key meanwhile; this test wants them as they were
    await db.ownerPool.query('alter table traveler_private drop constraint traveler_private_medical_note_encrypted')
    await db.ownerPool.query('alter table staff_calendar_entries drop constraint staff_calendar_entries_note_encrypted')
    await db.ownerPool.query(`update traveler_private set medical_note = $1, medical_sealed = null`, [
      marks.medicalNote,
    ])
    await db.ownerPool.query(`update staff_calendar_entries set note = $1, note_sealed = null`, [marks.leave])
    await db.ownerPool.query('delete from data_keys')
  })

  test('everything is encrypted at the first start, by several processes at once, and nothing readable is left', async () => {
    const { version, entry_version: entryVersion } = await states()
    const { rows: audits } = await db.ownerPool.query<{ n: string }>('select count(*) as n from audit_entries')
    const sealed = await openSealing(config(), db)
    await Promise.all([1, 2, 3].map(() => sealRemaining({ db, sealed, log })))
    await expectNowhere(db, Object.values(marks))
    const state = await states()
    expect({ ...state, version: state.version }).toMatchObject({
      version,
      medical_note: null,
      note: null,
      entry_version: entryVersion,
    })
    const newest = sealed.keys.all()[0]?.id
    expect([state.medical_sealed, state.note_sealed, state.number_encrypted].map((value) => keyIdOf(value))).toEqual([
      newest,
      newest,
      newest,
    ])
    expect(
      sealed.open(state.medical_sealed, { orgId, column: 'traveler_private.medical_sealed', id: travelerId }),
    ).toBe(marks.medicalNote)
    expect(
      sealed.open(state.number_encrypted, { orgId, column: 'traveler_documents.number_encrypted', id: documentId }),
    ).toBe(marks.passport)
    expect(sealed.open(state.note_sealed, { orgId, column: 'staff_calendar_entries.note_sealed', id: entryId })).toBe(
      marks.leave,
    )
    const { rows: after } = await db.ownerPool.query<{ n: string }>('select count(*) as n from audit_entries')
    expect(after).toEqual(audits)
  })

  test('afterwards the secret may change: the values open without it', async () => {
    const sealed = await openSealing({ ...config(), secret: 'a new secret, after it was replaced' }, db)
    await sealRemaining({ db, sealed, log })
    const { number_encrypted: number } = await states()
    expect(sealed.open(number, { orgId, column: 'traveler_documents.number_encrypted', id: documentId })).toBe(
      marks.passport,
    )
  })

  test('a checked import asks for another check, and the log still says that the reason of a leave was changed', async () => {
    const { rows } = await db.ownerPool.query(`select counts from import_batches where id = $1`, [batchId])
    expect(rows).toEqual([{ counts: {} }])
    const { rows: work } = await db.ownerPool.query('select stop_requested from import_work')
    expect(work).toEqual([{ stop_requested: true }])
    const { rows: diffs } = await db.ownerPool.query(
      `select op, diff -> 'note' as note from audit_entries where entity_type = 'staff_calendar_entries' and diff ? 'note' order by id limit 2`,
    )
    expect(diffs).toEqual([
      { op: 'insert', note: '***' },
      { op: 'update', note: ['***', '***'] },
    ])
  })
})
