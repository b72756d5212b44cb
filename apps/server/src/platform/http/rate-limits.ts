/**
 * A token bucket per key: a burst of one minute's worth, refilled evenly. Stored in this process: with n processes behind a
 * balancer a client has at most n times the figure, and no request waits for a shared counter.
 */
export interface RateLimit {
  /** Takes one token. Milliseconds until the next one when there is none, otherwise 0. */
  take(key: string): number
}

interface Bucket {
  tokens: number
  filledAtMs: number
}

const sweepEvery = 10_000

/** @param perMinute Tokens per minute and the size of the bucket; 0 lets everything through. */
export function rateLimit(perMinute: number, nowMs: () => number = () => performance.now()): RateLimit {
  if (perMinute === 0) return { take: () => 0 }
  const perMs = perMinute / 60_000
  const buckets = new Map<string, Bucket>()
  let taken = 0
  /** A full bucket says nothing that a missing one does not. */
  const sweep = (at: number) => {
    for (const [key, bucket] of buckets) {
      if (bucket.tokens + (at - bucket.filledAtMs) * perMs >= perMinute) buckets.delete(key)
    }
  }
  return {
    take(key) {
      const at = nowMs()
      if (++taken % sweepEvery === 0) sweep(at)
      const bucket = buckets.get(key) ?? { tokens: perMinute, filledAtMs: at }
      bucket.tokens = Math.min(perMinute, bucket.tokens + (at - bucket.filledAtMs) * perMs)
      bucket.filledAtMs = at
      buckets.set(key, bucket)
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perMs)
      bucket.tokens -= 1
      return 0
    },
  }
}
