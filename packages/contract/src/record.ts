import * as z from 'zod/mini'
import { callable, type Callable } from './callable.ts'
import { ById, CsvFile, Id, Saved, Version, write } from './fields.ts'
import { topicPermissions, type LiveTopic } from './live/live-paths.ts'
import type { Permission } from './identity/access.ts'
import { anyOf, exportInput, listInput, listOutput } from './paging.ts'
import type { ChoiceField, RecordField, ReferenceField, ReferencesField } from './record-fields.ts'
import { recordName, type RecordTable } from './record-tables.ts'

/**
 * Which rows a caller with scope `own` (a guide) sees: all of them, none, or those of own departures. The migration says the same to the
 * database, with `narrow_own`. It has no default: a record that does not say it does not compile.
 */
export type RecordReach = 'everyone' | 'nobody' | 'own-departures'

type Fields = Readonly<Record<string, RecordField>>
type Shape = Readonly<Record<string, z.ZodMiniType>>
/** No entries at all. */
type Nothing = { readonly [N in never]: z.ZodMiniType }
type KeyOf<F> = keyof F & string
/** Names of the fields of one kind. */
export type FieldsOfKind<F, K extends string> = {
  [N in KeyOf<F>]: F[N] extends { readonly kind: K } ? N : never
}[KeyOf<F>]

type Inputs<F extends Fields> = { -readonly [N in keyof F]: F[N]['input'] }
type Outputs<F extends Fields> = { -readonly [N in keyof F]: F[N]['output'] }
type Labels<F extends Fields> = {
  -readonly [N in FieldsOfKind<F, 'reference'>]: z.ZodMiniNullable<z.ZodMiniString>
} & { -readonly [N in FieldsOfKind<F, 'references'>]: z.ZodMiniArray<z.ZodMiniString> }
type Filter<O extends z.ZodMiniType> = z.ZodMiniOptional<z.ZodMiniArray<O>>
type Filters<F extends Fields, N extends KeyOf<F>> = {
  [K in N]: Filter<F[K]['kind'] extends 'choice' ? F[K]['output'] : typeof Id>
}

export interface RecordDefinition<
  T extends RecordTable,
  F extends Fields,
  S extends string,
  N extends KeyOf<F>,
  D extends Shape,
  X extends Shape,
  A extends RecordReach,
> {
  readonly table: T
  /** What one and many of them are called in the description of the API. */
  readonly nouns: readonly [one: string, many: string]
  /** Reads: the permission of the table's live topic. */
  readonly read: (typeof topicPermissions)[T]
  /** Creates, changes, archives. */
  readonly manage: Permission
  readonly reach: A
  /** In the order of the form. Each is a column of the table in `snake_case`. */
  readonly fields: F
  /** The field that names a record, and by which lists are sorted at first. */
  readonly title: FieldsOfKind<F, 'line'>
  /** Columns by which lists sort; names of fields and of derived values. */
  readonly sort: readonly [S, ...S[]]
  readonly filters: readonly N[]
  /** Fields that a search reads. */
  readonly search: readonly FieldsOfKind<F, 'line' | 'text'>[]
  /** What the server works out for each row. */
  readonly derived?: D
  /** Filters that are no field; the server says what they mean. */
  readonly moreFilters?: X
  /** Topics other than the table's own whose changes make an answer stale. */
  readonly topics?: readonly LiveTopic[]
  /** Fields with names that look guarded (`guarded-fields.ts`), and why everybody may read them who may read the record. */
  readonly open?: { readonly because: string; readonly fields: readonly string[] }
}

/**
 * Defines a plain record: what is a row of one table, is listed, filled in by a form and archived, and has no states of its own. Its
 * callables, SQL, list, form and probes follow from the definition.
 *
 * @see CONTRIBUTING.md, "A plain record".
 */
export function record<
  const T extends RecordTable,
  const F extends Fields,
  const S extends KeyOf<F> | KeyOf<D>,
  const N extends FieldsOfKind<F, 'choice' | 'reference' | 'references'>,
  const D extends Shape = Nothing,
  const X extends Shape = Nothing,
  const A extends RecordReach = RecordReach,
