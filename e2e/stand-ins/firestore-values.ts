/** A value as the wire has it: one key that names its kind. */
export type Value = Readonly<Record<string, unknown>>

export interface MapOfFields {
  fields?: Record<string, Value>
}

/** A document as it is stored; times in microseconds since 1970. */
export interface CachedDocument extends MapOfFields {
  readonly name: string
  createTime: number
  updateTime: number
}

/** Kinds in the order in which Firestore sorts them. @see https://firebase.google.com/docs/firestore/manage-data/data-types */
const kindsInOrder = [
  'nullValue',
  'booleanValue',
  'number',
  'timestampValue',
  'stringValue',
  'bytesValue',
  'referenceValue',
  'geoPointValue',
  'arrayValue',
  'mapValue',
]

export function kindOf(value: Value): string {
  const kind = Object.keys(value)[0] ?? 'nullValue'
  return kind === 'integerValue' || kind === 'doubleValue' ? 'number' : kind
}

export const numberOf = (value: Value): number => Number(value['integerValue'] ?? value['doubleValue'])
const listOf = (value: Value | undefined): readonly Value[] =>
  (value?.['arrayValue'] as { values?: Value[] } | undefined)?.values ?? []

/** Negative, zero or positive, as Firestore orders values. */
export function compareValues(a: Value, b: Value): number {
  const kind = kindOf(a)
  if (kind !== kindOf(b)) return kindsInOrder.indexOf(kind) - kindsInOrder.indexOf(kindOf(b))
  switch (kind) {
    case 'nullValue':
      return 0
    case 'number':
      return numberOf(a) - numberOf(b)
    case 'timestampValue':
      return Date.parse(String(a[kind])) - Date.parse(String(b[kind]))
    case 'arrayValue':
      return compareLists(listOf(a), listOf(b))
    case 'mapValue':
      return compareLists(entriesOf(a), entriesOf(b))
    default:
      return compareTexts(String(a[kind]), String(b[kind]))
  }
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const entriesOf = (value: Value): Value[] =>
  Object.entries((value['mapValue'] as MapOfFields).fields ?? {})
    .toSorted(([a], [b]) => compareTexts(a, b))
    .flatMap(([name, each]) => [{ stringValue: name }, each])

function compareLists(a: readonly Value[], b: readonly Value[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index]
    if (!other) return 1
    const order = compareValues(value, other)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** `a.b.`c d`` → its parts. */
const partsOf = (path: string): string[] =>
  (path.match(/`(?:[^`\\]|\\.)+`|[^.]+/g) ?? []).map((part) => part.replaceAll(/^`|`$/g, ''))

export function fieldOf(document: CachedDocument | (MapOfFields & { name?: string }), path: string): Value | undefined {
  if (path === '__name__') return { referenceValue: document.name }
  let at: MapOfFields | undefined = document
  let value: Value | undefined
  for (const part of partsOf(path)) {
    value = at?.fields?.[part]
    at = value?.['mapValue'] as MapOfFields | undefined
  }
  return value
}

/** Sets a field, or takes it away when `value` is undefined. */
export function setField(document: MapOfFields, path: string, value: Value | undefined): void {
  const parts = partsOf(path)
  const last = parts.pop() ?? ''
  let at = document
  for (const part of parts) {
    at.fields ??= {}
    const inner = at.fields[part]?.['mapValue'] as MapOfFields | undefined
    const next = inner ?? { fields: {} }
    if (!inner) at.fields[part] = { mapValue: next }
    at = next
  }
  at.fields ??= {}
  if (value === undefined) delete at.fields[last]
  else at.fields[last] = value
}

const includes = (list: readonly Value[], value: Value): boolean =>
  list.some((each) => compareValues(each, value) === 0)

interface FieldFilter {
  field: { fieldPath: string }
  op: string
  value: Value
}
export interface Filter {
  compositeFilter?: { op: string; filters: Filter[] }
  fieldFilter?: FieldFilter
  unaryFilter?: Omit<FieldFilter, 'value'>
}

export function matchesFilter(document: CachedDocument, filter: Filter | undefined): boolean {
  if (!filter) return true
  const { compositeFilter, fieldFilter, unaryFilter } = filter
  if (compositeFilter) {
    const test = (each: Filter) => matchesFilter(document, each)
    return compositeFilter.op === 'OR' ? compositeFilter.filters.some(test) : compositeFilter.filters.every(test)
  }
  const path = (fieldFilter ?? unaryFilter)?.field.fieldPath ?? ''
  const value = fieldOf(document, path)
  if (value === undefined) return false
  if (unaryFilter) return (kindOf(value) === 'nullValue') === (unaryFilter.op === 'IS_NULL')
  return fieldFilter !== undefined && holds(value, fieldFilter)
}

function holds(value: Value, { op, value: wanted }: FieldFilter): boolean {
  const order = compareValues(value, wanted)
  const isSameKind = kindOf(value) === kindOf(wanted)
  switch (op) {
    case 'EQUAL':
      return order === 0
    case 'NOT_EQUAL':
      return kindOf(value) !== 'nullValue' && order !== 0
    case 'LESS_THAN':
      return isSameKind && order < 0
    case 'LESS_THAN_OR_EQUAL':
      return isSameKind && order <= 0
    case 'GREATER_THAN':
      return isSameKind && order > 0
    case 'GREATER_THAN_OR_EQUAL':
      return isSameKind && order >= 0
    case 'ARRAY_CONTAINS':
      return includes(listOf(value), wanted)
    case 'ARRAY_CONTAINS_ANY':
      return listOf(wanted).some((each) => includes(listOf(value), each))
    case 'IN':
      return includes(listOf(wanted), value)
    case 'NOT_IN':
      return kindOf(value) !== 'nullValue' && !includes(listOf(wanted), value)
    default:
      throw new RangeError(`The stand-in knows no operator ${op}`)
  }
}

/** Plain JSON of a document, for rules and assertions. */
export const plainOf = ({ fields = {} }: MapOfFields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainValue(value)]))

function plainValue(value: Value): unknown {
  if ('arrayValue' in value) return listOf(value).map(plainValue)
  if ('mapValue' in value) return plainOf(value['mapValue'] as MapOfFields)
  if (kindOf(value) === 'number') return numberOf(value)
  return Object.values(value)[0]
}
