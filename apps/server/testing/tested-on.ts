import fs from 'node:fs'
import path from 'node:path'

// Which test files of the server run on which database. What brings a database of its own, or needs none, runs once, in the run on PGlite.

/**
 * Files that ask for the database of the run and run on PGlite as well as on PostgreSQL, which is the default and runs all of them: what is near the
 * database, starts a server, or calls everything there is, so that a statement or a second connection that PGlite does not have is found.
 */
const onBoth =
  /^(?:src\/platform\/(?:db|live|jobs|files|http)\/.*|tests\/(?:creations|fuzz|guarded-fields|own-scope|positions-killed|reach-of-roles|reads-leave-nothing|start)|seed\/(?:calendar|moving-days|moving-phones|remove-demo))\.test\.ts$/

/** The one file that seeds the whole demo on PGlite, where that takes most of a minute; the others do on PostgreSQL, which is three times as fast. */
const onlyOnPglite = /^seed\/renew-demo\.test\.ts$/

const server = path.resolve(import.meta.dirname, '..')

export const testFiles: readonly string[] = fs
  .globSync('{src,seed,tests}/**/*.test.ts', { cwd: server })
  .map((file) => file.replaceAll(path.sep, '/'))

/** Whether a test file, below `apps/server`, belongs to a run on one of the databases. */
export function runsOn(database: 'pglite' | 'postgres', file: string): boolean {
  if (onlyOnPglite.test(file)) return database === 'pglite'
  const asks = asksDatabaseOfRun(path.join(server, file))
  return database === 'postgres' ? asks : !asks || onBoth.test(file)
}

const texts = new Map<string, string>()
function textOf(file: string): string {
  const text = texts.get(file) ?? fs.readFileSync(file, 'utf8')
  texts.set(file, text)
  return text
}

const relativeImport = /(?:from|import) ?\(?'(\.[^']+\.tsx?)'/g

/** Whether a test, or a module that it is made of, asks for the database of the run. */
function asksDatabaseOfRun(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false
  seen.add(file)
  const text = textOf(file)
  if (text.includes("inject('embeddedPostgres')")) return true
  const imported = [...text.matchAll(relativeImport)].map(([, name = '']) => path.resolve(path.dirname(file), name))
  return imported.some((one) => asksDatabaseOfRun(one, seen))
}
