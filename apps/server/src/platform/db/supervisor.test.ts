import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAlive } from './folder-lock.ts'
import { startEmbedded, type EmbeddedServer } from './launcher.ts'

// The embedded PostgreSQL ends without being asked to. What the program does then is shown by database-killed.test.ts.

const log = pino({ level: 'silent' })
const servers: EmbeddedServer[] = []
let root: string
beforeAll(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), 'tour-operations-supervisor-'))
  await fs.chmod(root, 0o755)
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await fs.rm(root, { recursive: true, force: true })
})

async function start(name: string, options: Parameters<typeof startEmbedded>[2] = {}): Promise<EmbeddedServer> {
  const server = await startEmbedded(path.join(root, name), log, options)
  servers.push(server)
  return server
}

async function ask(server: EmbeddedServer, query: string): Promise<unknown> {
  const client = new Client(server.admin)
  // a server that is killed breaks the connection as well
  client.on('error', () => undefined)
  await client.connect()
  try {
    return Object.values((await client.query(query)).rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

/** Ends it the hard way; resolves when it runs again. */
async function kill(server: EmbeddedServer): Promise<void> {
  const { pid } = server
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => server.isRunning && server.pid !== pid, { timeout: 60_000 }).toBe(true)
}

test(
  'a killed server runs again at the same address with everything in it, however often',
  { timeout: 120_000 },
  async () => {
    const server = await start('killed')
    await ask(server, 'create table kept as select 42 as answer')
    for (let n = 0; n < 3; n += 1) {
      await kill(server)
      expect(await ask(server, 'select answer from kept')).toBe(42)
    }
    const { pid } = server
    await server.stop()
    expect(isAlive(pid)).toBe(false)
  },
)

test('a path longer than a socket’s may be keeps its short folder', { timeout: 60_000 }, async () => {
  const server = await start('d'.repeat(90))
  const { host } = server.admin
  await kill(server)
  expect(await ask(server, 'select 1')).toBe(1)
  await server.stop()
  await expect(fs.stat(host ?? '')).rejects.toThrow('ENOENT')
})

test('PostgreSQL recovers from one killed backend by itself', { timeout: 60_000 }, async () => {
  const server = await start('backend')
  const { pid } = server
  const client = new Client(server.admin)
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
  await expect.poll(() => ask(server, 'select 1').catch(() => 'not yet')).toBe(1)
  expect([server.pid, server.isRunning]).toEqual([pid, true])
})

test.runIf(process.platform === 'linux')(
  'a statement that continues in a process of the killed server does not keep it from starting',
  { timeout: 60_000 },
  async () => {
    const server = await start('long-statement')
    // it never looks whether its server is still there
    const busy = ask(server, `do $$ begin loop perform 1; end loop; end $$`).catch(() => 'ended')
    const isBusy = `select exists (select from pg_stat_activity where query like 'do $$%' and state = 'active')`
    await expect.poll(() => ask(server, isBusy)).toBe(true)
    await kill(server)
    expect(await busy).toBe('ended')
    expect(await ask(server, 'select 1')).toBe(1)
  },
)

test('a server that cannot start again is lost, and says so once', { timeout: 60_000 }, async () => {
  const lost: Error[] = []
  const server = await start('lost', { onLost: (error) => lost.push(error), delaysMs: [0, 10, 10] })
  await fs.rm(path.join(server.folder, 'global/pg_control'))
  process.kill(server.pid, 'SIGKILL')
  await expect.poll(() => lost.length, { timeout: 60_000 }).toBe(1)
  expect(lost[0]?.message).toBe('PostgreSQL ended and could not be started again.')
  expect(String(lost[0]?.cause)).toContain('pg_control')
  expect(server.isRunning).toBe(false)
  await server.stop()
})

test('a stop in the middle of a new start leaves nothing running', { timeout: 60_000 }, async () => {
  const server = await start('stopped')
  const { pid } = server
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => server.isRunning, { interval: 1 }).toBe(false)
  await server.stop()
  expect(isAlive(server.pid)).toBe(false)
  const next = await start('stopped')
  expect(next.adopted).toBe(false)
})
