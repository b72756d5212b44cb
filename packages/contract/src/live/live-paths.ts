import * as z from 'zod/mini'
import type { Permission } from '../identity/access.ts'
import { OpaqueId, recordOf, Version } from '../fields.ts'
import { recordTables } from '../record-tables.ts'

/**
 * Who may touch a live document. `server`: only the server. `self`: the person named by `{user}`. `member`: any active member of `{org}`.
 * `own-subject`: that permission of `{org}`; a scope of `own` reaches only the document named after the member's staff record.
 * `topic`: the permission that reads the records of `{topic}`; a scope of `own` counts, since these documents carry ids only.
 */
export type LiveAccess =
  | { readonly kind: 'server' }
  | { readonly kind: 'self' }
  | { readonly kind: 'member' }
  | { readonly kind: 'own-subject'; readonly permission: Permission }
  | { readonly kind: 'topic' }

export interface LivePathRule {
  readonly pattern: string
  /** `stored` documents have a row of their own; `virtual` ones are made from the change log. */
  readonly kind: 'stored' | 'virtual'
  readonly read: LiveAccess
  /** Who may write from a client. The server may always write what is stored. */
  readonly write: LiveAccess
  /** The only fields a client may write; all of them when left out. */
  readonly writableFields?: readonly string[]
  readonly data: z.ZodMiniType
  /** Longest JSON text of `data`, in UTF-8 bytes. */
  readonly maxBytes: number
}

const instant = z.iso.datetime({ offset: true }).check(z.maxLength(40))
const optionalNumber = z.optional(z.nullable(z.number()))

/** The latest fix of one staff member or vehicle. Distances m, speed m/s, heading degrees 0-359. */
export const LivePosition = z.strictObject({
  subjectKind: z.enum(['staff', 'vehicle']),
  subjectId: z.string(),
  departureId: z.optional(z.nullable(z.string())),
  recordedAt: instant,
  receivedAt: instant,
  lat: z.number().check(z.minimum(-90), z.maximum(90)),
  lng: z.number().check(z.minimum(-180), z.maximum(180)),
  accuracyM: optionalNumber,
  speedMps: optionalNumber,
  headingDeg: optionalNumber,
  altitudeM: optionalNumber,
  batteryPct: optionalNumber,
  isMoving: z.optional(z.nullable(z.boolean())),
})

export type LivePosition = z.infer<typeof LivePosition>

/** What changed lately among the records of one topic. `ids` is everything since the version seen before, unless `isComplete` is false. */
export const LiveChanges = z.strictObject({
  version: z.string(),
  ids: z.array(z.string()),
  isComplete: z.boolean(),
})
export type LiveChanges = z.infer<typeof LiveChanges>

/**
 * A hosted database keeps the latest `changes` of a topic as a document, with the moment (`at`) and this counter: a listener
 * that sees it go up by one has missed nothing.
 */
export const liveChangesCounter = 'count'

/** Where a member is working just now; read as absent once `seenAt` is more than `presenceLifetimeMs` ago. */
export const LivePresence = z.strictObject({
  name: z.string().check(z.maxLength(200)),
  place: z.string().check(z.maxLength(200)),
  recordId: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
  isEditing: z.optional(z.boolean()),
  seenAt: instant,
})

/** One notice for one person. */
export const LiveInboxMessage = z.strictObject({
  orgId: z.nullable(OpaqueId),
  title: z.string().check(z.maxLength(200)),
  body: z.string().check(z.maxLength(2000)),
  link: z.optional(z.nullable(z.string().check(z.maxLength(500)))),
  createdAt: instant,
  readAt: z.nullable(instant),
})

/** Unsaved work. Forms leave out what is sensitive before they keep a draft. */
export const LiveDraft = z.strictObject({
  values: recordOf(z.unknown(), 500),
  baseVersion: z.optional(z.nullable(Version)),
  savedAt: instant,
})

/**
 * Every live document there is: its place, who may read and write it, its shape and its size.
 * See ARCHITECTURE.md, "Live documents". The server and the rules of the hosted database are made from this table.
 */
