import http from 'node:http'
import type { ClerkStandIn } from './stand-in.ts'

export interface Front {
  /** Another server is the application's from now on. */
  passTo(applicationPort: number): void
  stop(): Promise<void>
}

/**
 * The proxy in front of application and service, as a reverse proxy does in production: the service's addresses go to the stand-in, the
 * rest to the application's server.
 */
export async function openFront(port: number, applicationPort: number, standIn: ClerkStandIn): Promise<Front> {
  let behind = applicationPort
  const server = http.createServer((request, response) => {
    if (standIn.owns(request.url ?? '/')) {
      void standIn.handle(requestOf(request, port)).then((given) => send(given, response))
    } else {
      passOn(request, response, behind)
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    passTo(next) {
      behind = next
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function requestOf(request: http.IncomingMessage, port: number): Request {
  const { method = 'GET', url = '/', headers } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  // half duplex: the answer begins when the request has ended
  const init: RequestInit & { duplex?: 'half' } = { method, headers: pairs }
  if (hasBody) Object.assign(init, { body: request, duplex: 'half' })
  return new Request(new URL(url, `http://localhost:${port}`), init)
}

async function send(given: Response, response: http.ServerResponse): Promise<void> {
  const cookies = given.headers.getSetCookie()
  const headers = Object.fromEntries([...given.headers].filter(([name]) => name !== 'set-cookie'))
  response.writeHead(given.status, { ...headers, ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) })
  response.end(Buffer.from(await given.arrayBuffer()))
}

function passOn(request: http.IncomingMessage, response: http.ServerResponse, port: number): void {
  const { method, url, headers } = request
  const onward = http.request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}
