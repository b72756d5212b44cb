import { hkdfSync, createCipheriv, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { fixedDataKeys, newDataKey, derivedDataKey } from '../src/platform/data-keys.ts'
import { fromPglite, migrateDatabase, type Database } from '../src/platform/db/database.ts'
import { migrate, readMigrations } from '../src/platform/db/migrate.ts'
import { startPglite } from '../src/platform/db/pglite.ts'
import { newId } from '../src/platform/ids.ts'
import { openSealing } from '../src/platform/key-registry.ts'
import { sealRemaining } from '../src/platform/reseal.ts'
import { keyIdOf, SealedText } from '../src/platform/sealed-text.ts'
import { expectNowhere, marks } from '../testing/sealed.ts'

// Installations from before sensitive data was encrypted, or had keys with ids.

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

  test('with the wrong secret it does not start, with a message', async () => {
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
