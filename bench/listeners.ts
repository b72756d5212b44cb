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
  const request = http.request(url, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
  const heard: { at: number; text: string }[] = []
  response.setEncoding('utf8')
  response.on('data', (text: string) => {
    heard.push({ at: performance.now(), text })
    onText(text)
  })
  // the bench itself ends streams, and a cut is an error for whoever reads
  response.on('error', () => response.destroy())
  await once(response, 'data')
  return {
    heardAt: (wanted) => heard.find(({ text }) => text.includes(wanted))?.at,
    close: () => request.destroy(),
  }
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
