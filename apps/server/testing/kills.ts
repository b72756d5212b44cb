import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { isAlive } from '../src/platform/db/folder-lock.ts'
import type { Program } from './programs.ts'

// For tests that kill the program together with the PostgreSQL in its data folder.

export type Way = 'server' | 'everything' | 'database first'
/** How often each of them. */
export const ways: readonly (readonly [Way, number])[] = [
  ['server', 5],
  ['everything', 3],
  ['database first', 2],
]

/** A PostgreSQL that stays behind is adopted by the next start; one that dies recovers from its log. */
export async function killHow(way: Way, dataDir: string, { child, ended }: Program): Promise<void> {
  const postmaster = way === 'server' ? 0 : postmasterOf(dataDir)
  if (way !== 'server') process.kill(postmaster, 'SIGKILL')
  if (way === 'database first') await sleep(30)
  child.kill('SIGKILL')
  await ended
  if (way !== 'server') await expect.poll(() => isAlive(postmaster), { interval: 5 }).toBe(false)
}

const postmasterOf = (dataDir: string): number =>
  Number(fs.readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

/** How the owner of the database in a data folder reaches it. */
export const ownerIn = (dataDir: string): { host: string; user: string; database: string } => ({
  host: path.join(dataDir, 'postgres'),
  user: 'app_owner',
  database: 'tour_operations',
})
