import { DatabaseError } from '@tour-ops/contract/database-codes'
import type {
  DocumentFilter,
  DocumentQuery,
  DocumentSnapshot,
  DocumentWrite,
  JsonObject,
} from '@tour-ops/contract/live/documents'
import {
  firestoreFieldsOf,
  firestoreValueOf,
  jsonOfFields,
  type FirestoreFields,
  type FirestoreValue,
} from '@tour-ops/contract/live/firestore-values'
import { databaseErrorOf, errorOfResponse } from '../documents-wire.ts'
import { documentTimings } from '../reconnect.ts'

export interface FirestoreRestParts {
  /** `https://firestore.googleapis.com`, or a stand-in. */
  readonly origin: string
  readonly projectId: string
  /** Bearer and, where configured, app-check token. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>
  readonly fetch?: typeof globalThis.fetch
}

/** The requests that the SDK does not offer as we need them: times of documents, and preconditions on them. */
export interface FirestoreRest {
  batchGet(paths: readonly string[]): Promise<readonly DocumentSnapshot[]>
  query(query: DocumentQuery): Promise<readonly DocumentSnapshot[]>
  count(query: DocumentQuery): Promise<number>
  commit(writes: readonly DocumentWrite[]): Promise<void>
}

interface WireDocument {
  readonly name: string
  readonly fields?: FirestoreFields
  readonly createTime: string
  readonly updateTime: string
}

/** Source: spec, section 7, "commit, batch get, run query, aggregation query … with bearer and app-check tokens". */
export function firestoreRest({ origin, projectId, headers, fetch: send = fetch }: FirestoreRestParts): FirestoreRest {
  const root = `projects/${projectId}/databases/(default)/documents`
  /** Reads are sent once more when the connection broke; a commit is not, since it may have arrived. */
  const read = async <T>(parent: string, verb: string, body: object): Promise<T> => {
    try {
      return await post<T>(parent, verb, body)
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== 'unavailable') throw error
      return post<T>(parent, verb, body)
    }
  }
  const post = async <T>(parent: string, verb: string, body: object): Promise<T> => {
    try {
      const response = await send(`${origin}/v1/${parent}:${verb}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(await headers()) },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(documentTimings.requestMs),
      })
      if (!response.ok) throw await errorOfResponse(response)
      return (await response.json()) as T
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        throw new DatabaseError('deadline-exceeded', 'The database took too long to answer.', { cause: error })
      }
      throw databaseErrorOf(error)
    }
  }
  const snapshotOf = ({ name, fields = {}, createTime, updateTime }: WireDocument): DocumentSnapshot => ({
    path: name.slice(root.length + 1),
    data: jsonOfFields(fields),
    createTime,
    updateTime,
  })
  const parentOf = (collection: string): string => {
    const end = collection.lastIndexOf('/')
    return end === -1 ? root : `${root}/${collection.slice(0, end)}`
  }

  return {
    async batchGet(paths) {
      const documents = paths.map((path) => `${root}/${path}`)
      const answers = await read<{ found?: WireDocument }[]>(root, 'batchGet', { documents })
      const found = new Map(answers.flatMap((answer) => (answer.found ? [[answer.found.name, answer.found]] : [])))
      return paths.map((path) => {
        const document = found.get(`${root}/${path}`)
        return document ? snapshotOf(document) : { path, data: null, createTime: null, updateTime: null }
      })
    },
    async query(query) {
      const body = { structuredQuery: structuredQueryOf(query) }
      const answers = await read<{ document?: WireDocument }[]>(parentOf(query.collection), 'runQuery', body)
      return answers.flatMap(({ document }) => (document ? [snapshotOf(document)] : []))
    },
    async count(query) {
      const structuredAggregationQuery = {
        structuredQuery: structuredQueryOf(query),
        aggregations: [{ alias: 'count', count: {} }],
      }
      type Answer = { result: { aggregateFields: { count: { integerValue: string } } } }[]
      const parent = parentOf(query.collection)
      const [answer] = await read<Answer>(parent, 'runAggregationQuery', { structuredAggregationQuery })
      return Number(answer?.result.aggregateFields.count.integerValue ?? 0)
    },
    async commit(writes) {
      await post(root, 'commit', { writes: writes.map((write) => wireWriteOf(root, write)) })
    },
  }
}

function wireWriteOf(root: string, write: DocumentWrite): object {
  const name = `${root}/${write.path}`
  if (write.kind === 'delete') {
    return { delete: name, ...(write.precondition ? { currentDocument: write.precondition } : {}) }
  }
  const data = write.data as JsonObject
  const precondition = write.precondition ?? (write.kind === 'update' ? { exists: true } : undefined)
  return {
    update: { name, fields: firestoreFieldsOf(data) },
    ...(write.kind === 'set' ? {} : { updateMask: { fieldPaths: Object.keys(data).map(quoted) } }),
    ...(precondition ? { currentDocument: precondition } : {}),
  }
}

/** A top-level field by its name, whatever characters it has. */
const quoted = (field: string): string => `\`${field.replaceAll(/[`\\]/g, String.raw`\$&`)}\``

const operators: Readonly<Record<DocumentFilter['op'], string>> = {
  '==': 'EQUAL',
  '!=': 'NOT_EQUAL',
  '<': 'LESS_THAN',
  '<=': 'LESS_THAN_OR_EQUAL',
  '>': 'GREATER_THAN',
  '>=': 'GREATER_THAN_OR_EQUAL',
  'array-contains': 'ARRAY_CONTAINS',
  in: 'IN',
  'not-in': 'NOT_IN',
  'array-contains-any': 'ARRAY_CONTAINS_ANY',
}

function structuredQueryOf({ collection, where = [], orderBy = [], limit }: DocumentQuery): object {
  const filters = where.map(({ field, op, value }) => filterOf(field, op, firestoreValueOf(value)))
  return {
    from: [{ collectionId: collection.slice(collection.lastIndexOf('/') + 1) }],
    ...(filters.length > 0 ? { where: { compositeFilter: { op: 'AND', filters } } } : {}),
    orderBy: orderBy.map(({ field, direction }) => ({
      field: { fieldPath: field },
      direction: direction === 'desc' ? 'DESCENDING' : 'ASCENDING',
    })),
    ...(limit === undefined ? {} : { limit }),
  }
}

/** Equality with null has its own operator in this protocol. */
function filterOf(fieldPath: string, op: DocumentFilter['op'], value: FirestoreValue): object {
  const field = { fieldPath }
  if ('nullValue' in value && op === '==') return { unaryFilter: { field, op: 'IS_NULL' } }
  if ('nullValue' in value && op === '!=') return { unaryFilter: { field, op: 'IS_NOT_NULL' } }
  return { fieldFilter: { field, op: operators[op], value } }
}
