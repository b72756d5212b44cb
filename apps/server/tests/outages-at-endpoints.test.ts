import { createHmac, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { getSession } from '@tour-ops/contract/identity/session'
import { createTraveler, listTravelers } from '@tour-ops/contract/travelers/travelers'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startEmbedded, type EmbeddedServer } from '../src/platform/db/launcher.ts'
import { makePool } from '../src/platform/db/pool.ts'
import { newId } from '../src/platform/ids.ts'
import { accountOf, foundOrganization } from '../testing/accounts.ts'
import { newDataFolder, signIn, startProgram, type Person, type Program } from '../testing/programs.ts'

// The program in front of a database that goes away, is full or only reads: what each endpoint answers meanwhile.

const onPostgres = inject('embeddedPostgres') !== null
const name = onPostgres
  ? 'while the database is not available'
  : 'while the database is not available (needs a server: TEST_DATABASE=embedded)'

const log = pino({ level: 'silent' })
const folders: string[] = []
let postgres: EmbeddedServer
let owner: pg.Pool
let gate: Gate
let program: Program
/** The same program with accounts at Clerk, for the endpoint that only exists then. */
let hosted: Program
let admin: Person

const newFolder = (label: string): string => {
  const folder = newDataFolder(label)
  folders.push(folder)
  return folder
}

/** A socket in front of PostgreSQL's own that can be shut. */
interface Gate {
  readonly folder: string
  /** Breaks every connection; new ones find nobody, or are refused with a SQLSTATE. */
  shut(sqlState?: string): Promise<void>
  open(): Promise<void>
  close(): Promise<void>
}

async function openGate(behind: string): Promise<Gate> {
  const folder = newFolder('gate')
  const file = path.join(folder, '.s.PGSQL.5432')
  const sockets = new Set<net.Socket>()
  let refusal: string | undefined
  const keep = (socket: net.Socket): net.Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }
  const server = net.createServer((socket) => {
    keep(socket)
    if (refusal) return void socket.once('data', () => socket.end(fatal(refusal ?? '')))
    const inner = keep(net.connect(behind))
    socket.pipe(inner).pipe(socket)
    socket.once('close', () => inner.destroy())
    inner.once('close', () => socket.destroy())
  })
  const listen = () => new Promise<void>((resolve) => server.listen(file, resolve))
  const shut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      sockets.forEach((socket) => socket.destroy())
    })
  await listen()
  return {
    folder,
    async shut(sqlState) {
      await shut()
      refusal = sqlState
      if (sqlState) await listen()
    },
    async open() {
      if (server.listening) await shut()
      refusal = undefined
      await listen()
    },
    close: shut,
  }
}

/** Source: PostgreSQL, "Message Formats", ErrorResponse. */
function fatal(sqlState: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0Mnot now\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

type Door = readonly [what: string, ask: () => Promise<Response>]

const send = (address: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(program.base + address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: program.base, ...headers },
    body: JSON.stringify(body),
  })
const bearer = () => ({ authorization: `Bearer ${admin.bearer}` })
const cookie = () => ({ cookie: admin.cookie })

const ownPage = { 'sec-fetch-site': 'same-origin' }

const call = (callable: { readonly name: string }, data: object) => send(`/api/${callable.name}`, { data }, bearer())

const webhookKey = randomBytes(24)

