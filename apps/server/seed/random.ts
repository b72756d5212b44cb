/** Repeatable choices: the same seed gives the same demo on every computer. */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** A whole number, both ends included. */
  between(low: number, high: number): number
  pick<T>(items: readonly T[]): T
  /** By weight; weights need not sum to anything. */
  weighted<T>(items: readonly (readonly [T, number])[]): T
  chance(probability: number): boolean
  /** Separate random choices for one part, so that parts may be made in parallel and still come out the same. */
  fork(): Random
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for a demo. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new RangeError('Nothing to pick from')
      return item
    },
    weighted: (items) => {
      let rest = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of items) {
        rest -= weight
        if (rest < 0) return item
      }
      const last = items.at(-1)
      if (!last) throw new RangeError('Nothing to pick from')
      return last[0]
    },
    chance: (probability) => next() < probability,
    fork: () => seededRandom(Math.floor(next() * 4_294_967_296)),
  }
}
