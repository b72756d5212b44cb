import type { Permission, Role, Scope } from '@tour-ops/contract/identity/access'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Actor, Asker, Caller, RequestMeta } from './platform/caller.ts'
import type { Channels } from './platform/channels/channels.ts'
import type { Clock } from './platform/clock.ts'
import type { Database, Tx } from './platform/db/database.ts'
import type { Files } from './platform/files/files.ts'
import type { IdentityAdmin } from './platform/identity/identity-admin.ts'
import type { Gathered } from './platform/gathered.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import type { ChangesSince } from './platform/live/changes-since.ts'
import type { Live } from './platform/live/live.ts'
import type { KnownDepartures } from './platform/operations/known-departures.ts'
import type { AnswersForAWhile } from './platform/answers-for-a-while.ts'
import type { SealedText } from './platform/sealed-text.ts'
import type { SharedAnswers } from './platform/shared-answers.ts'

export type { Actor, Caller, RequestMeta }

/** What `main` composes once. No other code knows which adapter runs. */
export interface Services {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly files: Files
  readonly channels: Channels
  readonly jobs: Jobs
  readonly live: Live
  readonly identityAdmin: IdentityAdmin
  /** Encrypts and opens columns that the database alone must not show. */
  readonly sealed: SealedText
  /** Who asks for the same at the same moment; each process has its own. */
  readonly reads: Gathered<Asker, unknown>
  /** Answers that many people ask for at once; each process has its own. */
  readonly shared: SharedAnswers
  /** Rows of departures as boards show them; each process has its own. */
  readonly knownDepartures: KnownDepartures
  /** Reports as links of them show them, and figures over all that was sent; each process has its own. */
  readonly answersForAWhile: AnswersForAWhile
}

/** What a verb receives: services, the person, and the transaction it lives in. */
export interface Call extends Services {
  readonly caller: Caller | null
  readonly actor: Actor
  readonly request: RequestMeta
  readonly tx: Tx
}

/** A call inside an organization, by an active member. */
export interface MemberCall extends Call {
  readonly caller: Caller
  readonly orgId: string
  readonly role: Role
  /** What this callable needs; `member` where every active member may call. */
  readonly permission: Permission | 'member'
  /** How far the permission of this callable reaches; verbs that return rows must honour `own`. */
  readonly scope: Scope
  /** The field-staff record of the member, when linked. What `own` refers to. */
  readonly staffId: string | null
  /** The run sheet link that somebody without an account calls with; the caller then goes by its id. */
  readonly linkId?: string
  /** While an answer that many share is made: what was written since the last one. It reads only, so that this stays true to its end. */
  readonly looked?: ChangesSince
}

/** A call by a signed-in person, with or without an organization. */
export interface PersonCall extends Call {
  readonly caller: Caller
}
