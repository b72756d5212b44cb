import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A function as the hosted runtime calls it. It may ask for express's request and response: what it uses of them is added below. */
export type HostedFunction = { run(request: object, response: object): unknown }['run']

export interface FunctionsHost {
  /** `http://127.0.0.1:{port}` */
  readonly origin: string
  /** What was asked for, oldest first. */
  readonly requests: readonly HostedRequest[]
  close(): Promise<void>
}

export interface HostedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * Functions on plain HTTP, at the addresses of the emulator: `/{project}/{region}/{function}/…`. Each function sees the rest
 * of the path, as in the hosted runtime. Test equipment: no log, no limits, one process.
 */
export async function hostFunctions(
  functions: Readonly<Record<string, HostedFunction>>,
  port = 0,
): Promise<FunctionsHost> {
  const requests: HostedRequest[] = []
  const server = http.createServer((request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers })
    const [, , , name = '', ...rest] = (request.url ?? '').split('/')
    const run = functions[name]
    if (run) void serve(run, request, response, `/${rest.join('/')}`)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Adds the few things of express that the functions library reads. */
async function serve(
  run: HostedFunction,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const rawBody = Buffer.concat(chunks)
  const asExpress = Object.assign(request, {
    rawBody,
    body: bodyOf(request, rawBody),
    url: path,
    path: path.split('?')[0],
    originalUrl: path,
    ip: '127.0.0.1',
    header: (name: string) => request.headers[name.toLowerCase()],
  })
  const answer = Object.assign(response, {
    status(code: number) {
      response.statusCode = code
      return answer
    },
    set(name: string, value: string) {
      response.setHeader(name, value)
      return answer
    },
    send(body: unknown) {
      if (typeof body === 'string' || Buffer.isBuffer(body)) response.end(body)
      else answer.json(body)
      return answer
    },
    json(body: unknown) {
      response.setHeader('content-type', 'application/json; charset=utf-8')
      response.end(JSON.stringify(body))
      return answer
    },
  })
  await run(asExpress, answer)
}

function bodyOf({ headers }: IncomingMessage, raw: Buffer): unknown {
  if (!headers['content-type']?.startsWith('application/json')) return raw
  try {
    return JSON.parse(raw.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
