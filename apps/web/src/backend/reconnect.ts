/** Waits and limits of the documents connection. Source: spec, section 9, "Database". */
export const documentTimings = {
  firstReconnectMs: 1_000,
  reconnectFactor: 1.5,
  longestReconnectMs: 60_000,
  /** Not live for this long: the state says `offline` instead of `reconnecting`. */
  onlineStateMs: 10_000,
  /** A stream that nobody listens to closes after this time. */
  idleCloseMs: 60_000,
  /** One request, and the longest silence of a stream. */
  requestMs: 45_000,
} as const

/** Most write batches that wait for the server at once. Source: spec, section 9. */
export const pendingWriteBatchesLimit = 10

/**
 * How long to wait before the next attempt to reopen the live feed.
 *
 * @param attempt Failed attempts so far; 0 asks for the first wait.
 * @returns Milliseconds: 1000 at first, growing by half each time, never above 60 000.
 * @throws RangeError when `attempt` is negative or not whole.
 * @see Spec, section 9: "reconnect backoff from 1 s, factor 1.5, cap 60 s".
 * @example reconnectDelayMs(2) // 2250
 */
export function reconnectDelayMs(attempt: number): number {
  if (!Number.isInteger(attempt) || attempt < 0) {
    throw new RangeError(`attempt must be a whole number from 0, got ${attempt}`)
  }
  const { firstReconnectMs, reconnectFactor, longestReconnectMs } = documentTimings
  return Math.min(firstReconnectMs * reconnectFactor ** attempt, longestReconnectMs)
}
