import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { Client, type ClientConfig } from 'pg'
import {
  canReach,
  chooseAccount,
  EmbeddedUnavailable,
  isWindows,
  preparePrograms,
  type Account,
  type Programs,
} from './embedded.ts'
import { isAlive, lockFolder, type FolderLock } from './folder-lock.ts'
import { clearAwayDead, endOf, pollMs, readPostmaster, type Postmaster, type RunningPostmaster } from './postmaster.ts'
import { Supervisor } from './supervisor.ts'

/** A PostgreSQL server that belongs to this process. */
export interface EmbeddedServer {
  /** The superuser who owns everything; for making databases and logins. */
  readonly admin: ClientConfig
  /** Where the data is: below `dataDir`, or a folder of the system that the server's account can reach. */
  readonly folder: string
  /** True when the server was already running, left behind by one of our processes that was killed. */
  readonly adopted: boolean
  readonly pid: number
  /** False while it is down and being started again. */
  readonly isRunning: boolean
  /** Ends the server; finishes within 20 s, the hard way if it must. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** The server ended and could not be started again. */
  readonly onLost?: (error: Error) => void
  /** Pauses before each attempt to start it again, ms. */
  readonly delaysMs?: readonly number[]
}

/** Name of the superuser that owns the database. */
const ownerLogin = 'app_owner'

const run = promisify(execFile)

/** A start after a crash replays the log first. */
const startTimeoutMs = 60_000
const adoptTimeoutMs = 15_000
/** Time for a fast shutdown (open transactions are rolled back), then for an immediate one. */
const fastStopMs = 15_000
const immediateStopMs = 5_000
const maxLogBytes = 10_000_000

/**
 * Starts PostgreSQL on a folder, or adopts the one that already runs there, and starts it again at the same address whenever
 * it ends without being asked to. Works as root and as anybody else, without install scripts, and never leaves a half-made
 * data folder.
 *
 * @throws EmbeddedUnavailable where PostgreSQL cannot run; FolderInUse when another of our processes holds the folder.
 */
export async function startEmbedded(
  dataDir: string,
  log: Logger,
  options: EmbeddedOptions = {},
): Promise<EmbeddedServer> {
  const wanted = path.resolve(dataDir, 'postgres')
  // The parent first and by itself: a recursive mkdir with mode 0700 would close the parent as well.
  await fs.mkdir(path.dirname(wanted), { recursive: true })
  const account = await chooseAccount(wanted)
  const folder = await reachableFolder(wanted, account, log)
  await refuseForeignFolder(folder, account)
  const lock = lockFolder(folder)
  try {
    const programs = await preparePrograms(account)
    return await startOrAdopt({ folder, account, programs, log, lock, options })
  } catch (error) {
    lock.release()
    throw error
  }
}

/** How to reach the server that another of our processes runs on this folder; null when none runs. */
export async function findEmbedded(dataDir: string, log: Logger): Promise<ClientConfig | null> {
  const wanted = path.resolve(dataDir, 'postgres')
  if (!existsSync(path.dirname(wanted))) return null
  const folder = await reachableFolder(wanted, await chooseAccount(wanted), log)
  const postmaster = readPostmaster(folder)
  if (!postmaster?.isReady || !isAlive(postmaster.pid) || !(await answers(folder, postmaster))) return null
  return adminConfig(folder, postmaster)
}

interface Start {
  readonly folder: string
  readonly account: Account
  readonly programs: Programs
  readonly log: Logger
  readonly lock: FolderLock
  readonly options: EmbeddedOptions
}

/** See ARCHITECTURE.md, "Where the specification is silent". */
async function reachableFolder(wanted: string, account: Account, log: Logger): Promise<string> {
  if (canReach(account, path.dirname(wanted))) return wanted
  const name = path
    .dirname(wanted)
    .slice(1)
    .replaceAll(/[^\w.-]+/g, '-')
  const folder = path.join('/var/lib/tour-operations', name, 'postgres')
  await fs.mkdir(path.dirname(folder), { recursive: true, mode: 0o755 })
  log.warn(
    { folder },
    `The database lies in ${folder}: this runs as root, PostgreSQL runs as ${account.name}, and that account cannot reach ` +
      `${path.dirname(wanted)}.`,
  )
  return folder
}

async function startOrAdopt(start: Start): Promise<EmbeddedServer> {
  const { folder, log } = start
  if (!existsSync(path.join(folder, 'PG_VERSION'))) await initialize(start)
  await refuseOtherVersion(start)
  const adopted = await adopt(start)
  if (adopted) log.info({ pid: adopted.pid }, 'adopted the PostgreSQL that was left running')
  return toServer(start, adopted ?? (await launch(start)), adopted !== null)
}