>(definition: RecordDefinition<T, F, S, N, D, X, A>) {
  const { table, fields, read, manage, sort, nouns } = definition
  const name = recordName(table)
  const [one, many] = nouns
  const derived = definition.derived ?? ({} as D)
  const inputs = mapped(fields, ({ input }) => input) as Inputs<F>
  const filters = { ...filtersOf(definition), archived: z.optional(z.boolean()) } as Filters<F, N> &
    X & { archived: z.ZodMiniOptional<z.ZodMiniBoolean> }
  const row = z.object({
    id: Id,
    version: Version,
    ...(mapped(fields, ({ output }) => output) as Outputs<F>),
    ...derived,
    /** What people call the records that this one refers to; of several, in their order. */
    labels: z.object(
      mapped(
        pick(fields, (field) => isReference(field) || isReferences(field)),
        (field) => (isReferences(field) ? z.array(z.string()) : z.nullable(z.string())),
      ) as Labels<F>,
    ),
    archivedAt: z.nullable(z.string()),
  })
  const more = definition.topics ?? []
  const tables = [...new Set<LiveTopic>([table, ...referencesOf(fields).map((field) => field.table)])]
  const topics = [...new Set([...tables, ...more])]
  const writes = [table]
  return {
    ...definition,
    derived,
    moreFilters: definition.moreFilters ?? ({} as X),
    name,
    isRecord: true as const,
    list: callable({
      name: `${name}-list`,
      kind: 'read',
      permission: read,
      summary: `Lists ${many}.`,
      input: listInput(filters, sort),
      output: listOutput(row),
      topics,
    }),
    get: callable({
      name: `${name}-get`,
      kind: 'read',
      permission: read,
      summary: `Reads ${one}.`,
      input: ById,
      output: row,
      topics: more,
      rowTopics: tables.filter((each) => !more.includes(each)),
    }),
    create: callable({
      name: `${name}-create`,
      kind: 'write',
      permission: manage,
      summary: `Adds ${one}.`,
      input: write(inputs),
      output: Saved,
      writes,
    }),
    update: callable({
      name: `${name}-update`,
      kind: 'write',
      permission: manage,
      summary: `Changes ${one}.`,
      input: write({ id: Id, version: Version, ...inputs }),
      output: Saved,
      writes,
    }),
    archive: callable({
      name: `${name}-archive`,
      kind: 'write',
      permission: manage,
      summary: `Archives ${one}, or restores it.`,
      input: write({ id: Id, version: Version, archived: z.boolean() }),
      output: Saved,
      writes,
    }),
    export: callable({
      name: `${name}-export`,
      kind: 'read',
      permission: read,
      summary: `The filtered list of ${many} as CSV.`,
      input: exportInput(filters, sort),
      output: CsvFile,
      topics: [],
    }),
    /** What a form sends. */
    form: z.object(inputs),
  }
}

interface Target {
  readonly id: string
  readonly version: number
}
/** What every list of records can be asked. */
export interface RecordQuery {
  readonly q: string
  readonly filters?: Readonly<Record<string, unknown>> | undefined
  readonly sort: { by: string; descending: boolean }[]
}
/** What every answer contains about a record, in addition to its fields. */
export interface RecordRow extends Target {
  readonly labels: Readonly<Record<string, string | readonly string[] | null>>
  readonly archivedAt: string | null
}
type Call<I, O> = Callable<z.ZodMiniType<I>, z.ZodMiniType<O>, Permission>

/** What code knows of a record that works with every record. */
export interface PlainRecord {
  readonly isRecord: true
  readonly table: RecordTable
  readonly name: string
  readonly read: Permission
  readonly manage: Permission
  readonly reach: RecordReach
  readonly fields: Fields
  readonly title: string
  readonly sort: readonly string[]
  readonly filters: readonly string[]
  readonly search: readonly string[]
  readonly derived: Shape
  readonly moreFilters: Shape
  readonly open?: { readonly because: string; readonly fields: readonly string[] }
  readonly list: Call<RecordQuery & { page: number; size: number }, { rows: RecordRow[]; total: number }>
  readonly get: Call<{ id: string }, RecordRow>
  readonly create: Call<object, Target>
  readonly update: Call<Target, Target>
  readonly archive: Call<Target & { archived: boolean }, Target>
  readonly export: Call<RecordQuery & { columns?: string[] | undefined }, z.output<typeof CsvFile>>
  readonly form: z.ZodMiniType
}

/** Whether an export of this package defines a plain record. */
export const isRecord = (value: unknown): value is PlainRecord =>
  typeof value === 'object' && value !== null && 'isRecord' in value

/** The remote procedures of a record. */
export const callablesOf = (record: PlainRecord): Callable[] => [
  record.list,
  record.get,
  record.create,
  record.update,
  record.archive,
  record.export,
]

/** The fields that refer to other records, with their names. */
export const referencesOf = (fields: Fields): ((ReferenceField | ReferencesField) & { readonly field: string })[] =>
  Object.entries(fields).flatMap(([field, each]) =>
    isReference(each) || isReferences(each) ? [{ ...each, field }] : [],
  )

export const isReference = (field: RecordField): field is ReferenceField => field.kind === 'reference'
export const isReferences = (field: RecordField): field is ReferencesField => field.kind === 'references'
export const isChoice = (field: RecordField): field is ChoiceField => field.kind === 'choice'

const mapped = <V, W>(values: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

const pick = <V>(values: Readonly<Record<string, V>>, isWanted: (value: V) => boolean): Record<string, V> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => isWanted(value)))

function filtersOf(definition: {
  readonly fields: Fields
  readonly filters: readonly string[]
  readonly moreFilters?: Shape
}): Shape {
  const { fields } = definition
  const own = definition.filters.map((name) => {
    const field = fields[name]
    return [name, anyOf(field && isChoice(field) ? z.enum(field.options) : Id)] as const
  })
  return { ...Object.fromEntries(own), ...definition.moreFilters }
}
