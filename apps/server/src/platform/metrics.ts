import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What Prometheus reads at `/metrics`. One per process and not a global, so that tests can run several servers. */
export interface Metrics {
  readonly registry: Registry
  /** `route` is one of a bounded set (a callable's name, `document`, `static`…), never a path as it was typed. */
  observeRequest(method: string, route: string, status: number, seconds: number): void
  readonly rateLimited: Counter<'bucket'>
  readonly uploadedBytes: Counter
  /** Adds a figure that is read when somebody asks for it, for instance waiting database clients. */
  gauge(name: string, help: string, read: () => number): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer; 499 is a caller that went away',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 70],
    registers: [registry],
  })
  return {
    registry,
    observeRequest: (method, route, status, seconds) => durations.observe({ method, route, status }, seconds),
    rateLimited: new Counter({
      name: 'http_rate_limited_total',
      help: 'Requests refused because a bucket was empty',
      labelNames: ['bucket'],
      registers: [registry],
    }),
    uploadedBytes: new Counter({
      name: 'files_uploaded_bytes_total',
      help: 'Bytes of file content received',
      registers: [registry],
    }),
    gauge: (name, help, read) => {
      const gauge = new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read())
        },
      })
      registry.registerMetric(gauge)
    },
  }
}
