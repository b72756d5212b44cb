import { isChoice, isReferences, type PlainRecord, type RecordQuery } from '@tour-ops/contract/record'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { MemberCall } from '../../context.ts'
import { csvFile, type CsvValue } from '../csv.ts'
import { newId } from '../ids.ts'
import { allOf, type Condition, isOneOf, isOneOfIds, orderBy } from '../list-query.ts'
import { notFound } from '../optimistic-lock.ts'
import { selectPage } from '../select-page.ts'
import { type Verb, verb } from '../verb.ts'
import { updateVersioned } from '../version-conflict.ts'
import type { Fitting } from './record-fit.ts'
import {
  answerOf,
  columnOf,
  columnsOf,
  fieldRef,
  matchesSearch,
  labelColumn,
  sortColumnsOf,
  type SelectedRow,
} from './record-sql.ts'

/** Rows of one export at most; the size of the file ends it sooner. */
const maxExported = 50_000

type Sql<T = unknown> = RawBuilder<T>

interface Save<R extends PlainRecord> {
  /** Checks what is about to be written, and may refuse it. @param id Null for a record that is added. */
  readonly beforeSave?: (call: MemberCall, fields: z.output<R['form']>, id: string | null) => Promise<void>
}
/** SQL of each derived value; statements call the record's table `r`. */
type Derived<R extends PlainRecord> = {
  readonly derived: { readonly [N in keyof R['derived']]: (call: MemberCall) => Sql }
}
type MoreFilters<R extends PlainRecord> = {
  readonly moreFilters: {
    readonly [N in keyof R['moreFilters']]: (
      call: MemberCall,
      value: NonNullable<z.output<R['moreFilters'][N]>>,
    ) => Condition
  }
}
/** What only the server knows of a record: as much as its definition leaves open. */
type Options<R extends PlainRecord> = Save<R> &
  (keyof R['derived'] extends never ? unknown : Derived<R>) &
  (keyof R['moreFilters'] extends never ? unknown : MoreFilters<R>)

/**
 * The same without the types of one record, for code that works with all. Methods, since they may take less than they say: the callable's
 * shape has checked every value before one of them gets it.
 */
interface Known {
  readonly derived: Readonly<Record<string, (call: MemberCall) => Sql>>
  readonly moreFilters: Readonly<Record<string, AnyRecord['conditionFor']>>
  readonly beforeSave?: AnyRecord['beforeSave'] | undefined
}
interface AnyRecord {
  beforeSave(call: MemberCall, fields: unknown, id: string | null): Promise<void>
  conditionFor(call: MemberCall, value: unknown): Condition
}

type Arguments<R extends PlainRecord> = Save<R> extends Options<R> ? [options?: Options<R>] : [options: Options<R>]

/**
 * The verbs of a plain record: list, get, create, update, archive, export. A definition that does not fit the migrated table does not
 * compile; neither does one whose derived values or further filters have no SQL.
 *
 * @example export const equipmentVerbs = recordVerbs(equipmentRecord)
 */
export function recordVerbs<const R extends PlainRecord>(record: Fitting<R>, ...[options]: Arguments<R>): Verb[] {
  const known: Known = { derived: {}, moreFilters: {}, ...options }
  return [...readingVerbs(record, known), ...writingVerbs(record, known)]
}

type Row = Readonly<Record<string, unknown>>

function readingVerbs(record: PlainRecord, known: Known): Verb[] {
  const derivedFor = (call: MemberCall): Record<string, Sql> =>
    Object.fromEntries(Object.entries(known.derived).map(([name, valueFor]) => [name, valueFor(call)]))
  const select = (call: MemberCall, input: RecordQuery, page: { page: number; size: number }) => {
    const derived = derivedFor(call)
    const title = sql`${fieldRef(record.title)} collate "und-x-icu"`
    return selectPage<SelectedRow>(call.tx, {
      columns: columnsOf(record, derived),
      from: sql`from ${sql.table(record.table)} r where ${conditionsOf(record, known, call, input)}`,
      order: orderBy(input.sort, sortColumnsOf(record, derived), sql`${title}, r.id`),
      page,
    })
  }
  const list = verb(record.list, async (call, input) => {
    const { rows, total } = await select(call, input, input)
    return { total, rows: rows.map((row) => answerOf(record, row)) }
  })
  const get = verb(record.get, async (call, { id }) => {
    const { rows } = await sql<SelectedRow>`
      select ${columnsOf(record, derivedFor(call))} from ${sql.table(record.table)} r
       where r.org_id = ${call.orgId} and r.id = ${id} and ${isReached(record, call)}`.execute(call.tx)
    if (!rows[0]) throw notFound('record')
    return answerOf(record, rows[0])
  })
  const exportCsv = verb(record.export, async (call, input) => {
    const { rows } = await select(call, input, { page: 1, size: maxExported })
    return csvFile<Row>(record.name, csvColumnsOf(record), rows, input.columns)
  })
  return [list, get, exportCsv]
}

