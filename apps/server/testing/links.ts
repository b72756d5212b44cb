import type { Callable, In, Out } from '@tour-ops/contract/callable'
import type { Clock } from '../src/platform/clock.ts'
import { execute } from '../src/platform/verb.ts'
import { allVerbs } from '../src/verbs.ts'
import { verbsOf } from './verbs.ts'
import { requestMeta, type TestWorld } from './world.ts'

const verbOf = verbsOf(allVerbs)

/** Calls as somebody with nothing but the address of a link. */
export const guestOf =
  ({ services }: TestWorld, clock: Clock) =>
  <C extends Callable>(callable: C, input: In<C>): Promise<Out<C>> =>
    execute({ ...services, clock }, requestMeta(), null, verbOf(callable), input)
