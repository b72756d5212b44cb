import http from 'node:http'
import { callable } from '@tour-ops/contract/callable'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { startHttpServer } from './http-server.ts'
import { testServer, type TestServer } from '../../../testing/http-server.ts'

const html = (frame: string) =>
  `<!doctype html><html><head><title>Tour operations</title><script src="/before-paint.js"></script></head><body data-frame="${frame}">${'<p>frame</p>'.repeat(80)}</body></html>`
const script = `export const greeting = ${JSON.stringify('hello '.repeat(400))}\n`
const id = '0198c0de-0000-7000-8000-00000000abcd'

const web = {
  '/index.html': html('shell'),
  '/sign-in/index.html': html('bare'),
  '/assets/index-BlSjsYAU.js': script,
  '/before-paint.js': 'document.title\n',
  '/assets/map-worker-Bk3dEf9a.js': script,
  '/assets/geist-latin-Cd4eFg5h.woff2': Buffer.alloc(900, 3),
  '/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '/tiles/3/3/1.pbf': Buffer.alloc(5000, 7),
  '/builds/latest.json': JSON.stringify({ id: 'build-7', timestamp: 1 }),
  '/routes.json': JSON.stringify({
    routes: [
      '/',
      '/dashboard/overview',
      '/tours/all',
      '/tours/edit/{id}',
      '/travelers/edit/create',
      '/share/{token}',
      '/sign-in',
      '/sign-in/*',
    ],
    chunks: {
      '/dashboard/overview': ['assets/index-BlSjsYAU.js'],
      '/tours/edit/{id}': ['assets/index-BlSjsYAU.js', 'assets/edit-Cd3fGh1J.js', 'assets/edit-Bf0wq1.css'],
    },
  }),
}

const identity = new Hono()
identity.get('/api/auth/seen', (c) =>
  c.json({ ip: c.req.header('x-client-address'), requestId: c.req.header('x-request-id') }),
)
identity.post('/api/auth/sign-in/email', (c) => c.json({}))

let server: TestServer
beforeAll(async () => {
  server = await testServer({ web, identity, env: { RATE_LIMIT_IDENTITY: '2' } })
})
afterAll(() => server.close())

