import {
  compareValues,
  fieldOf,
  kindOf,
  matchesFilter,
  numberOf,
  setField,
  type Filter,
  type CachedDocument,
  type MapOfFields,
  type Value,
} from './firestore-values.ts'

/** What a verified backend token says; `owner` is the server, whom no rule binds; null is nobody. */
export type Auth = Readonly<Record<string, unknown>> | 'owner' | null

export interface RuleRequest {
  readonly auth: Readonly<Record<string, unknown>> | null
  readonly method: 'get' | 'list' | 'create' | 'update' | 'delete'
  /** Below `documents/`; of the collection for `list`. */
  readonly path: string
  readonly before: CachedDocument | undefined
  readonly after: CachedDocument | undefined
  /** Reads another document, as `get()` of the rules language does. */
  readonly lookUp: (path: string) => CachedDocument | undefined
}
export type Rules = (request: RuleRequest) => boolean

export interface Precondition {
  exists?: boolean
  updateTime?: string
}

interface Transform {
  fieldPath: string
  setToServerValue?: string
  increment?: Value
}

export interface Write {
  update?: { name: string } & MapOfFields
  delete?: string
  verify?: string
  updateMask?: { fieldPaths?: string[] }
  updateTransforms?: Transform[]
  currentDocument?: Precondition
}

export interface StructuredQuery {
  from: { collectionId: string; allDescendants?: boolean }[]
  where?: Filter
  orderBy?: { field: { fieldPath: string }; direction?: 'ASCENDING' | 'DESCENDING' }[]
  limit?: number | { value: number }
}

/** A refusal with the name of its gRPC code. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: string

  constructor(status: string, message = status) {
    super(message)
    this.status = status
  }
}

const namePrefix = /^.*?\/documents\//

/** Documents in memory, with the rules and preconditions of the hosted database. Test equipment. */
export class FirestoreStore {
  readonly #documents = new Map<string, CachedDocument>()
  readonly #observers = new Set<() => void>()
  readonly #rules: Rules
  #version = Date.now() * 1000

  constructor(rules: Rules) {
    this.#rules = rules
  }

  get version(): number {
    return this.#version
  }

  /** A moment later than every one before. */
  tick(): number {
    this.#version = Math.max(this.#version + 1, Date.now() * 1000)
    return this.#version
  }

  /** Calls back after every commit. */
  observe(onCommit: () => void): () => void {
    this.#observers.add(onCommit)
    return () => this.#observers.delete(onCommit)
  }

  find(name: string): CachedDocument | undefined {
    return this.#documents.get(name)
  }

  /** @throws Refusal `PERMISSION_DENIED` */
  check(auth: Auth, method: RuleRequest['method'], name: string, after?: CachedDocument): void {
    if (auth === 'owner') return
    const root = namePrefix.exec(name)?.[0] ?? ''
    const request: RuleRequest = {
      auth,
      method,
      path: name.slice(root.length),
      before: this.#documents.get(name),
      after,
      lookUp: (path) => this.#documents.get(root + path),
    }
    if (!this.#rules(request)) throw new Refusal('PERMISSION_DENIED', 'Missing or insufficient permissions.')
  }

  select(parent: string, query: StructuredQuery): CachedDocument[] {
    const [{ collectionId } = { collectionId: '' }] = query.from
    const order = orderOf(query)
    const found = [...this.#documents.values()].filter((document) => {
      const rest = document.name.startsWith(`${parent}/`) ? document.name.slice(parent.length + 1).split('/') : []
      const isHere = rest.length === 2 && rest[0] === collectionId
      return isHere && matchesFilter(document, query.where) && order.every((each) => fieldOf(document, each.path))
    })
    found.sort((a, b) => {
      for (const { path, sign } of order) {
        const result = compareValues(fieldOf(a, path) as Value, fieldOf(b, path) as Value) * sign
        if (result !== 0) return result
      }
      return 0
    })
    const limit = typeof query.limit === 'object' ? query.limit.value : query.limit
    return limit ? found.slice(0, limit) : found
  }

