// The part of autocannon's interface that is used here; the package has no types of its own.
declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration: number
    requests: { method: 'POST'; path: string; headers: Record<string, string>; body: string }[]
  }
  interface Result {
    /** Milliseconds. */
    latency: { p50: number; p99: number; average: number }
    /** Per second. */
    requests: { average: number; total: number }
    errors: number
    timeouts: number
    non2xx: number
    /** Seconds. */
    duration: number
  }
  const autocannon: (options: Options) => Promise<Result>
  export default autocannon
}