describe('a document', () => {
  test.each([
    '/',
    '/tours/all',
    '/tours/all/',
    `/tours/edit/${id}`,
    '/travelers/edit/create',
    '/share/aB-c_d',
    '/sign-in/factor-one',
  ])('%s is there', async (path) => expect((await server.fetch(path)).status).toBe(200))

  test('names what its screen needs, so that it travels together with the entry, and first what is waited for before the first paint', async () => {
    expect((await server.fetch(`/tours/edit/${id}`)).headers.get('link')).toBe(
      [
        '</before-paint.js>; rel=preload; as=script',
        '</api/start?screen=page>; rel=preload; as=fetch; crossorigin=anonymous',
        '</assets/index-BlSjsYAU.js>; rel=modulepreload',
        '</assets/edit-Cd3fGh1J.js>; rel=modulepreload',
        '</assets/edit-Bf0wq1.css>; rel=preload; as=style; crossorigin=anonymous',
      ].join(', '),
    )
    expect((await server.fetch('/tours/all')).headers.get('link')).toBeNull()
    for (const [path, screen] of [
      ['/dashboard/overview?departure=1', 'overview'],
      ['/dashboard/overview?day=tomorrow', 'page'],
    ])
      expect((await server.fetch(path ?? '')).headers.get('link'), path).toContain(`/api/start?screen=${screen}>`)
    expect((await server.fetch('/nothing')).headers.get('link')).toBeNull()
  })

  test.each(['/nothing', '/tours/edit/7', '/tours/edit/create', `/tours/edit/${id}/more`, '/share/', '/sign-in-here'])(
    '%s is the same page with 404',
    async (path) => {
      const response = await server.fetch(path)
      expect(response.status).toBe(404)
      expect(await response.text()).toContain('data-frame="shell"')
    },
  )

  test('carries the page configuration as data that cannot become markup', async () => {
    const page = await (await server.fetch('/tours/all?x=1')).text()
    const [, data = ''] = /<script type="application\/json" id="page-config">([^<]*)<\/script>/.exec(page) ?? []
    expect(JSON.parse(data)).toMatchObject({
      baseUrl: '/api',
      buildId: 'build-7',
      identity: { kind: 'embedded' },
      redirects: { afterSignOut: '/sign-in', afterLeaveOrganization: '/organizations' },
      demoAccounts: expect.arrayContaining([
        { role: 'guide', name: 'Björn Ólafsson', email: 'guide@example.com', password: 'demo-operations' },
      ]),
    })
  })

  test('of a public page is its own, with a payload next to it', async () => {
    expect(await (await server.fetch('/sign-in')).text()).toContain('data-frame="bare"')
    const payload = await (await server.fetch('/sign-in/_payload.json')).json()
    expect(payload).toMatchObject({
      path: '/sign-in',
      buildId: 'build-7',
      signUp: 'open',
      providers: ['password', 'wallet'],
      locale: 'en',
    })
  })

  test('of an installation without demo names no accounts', async () => {
    const closed = await testServer({ web, env: { DEMO: 'off' } })
    expect(await (await closed.fetch('/sign-in/_payload.json')).json()).toMatchObject({
      demoAccounts: [],
      signUp: 'waitlist',
    })
    await closed.close()
  })

  test('never allows inline code, frames or foreign origins', async () => {
    const { headers } = await server.fetch('/')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toBeNull()
  })

  test('of an installation with map hosts and HTTPS says so in its policy', async () => {
    const env = { MAP_STYLE_HOSTS: 'https://tiles.example.com', PUBLIC_URL: 'https://tours.example.com', DEMO: 'off' }
    const open = await testServer({ web, env })
    const { headers } = await open.fetch('/')
    expect(headers.get('content-security-policy')).toContain("connect-src 'self' https://tiles.example.com;")
    expect(headers.get('strict-transport-security')).toContain('max-age=31536000')
    await open.close()
  })
})

