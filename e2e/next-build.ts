import http from 'node:http'
import { origin } from './api.ts'

const port = 18083

/** The server behind a separate proxy, on which a new build of the guide's phone can be published and its marks can be held back. */
export interface WayToBuilds {
  readonly url: string
  /** From now on another build is there: its worker has another name, and its document a mark. */
  publish(): void
  /** Whether what phones send is answered with 503, as by a server that is being restarted. */
  hold(isHeld: boolean): void
  close(): Promise<void>
}

/** Selects the mark of a published build in its document. */
export const nextBuildMark = 'meta[name="next-build"]'

export async function openWayToBuilds(): Promise<WayToBuilds> {
  let isPublished = false
  let isHeld = false
  const changes: Record<string, (text: string) => string> = {
    '/duty-worker.js': (text) =>
      text.replaceAll(/duty-[0-9a-f]{16}|(?<=["'`])[0-9a-f]{16}(?=["'`])/g, '0123456789abcdef'),
    '/duty': (text) => text.replace('</head>', '<meta name="next-build"></head>'),
  }
  const server = http.createServer((request, response) => {
    const path = new URL(request.url ?? '/', origin).pathname
    if (isHeld && path.startsWith('/api/duty-link-send')) {
      response.writeHead(503, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ error: { status: 'UNAVAILABLE', message: 'Restarting.' } }))
    }
    const change = isPublished ? changes[path] : undefined
    const { 'accept-encoding': encoding, 'if-none-match': tag, ...headers } = request.headers
    const kept = change ? headers : { ...headers, 'accept-encoding': encoding, 'if-none-match': tag }
    const named = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
    if ('origin' in named) named['origin'] = origin
    const asked = http.request(
      origin + (request.url ?? '/'),
      { method: request.method, headers: { ...named, host: new URL(origin).host } },
      (answer) => {
        if (!change) {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          return answer.pipe(response)
        }
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => (text += part))
        answer.on('end', () => {
          const { 'content-length': _length, etag: _tag, ...rest } = answer.headers
          response.writeHead(answer.statusCode ?? 502, rest)
          response.end(change(text))
        })
      },
    )
    asked.on('error', () => response.destroy())
    request.pipe(asked)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    publish: () => void (isPublished = true),
    hold: (held) => void (isHeld = held),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
