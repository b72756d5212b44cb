import http from 'node:http'

// Hostile values and raw requests for the fuzz tests of what is no callable.

export const fuzzSeed = 20_261_123
export const hostileTexts = [
  'a\0b',
  '\u0000',
  '\uD800',
  '\u202Eevil',
  "' or 1=1 --",
  '__proto__',
  '%00',
  '../../etc/passwd',
  '漢'.repeat(5_000),
  'x'.repeat(50_000),
  '',
  ' ',
  '0',
] as const
export const oddValues: readonly unknown[] = [...hostileTexts, null, 7, -1, 1e300, true, [], ['a'], {}, { a: { b: 1 } }]

export interface Answer {
  readonly status: number
  readonly text: string
}

export const isFault = ({ status, text }: Answer): boolean =>
  status >= 500 || /"status":"(INTERNAL|UNKNOWN)"|\.ts:\d+|node_modules|invalid byte sequence/.test(text)

/** One raw request to `base`: `fetch` would put an odd address right before it is sent. */
export function rawRequest(
  base: string,
  path: string,
  options: http.RequestOptions & { body?: string } = {},
): Promise<Answer> {
  const { body, ...rest } = options
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', port: new URL(base).port, path, ...rest }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

export const rawPost = (
  base: string,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  rawRequest(base, path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers },
  })
