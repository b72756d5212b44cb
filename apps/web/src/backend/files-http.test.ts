import { AppError } from '@tour-ops/contract/errors'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { filesHttp } from './files-http.ts'
import type { UploadProgress, UploadTask } from './files-port.ts'
import type { FilesEnvironment } from './files-requests.ts'

const uploadId = '0198c0de-0000-7000-8000-00000000abcd'
const stored = {
  id: uploadId,
  use: 'import',
  name: 'a.csv',
  contentType: 'text/csv',
  size: 0,
  createdAt: '',
  publicUrls: null,
}

/** The server's half of the protocol over a piece of memory; `before` may break any request. */
class FakeServer {
  received = Buffer.alloc(0)
  requests: string[] = []
  before: (request: { method: string; path: string; bearer: string | null }) => Response | undefined = () => undefined
  #size = 0

  readonly fetch = async (path: unknown, init: RequestInit = {}): Promise<Response> => {
    if (typeof path !== 'string') throw new TypeError('an address was expected')
    const method = init.method ?? 'GET'
    init.signal?.throwIfAborted()
    this.requests.push(`${method} ${path}`)
    const headers = new Headers(init.headers)
    const early = this.before({ method, path, bearer: headers.get('authorization') })
    if (early) return early
    if (method === 'POST' && path === '/api/files/uploads') {
      this.#size = (JSON.parse(init.body as string) as { data: { size: number } }).data.size
      return this.#state()
    }
    if (method === 'PUT') {
      const [, from = '0'] = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '') ?? []
      const piece = Buffer.from(await (init.body as Blob).arrayBuffer())
      this.received = Buffer.concat([this.received.subarray(0, Number(from)), piece])
      return this.#state()
    }
    if (path === '/api/files-link') return json(200, { result: { url: '/api/files/links/x' } })
    if (path.endsWith('/finish')) return json(200, { result: { ...stored, size: this.received.length } })
    return method === 'DELETE' ? json(200, { result: {} }) : this.#state()
  }

  #state = () => json(200, { result: { uploadId, offset: this.received.length, size: this.#size } })
}

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const refusal = (status: number, wire: string, details: object = {}) =>
  json(status, { error: { status: wire, message: 'No.', details } })

let server: FakeServer
let nowMs: number
/** Clocks do not begin with 0. */
const startedMs = 1_000_000_000
let environment: FilesEnvironment
const content = new Blob([Buffer.from(Array.from({ length: 1_500_000 }, (_, index) => index % 251))])

beforeEach(() => {
  server = new FakeServer()
  nowMs = startedMs
  environment = {
    fetch: server.fetch,
    now: () => nowMs,
    sleep: async (delayMs) => {
      nowMs += delayMs
    },
  }
})
const store = (token: (renew: boolean) => Promise<string> = async () => 'token') =>
  filesHttp({ apiUrl: '/api', token, environment })
const start = (onProgress?: (progress: UploadProgress) => void): UploadTask =>
  store().upload(content, { use: 'import', name: 'a.csv', ...(onProgress ? { onProgress } : {}) })
const contentBytes = async () => Buffer.from(await content.arrayBuffer())