describe('a file of the build', () => {
  test('with a hash in its name is cached forever, and compressed', async () => {
    const response = await server.fetch('/assets/index-BlSjsYAU.js', { headers: { 'accept-encoding': 'gzip, br' } })
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(Number(response.headers.get('content-length'))).toBeLessThan(200)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await response.text()).toBe(script)
    const plain = await server.fetch('/assets/index-BlSjsYAU.js', { headers: { 'accept-encoding': 'br;q=0' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
  })

  test('without one is requested again and answered with 304 when it is the same', async () => {
    const { headers } = await server.fetch('/before-paint.js')
    expect(headers.get('cache-control')).toBe('no-cache')
    const again = await server.fetch('/before-paint.js', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
  })

  test('about builds is never cached', async () => {
    const response = await server.fetch('/builds/latest.json?1795241182756')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toMatchObject({ id: 'build-7' })
  })

  test('can be asked for in part', async () => {
    const part = await server.fetch('/tiles/3/3/1.pbf', {
      headers: { range: 'bytes=10-19', 'accept-encoding': 'identity' },
    })
    expect([part.status, part.headers.get('content-range'), (await part.arrayBuffer()).byteLength]).toEqual([
      206,
      'bytes 10-19/5000',
      10,
    ])
    expect((await server.fetch('/tiles/3/3/1.pbf', { headers: { range: 'bytes=9000-' } })).status).toBe(416)
  })

  describe('that documents refer to', () => {
    let open: TestServer
    beforeAll(async () => {
      const env = { PUBLIC_URL: 'https://tours.example.com', DEMO: 'off', DRAIN_SECONDS: '0' }
      open = await testServer({ web, env })
    })
    afterAll(() => open.close())

    test.each([
      ['/assets/index-BlSjsYAU.js', 200, ['content-encoding', 'vary']],
      ['/assets/geist-latin-Cd4eFg5h.woff2', 200, []],
      ['/before-paint.js', 200, ['etag']],
      ['/builds/latest.json', 200, ['etag']],
      ['/sign-in/_payload.json', 200, ['etag']],
      ['/tiles/3/3/1.pbf', 200, ['etag', 'vary']],
      ['/tiles/6/0/0.pbf', 204, []],
    ])('carries nothing that it has no use for: %s', async (path, status, own) => {
      const answer = await open.fetch(path, { headers: { 'accept-encoding': 'br' } })
      expect(answer.status).toBe(status)
      const always = 'cache-control connection cross-origin-resource-policy date keep-alive x-content-type-options'
      const ofContent = status === 200 ? ['content-length', 'content-type'] : []
      const expected = [...always.split(' '), ...ofContent, ...own]
      expect([...answer.headers.keys()].toSorted()).toEqual(expected.toSorted())
    })
  })

  test.each(['/icon.svg', '/assets/map-worker-Bk3dEf9a.js', '/assets/index-OLDoldOL.js', '/api/auth/seen'])(
    'that could act by itself, and every other answer, keeps the policy: %s',
    async (path) => {
      const { headers } = await server.fetch(path)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-request-id')).not.toBeNull()
    },
  )

  test('that is gone is 404 and no page, so that a stale chunk is seen to fail', async () => {
    const response = await server.fetch('/assets/index-OLDoldOL.js')
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
  })

  test('has no map tile for the open sea, and says so without an error', async () => {
    expect((await server.fetch('/tiles/6/0/0.pbf')).status).toBe(204)
    expect((await server.fetch('/tiles/anything')).status).toBe(404)
  })

  test('outside of the build cannot be reached', async () => {
    for (const path of ['/../secret', '/%2e%2e/secret', '/assets/..%2f..%2fsecret']) {
      expect((await server.fetch(path)).status).toBe(404)
    }
  })
})

describe('machines', () => {
  test('read health, figures and the description of the interface', async () => {
    expect(await (await server.fetch('/healthz')).json()).toEqual({ status: 'ok' })
    const figures = await (await server.fetch('/metrics')).text()
    expect(figures).toMatch(/http_request_duration_seconds_count\{method="GET",route="probe",status="200"\}/)
    expect(await (await server.fetch('/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' })
  })

  test('see that the database is gone', async () => {
    const pool = { query: () => Promise.reject(new Error('connection refused')) }
    const broken = { db: { pool, isRunning: () => false } }
    const alone = await testServer({ services: broken as never })
    const response = await alone.fetch('/readyz')
    expect([response.status, await response.json()]).toEqual([503, { status: 'the database does not answer' }])
    // our own database is part of this process; one elsewhere says nothing about it
    expect((await alone.fetch('/healthz')).status).toBe(503)
    await alone.close()
  })

  test('need the token for figures when there is one', async () => {
    const guarded = await testServer({ env: { METRICS_TOKEN: 'a-long-metrics-token' } })
    expect((await guarded.fetch('/metrics')).status).toBe(403)
    const bearer = { authorization: 'Bearer a-long-metrics-token' }
    expect((await guarded.fetch('/metrics', { headers: bearer })).status).toBe(200)
    await guarded.close()
  })
})

describe('identity routes', () => {
  test('see the address of the client and the request id, whatever the client sends', async () => {
    const response = await server.fetch('/api/auth/seen', {
      headers: { 'x-client-address': '6.6.6.6', 'x-request-id': 'forged-by-client' },
    })
    expect(await response.json()).toEqual({ ip: '127.0.0.1', requestId: response.headers.get('x-request-id') })
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('let nobody guess passwords quickly', async () => {
    const attempt = () => server.fetch('/api/auth/sign-in/email', { method: 'POST', body: '{}' })
    const statuses = [await attempt(), await attempt(), await attempt()].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await server.fetch('/api/auth/seen')).status).toBe(200)
  })

  test('take no large content', async () => {
    const response = await server.fetch('/api/auth/other', { method: 'POST', body: 'x'.repeat(70_000) })
    expect(response.status).toBe(400)
  })
})

test('the demo answers to no other name than this computer’s', async () => {
  const statusFor = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const request = http.get(`${server.base}/healthz`, { headers: { host } }, (response) =>
        resolve(response.resume().statusCode),
      )
      request.on('error', reject)
    })
  expect(await statusFor('evil.example:8080')).toBe(403)
  expect(await statusFor('localhost:9000')).toBe(200)
  expect(await statusFor('[::1]:9000')).toBe(200)
})

describe('behind a proxy', () => {
  test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host'])(
    'the demo answers nobody: a request with %s comes from elsewhere',
    async (name) => {
      const answer = await server.fetch('/sign-in', { headers: { [name]: 'tours.example.com' } })
      expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('Set DEMO=off')])
    },
  )

  test('address and request id are the proxy’s word, and only the trusted one’s', async () => {
    const proxied = await testServer({ identity, env: { TRUST_PROXY: '1', DEMO: 'off' } })
    const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9', 'x-request-id': 'proxy-request-1' }
    const response = await proxied.fetch('/api/auth/seen', { headers })
    expect(await response.json()).toEqual({ ip: '203.0.113.9', requestId: 'proxy-request-1' })
    expect((await proxied.fetch('/metrics', { headers })).status).toBe(403)
    await proxied.close()
  })
})

