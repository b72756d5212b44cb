import type { Callable } from '@tour-ops/contract/callable'
import type { Verb } from '../src/platform/verb.ts'

/**
 * Finds the verb behind a callable, with the callable's types, so that tests name what screens name.
 *
 * @example const verbOf = verbsOf(toursVerbs); await caller.call(verbOf(listTours), {})
 */
export const verbsOf =
  (verbs: readonly Verb[]) =>
  <C extends Callable>(callable: C): Verb<C> => {
    const found = verbs.find((each) => each.callable.name === callable.name)
    if (!found) throw new Error(`No verb answers ${callable.name}.`)
    return found as unknown as Verb<C>
  }
