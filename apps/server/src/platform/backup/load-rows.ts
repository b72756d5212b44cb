import type pg from 'pg'
import { escapeIdentifier } from 'pg'
import { withoutGuards } from '../db/unguarded.ts'
import { plural } from '../plural.ts'
import type { Line } from './archive.ts'
import type { Manifest, TableEnd, TableHead } from './manifest.ts'
import { carriedTables, measureTable, settleText, type CarriedTable } from './tables.ts'

const batchChars = 1_000_000

/**
 * Fills a database that has the same migrations as the backup's had, inside the caller's transaction: what migrations put there goes, every
 * row comes back as it was, and each table is counted and summed again.
 *
 * @param lines From the first table on; contents of files are left to the caller by `onOther`.
 */
export async function loadRows(
  client: pg.PoolClient,
  manifest: Manifest,
  lines: AsyncIterable<Line>,
  onTable: (name: string) => void,
  onOther: (line: Line) => Promise<void>,
): Promise<void> {
  await settleText(client)
  const tables = new Map((await carriedTables(client)).map((table) => [table.name, table]))
  for (const day of manifest.positionDays) await client.query('select ensure_position_days($1, $1)', [day])
  await withoutGuards(client, async () => {
    await client.query(`truncate ${[...tables.keys()].join(', ')}`)
    const loader = new Loader(client, tables)
    for await (const line of lines) {
      if (await loader.take(line)) continue
      if (typeof line === 'object' && line.section === 'table') {
        onTable(line.name)
        loader.begin(line)
      } else if (typeof line === 'object' && line.section === 'table end') await loader.finish(line)
      else await onOther(line)
    }
    loader.refuseMissing()
  })
  for (const { name, last } of manifest.sequences)
    await client.query('select setval($1::regclass, $2::bigint)', [name, last])
}

/** Takes the rows of one table after the other. */
class Loader {
  readonly #client: pg.PoolClient
  readonly #missing: Map<string, CarriedTable>
  #table: CarriedTable | undefined
  #rows: string[] = []
  #chars = 0

  constructor(client: pg.PoolClient, tables: ReadonlyMap<string, CarriedTable>) {
    this.#client = client
    this.#missing = new Map(tables)
  }

  begin({ name, columns }: TableHead): void {
    const table = this.#missing.get(name)
    if (!table || table.columns.join() !== columns.join()) {
      throw new Error(`The table ${name} of the backup does not fit the one that the migrations made.`)
    }
    this.#table = table
  }

  /** True when the line was a row. */
  async take(line: Line): Promise<boolean> {
    if (!this.#table || typeof line !== 'string') return false
    this.#rows.push(line)
    this.#chars += line.length
    if (this.#chars >= batchChars) await this.#flush(this.#table)
    return true
  }

  async finish({ name, rows, sum }: TableEnd): Promise<void> {
    if (!this.#table) throw new Error(`The backup ends the table ${name}, which it has not begun.`)
    await this.#flush(this.#table)
    this.#missing.delete(name)
    this.#table = undefined
    const now = await measureTable(this.#client, name)
    if (now.rows === rows && now.sum === sum) return
    throw new Error(
      `The table ${name} has ${plural(now.rows, '# row', '# rows')} of ${rows} after the restore, or not the same ones.`,
    )
  }

  refuseMissing(): void {
    if (this.#missing.size > 0) throw new Error(`The backup lacks the tables ${[...this.#missing.keys()].join(', ')}.`)
  }

  /** A row's text becomes a row again by the type of its table; columns that PostgreSQL computes are computed again. */
  async #flush({ name, written }: CarriedTable): Promise<void> {
    if (this.#rows.length === 0) return
    const into = written.map((column) => escapeIdentifier(column)).join(', ')
    const values = written.map((column) => `(r).${escapeIdentifier(column)}`).join(', ')
    await this.#client.query(
      `insert into ${name} (${into}) overriding system value
       select ${values} from (select text::${name} as r from unnest($1::text[]) text offset 0) rows`,
      [this.#rows],
    )
    this.#rows = []
    this.#chars = 0
  }
}
