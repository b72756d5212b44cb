import { expect, test } from 'vitest'
import { guarded, unguarded } from './formula-guard.ts'

test.each([
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '\u00A0\u200B=1+1',
  '\uFEFF=1+1',
  '"=1+1',
  "'=1+1",
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(A1)',
  '﹢1+1',
  '﹣1+1',
  '⁼1+1',
  '\u22121+1',
])('%j is kept as text', (text) => {
  expect(guarded(text)).toBe(`'${text}`)
})

test.each(['+3545551234', '-12', '-12.5', '-12,5', '0', '14:30', "'tis", "O'Neill", 'a=b', 'Ada + Ben', '', ' ', "'"])(
  '%j is left as it is',
  (text) => {
    expect(guarded(text)).toBe(text)
  },
)

test('what was guarded is the same again, also where it began with an apostrophe itself', () => {
  for (const text of [
    '=1',
    "'=1",
    "''=1",
    "' =1",
    '"=1',
    "'-1",
    "'",
    "''",
    "'+3545551234",
    '+3545551234',
    "'tis",
    '＝1',
  ]) {
    expect(unguarded(guarded(text))).toBe(text)
  }
})
