import type { IncomingMessage, ServerResponse } from 'node:http'

/** One request with its answer, and what the log and the metrics will say about it. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Logged with the request, in `x-request-id` and in the details of an error. */
  readonly id: string
  /** Of the client, behind the trusted proxies. */
  readonly ip: string | null
  readonly method: string
  /** Decoded no further than it came, without the query. */
  readonly path: string
  readonly startedMs: number
  /** One of a bounded set; a path as typed may hold a token and never goes into log or metrics. */
  route: string
  userId: string | null
  orgId: string | null
  /** Why it failed, for the log line. */
  code: string | null
}

/** Answers every request that is not handled before; a rejection becomes `internal`. */
export type Handler = (exchange: Exchange) => Promise<void> | void

const noStore = 'no-store'

/** Sends JSON that nobody may keep. */
export function sendJson(
  exchange: Exchange,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  sendJsonText(exchange, status, Buffer.from(JSON.stringify(body)), headers)
}

/** The same for JSON that has been written already. */
export function sendJsonText(
  exchange: Exchange,
  status: number,
  text: Buffer,
  headers: Record<string, string> = {},
): void {
  send(
    exchange,
    status,
    { 'content-type': 'application/json; charset=utf-8', 'cache-control': noStore, ...headers },
    text,
  )
}

export function sendText(exchange: Exchange, status: number, text: string, headers: Record<string, string> = {}): void {
  const body = Buffer.from(text)
  send(exchange, status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': noStore, ...headers }, body)
}

function send(exchange: Exchange, status: number, headers: Record<string, string>, body: Buffer): void {
  const { request, response } = exchange
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { ...headers, 'content-length': String(body.length) })
  response.end(request.method === 'HEAD' ? undefined : body)
}
