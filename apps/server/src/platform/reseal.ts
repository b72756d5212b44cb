import { sql } from 'kysely'
import type { Services } from '../context.ts'
import type { Tx } from './db/database.ts'
import { newId } from './ids.ts'
import { namelessKeyId } from './key-registry.ts'
import { type LineKey, resealLines } from './reseal-staged-lines.ts'
import type { SealedColumn } from './sealed-text.ts'
import { StartRefused } from './start-refused.ts'

type ResealServices = Pick<Services, 'db' | 'sealed'>

interface SealedTableColumn {
  readonly column: SealedColumn
  readonly table: string
  /** Key of the row within its organization. */
  readonly id: string
  readonly sealed: string
  /** Id of the key that sealed the value; derived by the database. */
  readonly keyId: string
  /** Where the text was before it was encrypted. */
  readonly clear: string | null
}

/** What the name of a column does not say of it. `at`: where it is, when that is elsewhere. */
type Beside = Pick<SealedTableColumn, 'id' | 'keyId' | 'clear'> & { readonly at?: string }

/** Answers of repeated calls are deleted before a key is; everything else that is encrypted is sealed again. */
type ResealedColumn = Exclude<SealedColumn, 'idempotency_keys.answer'>

const besideSealed: Readonly<Record<ResealedColumn, Beside>> = {
  'traveler_documents.number_encrypted': { id: 'id', keyId: 'number_key', clear: null },
  'traveler_private.medical_sealed': { id: 'traveler_id', keyId: 'medical_key', clear: 'medical_note' },
  'staff_calendar_entries.note_sealed': { id: 'id', keyId: 'note_key', clear: 'note' },
  'files.content_key_sealed': { id: 'id', keyId: 'content_key', clear: null },
  'import_rows.after': { id: 'batch_id', keyId: 'samples_key', clear: null, at: 'import_work.samples' },
  'import_corrections.cell': { id: 'id', keyId: 'cell_key', clear: null },
  'webhook_queues.secrets_sealed': { id: 'endpoint_id', keyId: 'secrets_key', clear: null },
  'phone_channels.secret': { id: 'id', keyId: 'channel_key', clear: null },
}

const sealedColumns: readonly SealedTableColumn[] = (Object.keys(besideSealed) as ResealedColumn[]).map((column) => {
  const { at = column, ...beside } = besideSealed[column]
  const [table = '', sealed = ''] = at.split('.')
  return { column, table, sealed, ...beside }
})

/** Comes before every id. */
const firstId = '00000000-0000-0000-0000-000000000000'

/** Rows of one transaction: few enough that nobody who edits one of them waits. */
const batchRows = 200

export interface Resealed {
  readonly sealed: number
  /** Values that no key here opens; they stay as they are. */
  readonly unreadable: number
}

interface ResealOptions {
  /** `unsealed`: what is not encrypted yet, or names no key. `older`: also what another key than the first one sealed. */
  readonly which: 'unsealed' | 'older'
  readonly onProgress?: (soFar: Resealed) => void
}

/**
 * Encrypts values with the key that seals now, row by row while people work. Nothing of it shows: no version, audit entry or event. It may
 * run in several processes at once, and end at any moment: the next run continues with what is left.
 */
export async function reseal(services: ResealServices, { which, onProgress }: ResealOptions): Promise<Resealed> {
  const names = which === 'unsealed' ? 'organizations_to_seal()' : 'organization_ids()'
  const { rows: organizations } = await services.db.pool.query<{ org_id: string }>(`select org_id from ${names}`)
  const total = { sealed: 0, unreadable: 0 }
  const add = (done: Resealed): void => {
    total.sealed += done.sealed
    total.unreadable += done.unreadable
    if (done.sealed > 0) onProgress?.(total)
  }
  for (const { org_id: orgId } of organizations) {
    for (const column of sealedColumns) {
      for (let after: string | null = firstId; after !== null;) {
        const from: string = after
        const done: Batch = await inside(services, orgId, (tx) =>
          resealBatch(services, tx, { orgId, column, which, from }),
        )
        add(done)
        after = done.last
      }
    }
    if (which === 'older') await resealStaged(services, orgId, add)
  }
  return total
}

