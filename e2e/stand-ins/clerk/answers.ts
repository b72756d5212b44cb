/** A refusal in the service's form. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The field that is wrong. */
  readonly param: string | undefined

  constructor(status: number, code: string, message: string, param?: string) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
  }
}

/** The body of a refusal. */
export const refusalBody = ({ code, message, param }: ApiError, trace: string): object => ({
  errors: [{ code, message, long_message: message, meta: param === undefined ? {} : { param_name: param } }],
  clerk_trace_id: trace,
})

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

interface Route<Call> {
  readonly method: Method
  readonly pattern: RegExp
  readonly run: (call: Call, ...parts: string[]) => object
}

/** Addresses with named parts (`/client/sessions/:id`), and what answers them. */
export class Routes<Call> {
  readonly #routes: Route<Call>[] = []

  on(method: Method, path: string, run: Route<Call>['run']): void {
    const pattern = new RegExp(`^${path.replaceAll(/:[a-z]+/gi, '([^/]+)')}$`)
    this.#routes.push({ method, pattern, run })
  }

  /** @throws ApiError 404 for what the stand-in does not have: so that a test fails by itself. */
  answer(method: string, path: string, call: Call): object {
    for (const route of this.#routes) {
      const match = route.method === method ? route.pattern.exec(path) : null
      if (match) return route.run(call, ...match.slice(1).map(decodeURIComponent))
    }
    throw new ApiError(404, 'resource_not_found', `The stand-in has no ${method} ${path}`)
  }
}
