import { globSync, readFileSync } from 'node:fs'
import { AppError } from '@tour-ops/contract/errors'
import { fieldError, fieldIssue } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { afterEach, expect, test } from 'vitest'
import { overwriteGetLocale } from '../paraglide/runtime.js'
import { entryProblem, loadRefusals, refusalText, withSentences } from './refusal-text.ts'

afterEach(() => overwriteGetLocale(() => 'en'))

const busy = refuse('vehicle_busy', { name: 'Sprinter 3', code: 'GOLD-261120-0900' })

test('before its sentences are there, a refusal is shown by its code; a failed call waits for them', async () => {
  expect(refusalText(busy)).toBe('This is not possible at the moment. Check it again.')
  overwriteGetLocale(() => 'de')
  expect(refusalText(busy)).toBe('Das ist im Moment nicht möglich. Bitte prüfen Sie den Stand.')
  const answered = new AppError(busy.code, busy.message, { details: { ...busy.details, requestId: '7f3a' } })
  await expect(withSentences(Promise.reject(answered))).rejects.toBe(answered)
  expect(refusalText(busy)).toBe('Sprinter 3 ist zu dieser Zeit schon GOLD-261120-0900 zugeteilt.')
})

test('a refusal is shown from its reason and parameters in every language, and never in the server’s words', async () => {
  await loadRefusals()
  const open = refuse('earlier_stop_open', { stopId: 's', placeName: 'Gullfoss' })
  const short = refuse('seats_exhausted', { seatsLeft: 1, asked: 3 })
  expect(refusalText(new AppError('aborted', 'Nobody reads this.', { details: short.details }))).toBe(
    '1 seat left, you asked for 3',
  )
  overwriteGetLocale(() => 'de')
  expect(refusalText(open)).toBe('Gullfoss ist noch offen. Beenden Sie diesen Halt zuerst, oder lassen Sie ihn aus.')
  expect(refusalText(short)).toBe('Noch 1 Platz frei, gewünscht 3')
  overwriteGetLocale(() => 'es')
  expect(refusalText(open)).toBe('Gullfoss sigue pendiente. Márquela u omítala primero.')
})

test('moments are shown in the format of the reader’s language', async () => {
  await loadRefusals()
  const away = refuse('staff_busy', {
    name: 'Björn',
    kind: 'time_off',
    code: null,
    from: '2026-11-20T09:00:00Z',
    to: '2026-11-22T17:00:00Z',
  })
  overwriteGetLocale(() => 'de')
  expect(refusalText(away)).toMatch(/^Björn ist zu dieser Zeit abwesend \(.*2[0-3].* – .*2[0-3].*\)\.$/)
})

test('a reason that is not known, and none at all, are still a sentence of the reader’s language', async () => {
  await loadRefusals()
  overwriteGetLocale(() => 'de')
  const unknown = new AppError('aborted', 'This tour is frozen.', { details: { reason: 'frozen' } })
  expect(refusalText(unknown)).toBe('Das ist im Moment nicht möglich. Bitte prüfen Sie den Stand.')
  expect(refusalText(new AppError('not-found', 'There is no such departure.'))).toMatch(/^Das gibt es nicht mehr/)
  expect(refusalText(new AppError('unavailable', ''))).toMatch(/^Der Server ist/)
  expect(refusalText(fieldError('reason', 'reason_missing'))).toBe('Bitte einen Grund angeben.')
  expect(refusalText(new Error('Cannot read properties of undefined'))).not.toContain('Cannot')
})

test('where a form shows what is wrong at each field, only the errors of the whole form are shown here', async () => {
  await loadRefusals()
  const refused = refuse('entries_refused', undefined, {
    fields: { critical: [fieldIssue('critical_before_late')], code: [fieldIssue('too_long', { max: 1 })] },
  })
  expect(refusalText(refused)).toBe('Critical cannot come before late.')
  expect(refusalText(refused, true)).toBe('Some entries need attention.')
  expect(entryProblem(refused, 'code')).toBe('At most 1 character.')
  expect(entryProblem(refused, 'name')).toBeUndefined()
  expect(entryProblem(null, 'code')).toBeUndefined()
})

test('a version conflict is shown the same everywhere', async () => {
  await loadRefusals()
  const conflict = refuse('version_conflict', { current: 4, what: 'tour' })
  expect(refusalText(conflict)).toBe('Someone else just changed this. Review it and try again.')
})

test('no screen prints an error’s own sentence', () => {
  const root = new URL('../', import.meta.url)
  const printed = globSync(['features/**/*.{ts,tsx}', 'app/**/*.{ts,tsx}', 'records/**/*.{ts,tsx}'], { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('app/errors/'))
    .flatMap((file) =>
      readFileSync(new URL(file, root), 'utf8')
        .split('\n')
        .filter((line) => /\b\w*([eE]rror|failure|refused)\w*\??\.message\b|\bfieldErrors\?*[.[]/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
  expect(printed).toEqual([])
})
