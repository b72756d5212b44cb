import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { migrateDatabase, openDatabase, type Database } from '../src/platform/db/database.ts'
import { chooseAccount, preparePrograms, type Account, type Programs } from '../src/platform/db/embedded.ts'
import { makePool } from '../src/platform/db/pool.ts'
import { freePort, newDataFolder } from './programs.ts'

// For tests: two PostgreSQL servers, of which the second follows the first until somebody promotes it.

const log = pino({ level: 'silent' })
const names = ['first', 'second'] as const
type Name = (typeof names)[number]

export class ServerPair {
  /** For whatever else the test keeps. */
  readonly root: string
  readonly #account: Account
  readonly #programs: Programs
  readonly #ports: Readonly<Record<Name, number>>
  readonly #running = new Map<Name, ChildProcess>()

  constructor(root: string, account: Account, programs: Programs, ports: Readonly<Record<Name, number>>) {
    this.root = root
    this.#account = account
    this.#programs = programs
    this.#ports = ports
  }

  /** An address that names both. */
  get url(): string {
    const { first, second } = this.#ports
    return `postgres://app_owner@127.0.0.1:${first},127.0.0.1:${second}/tour_operations`
  }

  /** Connections of the owner to one of them. */
  poolOf(name: Name): Pool {
    const port = this.#ports[name]
    return makePool({ host: '127.0.0.1', port, user: 'app_owner', database: 'tour_operations', max: 1 }, log)
  }

  start(name: Name, settings: Readonly<Record<string, string>> = {}): void {
    const port = String(this.#ports[name])
    const given = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }
    const options = Object.entries(given).flatMap(([setting, value]) => ['-c', `${setting}=${value}`])
    const args = ['-D', folderOf(this.root, name), ...options]
    this.#running.set(name, spawn(this.#tool('postgres'), args, { ...this.#asAccount(), stdio: 'ignore' }))
  }

  /** Starts the second as a standby of the first. */
  startStandby(): void {
    this.start('second', { primary_conninfo: `host=127.0.0.1 port=${this.#ports.first} user=app_owner` })
  }

  /** At once, and without a last word to the other one. */
  async kill(name: Name): Promise<void> {
    const server = this.#running.get(name)
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGQUIT')
    await once(server, 'exit')
  }

  promoteSecond(): void {
    const args = ['promote', '-D', folderOf(this.root, 'second'), '-w']
    execFileSync(this.#tool('pg_ctl'), args, { ...this.#asAccount(), stdio: 'ignore' })
  }

  /** Asks until the server answers with one row. */
  async until(name: Name, query: string): Promise<void> {
    const pool = this.poolOf(name)
    const answers = () => pool.query(query).then(({ rowCount }) => rowCount === 1)
    while (!(await answers().catch(() => false))) await sleep(100)
    await pool.end()
  }

  async close(): Promise<void> {
    for (const name of names) await this.kill(name)
    fs.rmSync(this.root, { recursive: true, force: true })
  }

  #tool(name: string): string {
    return path.join(this.#programs.folder, 'bin', name)
  }

  #asAccount(): SpawnOptions {
    const { uid, gid } = this.#account
    return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }), cwd: os.tmpdir() }
  }
}

const folderOf = (root: string, name: Name): string => path.join(root, name, 'postgres')

/** A migrated server and a copy of it, none of them running. @param prepare Fills the first before the copy is made. */
export async function makeServerPair(
  label: string,
  prepare: (database: Database) => Promise<void>,
): Promise<ServerPair> {
  const root = newDataFolder(label)
  const database = await openDatabase({ dataDir: path.join(root, 'first'), embeddedEngine: 'postgres', log })
  await migrateDatabase(database, log)
  await prepare(database)
  await database.close()
  const account = await chooseAccount(folderOf(root, 'first'))
  const second = folderOf(root, 'second')
  fs.cpSync(folderOf(root, 'first'), second, { recursive: true, preserveTimestamps: true })
  fs.writeFileSync(path.join(second, 'standby.signal'), '')
  if (account.uid !== undefined) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, second])
  const ports = { first: await freePort(), second: await freePort() }
  return new ServerPair(root, account, await preparePrograms(account), ports)
}