describe('start and stop', () => {
  const config = () => readConfig({ DATA_DIR: server.config.dataDir, PORT: '0' })

  test('until everything is ready, probes get an answer and everybody else a 503', async () => {
    const young = await startHttpServer(config(), createLog('silent'), createMetrics())
    const base = `http://127.0.0.1:${young.port}`
    expect((await fetch(`${base}/healthz`)).status).toBe(200)
    const refused = await fetch(`${base}/tours/all`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    await young.close()
  })

  test('a stop lets requests under way finish, ends streams, and takes no new ones', async () => {
    const young = await startHttpServer(config(), createLog('silent'), createMetrics())
    const streams: http.ServerResponse[] = []
    young.serve(({ path, response }) => {
      if (path === '/stream') return void (response.write('hello'), streams.push(response))
      setTimeout(() => response.end('done'), 200)
    })
    const base = `http://127.0.0.1:${young.port}`
    const slow = fetch(`${base}/slow`).then((response) => response.text())
    const stream = await fetch(`${base}/stream`)
    await expect.poll(() => streams).toHaveLength(1)
    const startedMs = performance.now()
    await young.close(() => streams.forEach((response) => response.end()))
    expect(performance.now() - startedMs).toBeLessThan(2_000)
    expect(await slow).toBe('done')
    expect(await stream.text()).toBe('hello')
    await expect(fetch(base)).rejects.toThrow()
  })

  test('a broken handler answers 500 and the server lives on', async () => {
    const young = await startHttpServer(config(), createLog('silent'), createMetrics())
    young.serve(({ path, response }) => {
      if (path === '/broken') throw new Error('a secret of the server')
      response.end('fine')
    })
    const base = `http://127.0.0.1:${young.port}`
    const broken = await fetch(`${base}/broken`)
    expect([broken.status, await broken.text()]).toEqual([500, expect.not.stringContaining('secret')])
    expect(await (await fetch(base)).text()).toBe('fine')
    await young.close()
  })

  test('two servers cannot have one port, and the second says so', async () => {
    const first = await startHttpServer(config(), createLog('silent'), createMetrics())
    const second = startHttpServer({ ...config(), port: first.port }, createLog('silent'), createMetrics())
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await first.close()
  })
})

test('the description names every call that is mounted', async () => {
  const ping = callable({
    name: 'ping',
    kind: 'read',
    topics: [],
    permission: 'public',
    summary: 'x',
    input: z.object({}),
    output: z.object({}),
  })
  const small = await testServer({ verbs: [{ callable: ping, run: async () => ({}) }] })
  const description = (await (await small.fetch('/openapi.json')).json()) as {
    paths: object
    servers: { url: string }[]
  }
  expect(Object.keys(description.paths)).toEqual(['/ping'])
  expect(description.servers[0]?.url).toBe(`${small.base}/api`)
  await small.close()
})
