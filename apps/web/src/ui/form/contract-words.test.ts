import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const contract = new URL('../../../../../packages/contract/src/', import.meta.url)
const words = readFileSync(new URL('contract-words.ts', import.meta.url), 'utf8')

/** Sentences that shapes say to a person: neither the one-line summaries of callables nor comments, nor notes that are stored and read by screens. */
function sentencesIn(source: string): string[] {
  const lines = source.split('\n')
  const said = lines.filter(
    (line, at) =>
      !/summary:/.test(line + (lines[at - 1] ?? '')) && !/^\s*(\/\/|\/?\*|export const \w+Note = )/.test(line),
  )
  return said.flatMap((line) => [...line.matchAll(/'([A-Z][^']+\.)'/g)].map(([, sentence = '']) => sentence))
}

const sources = readdirSync(contract, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
)
/** Said by the wire, by the server at its start to whoever runs it, or to who writes shapes; never by a shape. */
const elsewhere = new Set([
  'errors.ts',
  'live/live-access.ts',
  'live/live-paths.ts',
  'database-codes.ts',
  'live/documents.ts',
  'identity/publishable-key.ts',
  'guarded-fields.ts',
])
/** Matched by their number. */
const numbered = /^At (least|most) \d+( characters)?\.$/

test('every sentence of the contract’s shapes is translated', () => {
  const said = sources
    .filter((name) => !elsewhere.has(name))
    .flatMap((name) => sentencesIn(readFileSync(new URL(name, contract), 'utf8')))
  expect(said.length).toBeGreaterThan(40)
  const untranslated = said.filter((sentence) => !numbered.test(sentence) && !words.includes(`'${sentence}'`))
  expect([...new Set(untranslated)]).toEqual([])
})

test('the English words are the contract’s own', () => {
  const messages: Record<string, string> = JSON.parse(
    readFileSync(new URL('../../../messages/ui/en.json', import.meta.url), 'utf8'),
  )
  const pairs = [...words.matchAll(/'([^'\n]+\.)':\s*m\.(\w+),/g)]
  expect(pairs.length).toBeGreaterThan(60)
  for (const [, sentence, key = ''] of pairs) expect(messages[key]?.replaceAll(/\\([{}])/g, '$1')).toBe(sentence)
})
