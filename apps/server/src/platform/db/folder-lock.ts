import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartRefused } from '../start-refused.ts'

export interface FolderLock {
  release(): void
}

/** A second process was started on a folder that is in use. The message is for the person who started it. */
class FolderInUse extends StartRefused {
  override readonly name = 'FolderInUse'
}

/**
 * Takes a folder for this process alone, until it is released or the process ends in whatever way.
 *
 * The lock is the operating system's lock on a file next to the folder, taken through SQLite, which every Node has: unlike a
 * file with a process number in it, it cannot be stale, and of two processes at the same moment exactly one gets it. The
 * number is in a second file, only to be named in the message.
 *
 * @throws FolderInUse naming the process that holds it.
 */
export function lockFolder(folder: string): FolderLock {
  fs.mkdirSync(path.dirname(folder), { recursive: true })
  const pidFile = `${folder}.pid`
  const handle = new DatabaseSync(`${folder}.lock`, { timeout: 0 })
  try {
    handle.exec('begin exclusive')
  } catch (error) {
    handle.close()
    if (!isBusy(error)) throw error
    throw new FolderInUse(
      `The folder ${folder} is in use by process ${readHolder(pidFile)}. ` +
        'Stop that process first, or choose another folder with DATA_DIR.',
      { cause: error },
    )
  }
  fs.writeFileSync(pidFile, `${process.pid}\n`)
  return {
    release: () => {
      if (!handle.isOpen) return
      fs.rmSync(pidFile, { force: true })
      handle.close()
    },
  }
}

const sqliteBusy = 5

const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy

// The winner writes its number right after it got the lock, so a loser of the same moment may look too early.
function readHolder(pidFile: string): string {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const pid = readIfThere(pidFile)?.trim()
    if (pid && isAlive(Number(pid))) return pid
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25)
  }
  return '(unknown)'
}

/** Null for a file that is not there: the process that wrote it may take it away at any moment. */
export function readIfThere(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Whether a process runs, ours or somebody else's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isUncollected(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A killed orphan stays listed until the first process of the system collects it, which in containers may take seconds or forever. */
export function isUncollected(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Source: proc_pid_stat(5): the state follows the name, which is in parentheses and may hold any character.
    return 'ZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2))
  } catch (error) {
    // it ended meanwhile, or /proc is not there
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