  /** All or nothing. @throws Refusal */
  commit(writes: readonly Write[], auth: Auth): { writeResults: object[]; commitTime: string } {
    const now = this.tick()
    const staged = new Map<string, CachedDocument | undefined>()
    const writeResults = writes.map((write) => this.#stage(write, staged, now, auth))
    for (const [name, document] of staged) {
      if (document) this.#documents.set(name, document)
      else this.#documents.delete(name)
    }
    if (staged.size > 0) this.#observers.forEach((tell) => tell())
    return { writeResults, commitTime: timeText(now) }
  }

  #stage(write: Write, staged: Map<string, CachedDocument | undefined>, now: number, auth: Auth): object {
    const name = write.update?.name ?? write.delete ?? write.verify ?? ''
    const before = staged.has(name) ? staged.get(name) : this.#documents.get(name)
    requirePrecondition(name, before, write)
    if (write.verify !== undefined) return {}
    if (write.update === undefined) {
      this.check(auth, 'delete', name)
      staged.set(name, undefined)
      return {}
    }
    const after = applied(write, before, name, now)
    this.check(auth, before ? 'update' : 'create', name, after)
    staged.set(name, after)
    const transformResults = write.updateTransforms?.map(({ fieldPath }) => fieldOf(after, fieldPath))
    return { updateTime: timeText(now), ...(transformResults ? { transformResults } : {}) }
  }
}

function orderOf({ orderBy = [] }: StructuredQuery): { path: string; sign: 1 | -1 }[] {
  const order = orderBy.map(({ field, direction }) => ({
    path: field.fieldPath,
    sign: direction === 'DESCENDING' ? (-1 as const) : (1 as const),
  }))
  return order.some(({ path }) => path === '__name__')
    ? order
    : [...order, { path: '__name__', sign: order.at(-1)?.sign ?? 1 }]
}

/** The same case has the same code as in the hosted database. */
function requirePrecondition(name: string, before: CachedDocument | undefined, write: Write): void {
  const { exists, updateTime } = write.currentDocument ?? {}
  if (exists === true && !before) throw new Refusal('NOT_FOUND', `No document to update: ${name}`)
  if (exists === false && before) throw new Refusal('ALREADY_EXISTS', `Document already exists: ${name}`)
  if (updateTime !== undefined && before?.updateTime !== microsecondsOf(updateTime)) {
    const status = write.verify === undefined ? 'FAILED_PRECONDITION' : 'ABORTED'
    throw new Refusal(status, 'the stored version does not match the required base version')
  }
}

function applied(write: Write, before: CachedDocument | undefined, name: string, now: number): CachedDocument {
  const { update, updateMask, updateTransforms = [] } = write
  const kept = updateMask ? structuredClone(before?.fields ?? {}) : structuredClone(update?.fields ?? {})
  const after: CachedDocument = { name, fields: kept, createTime: before?.createTime ?? now, updateTime: now }
  for (const path of updateMask?.fieldPaths ?? []) setField(after, path, fieldOf(update ?? {}, path))
  for (const { fieldPath, setToServerValue, increment } of updateTransforms) {
    const present = fieldOf(after, fieldPath)
    if (setToServerValue) setField(after, fieldPath, { timestampValue: timeText(now) })
    else if (increment) setField(after, fieldPath, sumOf(present, increment))
    else throw new Refusal('UNIMPLEMENTED', 'The stand-in knows no such transform.')
  }
  return after
}

const sumOf = (present: Value | undefined, increment: Value): Value =>
  present && kindOf(present) === 'number'
    ? { integerValue: String(numberOf(present) + numberOf(increment)) }
    : increment

/** ISO 8601 with microseconds. */
export const timeText = (microseconds: number): string =>
  new Date(microseconds / 1000).toISOString().replace('Z', `${String(microseconds % 1000).padStart(3, '0')}Z`)

function microsecondsOf(text: string): number {
  const [whole = '', fraction = ''] = text.replace('Z', '').split('.')
  return Date.parse(`${whole}Z`) * 1000 + Number(`${fraction}000000`.slice(0, 6))
}

/** A document as the wire shows it. */
export const shown = ({ name, fields, createTime, updateTime }: CachedDocument) => ({
  name,
  fields: fields ?? {},
  createTime: timeText(createTime),
  updateTime: timeText(updateTime),
})

/** gRPC codes: number and HTTP status. @see https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto */
export const grpcCodes: Readonly<Record<string, readonly [number: number, httpStatus: number]>> = {
  CANCELLED: [1, 499],
  UNKNOWN: [2, 500],
  INVALID_ARGUMENT: [3, 400],
  DEADLINE_EXCEEDED: [4, 504],
  NOT_FOUND: [5, 404],
  ALREADY_EXISTS: [6, 409],
  PERMISSION_DENIED: [7, 403],
  RESOURCE_EXHAUSTED: [8, 429],
  FAILED_PRECONDITION: [9, 400],
  ABORTED: [10, 409],
  OUT_OF_RANGE: [11, 400],
  UNIMPLEMENTED: [12, 501],
  INTERNAL: [13, 500],
  UNAVAILABLE: [14, 503],
  DATA_LOSS: [15, 500],
  UNAUTHENTICATED: [16, 401],
}