/** A message as Clerk signs it. Source: "Standard Webhooks". */
function sendWebhook(): Promise<Response> {
  const [id, timestamp] = [newId(), String(Math.floor(Date.now() / 1000))]
  const body = JSON.stringify({ type: 'session.ended', data: { id: 'sess_of_nobody' } })
  const signature = createHmac('sha256', webhookKey).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}` }
  return fetch(`${hosted.base}/api/auth/webhooks`, { method: 'POST', headers, body })
}

/** Each of them asks the database. */
const doors: readonly Door[] = [
  ['session check', () => fetch(`${program.base}/api/auth/get-session`, { headers: cookie() })],
  ['identity token', () => fetch(`${program.base}/api/auth/token`, { headers: cookie() })],
  ['own organizations', () => fetch(`${program.base}/api/auth/organization/list`, { headers: cookie() })],
  ['sign-in', () => send('/api/auth/sign-in/email', accountOf('admin'))],
  ['backend token', () => send('/api/v1/token', { grant_type: 'refresh_token', refresh_token: admin.refreshToken })],
  ['call', () => call(getSession, {})],
  ['list', () => call(listTravelers, {})],
  ['guest page', () => send('/api/share-get', { data: { token: 'a'.repeat(43) } })],
  ['file', () => fetch(`${program.base}/api/files/uploads/${newId()}`, { headers: bearer() })],
  ['start', () => fetch(`${program.base}/api/start?screen=overview`, { headers: { ...cookie(), ...ownPage } })],
  ['live stream', () => send('/api/live/listen', { targets: [] }, bearer())],
  ['live document', () => send('/api/documents:get', { data: { path: `users/x/inbox/y` } }, bearer())],
  ['webhook', sendWebhook],
  ['readiness', () => fetch(`${program.base}/readyz`)],
]

async function answersOf(asked: readonly Door[]): Promise<string[]> {
  return Promise.all(
    asked.map(async ([what, ask]) => {
      const answer = await ask()
      await answer.body?.cancel()
      const isPolite = what === 'readiness' || Number(answer.headers.get('retry-after')) >= 1
      return `${what}: ${answer.status}${isPolite ? '' : ' without retry-after'}`
    }),
  )
}

const unavailable = doors.map(([what]) => `${what}: 503`)

const answers = async (): Promise<number> => {
  const answer = await call(getSession, {})
  await answer.body?.cancel()
  return answer.status
}

describe.runIf(onPostgres)(name, () => {
  beforeAll(async () => {
    postgres = await startEmbedded(newFolder('outages'), log)
    gate = await openGate(path.join(postgres.folder, '.s.PGSQL.5432'))
    const address = new URLSearchParams({ host: gate.folder, user: String(postgres.admin.user) })
    program = await startProgram({
      DATA_DIR: newFolder('outages-files'),
      DATABASE_URL: `postgres:///postgres?${address.toString()}`,
      PORT: '0',
      LOG_LEVEL: 'warn',
    })
    owner = makePool({ ...postgres.admin, max: 2 }, log)
    await owner.query('create database hosted')
    hosted = await startProgram({
      DATA_DIR: newFolder('outages-hosted'),
      DATABASE_URL: `postgres:///hosted?${address.toString()}`,
      PORT: '0',
      IDENTITY: 'clerk',
      CLERK_PUBLISHABLE_KEY: `pk_test_${Buffer.from('clerk.example.com$').toString('base64')}`,
      CLERK_SECRET_KEY: 'sk_test_nobody',
      CLERK_WEBHOOK_SECRET: `whsec_${webhookKey.toString('base64')}`,
    })
    await foundOrganization(owner)
    admin = await signIn(program.base, accountOf('admin'))
  }, 120_000)
  afterAll(async () => {
    for (const one of [program, hosted]) one?.child.kill('SIGKILL')
    await Promise.all([program?.ended, hosted?.ended])
    await gate?.close()
    await owner?.end()
    await postgres?.stop()
    for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
  })

  test.each([
    ['nobody listens', undefined],
    ['it starts or recovers', '57P03'],
    ['it has too many connections', '53300'],
  ])('%s: every door says 503 and when to come back, and all answer again afterwards', async (_what, sqlState) => {
    await gate.shut(sqlState)
    expect(await answersOf(doors)).toEqual(unavailable)
    expect((await fetch(`${program.base}/healthz`)).status).toBe(200)
    await gate.open()
    await expect.poll(answers).toBe(200)
    await expect.poll(async () => (await sendWebhook()).status).toBe(204)
    const healthy = await answersOf(doors)
    expect(healthy.filter((answer) => / 5\d\d/.test(answer))).toEqual([])
  })

  test('a database that only reads refuses writes with 503 and continues reading', async () => {
    await owner.query('alter system set default_transaction_read_only = on')
    await owner.query('select pg_reload_conf()')
    const write = () => call(createTraveler, { lastName: 'Nobody', idempotencyKey: newId() })
    await expect.poll(async () => (await write()).status).toBe(503)
    expect(await (await write()).json()).toMatchObject({
      error: { status: 'UNAVAILABLE', details: { reason: 'read_only', requestId: expect.any(String) as string } },
    })
    expect((await call(listTravelers, {})).status).toBe(200)
    await owner.query('alter system reset default_transaction_read_only')
    await owner.query('select pg_reload_conf()')
    await expect.poll(async () => (await write()).status).toBe(200)
  })

  test('a full disk of the database refuses writes with 503', async () => {
    await owner.query(`
      create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
      create trigger full_disk before insert on travelers for each statement execute function full_disk()`)
    const answer = await call(createTraveler, { lastName: 'Nobody', idempotencyKey: newId() })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30'])
    await owner.query('drop trigger full_disk on travelers')
    expect((await call(createTraveler, { lastName: 'Somebody', idempotencyKey: newId() })).status).toBe(200)
  })

  test('what was logged is one line for each kind of outage', () => {
    const lines = program
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { msg: string; reason?: string })
      .filter(({ msg }) => !msg.startsWith('DATABASE_URL connects as'))
    const kinds = ['database_unreachable', 'disk_full', 'read_only', 'server_busy']
    expect([...new Set(lines.map(({ reason }) => String(reason)))].toSorted()).toEqual(kinds)
    // One more of each where the machine was slow and half a minute went by.
    expect(lines.length).toBeLessThanOrEqual(2 * kinds.length)
  })
})
