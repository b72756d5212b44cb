import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { callables } from './callables.ts'
import { documentRequests, ListenRequest } from './live/documents.ts'
import { NewUpload } from './files.ts'
import { livePaths } from './live/live-paths.ts'

// What comes in has an end: a text, a list or a number without one is stored, sent on and printed as long as somebody likes.

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly propertyNames?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** Largest amount of money; everything else is far below. */
const largestNumber = 1_000_000_000_000

/** Shapes that hold anything, and what bounds them instead. */
const anything: ReadonlySet<string> = new Set([
  'saved-views-save.search.{}', // the JSON text of the whole search
  'live drafts.values.{}', // the size of the document, as the next three
  'documents commit.writes.*.data.{}',
  'documents runQuery.where.*.value',
  'documents runQuery.where.*.value.*',
  'documents count.where.*.value',
  'documents count.where.*.value.*',
])

/** Whether a pattern covers the text from end to end and repeats nothing without a limit. */
function hasEnd(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x')
  return /^\^.*\$$/s.test(pattern) && !/[*+]|\{\d+,\}/.test(bare)
}

const isChoice = (schema: Schema): boolean => schema.enum !== undefined || schema.const !== undefined

const isEndless: Readonly<Record<string, (schema: Schema) => boolean>> = {
  string: (schema) => {
    const patterns = [schema, ...(schema.allOf ?? [])].map(({ pattern }) => pattern ?? '')
    return schema.maxLength === undefined && !patterns.some(hasEnd)
  },
  array: ({ maxItems, prefixItems }) => maxItems === undefined && prefixItems === undefined,
  object: ({ additionalProperties, maxProperties, propertyNames }) =>
    typeof additionalProperties === 'object' && maxProperties === undefined && !propertyNames?.enum,
  number: ({ minimum = -Infinity, maximum = Infinity }) => maximum > largestNumber || minimum < -largestNumber,
}

function endlessIn(schema: Schema, path: string): string[] {
  const { type, items, properties = {}, propertyNames, additionalProperties } = schema
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const kind = type === 'integer' ? 'number' : type
  if (anything.has(path)) return []
  if (kind === undefined && choices.length === 0 && !isChoice(schema)) return [`${path}: anything`]
  return [
    ...(kind !== undefined && !isChoice(schema) && isEndless[kind]?.(schema) ? [`${path}: endless ${kind}`] : []),
    ...choices.flatMap((choice) => endlessIn(choice, path)),
    ...(items ? endlessIn(items, `${path}.*`) : []),
    ...(schema.prefixItems ?? []).flatMap((item, index) => endlessIn(item, `${path}.${index}`)),
    ...Object.entries(properties).flatMap(([name, part]) => endlessIn(part, `${path}.${name}`)),
    ...(propertyNames ? endlessIn(propertyNames, `${path}.{name}`) : []),
    ...(typeof additionalProperties === 'object' ? endlessIn(additionalProperties, `${path}.{}`) : []),
  ]
}

const shapes: readonly (readonly [name: string, shape: z.ZodMiniType])[] = [
  ...callables.map(({ name, input }) => [name, input] as const),
  ...Object.entries(documentRequests).map(([name, request]) => [`documents ${name}`, request] as const),
  ...Object.entries(livePaths).flatMap(([name, { data, write }]) =>
    write.kind === 'server' ? [] : [[`live ${name}`, data] as const],
  ),
  ['listen', ListenRequest],
  ['uploads', NewUpload],
]

test('every text, list, record and number that comes in has a limit', () => {
  const endless = shapes.flatMap(([name, shape]) =>
    endlessIn(z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema, name),
  )
  expect(endless).toEqual([])
})

/** What nobody reads as a text: ids, tokens, names of columns, words that are searched for, and what a program or this server has written. */
const noText = [
  /\.(q|token|rrule|columns\.\*|ids\.\*|emails\.\*|[a-zA-Z]*[uU]serId|assigneeId|ownerId\.\*|size)$/,
  /^audit-(list|export)\.filters\./,
  /^imports-map\.mapping\.words\.\{\}$/,
  /^imports-(cell\.column|correct\.((corrections|takenBack)\.\*\.column|forgottenWords\.\*))$/,
  /^(documents|live|listen)\b/,
]

interface Definition {
  readonly type: string
  readonly innerType?: z.ZodMiniType
  readonly element?: z.ZodMiniType
  readonly valueType?: z.ZodMiniType
  readonly options?: readonly z.ZodMiniType[]
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>
}

/** Where a shape takes a text with characters that reorder what is written around it. */
function reorderedIn(schema: z.ZodMiniType, path: string): string[] {
  const { type, innerType, element, valueType, options = [], shape = {} } = schema._zod.def as Definition
  if (type === 'string') {
    const { success, data } = schema.safeParse('Ada\u202E\u2066')
    return success && data !== 'Ada' ? [path] : []
  }
  return [
    ...(innerType ? reorderedIn(innerType, path) : []),
    ...(element ? reorderedIn(element, `${path}.*`) : []),
    ...(valueType ? reorderedIn(valueType, `${path}.{}`) : []),
    ...options.flatMap((choice) => reorderedIn(choice, path)),
    ...Object.entries(shape).flatMap(([name, part]) => reorderedIn(part, `${path}.${name}`)),
  ]
}

test('no text that people write reorders the text around it: a call drops the characters that do', () => {
  const reordered = shapes.flatMap(([name, shape]) => reorderedIn(shape, name))
  expect(reordered.filter((path) => !noText.some((pattern) => pattern.test(path)))).toEqual([])
})

test.each([
  ['a text without a length', z.string()],
  ['a pattern that repeats without end', z.string().check(z.regex(/^[a-z]+$/))],
  ['a pattern that is open at its end', z.string().check(z.regex(/^[a-z]{1,9}/))],
  ['a list', z.array(z.boolean())],
  ['a record', z.record(z.string().check(z.maxLength(9)), z.boolean())],
  ['a number', z.number()],
  ['anything at all', z.unknown()],
])('%s is found', (_, shape) => {
  const input = z.object({ field: z.optional(shape) })
  expect(endlessIn(z.toJSONSchema(input, { io: 'input' }) as Schema, 'call')).toHaveLength(1)
})
