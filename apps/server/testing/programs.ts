import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Callable, In, Out } from '@tour-ops/contract/callable'
import type { ErrorDetails } from '@tour-ops/contract/errors'

// For tests and benches: the program as people start it, in a separate process, and people who use it over HTTP.

export interface Program {
  readonly child: ChildProcess
  readonly base: string
  /** Everything it has printed. */
  readonly output: () => string
  /** The exit code; null after a signal. */
  readonly ended: Promise<number | null>
}

/** Longest start that is waited for: a fresh database on a machine that does other things as well. */
const startTimeoutMs = 120_000

/** Starts `main.ts` and resolves when it has printed its address. One that does not get there is ended. */
export async function startProgram(
  env: Readonly<Record<string, string>>,
  timeoutMs: number = startTimeoutMs,
): Promise<Program> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../src/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'error',
      DEMO: 'off',
      DEMO_MOVES: 'off',
      ...quickStart,
      ...noLimits,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const ready = Promise.withResolvers<string>()
  const hear = (chunk: Buffer): void => {
    output += chunk.toString()
    const [, address] = /Ready on (http:\S+) /.exec(output) ?? []
    if (address) ready.resolve(address)
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  void ended.then(() => ready.reject(new Error(`The program did not start:\n${output}`)))
  const late = setTimeout(() => child.kill('SIGTERM'), timeoutMs)
  const base = await ready.promise.finally(() => clearTimeout(late))
  return { child, base, output: () => output, ended }
}

/** Runs a program of the server to its end, such as `backup.ts`. */
export async function runToEnd(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../src', file), ...args], {
    env: { PATH: process.env['PATH'], ...quickStart, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...texts }
}

/** What Node has compiled before is taken from here: a start takes two thirds of the time. */
const quickStart = {
  NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../../node_modules/.cache/tour-operations/compiled'),
}
const noLimits = { RATE_LIMIT_IP: '0', RATE_LIMIT_USER: '0', RATE_LIMIT_IDENTITY: '0' }

/**
 * A port that nobody listens on, outside of the range from which systems take the ports of connections: one of those would come between
 * this answer and the start of the program. A start with `PORT=0` would change the address, and with it who signs the tokens.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const server = net.createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return freePort()
  server.close()
  await once(server, 'close')
  return port
}

/** An empty folder that PostgreSQL's own account can reach as well. */
export function newDataFolder(name: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `tour-operations-${name}-`))
  fs.chmodSync(folder, 0o755)
  return folder
}

/** What a call came to: a result, a refusal, or nothing at all when the server went away. */
export type Answer<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'refused'; readonly status: string; readonly message: string; readonly details: ErrorDetails }
  | { readonly kind: 'lost' }

/** A signed-in person. */
export interface Person {
  readonly bearer: string
  readonly refreshToken: string
  /** Of the identity session. */
  readonly cookie: string
  call<C extends Callable>(callable: C, input: In<C>, base?: string): Promise<Out<C>>
  /** The same without throwing, for a server that may be gone. */
  ask<C extends Callable>(callable: C, input: In<C>, base?: string): Promise<Answer<Out<C>>>
}

const json = { 'content-type': 'application/json' }

export async function postJson(
  address: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`)
  return answer
}

/**
 * Signs in as a browser does: identity, identity token, backend token.
 *
 * @param origin The public address, where that is not the one asked.
 */
export async function signIn(
  base: string,
  { email, password }: { email: string; password: string },
  origin: string = base,
): Promise<Person> {
  const signedIn = await postJson(`${base}/api/auth/sign-in/email`, { email, password }, { origin })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const { token } = (await (await fetch(`${base}/api/auth/token`, { headers: { cookie } })).json()) as { token: string }
  const backend = await postJson(`${base}/api/v1/accounts:signInWithCustomToken`, { token, returnSecureToken: true })
  const { idToken, refreshToken } = (await backend.json()) as { idToken: string; refreshToken: string }
  return personWith({ bearer: idToken, refreshToken, cookie }, base)
}

function personWith(tokens: Pick<Person, 'bearer' | 'refreshToken' | 'cookie'>, ownBase: string): Person {
  const ask: Person['ask'] = async (callable, input, base = ownBase) => {
    try {
      const response = await fetch(`${base}/api/${callable.name}`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${tokens.bearer}` },
        body: JSON.stringify({ data: input }),
      })
      const body = (await response.json()) as { result: Out<typeof callable> } | { error: Refusal }
      return 'error' in body ? { kind: 'refused', ...body.error } : { kind: 'result', result: body.result }
    } catch (error) {
      // fetch and json fail with these when the connection breaks, before or in the middle of an answer
      if (error instanceof TypeError || error instanceof SyntaxError) return { kind: 'lost' }
      throw error
    }
  }
  return {
    ...tokens,
    ask,
    call: async (callable, input, base) => {
      const answer = await ask(callable, input, base)
      if (answer.kind === 'result') return answer.result
      throw new Error(
        `${callable.name}: ${answer.kind === 'lost' ? 'no answer' : `${answer.status} ${answer.message} ${JSON.stringify(answer.details)}`}`,
      )
    },
  }
}

interface Refusal {
  readonly status: string
  readonly message: string
  readonly details: ErrorDetails
}
