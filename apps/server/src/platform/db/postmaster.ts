import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isWindows } from './embedded.ts'
import { isAlive, isUncollected, readIfThere } from './folder-lock.ts'
import type { ServerRun } from './supervisor.ts'

export const pollMs = 15
/** How often an adopted server is looked for. */
const watchMs = 200
/** As long as a system that collects its dead may take. */
const collectTimeoutMs = 5_000
/** Time for processes of a server that was killed to notice it. */
const orphanMs = 2_000

/** PostgreSQL's first process, as its own lock file names it. */
export interface Postmaster {
  readonly pid: number
  readonly host: string
  readonly port: number
  readonly isReady: boolean
}

export interface RunningPostmaster extends Postmaster, ServerRun {}

/** Nobody says when a process that is not our child ends. */
export async function endOf(pid: number): Promise<string> {
  while (isAlive(pid)) await sleep(watchMs, undefined, { ref: false })
  return 'it is gone'
}

/** Reads the server's own lock file. Source: PostgreSQL, miscadmin.h, "LOCK_FILE_LINE_*". */
export function readPostmaster(folder: string): Postmaster | null {
  const text = readIfThere(path.join(folder, 'postmaster.pid'))
  if (text === null) return null
  const [pid, , , port, socketFolder, , , status] = text.split('\n')
  return {
    pid: Number(pid),
    host: isWindows ? '127.0.0.1' : (socketFolder ?? ''),
    port: Number(port),
    isReady: status?.trim() === 'ready',
  }
}

/** Clears away what a killed server has left, so that the next one can start. A server that lives is left alone. */
export async function clearAwayDead(folder: string): Promise<void> {
  await buryPostmaster(folder)
  await endOrphans(folder)
}

/**
 * PostgreSQL takes a killed postmaster that the system has not collected yet for a running one and refuses to start. We wait for
 * the collection; where nobody collects (some containers), the lock file of the dead goes, but only when none of its processes
 * is left that could still write: every one of them works in the data folder.
 */
async function buryPostmaster(folder: string): Promise<void> {
  const dead = readPostmaster(folder)
  if (!dead || !isUncollected(dead.pid)) return
  for (const deadline = performance.now() + collectTimeoutMs; performance.now() < deadline; await sleep(pollMs)) {
    if (!isUncollected(dead.pid)) return
  }
  if ((await workersIn(folder)).length === 0) await fs.rm(path.join(folder, 'postmaster.pid'), { force: true })
}

/** Linux only, as is what is not collected. Processes whose folder we may not see belong to somebody else. */
async function workersIn(folder: string): Promise<number[]> {
  const wanted = await fs.realpath(folder)
  const processes = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(processes.map((pid) => fs.readlink(`/proc/${pid}/cwd`).catch(() => null)))
  return processes.filter((_, index) => folders[index] === wanted).map(Number)
}

/**
 * Processes of a killed server end by themselves, except in the middle of a long statement; PostgreSQL does not start while one
 * of them is left. The signal is the one by which the server itself would have ended them after a crash.
 */
async function endOrphans(folder: string): Promise<void> {
  if (process.platform !== 'linux') return
  const dead = readPostmaster(folder)
  if (!dead || isAlive(dead.pid)) return
  for (const deadline = performance.now() + orphanMs; performance.now() < deadline; await sleep(pollMs)) {
    if ((await workersIn(folder)).length === 0) return
  }
  for (const pid of await workersIn(folder)) if (isAlive(pid)) process.kill(pid, 'SIGQUIT')
}
