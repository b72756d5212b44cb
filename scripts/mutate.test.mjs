import { expect, test } from 'vitest'
import { resultOf } from './mutate/report.mjs'
import { notInSample, sampleOf, strykerPlugins } from './mutate/sample.mjs'

const mutants = Array.from({ length: 40 }, (_, at) => ({
  id: String(at),
  fileName: `/anywhere/.cache/mutate/web-copy/sandbox-${at % 2}/apps/web/src/a.ts`,
  location: { start: { line: at, column: 0 }, end: { line: at, column: 5 } },
  mutatorName: 'BooleanLiteral',
  replacement: 'true',
}))
const ids = (chosen) => chosen.map(({ id }) => id)

test('a seed chooses the same mutants at every run, wherever the copy is, and another seed others', () => {
  const elsewhere = mutants.map((mutant) => ({
    ...mutant,
    fileName: '/home/.cache/mutate/web-copy/sandbox-x/apps/web/src/a.ts',
  }))
  expect(sampleOf(mutants, 10, '1')).toHaveLength(10)
  expect(ids(sampleOf(elsewhere.toReversed(), 10, '1'))).toEqual(ids(sampleOf(mutants, 10, '1')))
  expect(ids(sampleOf(mutants, 10, '2'))).not.toEqual(ids(sampleOf(mutants, 10, '1')))
  expect(sampleOf(mutants, 0, '1')).toHaveLength(40)
})

test('the checker lets exactly the sample pass', async () => {
  process.env.MUTATE_SAMPLE = '7'
  const checker = strykerPlugins[0].factory()
  expect(await checker.group(mutants)).toEqual([ids(mutants)])
  const verdicts = Object.values(await checker.check(mutants))
  delete process.env.MUTATE_SAMPLE
  expect(verdicts.filter(({ status }) => status === 'passed')).toHaveLength(7)
  expect(verdicts.filter(({ reason }) => reason === notInSample)).toHaveLength(33)
})

test('a report is read as counts and places, without what was not in the sample', () => {
  const location = { start: { line: 2, column: 8 }, end: { line: 2, column: 13 } }
  const mutant = { location, mutatorName: 'EqualityOperator', replacement: 'a <= b' }
  const result = resultOf({
    files: {
      'src/a.ts': {
        source: 'const a = 1\nreturn a < b\n',
        mutants: [
          { ...mutant, status: 'Survived' },
          { ...mutant, status: 'Killed' },
          { ...mutant, status: 'Timeout' },
          { ...mutant, status: 'NoCoverage' },
          { ...mutant, status: 'Ignored' },
          { ...mutant, status: 'CompileError', statusReason: notInSample },
        ],
      },
    },
  })
  expect(result).toEqual({
    places: 5,
    run: 4,
    killed: 2,
    survivors: ['src/a.ts:2 EqualityOperator: a < b → a <= b'],
    untested: ['src/a.ts:2 EqualityOperator: a < b → a <= b'],
  })
})
