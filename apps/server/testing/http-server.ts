import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import type { Callable, In } from '@tour-ops/contract/callable'
import { AppError } from '@tour-ops/contract/errors'
import { Hono } from 'hono'
import type { JWTVerifyGetKey } from 'jose'
import { readConfig, withPort, type Config } from '../src/config.ts'
import type { Caller, Services } from '../src/context.ts'
import type { Database } from '../src/platform/db/database.ts'
import { passcodeGate } from '../src/features/links/passcode-http.ts'
import { phoneAnswersHandler } from '../src/features/notifications/phone-answers-http.ts'
import { unsubscribeHandler } from '../src/features/notifications/unsubscribe-http.ts'
import { calendarHandler } from '../src/features/calendar-feeds/calendar-http.ts'
import { weatherHandler } from '../src/features/monitoring/weather-http.ts'
import { trackHandler } from '../src/features/tracking/track-http.ts'
import { filesHandler } from '../src/platform/files/files-http.ts'
import { fixedDataKeys, newDataKey } from '../src/platform/data-keys.ts'
import { SealedText } from '../src/platform/sealed-text.ts'
import { createFiles, type FilePlaces, type StoredFiles } from '../src/platform/files/stored-files.ts'
import { createLog } from '../src/platform/log.ts'
import { createMetrics, type Metrics } from '../src/platform/metrics.ts'
import { openApiDocument } from '../src/platform/openapi.ts'
import type { Verb } from '../src/platform/verb.ts'
import { applicationHandler } from '../src/platform/http/application.ts'
import { withAppCheck } from '../src/platform/http/app-check.ts'
import { callablesHandler } from '../src/platform/http/callables.ts'
import { buildIdOf, createDocuments } from '../src/platform/http/documents.ts'
import { startHandler } from '../src/platform/http/start.ts'
import { startHttpServer, type HttpServer } from '../src/platform/http/http-server.ts'
import { pageConfigOf } from '../src/platform/http/page-config.ts'
import { rateLimit } from '../src/platform/http/rate-limits.ts'
import { loadStaticFiles } from '../src/platform/http/static-files.ts'

export interface TestServer {
  readonly base: string
  readonly config: Config
  readonly server: HttpServer
  readonly metrics: Metrics
  readonly files: StoredFiles
  /** What was logged, parsed. */
  readonly lines: readonly Record<string, unknown>[]
  /** Calls over the wire; gives HTTP status, headers and the parsed body. */
  call<C extends Callable>(callable: C, input: In<C>, options?: CallOptions): Promise<TestAnswer>
  fetch(address: string, init?: RequestInit & { as?: Caller }): Promise<Response>
  close(): Promise<void>
}

interface CallOptions {
  readonly as?: Caller
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: { result?: unknown; error?: { status: string; message: string; details: Record<string, unknown> } }
}

export interface TestServerOptions {
  readonly env?: Record<string, string>
  readonly services?: Partial<Services>
  readonly verbs?: readonly Verb[]
  readonly timeoutMs?: number
  /** Files of a web build, by address. */
  readonly web?: Readonly<Record<string, string | Buffer>>
  readonly identity?: Hono
  /** Whether starts are answered in one. */
  readonly hasStart?: boolean
  /** Where contents of files are, instead of the server's own folder. */
  readonly filePlaces?: (config: Config) => FilePlaces
  /** Keys of the service that proves browsers, instead of Google's. */
  readonly appCheckKeys?: JWTVerifyGetKey
  /** Who calls, instead of the plain bearers of the tests. */
  readonly verifyBackendToken?: (bearer: string) => Promise<Caller>
}

/** A bearer of the test server: who calls, in plain sight. */
export const bearerOf = (caller: Caller): string => `test.${Buffer.from(JSON.stringify(caller)).toString('base64url')}`

async function verifyTestToken(bearer: string): Promise<Caller> {
  if (!bearer.startsWith('test.')) throw new AppError('unauthenticated', 'Sign in to go on.')
  return JSON.parse(Buffer.from(bearer.slice(5), 'base64url').toString('utf8')) as Caller
}

/** Where no files are. */
const noKeys = new SealedText(fixedDataKeys([], newDataKey()))

/** The application on a real listener, in front of the given verbs. */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tour-operations-http-'))
  const webDist = path.join(folder, 'dist')
  for (const [address, content] of Object.entries(options.web ?? {})) {
    const file = path.join(webDist, address)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
  }
  const lines: Record<string, unknown>[] = []
  const keepLine = (line: string, done: () => void) => {
    lines.push(JSON.parse(line) as Record<string, unknown>)
    done()
  }
  const log = createLog('debug', 'json', new Writable({ write: (chunk, _, done) => keepLine(String(chunk), done) }))
  const metrics = createMetrics()
  const asked = readConfig({ DATA_DIR: folder, WEB_DIST: webDist, PORT: '0', LOG_LEVEL: 'debug', ...options.env })
  const server = await startHttpServer(asked, log, metrics)
  const config = withPort(asked, server.port)
  const files = createFiles(config, options.services?.sealed ?? noKeys, options.filePlaces?.(config))
  const { verifyBackendToken = verifyTestToken } = options
  const db = { isRunning: () => true } as Database
  const services = { db, ...options.services, config, log, files } as Services
  const verbs = options.verbs ?? []
  const identity = options.identity ?? new Hono()
  const calls = {
    services,
    verbs,
    verifyBackendToken,
    perUser: rateLimit(config.rateLimits.perUserPerMinute),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  }
  const staticFiles = loadStaticFiles(webDist, path.join(folder, 'cache'), log)
  await staticFiles.encoded
  server.serve(
    applicationHandler({
      config,
      services,
      metrics,
      staticFiles,
      documents: await createDocuments(staticFiles, pageConfigOf(config, buildIdOf(staticFiles))),
      callables: withAppCheck(callablesHandler(calls), config.appCheckProject, options.appCheckKeys),
      start: options.hasStart ? startHandler({ identity, calls }) : null,
      files: filesHandler({ services, files, metrics, verifyBackendToken }),
      track: trackHandler({ services, metrics }),
      calendar: calendarHandler({ services, metrics }),
      weather: weatherHandler({ services, metrics }),
      unsubscribe: unsubscribeHandler({ services, metrics }),
      phoneAnswers: phoneAnswersHandler({ services, metrics }),
      passcode: passcodeGate({ services, metrics }),
      live: { handles: () => false, handler: () => undefined },
      identity,
      openApi: JSON.stringify(
        openApiDocument(
          verbs.map((verb) => verb.callable),
          config.publicUrl,
        ),
      ),
      isClosing: () => server.isClosing,
    }),
  )
  const base = `http://127.0.0.1:${server.port}`
  const send: TestServer['fetch'] = (address, { as, ...init } = {}) => {
    const headers = new Headers(init.headers)
    if (as) headers.set('authorization', `Bearer ${bearerOf(as)}`)
    return fetch(base + address, { ...init, headers })
  }
  return {
    base,
    config,
    server,
    metrics,
    files,
    lines,
    fetch: send,
    async call(callable, input, { as, headers, signal } = {}) {
      const response = await send(`/api/${callable.name}`, {
        method: 'POST',
        body: JSON.stringify({ data: input }),
        headers: { 'content-type': 'application/json', ...headers },
        ...(as ? { as } : {}),
        ...(signal ? { signal } : {}),
      })
      return { status: response.status, headers: response.headers, body: (await response.json()) as TestAnswer['body'] }
    },
    async close() {
      await server.close()
      // an upload that was cut off takes its part away by itself, perhaps at this moment
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    },
  }
}