describe('an upload', () => {
  test('arrives whole, with progress that only grows, in pieces that grow too', async () => {
    const seen: number[] = []
    const task = start(({ bytesSent, bytesTotal }) => {
      expect(bytesTotal).toBe(content.size)
      seen.push(bytesSent)
    })
    expect((await task.result).size).toBe(content.size)
    expect(task.state).toBe('done')
    expect(server.received.equals(await contentBytes())).toBe(true)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(server.requests.filter((request) => request.startsWith('PUT')).length).toBe(4)
  })

  test('resumes from where the server is after broken connections and busy answers', async () => {
    let puts = 0
    server.before = ({ method }) => {
      if (method !== 'PUT') return undefined
      puts += 1
      if (puts === 2) throw new TypeError('Failed to fetch')
      return puts === 4 ? json(503, {}) : undefined
    }
    await start().result
    expect(server.received.equals(await contentBytes())).toBe(true)
    expect(server.requests.filter((request) => request === `GET /api/files/uploads/${uploadId}`)).toHaveLength(2)
  })

  test('gives up after ten minutes without progress', async () => {
    server.before = ({ method }) => {
      if (method === 'PUT') throw new TypeError('Failed to fetch')
      return undefined
    }
    const task = start()
    await expect(task.result).rejects.toMatchObject({ name: 'StorageError', code: 'retry-limit-exceeded' })
    expect(task.state).toBe('failed')
    expect(nowMs - startedMs).toBeGreaterThan(500_000)
    expect(nowMs - startedMs).toBeLessThanOrEqual(600_000)
  })

  test('that gets on has ten minutes for every piece', async () => {
    let lastAt = nowMs
    server.before = ({ method }) => {
      if (method !== 'PUT') return undefined
      if (nowMs - lastAt < 400_000) throw new TypeError('Failed to fetch')
      lastAt = nowMs
      return undefined
    }
    const task = start()
    expect((await task.result).size).toBe(content.size)
    expect(nowMs - startedMs).toBeGreaterThan(1_200_000)
  })

  test('is announced as JSON, by the end of a name that is too long', async () => {
    const sent: { type: string | null; name: string }[] = []
    const { fetch } = environment
    environment = {
      ...environment,
      fetch: async (address, init) => {
        if (address === '/api/files/uploads') {
          const { data } = JSON.parse(init?.body as string) as { data: { name: string } }
          sent.push({ type: new Headers(init?.headers).get('content-type'), name: data.name })
        }
        return fetch(address, init)
      },
    }
    await store().upload(content, { use: 'import', name: `${'long '.repeat(60)}.csv` }).result
    expect(sent).toEqual([{ type: 'application/json', name: `${'long '.repeat(60)}.csv`.slice(-200) }])
  })

  test('waits while it is paused and continues when it is resumed', async () => {
    let pauses = 1
    const task = start(({ bytesSent }) => {
      if (bytesSent > 200_000 && pauses-- > 0) task.pause()
    })
    await expect.poll(() => task.state).toBe('paused')
    const sent = server.received.length
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(server.received.length).toBe(sent)
    task.resume()
    expect(task.state).toBe('running')
    await task.result
    expect(server.received.equals(await contentBytes())).toBe(true)
  })

  test('that is canceled says so, and the server forgets it', async () => {
    const task = start(({ bytesSent }) => {
      if (bytesSent > 200_000) task.cancel()
    })
    await expect(task.result).rejects.toMatchObject({ code: 'canceled' })
    await expect.poll(() => server.requests).toContain(`DELETE /api/files/uploads/${uploadId}`)
    expect(task.state).toBe('canceled')
    task.resume()
    expect(task.state).toBe('canceled')
  })

  test.each([
    ['quota-exceeded', 429, 'RESOURCE_EXHAUSTED'],
    ['unauthorized', 403, 'PERMISSION_DENIED'],
    ['object-not-found', 404, 'NOT_FOUND'],
  ])('that is refused with %s is not repeated', async (storageCode, status, wire) => {
    server.before = () => refusal(status, wire, { storageCode })
    await expect(start().result).rejects.toMatchObject({ name: 'StorageError', code: storageCode })
    expect(server.requests).toHaveLength(1)
  })

  test('whose content is refused shows the server’s words by field', async () => {
    server.before = ({ path }) =>
      path.endsWith('/finish') ? refusal(400, 'INVALID_ARGUMENT', { fieldErrors: { file: ['No.'] } }) : undefined
    await expect(start().result).rejects.toMatchObject({
      code: 'invalid-argument',
      details: { fieldErrors: { file: ['No.'] } },
    })
  })

  test('renews a token that the server refuses, once', async () => {
    const token = vi.fn<(renew: boolean) => Promise<string>>(async (renew) => (renew ? 'new' : 'old'))
    server.before = ({ bearer }) => (bearer === 'Bearer old' ? refusal(401, 'UNAUTHENTICATED') : undefined)
    await store(token).upload(new Blob(['a;b']), { use: 'import' }).result
    expect(token.mock.calls.slice(0, 2)).toEqual([[false], [true]])
  })
})

describe('a link', () => {
  test('is an address', async () => {
    expect(await store().link(uploadId, 'small')).toBe('/api/files/links/x')
  })

  test('to what is not there, or not for this person, has the storage code', async () => {
    server.before = () => refusal(404, 'NOT_FOUND')
    await expect(store().link(uploadId)).rejects.toMatchObject({ code: 'object-not-found' })
    server.before = () => refusal(403, 'PERMISSION_DENIED')
    await expect(store().link(uploadId)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('comes although a proxy answered first; its refusal is read from the status, since its page has no code of ours', async () => {
    const pages = [502, 200]
    server.before = () => {
      const status = pages.shift()
      return status === undefined ? undefined : new Response('<h1>Wait</h1>', { status })
    }
    expect(await store().link(uploadId)).toBe('/api/files/links/x')
    server.before = () => new Response('<h1>No</h1>', { status: 403 })
    await expect(store().link(uploadId)).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'The server answered 403.',
    })
  })

  test('is tried for two minutes', async () => {
    server.before = () => json(503, {})
    await expect(store().link(uploadId)).rejects.toMatchObject({ code: 'retry-limit-exceeded' })
    expect(nowMs - startedMs).toBeGreaterThan(80_000)
    expect(nowMs - startedMs).toBeLessThanOrEqual(120_000)
  })

  test('needs somebody who is signed in', async () => {
    const nobody = store(() => Promise.reject(new AppError('unauthenticated', 'Sign in to go on.')))
    await expect(nobody.link(uploadId)).rejects.toMatchObject({ code: 'unauthorized' })
  })
})
