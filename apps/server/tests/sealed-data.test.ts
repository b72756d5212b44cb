import fs from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { linkFile, type UploadState } from '@tour-ops/contract/files'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import { addLeave, staffPlanner } from '@tour-ops/contract/field-staff/staff-planner'
import {
  createTraveler,
  getTraveler,
  revealTraveler,
  saveTravelerDocument,
  updateTraveler,
} from '@tour-ops/contract/travelers/travelers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture as addImportDeparture, Importer } from '../testing/imports.ts'
import { movableClock } from '../src/platform/clock.ts'
import { createFiles, filesFolder } from '../src/platform/files/stored-files.ts'
import { sweepFiles } from '../src/platform/files/sweep.ts'
import { testServer, type TestServer } from '../testing/http-server.ts'
import { newId } from '../src/platform/ids.ts'
import { assignGuide, addDeparture, book, publishedTour } from '../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../testing/world.ts'
import { verbsOf } from '../testing/verbs.ts'
import { allVerbs } from '../src/verbs.ts'
import {
  addTraveler,
  checkWithLook,
  expectNowhere,
  fileRow,
  importCode,
  importedTraveler,
  marks,
  reveal,
  uploadGuest,
} from '../testing/sealed.ts'

// Passport numbers, medical notes and reasons of time off: nowhere readable, always to be opened, on the assembled product.

const verbOf = verbsOf(allVerbs)

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
    // the same file is known again, although it is stored differently each time
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
