import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { previewImport } from '@tour-ops/contract/imports/imports'
import { createTraveler, revealTraveler, saveTravelerDocument } from '@tour-ops/contract/travelers/travelers'
import { expect } from 'vitest'
import type { ImportJobData } from '../src/features/imports/import-run.ts'
import { runImportJob } from '../src/features/imports/imports-jobs.ts'
import type { Importer } from './imports.ts'
import type { Database } from '../src/platform/db/database.ts'
import type { TestCaller, TestWorld } from './world.ts'
import { verbsOf } from './verbs.ts'
import { allVerbs } from '../src/verbs.ts'

// Sensitive data on its way through the assembled product: by hand, and with an uploaded file.

const verbOf = verbsOf(allVerbs)

/** What no database, file or log line may hold as text. */
export const marks = {
  medicalNote: 'Epilepsy Kx81',
  changed: 'Asthma Kx82',
  passport: 'KX83PASS',
  leave: 'Surgery Kx84',
}

/** A traveler with a medical note and a passport. @returns their id. */
export async function addTraveler(office: TestCaller, medicalNote = marks.medicalNote): Promise<string> {
  const { id } = await office.call(verbOf(createTraveler), { lastName: 'Okafor', medicalNote })
  await office.call(verbOf(saveTravelerDocument), { travelerId: id, kind: 'passport', number: marks.passport })
  return id
}

/** What the office sees once it asks for it. */
export const reveal = (office: TestCaller, id: string) =>
  office.call(verbOf(revealTraveler), { id, fields: ['medical', 'documents'] })

/** The departure of the uploaded files. */
export const importCode = 'GOLD-311121-0900'

/** An uploaded file about one guest with passport and medical note. */
export function uploadGuest(importer: Importer, medicalNote = marks.medicalNote): Promise<ImportBatch> {
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

/** Checks an import, and checks the database once its lines are read and not yet compared. */
export async function checkWithLook(
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
export async function importedTraveler(world: TestWorld, batch: ImportBatch): Promise<string> {
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

/** How a file is stored: checksum of its content and of what is on the disk, version of the row, id of the content's key. */
export async function fileRow({ database }: TestWorld, id: string) {
  const { rows } = await database.ownerPool.query<{ sha256: Buffer; stored: string; version: number; key: string }>(
    `select sha256, metadata #>> '{stored,sha256}' as stored, version, content_key as key from files where id = $1`,
    [id],
  )
  if (!rows[0]) throw new Error(`There is no file ${id}.`)
  return rows[0]
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex')

/** No table holds a secret, as text or as bytes. */
export async function expectNowhere(db: Database, secrets: readonly string[]): Promise<void> {
  const text = await textOfDatabase(db)
  expect(text.length).toBeGreaterThan(1000)
  for (const secret of secrets) {
    expect(text.includes(secret), secret).toBe(false)
    expect(text.includes(hexOf(secret)), `${secret}, as bytes`).toBe(false)
  }
}
