/** The time, as verbs see it. Only the seed and tests bring a clock of their own. */
export interface Clock {
  now(): Date
  /** False for a clock that does not follow the computer; transactions then carry its time as `app.now`. */
  readonly isSystem: boolean
}

export const systemClock: Clock = { now: () => new Date(), isSystem: true }

/** A clock that only moves when it is set. */
export function movableClock(start: Date): Clock & { set(at: Date): void } {
  let at = start
  return {
    isSystem: false,
    now: () => new Date(at),
    set: (next) => {
      at = next
    },
  }
}
