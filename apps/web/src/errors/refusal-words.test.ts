import { globSync, readFileSync } from 'node:fs'
import { AppError, fieldError } from '@tour-ops/contract/errors'
import { afterEach, expect, test } from 'vitest'
import { overwriteGetLocale } from '../paraglide/runtime.js'
import { loadRefusals, refusalWords } from './refusal-words.ts'

afterEach(() => overwriteGetLocale(() => 'en'))

const busy = new AppError('aborted', 'Björn is already on GOLD-261120-0900 at that time.', {
  details: { reason: 'staff_busy' },
})

test('before its sentences are there, a refusal is said by its code, in the reader’s language', async () => {
  expect(refusalWords(busy)).toBe('Björn is already on GOLD-261120-0900 at that time.')
  overwriteGetLocale(() => 'de')
  expect(refusalWords(busy)).toBe('Das ist im Moment nicht möglich. Sehen Sie es noch einmal an.')
  await loadRefusals()
  expect(refusalWords(busy)).toBe('Diese Person ist zu dieser Zeit schon eingeteilt oder abwesend.')
})

test('the server’s own sentence is for English readers; others read what its reason means', () => {
  expect(refusalWords(busy)).toBe('Björn is already on GOLD-261120-0900 at that time.')
  overwriteGetLocale(() => 'de')
  expect(refusalWords(busy)).toBe('Diese Person ist zu dieser Zeit schon eingeteilt oder abwesend.')
  overwriteGetLocale(() => 'es')
  expect(refusalWords(busy)).toBe('Esta persona ya está ocupada a esa hora.')
})

test('a stop that is still open is named as that, and too large an export is not said to be too much at once', () => {
  const open = new AppError('aborted', 'Gullfoss is still open. Mark or skip it first.', {
    details: { reason: 'earlier_stop_open' },
  })
  const large = new AppError('resource-exhausted', 'This export is too large.', {
    details: { reason: 'export_too_large' },
  })
  expect(refusalWords(large)).toBe('These are too many rows for one file. Narrow the list first.')
  overwriteGetLocale(() => 'de')
  expect(refusalWords(open)).toBe('Ein früherer Halt ist noch offen. Beenden Sie ihn zuerst.')
  overwriteGetLocale(() => 'es')
  expect(refusalWords(open)).toBe('Una parada anterior sigue abierta: ciérrela primero.')
})

test('a reason that is not known, and none at all, are still a sentence of the reader’s language', () => {
  overwriteGetLocale(() => 'de')
  const unknown = new AppError('aborted', 'This tour is frozen.', { details: { reason: 'frozen' } })
  expect(refusalWords(unknown)).toBe('Das ist im Moment nicht möglich. Sehen Sie es noch einmal an.')
  expect(refusalWords(new AppError('not-found', 'There is no such departure.'))).toMatch(/^Das gibt es nicht mehr/)
  expect(refusalWords(new AppError('unavailable', ''))).toMatch(/^Der Server ist/)
  expect(refusalWords(fieldError('reason', 'Give a reason.'))).toBe('Bitte einen Grund angeben.')
  expect(refusalWords(new Error('Cannot read properties of undefined'))).not.toContain('Cannot')
})

test('where a form says what is wrong at each field, only what holds for all of it is said', () => {
  const refused = new AppError('invalid-argument', 'Some entries need another look.', {
    details: { fieldErrors: { critical: ['Critical cannot come before late.'] } },
  })
  expect(refusalWords(refused)).toBe('Critical cannot come before late.')
  expect(refusalWords(refused, true)).toBe('Some entries need another look.')
})

test('who was faster is said the same everywhere', () => {
  const conflict = new AppError('aborted', 'Somebody else changed this tour meanwhile.', {
    details: { reason: 'version_conflict' },
  })
  expect(refusalWords(conflict)).toBe('Somebody changed this at the same moment. Look again, then repeat it.')
})

test('no screen prints an error’s own sentence', () => {
  const root = new URL('../', import.meta.url)
  const printed = globSync(['features/**/*.{ts,tsx}', 'app/**/*.{ts,tsx}', 'records/**/*.{ts,tsx}'], { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('app/errors/'))
    .flatMap((file) =>
      readFileSync(new URL(file, root), 'utf8')
        .split('\n')
        .filter((line) => /\b\w*([eE]rror|failure|refused)\w*\??\.message\b/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
  expect(printed).toEqual([])
})
