import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { locales } from '@tour-ops/contract/locales'
import { expect, test } from 'vitest'
import { compactMessage, speech } from '../../build/compact-messages.ts'
import { m } from '../paraglide/messages.js'
import { getLocale, overwriteGetLocale } from '../paraglide/runtime.js'

const folder = path.join(import.meta.dirname, '../paraglide/messages')

type Say = (inputs: object) => string

/** All messages as the build writes them, run as one script: what each module imports is there already, what it exports is put into `said`. */
function compactMessages(): Record<string, Say> {
  const modules = readdirSync(folder)
    .filter((file) => file.endsWith('.js') && file !== '_index.js')
    .map((file) => compactMessage(readFileSync(path.join(folder, file), 'utf8'), 'speech'))
    .map((code) => code.replace(/^import .*$/m, '').replace(/export \{ sentence as (.*) \}/, 'said[$1] = sentence'))
  const registry = speech('runtime')
    .replace(/^import .*$/m, '')
    .replaceAll('export const', 'const')
  const script = `${registry}\nconst registry = { say, plural, number }\nconst said = {}\n${modules.map((code) => `{ ${code} }`).join('\n')}\nreturn said`
  // oxlint-disable-next-line typescript/no-implied-eval -- the build's own code, as the browser would run it
  const run = new Function('getLocale', 'locales', script) as (...given: unknown[]) => Record<string, Say>
  return run(() => getLocale(), locales)
}

/** Every input has this value. */
const inputs = (value: unknown): object => new Proxy({}, { get: () => value })

test('every sentence of the build reads like the one that the compiler wrote, in each language', () => {
  const compact = compactMessages()
  const compiled = m as unknown as Record<string, Say>
  expect(Object.keys(compact).toSorted()).toEqual(Object.keys(compiled).toSorted())
  const before = getLocale
  try {
    for (const locale of locales) {
      overwriteGetLocale(() => locale)
      const different = Object.keys(compact).flatMap((name) =>
        [0, 1, 2, 1234.5]
          .map((value) => [compact[name]?.(inputs(value)), compiled[name]?.(inputs(value))])
          .filter(([ours, theirs]) => ours !== theirs),
      )
      expect(different).toEqual([])
    }
  } finally {
    overwriteGetLocale(before)
  }
})

test('a number for which a language has a form that a message lacks uses the last one, not the key', () => {
  const before = getLocale
  try {
    overwriteGetLocale(() => 'es')
    expect(compactMessages()['monitoring_alert_fact_missing']?.({ count: 1_000_000 })).toBe('Faltan 1000000 viajeros')
  } finally {
    overwriteGetLocale(before)
  }
})
