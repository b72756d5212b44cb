/** Steps that can be undone. */
const maxSteps = 100

/** A value with its past and future. */
export interface History<Value> {
  readonly past: readonly Value[]
  readonly present: Value
  readonly future: readonly Value[]
  /** What the last step changed; typing on in the same field is one step. */
  readonly tag: string | null
}

export const freshHistory = <Value>(present: Value): History<Value> => ({ past: [], present, future: [], tag: null })

/** A new step; one with the tag of the step before is folded into it. What was undone is gone. */
export function withStep<Value>(history: History<Value>, present: Value, tag: string | null = null): History<Value> {
  if (present === history.present) return history
  const isSame = tag !== null && tag === history.tag && history.past.length > 0
  const past = isSame ? history.past : [...history.past, history.present].slice(-maxSteps)
  return { past, present, future: [], tag }
}

export function undone<Value>({ past, present, future }: History<Value>): History<Value> {
  const before = past.at(-1)
  if (before === undefined) return { past, present, future, tag: null }
  return { past: past.slice(0, -1), present: before, future: [present, ...future], tag: null }
}

export function redone<Value>({ past, present, future }: History<Value>): History<Value> {
  const [next, ...rest] = future
  if (next === undefined) return { past, present, future, tag: null }
  return { past: [...past, present], present: next, future: rest, tag: null }
}
