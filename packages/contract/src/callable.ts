import * as z from 'zod/mini'
import type { Permission } from './identity/access.ts'
import type { LiveTopic } from './live/live-paths.ts'

/**
 * Who may call: a permission of the active organization, `member` (any active member of it),
 * `signed-in` (a person, with or without an organization) or `public` (nobody in particular).
 */
export type CallPermission = Permission | 'member' | 'signed-in' | 'public'

/**
 * - `same-answer`: the first answer; nothing in it is protected.
 * - `same-answer-briefly`: the first answer for 15 minutes, since it holds a secret that is shown once (the token of a link).
 * - `runs-again`: the answer reveals what is protected. It is never stored: the call runs again, with its checks and its audit entry.
 */
export type Repeated = 'same-answer' | 'same-answer-briefly' | 'runs-again'

/** One remote procedure: what both sides of the wire obey. Source: spec, section 7, "Callable functions". */
export interface Callable<
  In extends z.ZodMiniType = z.ZodMiniType,
  Out extends z.ZodMiniType = z.ZodMiniType,
  P extends CallPermission = CallPermission,
> {
  /** Kebab-case noun and verb, `tours-list`; the last part of the address. */
  readonly name: string
  /**
   * `read` leaves nothing behind and may be repeated by the client; `write` is sent once. The few reads that leave a mark are named, with
   * why a repetition does no harm, in `apps/server/tests/reads-leave-nothing.test.ts`.
   */
  readonly kind: 'read' | 'write'
  readonly permission: P
  /** One sentence for the API description. */
  readonly summary: string
  readonly input: In
  readonly output: Out
  /**
   * What a write answers when it comes again under the same idempotency key; left out, the first answer, for two days. Answers are stored
   * encrypted. A test asks for a decision where the answer has a field with a sensitive name.
   */
  readonly repeated?: Repeated
  /** Of a read: tables of which any change makes an earlier answer old. Screens that show the answer ask again. */
  readonly topics?: readonly LiveTopic[]
  /** Of a read: tables of which only those rows matter that the input or the answer names by their id. */
  readonly rowTopics?: readonly LiveTopic[]
  /** Of a write: tables that its transaction writes to. The caller reads again everything that depends on them. */
  readonly writes?: readonly LiveTopic[]
}

/**
 * What a callable has to say about the tables that it is about: tests compare it with the tables that its transactions touch. A read with no
 * topics at all is as of the moment it was asked (an export, a search), and nothing makes it old while it is shown.
 */
type Tables =
  | { readonly kind: 'read'; readonly topics: readonly LiveTopic[]; readonly writes?: never }
  | {
      readonly kind: 'write'
      readonly writes: readonly LiveTopic[]
      readonly topics?: never
      readonly rowTopics?: never
    }

/** What a caller may leave out (defaults) is optional here. */
export type In<C extends Callable> = z.input<C['input']>
/** What a verb receives: parsed, defaults filled in. */
export type Given<C extends Callable> = z.output<C['input']>
export type Out<C extends Callable> = z.output<C['output']>

export const callable = <In extends z.ZodMiniType, Out extends z.ZodMiniType, const P extends CallPermission>(
  definition: Callable<In, Out, P> & Tables,
): Callable<In, Out, P> => definition