/** With scope `own` the table's policy decides (`narrow_own`, decision 0039); what is for nobody is not even asked for. */
const isReached = ({ reach }: PlainRecord, { scope }: MemberCall): Sql<boolean> =>
  scope === 'own' && reach === 'nobody' ? sql<boolean>`false` : sql<boolean>`true`

function conditionsOf(record: PlainRecord, known: Known, call: MemberCall, { q, filters = {} }: RecordQuery): Sql {
  const isArchived = filters['archived']
  return allOf([
    sql`r.org_id = ${call.orgId} and ${isReached(record, call)}`,
    isArchived === undefined ? sql`r.archived_at is null` : sql`(r.archived_at is not null) = ${isArchived}`,
    ...record.filters.map((name) => fieldCondition(record, name, filters[name] as string[] | undefined)),
    ...Object.entries(known.moreFilters).map(([name, conditionFor]) => {
      const value = filters[name]
      return value !== undefined && value !== null && conditionFor(call, value)
    }),
    q !== '' && matchesSearch(record, q),
  ])
}

const fieldCondition = ({ fields }: PlainRecord, name: string, values: string[] | undefined): Condition => {
  const field = fields[name]
  if (field && isChoice(field)) return isOneOf(fieldRef(name), values)
  if (!field || !isReferences(field)) return isOneOfIds(fieldRef(name), values)
  return values && values.length > 0 ? sql`${fieldRef(name)} && ${[...values]}::uuid[]` : undefined
}

/** Columns of the file are called as those of the table; a reference is written by its name. */
function csvColumnsOf({ fields }: PlainRecord): Record<string, (row: Row) => CsvValue> {
  const columns = Object.entries(fields).map(([name, field]) => {
    const isOther = field.kind === 'reference' || isReferences(field)
    const from = isOther ? labelColumn(name) : name
    const valueIn = (row: Row): CsvValue => {
      const value = row[from] as CsvValue | string[]
      return Array.isArray(value) ? value.join(', ') || null : (value ?? null)
    }
    return [columnOf(isOther ? name.replace(/Id(s?)$/, '$1') : name), valueIn] as const
  })
  return Object.fromEntries(columns)
}

function writingVerbs(record: PlainRecord, known: Known): Verb[] {
  const names = Object.keys(record.fields)
  const columns = sql.join(names.map((name) => sql.ref(columnOf(name))))
  const check = async (call: MemberCall, fields: Row, id: string | null): Promise<readonly unknown[]> => {
    await known.beforeSave?.(call, fields, id)
    return names.map((name) => fields[name])
  }
  const create = verb(record.create, async (call, fields) => {
    const values = await check(call, fields as Row, null)
    const id = newId()
    await sql`
      insert into ${sql.table(record.table)} (org_id, id, ${columns}) values (${call.orgId}, ${id}, ${sql.join(values)})`.execute(
      call.tx,
    )
    return { id, version: 1 }
  })
  const update = verb(record.update, async (call, { id, version, ...fields }) => {
    const values = await check(call, fields, id)
    const changes = names.map((name, at) => sql`${sql.ref(columnOf(name))} = ${values[at]}`)
    return updateVersioned(call.tx, record.table, { orgId: call.orgId, id, version }, sql.join(changes))
  })
  const archive = verb(record.archive, (call, { id, version, archived }) => {
    const at: Sql = archived ? sql`app_now()` : sql`null`
    return updateVersioned(call.tx, record.table, { orgId: call.orgId, id, version }, sql`archived_at = ${at}`)
  })
  return [create, update, archive]
}
