import { once } from 'node:events'
import http from 'node:http'

/** One place that listens to a stream. */
export interface Listener {
  /** Milliseconds (of `performance.now`) at which a text passed for the first time; undefined while it has not. */
  heardAt(text: string): number | undefined
  close(): void
}

/** Opens a stream by POST and resolves with its first bytes. Plain node:http, so that 500 of them cost this process little. */
export async function listen(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  onText: (text: string) => void = () => undefined,
): Promise<Listener> {
  const heard: { at: number; text: string }[] = []
  const close = await watch(url, headers, body, (text) => {
    heard.push({ at: performance.now(), text })
    onText(text)
  })
  return { heardAt: (wanted) => heard.find(({ text }) => text.includes(wanted))?.at, close }
}

/** The same, keeping nothing of what it receives. @returns What ends it. */
export async function watch(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  onText: (text: string) => void,
): Promise<() => void> {
  const request = http.request(url, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
  response.setEncoding('utf8')
  response.on('data', onText)
  // the bench itself ends streams, and an aborted stream is an error for its reader
  response.on('error', () => response.destroy())
  await once(response, 'data')
  return () => request.destroy()
}

/** Opens many, a few at a time. */
export async function listenMany<L>(count: number, open: () => Promise<L>): Promise<L[]> {
  const listeners: L[] = []
  while (listeners.length < count) {
    const some = Math.min(25, count - listeners.length)
    listeners.push(...(await Promise.all(Array.from({ length: some }, open))))
  }
  return listeners
}
