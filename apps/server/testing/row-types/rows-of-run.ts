import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeclaredRow } from './declared-rows.ts'

/** Where the files of one run of the tests are. */
export interface RowTypesRun {
  /** The declared rows, once they are found. */
  readonly declared: string
  /** A folder with a file for each test file that has ended. */
  readonly judged: string
}

const server = path.resolve(import.meta.dirname, '../..')
const folder = path.resolve(server, '../../node_modules/.cache/tour-operations/row-types')
const lifetimeMs = 3_600_000

/** Passes to the processes of the tests where the run's files are. */
const variable = 'ROW_TYPES_RUN'

/** Null on PostgreSQL, where the same statements would answer the same. */
export function rowTypesRun(): RowTypesRun | null {
  const run = process.env[variable]
  return run === undefined ? null : (JSON.parse(run) as RowTypesRun)
}

/** Begins to look for the declared rows, in a separate process: it takes the compiler three seconds, and nobody waits for it. */
export function startRowTypes(): void {
  fs.mkdirSync(folder, { recursive: true })
  for (const name of fs.readdirSync(folder)) removeOld(path.join(folder, name))
  const declared = path.join(folder, `declared-${hashOfSources()}.json`)
  const judged = fs.mkdtempSync(path.join(folder, 'judged-'))
  if (!fs.existsSync(declared)) {
    const script = path.join(import.meta.dirname, 'write-declared-rows.ts')
    spawn(process.execPath, [script, declared], { stdio: ['ignore', 'inherit', 'inherit'] })
  }
  process.env[variable] = JSON.stringify({ declared, judged } satisfies RowTypesRun)
}

function removeOld(file: string): void {
  const made = fs.statSync(file, { throwIfNoEntry: false })
  if (made && Date.now() - made.mtimeMs > lifetimeMs) fs.rmSync(file, { recursive: true, force: true })
}

/** Types of rows are made of the server's sources and of the contract's. */
function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const file of fs.globSync('{apps/server/{src,seed},packages/contract/src}/**/*.ts', {
    cwd: path.resolve(server, '../..'),
  })) {
    hash.update(file).update(fs.readFileSync(path.resolve(server, '../..', file)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** The declared rows. @throws Error when they are not found within a minute; the reason is in the output of the run. */
export async function readDeclaredRows({ declared }: RowTypesRun): Promise<DeclaredRow[]> {
  const until = Date.now() + 60_000
  while (!fs.existsSync(declared)) {
    if (Date.now() > until) throw new Error('The row types of the statements could not be read.')
    await sleep(50)
  }
  return JSON.parse(fs.readFileSync(declared, 'utf8')) as DeclaredRow[]
}

/** What one test file has judged, for `unjudged-rows`. */
export function noteJudged({ judged }: RowTypesRun, testFile: string, rows: ReadonlySet<DeclaredRow>): void {
  fs.writeFileSync(path.join(judged, `${testFile.replaceAll(path.sep, '~')}.json`), JSON.stringify([...rows].map(idOf)))
}

/** One row type of a function that may have several. */
export const idOf = ({ place, line }: DeclaredRow): string => `${place}:${line}`

/** What all test files have judged, by file. */
export const readJudged = ({ judged }: RowTypesRun): Map<string, readonly string[]> =>
  new Map(
    fs
      .readdirSync(judged)
      .map((name) => [
        path.basename(name, '.json').replaceAll('~', path.sep),
        JSON.parse(fs.readFileSync(path.join(judged, name), 'utf8')) as string[],
      ]),
  )
