import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

/** A loop over calls that have begun already, which awaits their refusals one after the other. */
const begunTogether =
  /for \(const (\w+) of \[(?:(?!\) \{\n)[\s\S])*?\) \{\n(?:(?!\n\}\))[\s\S])*?expect\(\1\)\s*\.rejects/

test('no test begins several calls that are refused before it waits for the first: a refusal that nobody waits for fails the run', () => {
  const files = fs.globSync('{apps,packages,e2e}/**/*.{test,e2e}.{ts,tsx}', { cwd: root, exclude: ['**/node_modules'] })
  expect(files.length).toBeGreaterThan(400)
  const wrong = files.filter((file) => begunTogether.test(fs.readFileSync(path.join(root, file), 'utf8')))
  expect(wrong).toEqual([])
})

test('such a loop is found', () => {
  const loop = (element, asked) =>
    `  for (const ask of [\n    ${element},\n  ]) {\n    await expect(${asked}).rejects.toThrow()\n  }\n})`
  expect(begunTogether.test(loop('viewer.call(verb, {})', 'ask'))).toBe(true)
  expect(begunTogether.test(loop('() => viewer.call(verb, {})', 'ask()'))).toBe(false)
})
