import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { pino, type Logger } from 'pino'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../src/platform/db/launcher.ts'
import { ensurePgliteTemplate, makePostgresTemplate } from './databases.ts'
import { startRowTypes } from './row-types/rows-of-run.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** How to reach the PostgreSQL of this run; null when the tests use PGlite. */
    embeddedPostgres: ClientConfig | null
  }
}

const folderPrefix = path.join(os.tmpdir(), 'tour-operations-test-')

/** A run that was killed leaves its server running; the next run ends it. */
async function stopLeftovers(log: Logger): Promise<void> {
  for (const name of await fs.readdir(os.tmpdir())) {
    const folder = path.join(os.tmpdir(), name)
    if (!folder.startsWith(folderPrefix) || !existsSync(path.join(folder, 'postgres/postmaster.pid'))) continue
    try {
      const server = await startEmbedded(folder, log)
      await server.stop()
      await fs.rm(folder, { recursive: true, force: true })
    } catch (error) {
      // Another run holds it, or it belongs to somebody else.
      log.debug({ err: error, folder }, 'left alone')
    }
  }
}

/**
 * The run's database ends with it: nothing of it has to outlive the machine. What a killed process leaves survives without that as well, and
 * tests of what must be durable bring a database of their own.
 */
async function leaveDiskAlone(admin: ClientConfig): Promise<void> {
  const client = new Client(admin)
  await client.connect()
  try {
    await client.query('alter system set fsync = off')
    await client.query('alter system set full_page_writes = off')
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

let tearDown = async (): Promise<void> => undefined

/** Runs once before the server's tests: makes the template that every test file copies. */
export async function setup(project: TestProject): Promise<void> {
  const log = pino({ level: process.env['TEST_LOG'] ?? 'warn' })
  if (process.env['TEST_DATABASE'] !== 'embedded') {
    project.provide('embeddedPostgres', null)
    await ensurePgliteTemplate(log)
    return
  }
  startRowTypes()
  await stopLeftovers(log)
  const folder = await fs.mkdtemp(folderPrefix)
  // PostgreSQL runs as another account when this is root.
  await fs.chmod(folder, 0o755)
  const server = await startEmbedded(folder, log)
  tearDown = async () => {
    await server.stop()
    await fs.rm(folder, { recursive: true, force: true })
  }
  try {
    await leaveDiskAlone(server.admin)
    await makePostgresTemplate(server.admin, log)
  } catch (error) {
    await tearDown()
    throw error
  }
  project.provide('embeddedPostgres', server.admin)
}

export const teardown = (): Promise<void> => tearDown()
