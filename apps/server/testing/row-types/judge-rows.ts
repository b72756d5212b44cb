import type { DeclaredRow } from './declared-rows.ts'
import { keyOf, separator, type Answered, type Seen } from './recorder.ts'
import { allows, differenceOf, shapeText, type Kind, type Shape } from './shapes.ts'

export interface Verdict {
  /** Declared rows that a statement was compared with. */
  readonly judged: ReadonlySet<DeclaredRow>
  /** What a row type says that is not so, one sentence each. */
  readonly lies: readonly string[]
}

/** Holds what statements answered against the row types that they were written with. */
export function judgeRows(declared: readonly DeclaredRow[], answers: readonly Answered[]): Verdict {
  const byKey = Map.groupBy(
    declared.filter((row) => !row.isPlainText),
    ({ fragments }) => keyOf(fragments),
  )
  const byText = declared
    .filter((row) => row.isPlainText && row.fragments.length > 0)
    .map((row) => ({ row, text: textPattern(row.fragments) }))
  const judged = new Set<DeclaredRow>()
  const lies: string[] = []
  for (const answer of answers) {
    const parts = [...answer.parts].map((part) => byKey.get(part) ?? [])
    const plain = parts.length > 0 ? [] : byText.filter(({ text }) => text.test(answer.text)).map(({ row }) => row)
    const row = closest([...(parts[0] ?? []), ...plain], answer)
    if (!row) continue
    const added = row.row.isOpen ? addedTo(answer, byKey) : []
    for (const one of [row, ...added]) judged.add(one)
    const rows = [row, ...added].map((one) => one.row)
    const fields = Object.assign({}, ...rows.map((one) => one.fields)) as Fields
    // columns that only a definition knows by name
    const takesMore = rows.some(({ values }) => values?.isAny)
    lies.push(...wrongTypesOf(answer, fields, takesMore).map((lie) => `${row.place} (line ${row.line}): ${lie}`))
  }
  return { judged, lies: [...new Set(lies)] }
}

type Fields = Readonly<Record<string, Shape>>

const textPattern = (fragments: readonly string[]): RegExp =>
  new RegExp(`^${fragments.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('[^]*')}$`)

/** Rows of the parts of a statement that lets its caller name the columns. */
const addedTo = (answer: Answered, byKey: ReadonlyMap<string, readonly DeclaredRow[]>): DeclaredRow[] =>
  [...answer.parts]
    .slice(1)
    .filter((part) => part.replaceAll(separator, '') !== '')
    .flatMap((part) => closest(byKey.get(part) ?? [], answer) ?? [])

/** Two statements may differ only in what is put in: the one that declares these columns is meant. */
function closest(rows: readonly DeclaredRow[], { fields }: Answered): DeclaredRow | undefined {
  const missing = (row: DeclaredRow): number => fields.filter(({ name }) => !row.row.fields?.[name]).length
  return rows.toSorted((one, other) => missing(one) - missing(other))[0]
}

function wrongTypesOf(answer: Answered, declared: Fields, takesMore: boolean): string[] {
  const names = answer.fields.map(({ name }) => name)
  const undeclared = takesMore ? [] : names.filter((name) => !declared[name])
  const absent = Object.entries(declared).filter(
    ([name, shape]) => !names.includes(name) && !allows(shape, 'undefined'),
  )
  return [
    ...undeclared.map((name) => `the column ${name} is not declared`),
    ...absent.map(([name]) => `the column ${name} is declared, and there is none`),
    ...answer.fields.flatMap((field) => {
      const shape = declared[field.name]
      return shape && !shape.isAny ? lieOfColumn(answer, field, shape) : []
    }),
  ]
}

function lieOfColumn(answer: Answered, field: Field, shape: Shape): string[] {
  const { name } = field
  const said = `${name} is declared ${shapeText(shape)}`
  const seen = answer.columns.get(name)
  const kindLie = isBareNull(field, seen) ? null : lieOfKind(field, shape)
  if (kindLie) return [`${said}, ${kindLie}`]
  if (!allows(shape, 'null')) {
    if (seen?.kinds.has('null')) return [`${said}, and null came`]
    if (answer.nullable.has(name)) return [`${said}, and the column may be null`]
  }
  if (isStoredJson(field)) return []
  for (const value of seen?.samples.values() ?? []) {
    const difference = differenceOf(value, shape, name)
    if (difference) return [difference]
  }
  return []
}

type Field = Answered['fields'][number]

/** A `null` that is written into a statement has the type text, whatever another caller passes there. */
const isBareNull = ({ tableID, dataTypeID }: Field, seen: Seen | undefined): boolean =>
  tableID === 0 && dataTypeID === text && seen?.kinds.size === 1 && seen.kinds.has('null')

/** A document of a column is what was written into it, maybe by an earlier version: its fields are not the statement's doing. */
const isStoredJson = ({ tableID, dataTypeID }: Field): boolean => tableID !== 0 && jsonTypes.has(dataTypeID)

function lieOfKind({ dataTypeID }: Field, shape: Shape): string | null {
  if (listTypes.has(dataTypeID)) return shape.items ? null : 'the driver gives a list'
  const driver = kindByType.get(dataTypeID)
  if (!driver) return null
  if (!allows(shape, driver)) return `the driver gives ${driver}`
  const never = kinds.find(
    (kind) => kind !== driver && allows(shape, kind) && !(dataTypeID === int8 && kind === 'string'),
  )
  return never ? `the driver never gives ${never}` : null
}

/** Numbers that are too large for JavaScript come as text. */
const int8 = 20
const text = 25
const jsonTypes = new Set([114, 3802])
/** Lists of the types below. JSON and types of our own are judged by the values that came. */
const listTypes = new Set([1000, 1005, 1007, 1009, 1015, 1016, 1022, 1115, 1182, 1185, 1231, 2951])

const kinds: readonly Kind[] = ['string', 'number', 'boolean', 'date', 'bytes']

/** What the driver makes of a type, by its identifier (the same in every PostgreSQL). Source: PostgreSQL, pg_type.dat; pool.ts. */
const kindByType = new Map<number, Kind>([
  [16, 'boolean'],
  [17, 'bytes'],
  ...[int8, 21, 23, 700, 701, 26].map((id): [number, Kind] => [id, 'number']),
  // "char", name, text, bpchar, varchar, date, time, timestamp, numeric, uuid, inet, snapshot, xid8, ranges
  ...[18, 19, text, 1042, 1043, 1082, 1083, 1114, 1700, 2950, 869, 5038, 5069, 3904, 3908, 3910, 3912, 3926].map(
    (id): [number, Kind] => [id, 'string'],
  ),
  [1184, 'date'],
])
