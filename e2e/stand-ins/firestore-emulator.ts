import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import type { FirestoreStandIn } from './firestore.ts'
import { jsonOfFields, type FirestoreFields } from '@tour-ops/contract/live/firestore-values'

/** The vendor's own emulator: the one thing here that runs the language of the rules. */
export interface FirestoreEmulator extends Pick<FirestoreStandIn, 'port' | 'put' | 'close'> {
  /** What is stored at a path, as plain JSON. */
  at(path: string): Promise<object | undefined>
}

const mainClass = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore'
const startLimitMs = 170_000

/**
 * The path of the emulator: `FIRESTORE_EMULATOR_JAR`, or below the root of the `gcloud` on the PATH. Not on npm, so it is used where it is and
 * never required.
 */
export function findEmulatorJar(): string | undefined {
  const given = process.env['FIRESTORE_EMULATOR_JAR']
  if (given) return fs.existsSync(given) ? given : undefined
  const root = cloudSdkRoot()
  const jar = root && path.join(root, 'platform/cloud-firestore-emulator/cloud-firestore-emulator.jar')
  return jar && fs.existsSync(jar) && onPath('java') ? jar : undefined
}

/** `bin/gcloud` is below it. Asking the tool itself takes seconds. */
function cloudSdkRoot(): string | undefined {
  const tool = onPath('gcloud')
  return tool && path.resolve(path.dirname(fs.realpathSync(tool)), '..')
}

const onPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => fs.existsSync(file))

/** @param rules Path of the rules file; one that does not compile ends the start with its line and column. */
export async function startEmulator(jar: string, projectId: string, rules: string): Promise<FirestoreEmulator> {
  const port = await freePort()
  const args = ['-Duser.language=en', '-cp', jar, mainClass, '--host', '127.0.0.1', '--port', String(port)]
  const child = spawn('java', [...args, '--project_id', projectId, '--single_project_mode', '--rules', rules])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const origin = `http://127.0.0.1:${port}`
  const root = `${origin}/v1/projects/${projectId}/databases/(default)/documents`
  const owner = { authorization: 'Bearer owner', 'content-type': 'application/json' }
  await untilReady(
    origin,
    () => child.exitCode === null,
    () => output,
  )
  await requireRules(origin, projectId, rules)
  return {
    port,
    async put(where, fields) {
      const init = fields ? { method: 'PATCH', body: JSON.stringify({ fields }) } : { method: 'DELETE' }
      const response = await send(`${root}/${where}`, { ...init, headers: owner })
      if (!response.ok) throw new Error(`The emulator refused ${where}: ${await response.text()}`)
    },
    async at(where) {
      const response = await send(`${root}/${where}`, { headers: owner })
      if (!response.ok) return undefined
      return jsonOfFields(((await response.json()) as { fields?: FirestoreFields }).fields ?? {})
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The emulator may close a keep-alive connection at any time, also while the next request is on its way. What is sent here may arrive twice. */
const send = (url: string, init: RequestInit): Promise<Response> => fetch(url, init).catch(() => fetch(url, init))

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function untilReady(origin: string, isAlive: () => boolean, output: () => string): Promise<void> {
  for (const startedMs = Date.now(); Date.now() - startedMs < startLimitMs && isAlive();) {
    const answer = await fetch(origin).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The emulator did not become ready:\n${output()}`)
}

/** A file of rules that does not compile would otherwise only close everything. */
async function requireRules(origin: string, projectId: string, rules: string): Promise<void> {
  const content = fs.readFileSync(rules, 'utf8')
  const response = await fetch(`${origin}/emulator/v1/projects/${projectId}:securityRules`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rules: { files: [{ name: 'firestore.rules', content }] } }),
  })
  if (!response.ok) throw new Error(`The rules do not compile: ${await response.text()}`)
}
