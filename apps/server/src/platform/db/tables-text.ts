import type { Pool } from 'pg'

interface ColumnRow {
  readonly schema: string
  readonly relation: string
  readonly relationComment: string | null
  readonly column: string
  readonly comment: string | null
  readonly type: string
  readonly isArray: boolean
  readonly isNullable: boolean
  readonly isReadOnly: boolean
  readonly hasDefault: boolean
  /** Definition of a CHECK on this column alone that lists its values. */
  readonly valueCheck: string | null
}

/** Schemas whose shape is not ours to type: PostgreSQL's, the migration list, and what the job library makes for itself. */
const foreignSchemas = ['pg_catalog', 'information_schema', 'pg_toast', 'migrations', 'jobs']

/** The text of `tables.ts`: one interface per table of the live schema, as Kysely reads it. */
export async function describeTables(ownerPool: Pool): Promise<string> {
  const { rows } = await ownerPool.query<ColumnRow>(columnsQuery, [foreignSchemas])
  const relations = Map.groupBy(rows, (row) =>
    row.schema === 'public' ? row.relation : `${row.schema}.${row.relation}`,
  )
  const interfaces = [...relations].map(([name, columns]) => describeRelation(name, columns))
  const members = [...relations.keys()].map((name) => `  ${propertyName(name)}: ${interfaceName(name)}`)
  const body = interfaces.join('\n\n')
  return `${head}
${aliases.filter((alias) => isUsed(alias, body)).join('\n')}

/** Every table by the name it has in queries. */
export interface Tables {
${members.join('\n')}
}

${body}
`
}

const head = `// Written by generate-tables.ts from the live schema. Do not edit; change a migration and run:
//   node apps/server/src/platform/db/generate-tables.ts
import type { ColumnType } from 'kysely'

/** A column that may be left out of an insert. */
type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
`

/** Types that are read and written in different forms; only those that a column has are declared. */
const aliases: readonly string[] = [
  `/** A column that only the database writes. */
type ReadOnly<T> = T extends ColumnType<infer S, unknown, unknown> ? ColumnType<S, never, never> : ColumnType<T, never, never>`,
  'type Timestamp = ColumnType<Date, Date | string, Date | string>',
  'type NullableTimestamp = ColumnType<Date | null, Date | string | null, Date | string | null>',
  'type Numeric = ColumnType<string, string | number, string | number>',
  'type NullableNumeric = ColumnType<string | null, string | number | null, string | number | null>',
  `/** Read as what it holds; written as text (\`JSON.stringify\`), since an array would be sent as a PostgreSQL array. */
type Json = ColumnType<unknown, string, string>`,
  'type NullableJson = ColumnType<unknown, string | null, string | null>',
]

const isUsed = (alias: string, text: string): boolean =>
  new RegExp(`\\b${/type (\w+)/.exec(alias)?.[1] ?? ''}\\b`).test(text)

function describeRelation(name: string, columns: readonly ColumnRow[]): string {
  const comment = columns[0]?.relationComment
  const lines = columns.map(
    (column) => `${commentOf(column.comment, '  ')}  ${propertyName(column.column)}: ${typeOf(column)}`,
  )
  return `${commentOf(comment, '')}interface ${interfaceName(name)} {\n${lines.join('\n')}\n}`
}

const commentOf = (comment: string | null | undefined, indent: string): string =>
  comment ? `${indent}/** ${comment.replaceAll('*/', '* /')} */\n` : ''

const propertyName = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`)

const interfaceName = (name: string): string =>
  `${name.replaceAll(/(?:^|[_.])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Table`

function typeOf(column: ColumnRow): string {
  const plain = plainTypeOf(column)
  if (column.isReadOnly) return `ReadOnly<${plain}>`
  return column.hasDefault ? `Generated<${plain}>` : plain
}

function plainTypeOf(column: ColumnRow): string {
  const values = column.valueCheck ? listedValues(column.valueCheck) : []
  const base = values.length > 0 ? values.map((value) => `'${value}'`).join(' | ') : typeByName[column.type]
  if (base === undefined) {
    throw new Error(`No TypeScript type is known for ${column.relation}.${column.column} (${column.type}).`)
  }
  if (column.isArray) return values.length > 1 ? `(${base})[]${orNull(column)}` : `${base}[]${orNull(column)}`
  // A conditional type over a union would spread over its members, so these have a nullable form of their own.
  if (column.isNullable && ['Json', 'Timestamp', 'Numeric'].includes(base)) return `Nullable${base}`
  return `${base}${orNull(column)}`
}

const orNull = (column: ColumnRow): string => (column.isNullable ? ' | null' : '')

/** What arrives in TypeScript; see the parsers in pool.ts. */
const typeByName: Readonly<Record<string, string>> = {
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  citext: 'string',
  uuid: 'string',
  inet: 'string',
  xid8: 'string',
  pg_snapshot: 'string',
  tsvector: 'string',
  date: 'string',
  time: 'string',
  timestamp: 'string',
  tstzrange: 'string',
  daterange: 'string',
  int4range: 'string',
  tstzmultirange: 'string',
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'Numeric',
  json: 'Json',
  jsonb: 'Json',
  timestamptz: 'Timestamp',
  bytea: 'Buffer',
}

/** `CHECK ((role = ANY (ARRAY['admin'::text, …])))` lists all values; any other form says nothing about the type. */
function listedValues(check: string): string[] {
  const list = /^CHECK \(\(\(?"?\w+"?\)? (?:= ANY|<@) \(?ARRAY\[(.*)\](?:::\w+\[\])?\)?\)\)$/.exec(check)?.[1]
  return list ? [...list.matchAll(/'((?:[^']|'')*)'::/g)].map((match) => match[1] ?? '') : []
}

const columnsQuery = `
select n.nspname as schema, c.relname as relation, obj_description(c.oid, 'pg_class') as "relationComment",
  a.attname as "column", col_description(c.oid, a.attnum) as comment,
  coalesce(element.typname, base.typname, t.typname) as type, element.oid is not null as "isArray",
  not a.attnotnull as "isNullable", a.atthasdef or a.attidentity <> '' as "hasDefault",
  a.attidentity = 'a' or a.attgenerated <> '' or c.relkind <> any (array['r', 'p']::"char"[]) and c.relkind in ('v', 'm') as "isReadOnly",
  (select pg_get_constraintdef(k.oid) from pg_constraint k
   where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) like '%ARRAY[''%'
   order by k.conname limit 1) as "valueCheck"
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
left join pg_type element on element.oid = t.typelem and t.typcategory = 'A'
left join pg_type base on base.oid = t.typbasetype
where c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition and n.nspname <> all ($1::text[])
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by n.nspname <> 'public', n.nspname, c.relname, a.attnum`