export const livePaths = {
  /** Made from the table of latest positions while somebody listens, once a second; the fields of `documents` requests do not know them. */
  positions: {
    pattern: 'orgs/{org}/positions/{subject}',
    kind: 'stored',
    read: { kind: 'own-subject', permission: 'tracking:read' },
    write: { kind: 'server' },
    data: LivePosition,
    maxBytes: 2_000,
  },
  changes: {
    pattern: 'orgs/{org}/changes/{topic}',
    kind: 'virtual',
    read: { kind: 'topic' },
    write: { kind: 'server' },
    data: LiveChanges,
    maxBytes: 8_000,
  },
  presence: {
    pattern: 'orgs/{org}/presence/{user}',
    kind: 'stored',
    read: { kind: 'member' },
    write: { kind: 'self' },
    data: LivePresence,
    maxBytes: 2_000,
  },
  inbox: {
    pattern: 'users/{user}/inbox/{message}',
    kind: 'stored',
    read: { kind: 'self' },
    write: { kind: 'self' },
    writableFields: ['readAt'],
    data: LiveInboxMessage,
    maxBytes: 16_000,
  },
  drafts: {
    pattern: 'users/{user}/drafts/{org}~{form}',
    kind: 'stored',
    read: { kind: 'self' },
    write: { kind: 'self' },
    data: LiveDraft,
    maxBytes: 200_000,
  },
} as const satisfies Record<string, LivePathRule>

export type LivePathName = keyof typeof livePaths

/** A member whose presence is older than this is shown as gone; screens renew theirs three times as often. */
export const presenceLifetimeMs = 90_000
/** Ids that one `changes` document lists; with more, `isComplete` is false and the screen reads its list again. */
export const changedIdsLimit = 100
/** Coalescing window of `changes` documents: the first change is sent at once, later ones together. See ARCHITECTURE.md, "Live documents". */
export const changesWindowMs = 50
/**
 * A topic that is new to a stream begins with what changed in this time, so that a list loaded while the stream was opening
 * is brought up to date.
 */
export const recentChangesMs = 10_000
/** Most targets of one listen stream. */
export const listenTargetsLimit = 200
/** Most documents of one batch get, and most writes of one commit; 500 is also the limit of the hosted database. */
export const documentBatchLimit = 500

/**
 * Topic of the change log (a table's name) → permission that reads its records. Topics that are not here cannot be listened to.
 * A test compares it with the tables that write to the change log.
 */
export const topicPermissions = {
  ...recordTables,
  organizations: 'dashboard:read',
  org_settings: 'dashboard:read',
  members: 'dashboard:read',
  saved_views: 'dashboard:read',
  invitations: 'members:read',
  places: 'tours:read',
  suppliers: 'departures:read',
  tours: 'tours:read',
  tour_revisions: 'tours:read',
  tour_options: 'tours:read',
  departure_groups: 'departures:read',
  departures: 'departures:read',
  departure_stops: 'departures:read',
  departure_services: 'departures:read',
  equipment_issues: 'departures:read',
  allotments: 'departures:read',
  headcounts: 'departures:read',
  departure_notes: 'departures:read',
  bookings: 'bookings:read',
  payments: 'bookings:read',
  billing_documents: 'bookings:read',
  proposals: 'bookings:read',
  opt_outs: 'bookings:read',
  phone_channels: 'members:manage',
  booking_messages: 'bookings:read',
  travelers: 'travelers:read',
  traveler_private: 'travelers_sensitive:read',
  traveler_documents: 'travelers_sensitive:read',
  manifest_entries: 'departures:read',
  check_ins: 'departures:read',
  rooms: 'departures:read',
  room_assignments: 'departures:read',
  feedback: 'reports:read',
  feedback_follow_ups: 'reports:read',
  field_staff: 'staff:read',
  staff_certificates: 'staff:read',
  staff_calendar_entries: 'staff:read',
  assignments: 'staff:read',
  vehicle_calendar_entries: 'staff:read',
  vehicle_assignments: 'staff:read',
  calendar_feeds: 'staff:read',
  devices: 'tracking:read',
  duty_sessions: 'tracking:read',
  geofences: 'tracking:read',
  incidents: 'monitoring:read',
  incident_travelers: 'monitoring:read',
  incident_entries: 'monitoring:read',
  incident_tasks: 'monitoring:read',
  alerts: 'monitoring:read',
  alert_mutes: 'monitoring:read',
  roll_calls: 'monitoring:read',
  shift_notes: 'monitoring:read',
  roll_call_responses: 'monitoring:read',
  weather_warnings: 'monitoring:read',
  weather_warning_targets: 'monitoring:read',
  weather_sources: 'settings:manage',
  message_templates: 'notifications:read',
  notification_rules: 'notifications:read',
  messages: 'notifications:read',
  deliveries: 'notifications:read',
  notification_preferences: 'dashboard:read',
  own_preferences: 'dashboard:read',
  push_subscriptions: 'dashboard:read',
  shared_links: 'links:read',
  shared_link_tokens: 'links:read',
  files: 'dashboard:read',
  import_batches: 'travelers:manage',
  report_runs: 'reports:read',
  webhook_endpoints: 'settings:manage',
} as const satisfies Record<string, Permission>

