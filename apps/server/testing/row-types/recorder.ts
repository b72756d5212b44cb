import { DefaultQueryCompiler, type CompiledQuery, type OperationNode, type RawNode } from 'kysely'
import { Client, type FieldDef, type Pool, type QueryResult } from 'pg'
import { kindOf, type Kind } from './shapes.ts'

/** What a statement answered in the tests of one file. */
export interface Answered {
  readonly text: string
  /** Parts of the statement that were written with `sql`, the outermost first, each by its text between values. */
  readonly parts: Set<string>
  readonly fields: readonly FieldDef[]
  /** By the name of the column. */
  readonly columns: Map<string, Seen>
  /** Columns that are taken as they are from a table which allows null there. */
  readonly nullable: Set<string>
}

/** Values that a column had. */
export interface Seen {
  readonly kinds: Set<Kind>
  readonly samples: Map<string, unknown>
}

/** Enough to meet a null or a status that a row type leaves out; tests that write thousands of rows would only cost time. */
const maxRows = 100
const maxSamples = 40

/** Between the texts of a statement, where a value or another part is put in. */
export const separator = '\u0000'

/** Names a part of a statement by its text. */
export const keyOf = (fragments: readonly string[]): string => fragments.join(separator)

/** Names of the columns that may be null, by `table.column` in numbers of the catalog, in databases that are copies of the template. */
const nullableColumns = new Map<string, string>()
const copies = new WeakSet<Client>()

/** Learns which columns may be null from a copy of the template. */
export async function learnColumns(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    copies.add(client)
    if (nullableColumns.size > 0) return
    const { rows } = await client.query<{ id: string; name: string }>(
      `select attrelid || '.' || attnum as id, attname as name from pg_attribute where not attnotnull and attnum > 0`,
    )
    for (const { id, name } of rows) nullableColumns.set(id, name)
  } finally {
    client.release()
  }
}

const answered = new Map<string, Answered>()
const partsOfText = new Map<string, Set<string>>()

/** What was answered since the last call. */
export function takeAnswered(): Answered[] {
  const all = [...answered.values()]
  answered.clear()
  partsOfText.clear()
  return all
}

let isRecording = false

/** Begins to note what the database answers in this process, to whichever connection. */
export function recordAnswers(): void {
  if (isRecording) return
  isRecording = true
  // oxlint-disable-next-line typescript/unbound-method -- called with its own receiver below
  const { compileQuery } = DefaultQueryCompiler.prototype
  DefaultQueryCompiler.prototype.compileQuery = function compile(...args): CompiledQuery {
    const compiled = compileQuery.apply(this, args)
    noteParts(compiled.sql, compiled.query)
    return compiled
  }
  // oxlint-disable-next-line typescript/unbound-method -- called with its own receiver in `noting`
  const { query } = Client.prototype
  Client.prototype.query = noting(query) as typeof query
}

function noteParts(text: string, root: OperationNode): void {
  if (partsOfText.has(text)) return
  const parts = new Set<string>()
  collectParts(root, parts)
  partsOfText.set(text, parts)
}

function collectParts(node: OperationNode, parts: Set<string>): void {
  if (node.kind !== 'RawNode') return
  const { sqlFragments, parameters } = node as RawNode
  parts.add(keyOf(sqlFragments))
  for (const parameter of parameters) collectParts(parameter, parts)
}

type Query = (this: Client, ...args: unknown[]) => unknown

/** The driver answers through a callback, which a pool gives it, or with a promise. */
const noting = (query: Query): Query =>
  function noted(this: Client, ...args) {
    const text = textOf(args[0])
    const callback = args.at(-1)
    if (text === null) return query.apply(this, args)
    if (typeof callback === 'function') {
      const done = (error: unknown, result: unknown): void => {
        if (!error) noteResult(this, text, result)
        callback(error, result)
      }
      return query.apply(this, [...args.slice(0, -1), done])
    }
    const result = query.apply(this, args)
    return result instanceof Promise
      ? result.then((one: unknown) => {
          noteResult(this, text, one)
          return one
        })
      : result
  }

function textOf(query: unknown): string | null {
  if (typeof query === 'string') return query
  const { text, submit } = (query ?? {}) as { text?: unknown; submit?: unknown }
  return typeof text === 'string' && submit === undefined ? text : null
}

function noteResult(client: Client, text: string, result: unknown): void {
  const { fields, rows } = (result ?? {}) as Partial<QueryResult<Record<string, unknown>>>
  // several commands in one text answer a list, and have no row type
  if (!fields || !rows || fields.length === 0) return
  const known = answered.get(text) ?? {
    text,
    parts: partsOfText.get(text) ?? new Set(),
    fields,
    columns: new Map(fields.map(({ name }) => [name, { kinds: new Set<Kind>(), samples: new Map() }])),
    nullable: new Set(),
  }
  if (copies.has(client)) {
    for (const { name, tableID, columnID } of fields) {
      const column = nullableColumns.get(`${tableID}.${columnID}`)
      // a statement that asks for it leaves out the rows that have none
      if (column && !text.includes(`${column} is not null`)) known.nullable.add(name)
    }
  }
  answered.set(text, known)
  for (const row of rows.slice(0, maxRows)) noteRow(row, known.columns)
}

function noteRow(row: Record<string, unknown>, columns: Answered['columns']): void {
  for (const [name, { kinds, samples }] of columns) {
    const value = row[name]
    const kind = kindOf(value)
    if (kind) kinds.add(kind)
    if (samples.size >= maxSamples || (kind !== null && kind !== 'string')) continue
    // the caller may change the value itself
    const sample = JSON.stringify(value)
    if (!samples.has(sample)) samples.set(sample, kind === null ? JSON.parse(sample) : value)
  }
}
