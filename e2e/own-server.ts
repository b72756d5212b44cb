import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export interface OwnServer {
  readonly url: string
  /** What it printed so far. */
  output(): string
  stop(): Promise<void>
}

/**
 * A server of a test's own, on the database that lives inside the process: for what the shared one cannot be (no demo, sign-up closed, other
 * redirect targets).
 */
export async function startOwnServer(port: number, env: Record<string, string>): Promise<OwnServer> {
  const url = `http://127.0.0.1:${port}`
  // one that is left of an earlier run would answer in its place, with other settings or another build
  if (await fetch(`${url}/readyz`).catch(() => null)) throw new Error(`Another server answers at ${url} already.`)
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'own-server-'))
  const main = path.resolve(import.meta.dirname, '../apps/server/src/main.ts')
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      EMBEDDED_ENGINE: 'pglite',
      LOG_LEVEL: 'warn',
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

async function untilReady(address: string, child: ChildProcess, output: () => string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`The server of the test ended:\n${output()}`)
    const answer = await fetch(address).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  child.kill('SIGKILL')
  throw new Error(`The server of the test did not become ready:\n${output()}`)
}
