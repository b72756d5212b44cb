import * as z from 'zod/mini'
import type { Permission } from './identity/access.ts'

/**
 * Who may call: a permission of the active organization, `member` (any active member of it),
 * `signed-in` (a person, with or without an organization) or `public` (nobody in particular).
 */
export type CallPermission = Permission | 'member' | 'signed-in' | 'public'

/**
 * - `same-answer`: the first answer; nothing in it is protected.
 * - `same-answer-briefly`: the first answer for 15 minutes, since it holds a secret that is shown once (the token of a link).
 * - `runs-again`: the answer reveals what is protected. It is never kept: the call runs again, with its checks and its audit entry.
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
   * What a write answers when it comes again under the same idempotency key; left out, the first answer, for two days. Answers are kept
   * encrypted. A test asks for a decision where the answer has a field with a sensitive name.
   */
  readonly repeated?: Repeated
  /** Tables whose changes make an earlier answer stale; screens that listen to them ask again. Reads only. */
  readonly topics?: readonly string[]
}

/** What a caller may leave out (defaults) is optional here. */
export type In<C extends Callable> = z.input<C['input']>
/** What a verb receives: parsed, defaults filled in. */
export type Given<C extends Callable> = z.output<C['input']>
export type Out<C extends Callable> = z.output<C['output']>

export const callable = <In extends z.ZodMiniType, Out extends z.ZodMiniType, const P extends CallPermission>(
  definition: Callable<In, Out, P>,
): Callable<In, Out, P> => definition
