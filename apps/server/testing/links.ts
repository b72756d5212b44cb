import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { linksVerbs } from '../src/features/links/verbs.ts'
import type { Clock } from '../src/platform/clock.ts'
import { execute } from '../src/platform/verb.ts'
import { verbsOf } from './verbs.ts'
import { requestMeta, type TestWorld } from './world.ts'

const verbOf = verbsOf(linksVerbs)

/** Calls as somebody with nothing but the address of a link. */
export const guestOf =
  ({ services }: TestWorld, clock: Clock) =>
  <C extends Callable>(callable: C, input: In<C>): Promise<Out<C>> =>
    execute({ ...services, clock }, requestMeta(), null, verbOf(callable), input)
