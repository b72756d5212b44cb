import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { byReason } from './refusals.ts'

/** Reasons that no screen needs a sentence for, and why. */
const saidElsewhere: Readonly<Record<string, string>> = {
  // By code: what a person can do is the same whatever the reason.
  app_check: 'unauthenticated',
  identity_unavailable: 'unavailable',
  rate_limited: 'resource-exhausted, with the seconds in the notice of the connection',
  // Mistakes of a program, which no screen of ours makes.
  idempotency_key_reused: 'the client makes a key for each write',
  derived: 'no callable takes counters',
  append_only: 'no callable changes the audit log',
  metadata: 'no callable writes it',
  published: 'no callable changes a published revision',
  no_revision: 'publishing makes one',
  allotment_exhausted: 'no callable uses allotments yet',
}

/**
 * Reasons of refusals in the server's own code: of `details` of an error, and of the rules of the database. One that is passed on as a variable
 * is not seen here: guards of a status (the dialog lists them), outcomes of an import and of the identity service (their screens say them).
 */
function reasonsOfServer(): string[] {
  const root = new URL('../../../server/src/', import.meta.url)
  const sources = globSync('**/*.ts', { cwd: root })
    .filter((file) => !/(\.test|tables)\.ts$/.test(file))
    .map((file) => readFileSync(new URL(file, root), 'utf8'))
  const written = sources.flatMap((source) => [
    ...source.matchAll(/details:\s*\{[^}]*?\breason:\s*([^,}]+)/g),
    ...source.matchAll(/\brefused\(\s*('\w+')/g),
    ...source.matchAll(/^\s+reason: ('\w+'),\n\s+\},/gm),
  ])
  const literals = written.flatMap(([, expression = '']) => [...expression.matchAll(/(?<!=== )'([a-z][a-z_]+)'/g)])
  return [...new Set(literals.flatMap(([, reason]) => reason ?? []))].toSorted()
}

test('every reason that the server gives has its sentence, or is said in another way', () => {
  const reasons = reasonsOfServer()
  expect(reasons).toEqual(expect.arrayContaining(['staff_busy', 'earlier_stop_open', 'in_use', 'hold_expired']))
  expect(reasons.length).toBeGreaterThan(70)
  expect(reasons.filter((reason) => !(reason in byReason) && !(reason in saidElsewhere))).toEqual([])
})

test('no reason is excused that has a sentence, or that the server no longer gives', () => {
  const reasons = reasonsOfServer()
  const isExcused = (reason: string) => reasons.includes(reason) && !(reason in byReason)
  expect(Object.keys(saidElsewhere).filter((reason) => !isExcused(reason))).toEqual([])
})
