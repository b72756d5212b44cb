import * as z from 'zod/mini'
import { recordOf } from '../fields.ts'
import { documentBatchLimit, listenTargetsLimit } from './live-paths.ts'
import type { PositionTable } from './position-table.ts'

/** JSON as documents hold it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }
export type JsonObject = { readonly [key: string]: JsonValue }

const Path = z.string().check(z.minLength(1), z.maxLength(600))
const Data = recordOf(z.unknown(), 500)
/** A field of the document's data; `a.b` reaches into an object. */
const Field = z
  .string()
  .check(z.maxLength(200), z.regex(/^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+){0,9}$/, 'field_form'))
const Scalar = z.union([z.string().check(z.maxLength(1_500)), z.number(), z.boolean(), z.null()])

/** What must be true of the stored document, or the whole commit is refused. Times are the texts that reads returned. */
export const Precondition = z.union([
  z.strictObject({ exists: z.boolean() }),
  z.strictObject({ updateTime: z.string().check(z.maxLength(40)) }),
])
export type Precondition = z.infer<typeof Precondition>

/**
 * `set` replaces the document, `merge` replaces the named top-level fields and creates what is missing,
 * `update` does so for an existing document only, `delete` succeeds for an absent one too.
 */
export const DocumentWrite = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.enum(['set', 'merge', 'update']),
    path: Path,
    data: Data,
    precondition: z.optional(Precondition),
  }),
  z.strictObject({ kind: z.literal('delete'), path: Path, precondition: z.optional(Precondition) }),
])
export type DocumentWrite = z.infer<typeof DocumentWrite>

const comparisons = ['==', '!=', '<', '<=', '>', '>=', 'array-contains'] as const
const memberships = ['in', 'not-in', 'array-contains-any'] as const

export const DocumentFilter = z.union([
  z.strictObject({ field: Field, op: z.enum(comparisons), value: Scalar }),
  z.strictObject({
    field: Field,
    op: z.enum(memberships),
    value: z.array(Scalar).check(z.minLength(1), z.maxLength(30)),
  }),
])
export type DocumentFilter = z.infer<typeof DocumentFilter>

/** A query over one collection. Missing fields match no filter and sort nowhere, as in the hosted database. */
export const DocumentQuery = z.strictObject({
  collection: Path,
  where: z.optional(z.array(DocumentFilter).check(z.maxLength(10))),
  orderBy: z.optional(
    z.array(z.strictObject({ field: Field, direction: z.optional(z.enum(['asc', 'desc'])) })).check(z.maxLength(3)),
  ),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
})
export type DocumentQuery = z.infer<typeof DocumentQuery>

/** A document as reads return it; `data` and the times are null where there is none. Times are ISO 8601 UTC with microseconds. */
export const DocumentSnapshot = z.strictObject({
  path: z.string(),
  data: z.nullable(Data),
  createTime: z.nullable(z.string()),
  updateTime: z.nullable(z.string()),
})
export interface DocumentSnapshot {
  readonly path: string
  readonly data: JsonObject | null
  readonly createTime: string | null
  readonly updateTime: string | null
}

/** Requests of `POST /api/documents:{name}`, in the envelope `{ "data": … }`. Source: spec, section 7. */
export const documentRequests = {
  get: z.strictObject({ path: Path }),
  batchGet: z.strictObject({ paths: z.array(Path).check(z.minLength(1), z.maxLength(documentBatchLimit)) }),
  runQuery: DocumentQuery,
  count: DocumentQuery,
  commit: z.strictObject({
    writes: z.array(DocumentWrite).check(z.minLength(1), z.maxLength(documentBatchLimit)),
    /** A batch that is sent again under the same key is not applied again. */
    idempotencyKey: z.optional(z.string().check(z.minLength(8), z.maxLength(64))),
  }),
} as const
export type DocumentRequestName = keyof typeof documentRequests

/** Their results, in the envelope `{ "result": … }`. */
export interface DocumentResults {
  readonly get: DocumentSnapshot
  readonly batchGet: { readonly documents: readonly DocumentSnapshot[] }
  readonly runQuery: { readonly documents: readonly DocumentSnapshot[] }
  readonly count: { readonly count: number }
  readonly commit: { readonly commitTime: string }
}

/**
 * Body of `POST /api/live/listen`. With a `Last-Event-ID` header, `known` names the targets whose state the client holds as of
 * that event (all of them when left out); the others begin with a snapshot.
 */
export const ListenRequest = z.strictObject({
  targets: z.array(Path).check(z.minLength(1), z.maxLength(listenTargetsLimit)),
  known: z.optional(z.array(Path).check(z.maxLength(listenTargetsLimit))),
})
export type ListenRequest = z.infer<typeof ListenRequest>

/**
 * Frames of the listen stream, by the SSE event's name. `hello`: the stream is open; `fresh` targets will begin with a snapshot.
 * `document`, `removed`: a document as it is now, or is no more. `positions`: several of these by columns, for readers who take them. `current`: the snapshots of these targets are complete.
 * `reset`: what the client holds is too old to be brought up to date; every target begins again, and lists must be read again.
 * `refused`: one target cannot be listened to; the others continue. `ping`: nothing happened, the line is alive.
 */
export type LiveFrame =
  | { readonly event: 'hello'; readonly data: { readonly fresh: readonly string[] } }
  | { readonly event: 'document'; readonly data: DocumentSnapshot }
  | { readonly event: 'removed'; readonly data: { readonly path: string } }
  | { readonly event: 'positions'; readonly data: PositionTable }
  | { readonly event: 'current'; readonly data: { readonly targets: readonly string[] } }
  | { readonly event: 'reset'; readonly data: Readonly<Record<string, never>> }
  | {
      readonly event: 'refused'
      readonly data: { readonly target: string; readonly status: string; readonly message: string }
    }
  | { readonly event: 'ping'; readonly data: Readonly<Record<string, never>> }
export const liveFrameEvents = [
  'hello',
  'document',
  'removed',
  'positions',
  'current',
  'reset',
  'refused',
  'ping',
] as const

/** How often an idle stream carries a `ping`, milliseconds; a reader that receives nothing for the request timeout gives up. */
export const livePingMs = 20_000