async function toServer(start: Start, first: RunningPostmaster, adopted: boolean): Promise<EmbeddedServer> {
  const { folder, lock, log, options } = start
  const supervisor = new Supervisor(first, {
    log,
    launch: async () => (await adopt(start)) ?? (await launch(start, first)),
    onLost: options.onLost ?? ((error) => log.fatal({ err: error }, 'the database is lost')),
    ...(options.delaysMs && { delaysMs: options.delaysMs }),
  })
  return {
    admin: await adminConfig(folder, first),
    folder,
    adopted,
    get pid() {
      return supervisor.run.pid
    },
    get isRunning() {
      return supervisor.isRunning
    },
    stop: async () => {
      await supervisor.stop(({ pid }) => stopServer(start, pid))
      if (first.host.startsWith(shortSocketPrefix)) await fs.rm(first.host, { recursive: true, force: true })
      lock.release()
    },
  }
}

const programOf = ({ programs }: Start, name: string): string =>
  path.join(programs.folder, 'bin', isWindows ? `${name}.exe` : name)

const spawnOptions = ({ account }: Start): { cwd: string; uid?: number; gid?: number; env: NodeJS.ProcessEnv } => ({
  ...(account.uid === undefined ? {} : { uid: account.uid }),
  ...(account.gid === undefined ? {} : { gid: account.gid }),
  // Our own working folder may be closed to the account.
  cwd: os.tmpdir(),
  env: { ...process.env, LC_ALL: 'C', HOME: os.tmpdir() },
})

// Unix: the socket is in a folder that only the account (and root) can enter, which is the whole access control.
// Windows has no such folder: loopback with a password.
const passwordFile = (folder: string): string => `${folder}.password`

async function adminConfig(folder: string, { host, port }: Postmaster): Promise<ClientConfig> {
  const password = isWindows ? (await fs.readFile(passwordFile(folder), 'utf8')).trim() : undefined
  return { host, port, user: ownerLogin, database: 'postgres', ...(password ? { password } : {}) }
}

/** Makes the data folder under a temporary name and renames it, so that a kill in the middle leaves nothing half-made. */
async function initialize(start: Start): Promise<void> {
  const { folder, account, log } = start
  const startedAt = performance.now()
  for (const leftover of await halfMadeFolders(folder)) await fs.rm(leftover, { recursive: true, force: true })
  const fresh = `${folder}.new-${randomBytes(6).toString('hex')}`
  await fs.mkdir(fresh, { mode: 0o700 })
  if (account.uid !== undefined) await fs.chown(fresh, account.uid, account.gid ?? account.uid)
  if (isWindows) await fs.writeFile(passwordFile(folder), randomBytes(24).toString('base64url'), { mode: 0o600 })
  const access = isWindows ? ['-A', 'scram-sha-256', `--pwfile=${passwordFile(folder)}`] : ['-A', 'trust']
  const locale = ['-E', 'UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=und']
  const options = [
    '-D',
    fresh,
    '-U',
    ownerLogin,
    ...access,
    ...locale,
    '--data-checksums',
    '--no-sync',
    '--no-instructions',
  ]
  await run(programOf(start, 'initdb'), options, spawnOptions(start)).catch(explainRefusal)
  await fs.appendFile(path.join(fresh, 'postgresql.conf'), serverSettings)
  await fs.rm(folder, { recursive: true, force: true })
  await fs.rename(fresh, folder)
  log.info({ folder, tookMs: Math.round(performance.now() - startedAt) }, 'made a new database folder')
}

