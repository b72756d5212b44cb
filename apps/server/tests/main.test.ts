import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { demoEmail, demoPassword } from '../seed/data/staff.ts'
import { migrateDatabase, openDatabase } from '../src/platform/db/database.ts'
import { startEmbedded } from '../src/platform/db/launcher.ts'
import { EmbeddedAccounts } from '../src/platform/identity/embedded-accounts.ts'
import { writeFact } from '../src/platform/installation.ts'
import { freePort } from '../testing/programs.ts'

// The program as people start it: a separate process, on the embedded PostgreSQL.

const running = new Set<ChildProcess>()
const folders: string[] = []
afterEach(() => running.forEach((child) => child.kill('SIGKILL')))
afterAll(() => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })))

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tour-operations-main-'))
  fs.chmodSync(folder, 0o755) // PostgreSQL runs as another account when this is root
  folders.push(folder)
  return folder
}

interface Program {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  /** The exit code. */
  readonly ended: Promise<number | null>
}

function run(env: Record<string, string>, program: readonly string[] = ['main.ts']): Program {
  const [file = '', ...args] = program
  return follow(
    spawn(process.execPath, [path.join(import.meta.dirname, '../src', file), ...args], {
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', DEMO: 'off', PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
}

function follow(child: ChildProcess): Program {
  running.add(child)
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = once(child, 'exit').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  return { child, ended, out: () => out, err: () => err }
}

/** The address that the program prints when it is ready. */
async function ready(program: Program): Promise<string> {
  await vi.waitFor(() => expect(program.out() + program.err()).toMatch(/Ready on|Error|problem/), { timeout: 60_000 })
  const [, address] = /Ready on (http:\S+) /.exec(program.out()) ?? []
  if (!address) throw new Error(`The program did not start: ${program.out()}${program.err()}`)
  return address
}

const json = { 'content-type': 'application/json' }

/** Makes the first account by the link that the program printed, and signs in to the backend. */
async function firstAccount(base: string, link: string, origin: string): Promise<string> {
  const email = 'first@example.com'
  const password = 'correct horse 1'
  const setupToken = new URL(link).searchParams.get('setup')
  const body = JSON.stringify({ name: 'First Person', email, password, setupToken })
  const signUp = await fetch(`${base}/api/auth/sign-up/email`, { method: 'POST', headers: { ...json, origin }, body })
  expect(signUp.status).toBe(200)
  const signIn = await fetch(`${base}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { ...json, origin },
    body: JSON.stringify({ email, password }),
  })
  const cookie = signIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const { token } = (await (await fetch(`${base}/api/auth/token`, { headers: { cookie } })).json()) as { token: string }
  const backend = await fetch(`${base}/api/v1/accounts:signInWithCustomToken`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ token, returnSecureToken: true }),
  })
  expect(backend.status).toBe(200)
  return ((await backend.json()) as { idToken: string }).idToken
}

/** A call that needs a signed-in person: without an organization it is refused for that reason and no other. */
async function reasonOfRefusal(base: string, bearer: string): Promise<unknown> {
  const response = await fetch(`${base}/api/files-link`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${bearer}` },
    body: JSON.stringify({ data: { id: '0198c0de-0000-7000-8000-00000000abcd' } }),
  })
  const { error } = (await response.json()) as { error: { details: { reason?: string } } }
  return error.details.reason
}

describe('the program', () => {
  test('says everything that is wrong with its configuration and does not start', async () => {
    const program = run({ DATA_DIR: newFolder(), PORT: 'x', LOG_LEVEL: 'loud', HOST: '0.0.0.0', DEMO: 'on' })
    expect(await program.ended).toBe(1)
    expect(program.out()).toBe('')
    expect(program.err().split('\n').slice(0, 4)).toEqual([
      'The configuration has 3 problem(s):',
      '- PORT must be a whole number from 0 to 65535, got "x".',
      expect.stringContaining('- LOG_LEVEL must be one of'),
      expect.stringContaining('Set DEMO=off'),
    ])
  })

  test('prints one line with its address and how to sign in, stops in order, and starts again on the same data', async () => {
    const dataDir = newFolder()
    const first = run({ DATA_DIR: dataDir })
    const base = await ready(first)
    expect(first.out()).toMatch(
      /^Ready on http:\/\/127\.0\.0\.1:\d+ \(make the first account: http:\/\/127\.0\.0\.1:\d+\/sign-up\?setup=\S+\)\n$/,
    )
    expect(await (await fetch(`${base}/readyz`)).json()).toEqual({ status: 'ready' })
    const [, link = ''] = /account: (\S+)\)/.exec(first.out()) ?? []
    expect(await reasonOfRefusal(base, await firstAccount(base, link, base))).toBe('no_organization')
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(first.err()).toBe('')

    const second = run({ DATA_DIR: dataDir })
    await ready(second)
    expect(second.out()).toContain('(sign in with your account)')
    // as from a terminal, whose program passes on what both of them got
    second.child.kill('SIGINT')
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  }, 90_000)
})

// the terminal is played by `script`, which every Debian has
const terminal = '/usr/bin/script'