/** What imports keep between reading and writing. It goes some days later, so that a start does not wait for it. */
async function resealStaged(services: ResealServices, orgId: string, add: (done: Resealed) => void): Promise<void> {
  for (let after: LineKey | null = { batchId: firstId, line: 0 }; after !== null;) {
    const from: LineKey = after
    const done = await inside(services, orgId, (tx) => resealLines(services.sealed, tx, { orgId, from }))
    add(done)
    after = done.last
  }
}

const inside = <T>({ db }: ResealServices, orgId: string, run: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction({ orgId, actor: { kind: 'system', id: null }, action: 'keys-reseal', requestId: newId() }, run)

interface Batch extends Resealed {
  /** The last row that was checked; null when there are no more. */
  readonly last: string | null
}

interface Work {
  readonly orgId: string
  readonly column: SealedTableColumn
  readonly which: ResealOptions['which']
  readonly from: string
}

async function resealBatch(
  { sealed: box }: ResealServices,
  tx: Tx,
  { orgId, column, which, from }: Work,
): Promise<Batch> {
  const { table, id, sealed, keyId } = column
  const clear = column.clear === null ? sql`null` : sql.ref(column.clear)
  const newest = box.keys.all()[0]?.id ?? ''
  const isOld = which === 'older' ? sql`${sql.ref(keyId)} is distinct from ${newest}` : sql`${sql.ref(keyId)} is null`
  await sql`select set_config('app.resealing', 'on', true)`.execute(tx)
  const { rows } = await sql<{ id: string; sealed: Buffer | null; clear: string | null }>`
    select ${sql.ref(id)} as id, ${sql.ref(sealed)} as sealed, ${clear} as clear from ${sql.table(table)}
    where org_id = ${orgId} and ${sql.ref(id)} > ${from}::uuid
      and (${clear} is not null or (${sql.ref(sealed)} is not null and ${isOld}))
    order by ${sql.ref(id)} limit ${batchRows} for update`.execute(tx)
  const written: { id: string; sealed: string | null }[] = []
  for (const row of rows) {
    const place = { orgId, column: column.column, id: row.id }
    const text = row.clear ?? (row.sealed && box.openIfPossible(row.sealed, place))
    if (text === null) continue
    written.push({ id: row.id, sealed: text === '' ? null : box.seal(text, place).toString('hex') })
  }
  if (written.length > 0) {
    const emptied = column.clear === null ? sql`` : sql`, ${sql.ref(column.clear)} = null`
    await sql`
      update ${sql.table(table)} t set ${sql.ref(sealed)} = decode(v.sealed, 'hex')${emptied}
      from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as v (id uuid, sealed text)
      where t.org_id = ${orgId} and ${sql.ref(`t.${id}`)} = v.id`.execute(tx)
  }
  const isLast = rows.length < batchRows
  return {
    sealed: written.length,
    unreadable: rows.length - written.length,
    last: isLast ? null : (rows.at(-1)?.id ?? null),
  }
}

/**
 * At start: encrypts what is not encrypted yet and what names no key, before anybody works with it.
 *
 * @throws StartRefused when values from before cannot be opened.
 */
export async function sealRemaining(services: ResealServices & Pick<Services, 'log'>): Promise<void> {
  const { db, log } = services
  const { sealed, unreadable } = await reseal(services, { which: 'unsealed' })
  if (sealed > 0) log.info({ values: sealed }, 'encrypted values from before keys had ids')
  if (unreadable === 0) return
  const { rows } = await db.pool.query('select from data_keys where id = $1 and lost_at is not null', [namelessKeyId])
  if (rows.length > 0) {
    log.warn({ values: unreadable }, 'values that were given up cannot be read')
    return
  }
  throw new StartRefused(
    `${unreadable} values in the database were encrypted with the secret of another installation. Bring the one that this database comes ` +
      'from: its file DATA_DIR/secret, or its SESSION_SECRET. If it is lost for good, so are these values; ' +
      `"npm run keys -- retire ${namelessKeyId} --lost" lets the server start without them.`,
  )
}