/** Distinguishes "cannot run here at all", after which PGlite is used, from what the operator has to fix. */
function explainRefusal(error: NodeJS.ErrnoException & { stderr?: string }): never {
  const words = error.stderr?.trim() || error.message
  // A program built for another C library: its loader is missing (ENOENT), or the libraries are.
  const isForeign =
    error.code === 'ENOENT' || /error while loading shared libraries|not found \(required by/.test(words)
  // A container that runs as a number without a name: initdb wants the name.
  const isNameless = /could not look up effective user ID/.test(words)
  if (isForeign || isNameless)
    throw new EmbeddedUnavailable(`PostgreSQL does not run here (${words})`, { cause: error })
  throw new Error(`PostgreSQL could not make its folder: ${words}`, { cause: error })
}

async function halfMadeFolders(folder: string): Promise<string[]> {
  const parent = path.dirname(folder)
  const prefix = `${path.basename(folder)}.new-`
  return (await fs.readdir(parent)).filter((name) => name.startsWith(prefix)).map((name) => path.join(parent, name))
}

// A medium operator fits into this memory (docs/domain.md, "Sizes"). The limits end what a crashed or careless
// client left behind; no callable may take longer than 70 s (spec, section 9).
const serverSettings = `
# Written once by the launcher.
listen_addresses = '${isWindows ? '127.0.0.1' : ''}'
max_connections = 60
shared_buffers = 128MB
max_wal_size = 512MB
statement_timeout = 70s
idle_in_transaction_session_timeout = 60s
lock_timeout = 15s
password_encryption = 'scram-sha-256'
timezone = 'UTC'
log_timezone = 'UTC'
`

async function refuseForeignFolder(folder: string, account: Account): Promise<void> {
  if (isWindows || !existsSync(folder)) return
  const { uid } = await fs.stat(folder)
  if (uid === (account.uid ?? process.getuid?.())) return
  throw new Error(
    `The database folder ${folder} belongs to the account number ${uid}, this runs as ${account.name}. ` +
      'Start with the account that made it, or choose another folder with DATA_DIR.',
  )
}

async function refuseOtherVersion({ folder, programs }: Start): Promise<void> {
  const have = (await fs.readFile(path.join(folder, 'PG_VERSION'), 'utf8')).trim()
  if (have === programs.majorVersion) return
  throw new Error(
    `The database in ${folder} was written by PostgreSQL ${have}, this program brings PostgreSQL ` +
      `${programs.majorVersion}. Export the data with the version of this program that wrote it.`,
  )
}

/** The server that one of our processes left running when it was killed; null when there is none. */
async function adopt({ folder }: Start): Promise<RunningPostmaster | null> {
  for (const deadline = performance.now() + adoptTimeoutMs; performance.now() < deadline; await sleep(pollMs)) {
    const postmaster = readPostmaster(folder)
    if (!postmaster || !isAlive(postmaster.pid)) return null
    if (postmaster.isReady && (await answers(folder, postmaster)))
      return { ...postmaster, ended: endOf(postmaster.pid) }
  }
  // Either it hangs, or the number belongs to another program by now. PostgreSQL itself knows, and its log will say.
  return null
}

/** @param before The run whose address is taken over. */
async function launch(start: Start, before?: Postmaster): Promise<RunningPostmaster> {
  const { folder } = start
  await clearAwayDead(folder)
  const place = isWindows
    ? ['-p', String(before?.port ?? (await freePort()))]
    : ['-p', '5432', '-k', before?.host ?? (await socketFolder(start))]
  const logFile = `${folder}.log`
  if (existsSync(logFile) && (await fs.stat(logFile)).size > maxLogBytes) await fs.rename(logFile, `${logFile}.1`)
  const output = openSync(logFile, 'a')
  const options = {
    ...spawnOptions(start),
    detached: true,
    stdio: ['ignore', output, output] as ['ignore', number, number],
  }
  const child = spawn(programOf(start, 'postgres'), ['-D', folder, ...place], options)
  closeSync(output)
  const end: { why?: string } = {}
  const ended = new Promise<string>((resolve) => {
    const note = (why: string): void => {
      end.why = why
      resolve(why)
    }
    child.once('error', (error) => note(error.message))
    child.once('exit', (code, signal) => note(`exit ${code ?? signal}`))
  })
  child.unref()
  for (
    const deadline = performance.now() + startTimeoutMs;
    !end.why && performance.now() < deadline;
    await sleep(pollMs)
  ) {
    const postmaster = readPostmaster(folder)
    if (postmaster?.pid === child.pid && postmaster?.isReady && (await answers(folder, postmaster)))
      return { ...postmaster, ended }
  }
  const lastWords = (await fs.readFile(logFile, 'utf8')).slice(-600).trim()
  throw new Error(`PostgreSQL did not start (${end.why ?? 'no answer'}). The end of ${logFile}:\n${lastWords}`)
}

const shortSocketPrefix = path.join(os.tmpdir(), 'tour-operations-socket-')

/** The path of a unix socket may have 107 bytes at most, so a deep data folder needs a short one next to it. */
async function socketFolder({ folder, account }: Start): Promise<string> {
  const longestFolder = 107 - '/.s.PGSQL.5432'.length
  if (Buffer.byteLength(folder) <= longestFolder) return folder
  const short = await fs.mkdtemp(shortSocketPrefix)
  if (account.uid !== undefined) await fs.chown(short, account.uid, account.gid ?? account.uid)
  return short
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (!address || typeof address === 'string') throw new Error('the system gave no port')
  return address.port
}

async function answers(folder: string, postmaster: Postmaster): Promise<boolean> {
  const client = new Client({ ...(await adminConfig(folder, postmaster)), connectionTimeoutMillis: 2_000 })
  // A refusal is the answer "not yet"; the loop around this asks again or reports the server's own log.
  client.on('error', () => undefined)
  return client.connect().then(
    async () => {
      await client.end()
      return true
    },
    () => false,
  )
}

async function stopServer(start: Start, pid: number): Promise<void> {
  if (isWindows) {
    const stop = ['stop', '-D', start.folder, '-m', 'fast', '-w']
    if (isAlive(pid)) await run(programOf(start, 'pg_ctl'), stop, spawnOptions(start))
    return
  }
  // Its own file is the last thing that a server removes. An adopted one is not our child process and may stay listed for seconds.
  const isRunning = (): boolean => isAlive(pid) && existsSync(path.join(start.folder, 'postmaster.pid'))
  for (const [signal, patienceMs] of [
    ['SIGINT', fastStopMs],
    ['SIGQUIT', immediateStopMs],
  ] as const) {
    if (!isRunning()) return
    process.kill(pid, signal)
    for (const end = performance.now() + patienceMs; isAlive(pid) && performance.now() < end;) await sleep(pollMs)
  }
  if (isRunning()) start.log.error({ pid }, 'PostgreSQL did not stop in time; it recovers at its next start')
}
