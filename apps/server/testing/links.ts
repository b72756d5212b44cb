import type { Callable, In, Out } from '@tour-ops/contract/callable'
import type { getSharedPage, SharedAnswer, SharedPage } from '@tour-ops/contract/links/shared-page'
import type { Clock } from '../src/platform/clock.ts'
import { execute } from '../src/platform/verb.ts'
import { allVerbs } from '../src/verbs.ts'
import { verbsOf } from './verbs.ts'
import { requestMeta, type TestWorld } from './world.ts'

const verbOf = verbsOf(allVerbs)

/** The page of somebody who takes part. @throws Error for the page of any other link. */
export function guestPage(answer: SharedAnswer): SharedPage {
  if ('party' in answer) return answer
  throw new Error(`This is the page of a link of kind ${answer.kind}.`)
}

/** Most links are read as the page of somebody who takes part. */
type Answer<C extends Callable> = C extends typeof getSharedPage ? SharedPage : Out<C>

/** Calls as somebody with nothing but the address of a link. */
export const guestOf =
  ({ services }: TestWorld, clock: Clock) =>
  <C extends Callable>(callable: C, input: In<C>): Promise<Answer<C>> =>
    execute({ ...services, clock }, requestMeta(), null, verbOf(callable), input) as Promise<Answer<C>>