describe.runIf(process.platform === 'linux' && fs.existsSync(terminal))(`at a terminal (needs ${terminal})`, () => {
  const runAtTerminal = (env: Record<string, string>): Program =>
    follow(
      spawn(
        terminal,
        ['-qfec', `exec "${process.execPath}" "${path.join(import.meta.dirname, '../src/main.ts')}"`, '/dev/null'],
        {
          env: { PATH: process.env['PATH'], DEMO: 'off', PORT: '0', ...env },
          stdio: ['pipe', 'pipe', 'pipe'],
        },
      ),
    )

  test('people read the address, how to sign in and what to do, and no JSON; LOG_FORMAT=json gives programs their line', async () => {
    const dataDir = newFolder()
    const forPeople = runAtTerminal({ DATA_DIR: dataDir })
    await vi.waitFor(() => expect(forPeople.out()).toContain('Ctrl+C stops it.'), { timeout: 60_000 })
    expect(forPeople.out()).toMatch(
      / {2}Address +http:\/\/127\.0\.0\.1:\d+\r\n {2}First account +http:\S+\/sign-up\?setup=\S+\r\n/,
    )
    expect(forPeople.out()).not.toMatch(/[{}]|Ready on/)
    forPeople.child.stdin?.write('\u0003')
    expect(await forPeople.ended).toBe(0)

    const forPrograms = runAtTerminal({ DATA_DIR: dataDir, LOG_FORMAT: 'json' })
    await vi.waitFor(() => expect(forPrograms.out()).toMatch(/^Ready on http:/m), { timeout: 60_000 })
    forPrograms.child.stdin?.write('\u0003')
    expect(await forPrograms.ended).toBe(0)
  }, 90_000)
})

describe('a data folder that held the demo', () => {
  test('is no public installation until "go-live" has removed the demo; then it begins with a first account', async () => {
    const dataDir = newFolder()
    await makeDemo(dataDir)
    const attack = run({ DATA_DIR: dataDir, PUBLIC_URL: 'https://tours.example.com' })
    expect(await attack.ended).toBe(1)
    expect(attack.out()).toBe('')
    expect(attack.err()).toMatch(/^This database holds the demo: .*\n.*"npm run go-live"/)

    const removal = run({ DATA_DIR: dataDir }, ['go-live.ts', '--yes'])
    expect(await removal.ended).toBe(0)
    expect(removal.out()).toContain('- the accounts admin@example.com')

    const server = run({ DATA_DIR: dataDir })
    const base = await ready(server)
    const body = JSON.stringify({ email: demoEmail('admin'), password: demoPassword })
    const refused = await fetch(`${base}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { ...json, origin: base },
      body,
    })
    expect(refused.status).toBe(401)
    const [, link = ''] = /account: (\S+)\)/.exec(server.out()) ?? []
    expect(await reasonOfRefusal(base, await firstAccount(base, link, base))).toBe('no_organization')
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  }, 180_000)

  /** An account and an organization of the demo, without the months of work that the whole of it does. */
  async function makeDemo(dataDir: string): Promise<void> {
    const log = pino({ level: 'silent' })
    const database = await openDatabase({ dataDir, log })
    await migrateDatabase(database, log)
    await writeFact(database.ownerPool, 'demo')
    const accounts = new EmbeddedAccounts(database.ownerPool)
    const admin = { email: demoEmail('admin'), password: demoPassword, name: 'Sigrún Hallsdóttir', verified: true }
    const { userId } = await accounts.createAccount(admin)
    const members = [{ userId, role: 'admin' as const }]
    await accounts.createOrganization({ name: 'Aurora & Atlas', slug: 'aurora-atlas', members })
    await database.close()
  }
})

describe('two processes on one PostgreSQL', () => {
  let address: string
  let stop: () => Promise<void>
  beforeAll(async () => {
    const postgres = await startEmbedded(newFolder(), pino({ level: 'silent' }))
    const { user, password, host, port, database } = postgres.admin
    const query = new URLSearchParams({ host: String(host), port: String(port ?? 5432), user: String(user) })
    if (typeof password === 'string') query.set('password', password)
    address = `postgres:///${database ?? 'postgres'}?${query.toString()}`
    stop = () => postgres.stop()
  })
  afterAll(() => stop())

  test('start at once, accept each other’s tokens, and continue when one is killed', async () => {
    // behind one balancer they have one address, one secret and one folder for files
    const ports = [String(await freePort()), String(await freePort())]
    const publicUrl = `http://127.0.0.1:${ports[0]}`
    const shared = { DATA_DIR: newFolder(), DATABASE_URL: address, PUBLIC_URL: publicUrl }
    const programs = ports.map((port) => run({ ...shared, PORT: port }))
    await Promise.all(programs.map(ready))
    const [one = '', two = ''] = ports.map((port) => `http://127.0.0.1:${port}`)
    const link = programs.map((program) => /account: (\S+)\)/.exec(program.out())?.[1]).find(Boolean) ?? ''
    const bearer = await firstAccount(one, link, publicUrl)
    expect(await reasonOfRefusal(one, bearer)).toBe('no_organization')
    expect(await reasonOfRefusal(two, bearer)).toBe('no_organization')
    programs[0]?.child.kill('SIGKILL')
    await programs[0]?.ended
    expect(await reasonOfRefusal(two, bearer)).toBe('no_organization')
    programs[1]?.child.kill('SIGTERM')
    expect(await programs[1]?.ended).toBe(0)
  }, 90_000)
})
