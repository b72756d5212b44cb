import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canReach } from './embedded.ts'
import { isAlive, isUncollected } from './folder-lock.ts'
import { startEmbedded as startForGood, type EmbeddedServer } from './launcher.ts'

const log = pino({ level: 'silent' })
const children: ChildProcessWithoutNullStreams[] = []
const servers: EmbeddedServer[] = []
let root: string
beforeAll(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), 'tour-operations-launcher-'))
  await fs.chmod(root, 0o755)
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(servers.map((server) => server.stop()))
  await fs.rm(root, { recursive: true, force: true })
})

/** Started for one test; whatever the test leaves running ends with the file. */
async function startEmbedded(...given: Parameters<typeof startForGood>): Promise<EmbeddedServer> {
  const server = await startForGood(...given)
  servers.push(server)
  return server
}

/** Another process that starts the database on a folder and keeps it until it is told to stop. */
function startElsewhere(folder: string): ChildProcessWithoutNullStreams {
  const launcher = pathToFileURL(path.join(import.meta.dirname, 'launcher.ts')).href
  const program = `
    const { startEmbedded } = await import(${JSON.stringify(launcher)})
    const { pino } = await import('pino')
    process.once('SIGTERM', async () => { await server?.stop(); process.exit() })
    let server
    try {
      server = await startEmbedded(${JSON.stringify(folder)}, pino({ level: 'silent' }))
      console.log('running ' + server.pid)
      setInterval(() => undefined, 1000)
    } catch (error) {
      console.log(error.message)
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: import.meta.dirname })
  children.push(child)
  return child
}

async function firstWords(child: ChildProcessWithoutNullStreams): Promise<string> {
  const [words] = (await once(child.stdout, 'data')) as [Buffer]
  return words.toString().trim()
}

async function ask(server: EmbeddedServer, query: string): Promise<unknown> {
  const client = new Client(server.admin)
  await client.connect()
  try {
    return Object.values((await client.query(query)).rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

test('a folder is made once, and stopping ends the server and frees the folder', async () => {
  const folder = path.join(root, 'once')
  const first = await startEmbedded(folder, log)
  await ask(first, `create table kept as select 42 as answer`)
  await ask(first, 'select 1')
  await first.stop()
  expect(isAlive(first.pid)).toBe(false)
  const second = await startEmbedded(folder, log)
  expect([second.adopted, await ask(second, 'select answer from kept')]).toEqual([false, 42])
  expect(
    await ask(
      second,
      `select current_setting('data_checksums') || current_setting('listen_addresses') || current_setting('fsync')`,
    ),
  ).toBe('onon')
  await second.stop()
})

test('of two processes that start at the same moment one wins, the other names it', async () => {
  const folder = path.join(root, 'two')
  const both = [startElsewhere(folder), startElsewhere(folder)]
  const words = await Promise.all(both.map(firstWords))
  const winner = words.findIndex((said) => said.startsWith('running'))
  expect(words[1 - winner]).toBe(
    `The folder ${folder}/postgres is in use by process ${both[winner]?.pid}. ` +
      'Stop that process first, or choose another folder with DATA_DIR.',
  )
  both[winner]?.kill('SIGTERM')
  await once(both[winner] as ChildProcessWithoutNullStreams, 'exit')
  expect(isAlive(Number(words[winner]?.split(' ')[1]))).toBe(false)
})

// Source: proc_pid_stat(5), state Z. Elsewhere the system collects its dead at once.
test.runIf(process.platform === 'linux')(
  'a killed server that is still a zombie does not keep the next one from starting',
  async () => {
    const folder = path.join(root, 'uncollected')
    const first = await startEmbedded(folder, log)
    await first.stop()
    // A child that has ended, of a process that never asks about it.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'])
    children.push(parent)
    const pid = Number(await firstWords(parent))
    // The shell collects what ended before it became something else.
    await expect.poll(() => fs.readFile(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isUncollected(pid)).toBe(true)
    const lockFile = path.join(folder, 'postgres', 'postmaster.pid')
    await fs.writeFile(lockFile, [pid, path.join(folder, 'postgres'), 0, 5432, root, '', '', 'ready', ''].join('\n'))
    const second = await startEmbedded(folder, log)
    expect(second.adopted).toBe(false)
    await second.stop()
  },
)

test('the server that a killed process left behind is adopted with everything in it, and can be stopped', async () => {
  const folder = path.join(root, 'killed')
  const child = startElsewhere(folder)
  const pid = Number((await firstWords(child)).split(' ')[1])
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isAlive(pid)).toBe(true)
  const adopted = await startEmbedded(folder, log)
  expect([adopted.adopted, adopted.pid]).toEqual([true, pid])
  expect(await ask(adopted, 'select 1')).toBe(1)
  const startedAt = performance.now()
  await adopted.stop()
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  const next = await startEmbedded(folder, log)
  expect(next.adopted).toBe(false)
  await next.stop()
})

test('what a kill in the middle of making a folder leaves behind is cleared away', async () => {
  const folder = path.join(root, 'half')
  await fs.mkdir(path.join(folder, 'postgres.new-0a0b0c'), { recursive: true })
  const server = await startEmbedded(folder, log)
  expect((await fs.readdir(folder)).filter((name) => name.includes('.new-'))).toEqual([])
  await server.stop()
})

test('a folder of another version is left alone', async () => {
  const folder = path.join(root, 'old')
  const server = await startEmbedded(folder, log)
  await server.stop()
  await fs.writeFile(path.join(folder, 'postgres/PG_VERSION'), '17\n')
  await expect(startEmbedded(folder, log)).rejects.toThrow(
    'was written by PostgreSQL 17, this program brings PostgreSQL 18',
  )
})

test('a data folder whose path is longer than a socket’s may be works as well', async () => {
  const server = await startEmbedded(path.join(root, 'd'.repeat(90)), log)
  expect(await ask(server, 'select 1')).toBe(1)
  const { host } = server.admin
  await server.stop()
  await expect(fs.stat(host ?? '')).rejects.toThrow('ENOENT')
})

test.runIf(process.getuid?.() === 0)(
  'as root the server runs as somebody else, who cannot reach everything',
  async () => {
    const account = { name: 'nobody', uid: 65534, gid: 65534 }
    const closed = path.join(root, 'closed')
    await fs.mkdir(closed, { mode: 0o700 })
    expect([canReach(account, closed), canReach(account, root)]).toEqual([false, true])
    const server = await startEmbedded(path.join(root, 'as-root'), log)
    expect((await fs.stat(server.folder)).uid).not.toBe(0)
    await server.stop()
  },
)

test.runIf(process.getuid?.() === 0)(
  'as root a folder that the account cannot reach moves to a system folder, and says so',
  async () => {
    const home = await fs.mkdtemp(path.join(os.homedir(), 'tour-operations-launcher-'))
    const said: string[] = []
    const server = await startEmbedded(home, pino({}, { write: (line) => said.push(line) }))
    try {
      const reachable = canReach({ name: 'nobody', uid: 65534, gid: 65534 }, home)
      expect(server.folder.startsWith(reachable ? home : '/var/lib/tour-operations/')).toBe(true)
      expect(said.join('').includes('The database lies in /var/lib/tour-operations/')).toBe(!reachable)
      expect(await ask(server, 'select 1')).toBe(1)
    } finally {
      await server.stop()
      if (server.folder.startsWith('/var/lib/'))
        await fs.rm(path.dirname(server.folder), { recursive: true, force: true })
      await fs.rm(home, { recursive: true, force: true })
    }
  },
)