export type LiveTopic = keyof typeof topicPermissions
export const liveTopics = Object.keys(topicPermissions) as LiveTopic[]
export const isLiveTopic = (topic: string): topic is LiveTopic => Object.hasOwn(topicPermissions, topic)

/** A path taken apart: which rule holds, what its placeholders are, and whether it names a document or a whole collection. */
export interface MatchedLivePath {
  readonly name: LivePathName
  readonly rule: LivePathRule
  readonly target: 'document' | 'collection'
  /** `org`, `user`, `topic`, `subject`…; the last one is missing for a collection. */
  readonly params: Readonly<Record<string, string>>
  /** The collection that the document is in, or the collection itself. */
  readonly collection: string
}

/** What a placeholder may hold: one path segment of letters, digits and `_ . -` (and `@`, `|`, `:` for the ids of identity services). */
const segment = '[A-Za-z0-9_.@|:-]{1,200}'

interface CompiledPattern {
  readonly name: LivePathName
  readonly document: RegExp
  readonly collection: RegExp
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const expressionOf = (pattern: string): string =>
  pattern
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? `(?<${part.slice(1, -1)}>${segment})` : escape(part)))
    .join('')

/** The collection that a document is directly in. */
export const collectionOf = (documentPath: string): string => documentPath.slice(0, documentPath.lastIndexOf('/'))

const compiled: readonly CompiledPattern[] = (Object.keys(livePaths) as LivePathName[]).map((name) => {
  const { pattern } = livePaths[name]
  const parent = collectionOf(pattern)
  return {
    name,
    document: new RegExp(`^${expressionOf(pattern)}$`),
    collection: new RegExp(`^${expressionOf(parent)}$`),
  }
})

/** Takes a document path or collection path apart; undefined when no rule covers it. */
export function matchLivePath(path: string): MatchedLivePath | undefined {
  for (const { name, document, collection } of compiled) {
    const asDocument = document.exec(path)
    if (asDocument) {
      const params = { ...asDocument.groups }
      return { name, rule: livePaths[name], target: 'document', params, collection: collectionOf(path) }
    }
    const asCollection = collection.exec(path)
    if (asCollection) {
      return { name, rule: livePaths[name], target: 'collection', params: { ...asCollection.groups }, collection: path }
    }
  }
  return undefined
}

/** Whether a document belongs to what a target asks for: the same document, or one directly in the collection. */
export const isInTarget = (target: string, documentPath: string): boolean =>
  target === documentPath || collectionOf(documentPath) === target

/** Addresses of the live documents, so that no code builds them by itself. */
export const livePath = {
  position: (orgId: string, subjectId: string) => `orgs/${orgId}/positions/${subjectId}`,
  positions: (orgId: string) => `orgs/${orgId}/positions`,
  changes: (orgId: string, topic: LiveTopic) => `orgs/${orgId}/changes/${topic}`,
  presence: (orgId: string, userId: string) => `orgs/${orgId}/presence/${userId}`,
  presences: (orgId: string) => `orgs/${orgId}/presence`,
  inboxMessage: (userId: string, messageId: string) => `users/${userId}/inbox/${messageId}`,
  inbox: (userId: string) => `users/${userId}/inbox`,
  draft: (userId: string, orgId: string, form: string) => `users/${userId}/drafts/${orgId}~${form}`,
  drafts: (userId: string) => `users/${userId}/drafts`,
} as const
