import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Services } from '../src/context.ts'

/** A request as an operator's own system gets it. */
export interface Received {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

export interface WebhookReceiver {
  readonly host: string
  /** What came to a path, oldest first. */
  at(path: string): Received[]
  /** What a path answers from now on, or for each request anew; null never answers. 204 by default. */
  answer(path: string, next: Answer | null | ((request: Received) => Answer | null)): void
  close(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A real server that takes webhooks. @param port Any free one by default. */
export async function webhookReceiver(port = 0): Promise<WebhookReceiver> {
  const received: Received[] = []
  const answers = new Map<string, Answer | null | ((request: Received) => Answer | null)>()
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      const got = { path, headers: request.headers, text: Buffer.concat(chunks).toString('utf8') }
      received.push(got)
      const next = answers.get(path)
      const answer = typeof next === 'function' ? next(got) : next === undefined ? { status: 204 } : next
      if (answer === null) return
      response.writeHead(answer.status, answer.headers)
      response.end(answer.body)
    })
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    at: (path) => received.filter((each) => each.path === path),
    answer: (path, next) => void answers.set(path, next),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** The server of an installation that lets organizations notify what runs next to it. */
export const servicesBeside = (services: Services, { host }: Pick<WebhookReceiver, 'host'>): Services => ({
  ...services,
  config: { ...services.config, webhookHosts: [host] },
})
