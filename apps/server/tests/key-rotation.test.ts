import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture as addImportDeparture, Importer } from '../testing/imports.ts'
import { fixedDataKeys, newDataKey } from '../src/platform/data-keys.ts'
import { createFiles } from '../src/platform/files/stored-files.ts'
import { newId } from '../src/platform/ids.ts'
import { listKeys, type KeyCommands, resealKeys, retireKey, rotateKeys } from '../src/platform/key-commands.ts'
import { reseal } from '../src/platform/reseal.ts'
import { SealedText } from '../src/platform/sealed-text.ts'
import { testDatabase, type TestWorld } from '../testing/world.ts'
import {
  addTraveler,
  checkWithLook,
  fileRow,
  importCode,
  importedTraveler,
  marks,
  reveal,
  uploadGuest,
} from '../testing/sealed.ts'

// Keys of sensitive data are replaced while the product is used, and nothing becomes unreadable.

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

  test('a rotation that is killed in the middle continues with the next command', async () => {
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
            `select from pg_stat_activity where datname = current_database() and query like 'delete from data_keys%' and wait_event_type = 'Lock'`,
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
