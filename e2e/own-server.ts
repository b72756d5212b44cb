import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createLog } from '../apps/server/src/platform/log.ts'
import { ensurePgliteTemplate } from '../apps/server/testing/databases.ts'

export interface OwnServer {
  readonly url: string
  /** What it printed so far. */
  output(): string
  stop(): Promise<void>
}

/**
 * A server of a test's own, on the database that lives inside the process: for what the shared one cannot be (no demo, sign-up closed, other
 * redirect targets).
 *
 * @param from What it finds: a database whose tables are there and empty, which saves two thirds of the start, or `nothing`.
 */
export async function startOwnServer(
  port: number,
  env: Record<string, string>,
  from: 'empty tables' | 'nothing' = 'empty tables',
): Promise<OwnServer> {
  const url = `http://127.0.0.1:${port}`
  // one that is left of an earlier run would answer in its place, with other settings or another build
  if (await fetch(`${url}/readyz`).catch(() => null)) throw new Error(`Another server answers at ${url} already.`)
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'own-server-'))
  // PostgreSQL runs under another account where this is root's, and would lie elsewhere and stay
  fs.chmodSync(dataDir, 0o755)
  if (from === 'empty tables' && !env['DATABASE_URL']) await makeTables(path.join(dataDir, 'pglite'))
  const main = path.resolve(import.meta.dirname, '../apps/server/src/main.ts')
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      EMBEDDED_ENGINE: 'pglite',
      LOG_LEVEL: 'warn',
      DEMO_MOVES: 'off',
      ...env,
    },
  })
  let output = ''
  const listen = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  await untilReady(`${url}/readyz`, child, () => output)
  return {
    url,
    output: () => output,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The database that the units copy, unpacked where the server expects its own. */
async function makeTables(folder: string): Promise<void> {
  const template = await ensurePgliteTemplate(createLog('silent'))
  fs.mkdirSync(folder, { mode: 0o700 })
  const { status, stderr } = spawnSync('tar', ['-x', '--no-same-owner', '-f', template, '-C', folder])
  if (status !== 0) throw new Error(`The database of the test could not be unpacked: ${stderr?.toString()}`)
}

async function untilReady(address: string, child: ChildProcess, output: () => string): Promise<void> {
  // it ends what hangs and judges no speed: with the demo a start takes 40 s on a quiet machine
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`The server of the test ended:\n${output()}`)
    const answer = await fetch(address).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  child.kill('SIGKILL')
  throw new Error(`The server of the test did not become ready:\n${output()}`)
}
