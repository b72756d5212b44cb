import { DatabaseError, databaseCodeNames } from '@tour-ops/contract/database-codes'
import { AppError, errorCodes } from '@tour-ops/contract/errors'
import { StorageError, storageCodes } from '@tour-ops/contract/files'
import { afterEach, describe, expect, test } from 'vitest'
import { authCodes } from '../backend/auth-codes.ts'
import { authErrorOfFirebase, databaseErrorOfFirebase } from '../backend/firebase/firebase-errors.ts'
import { m } from '../paraglide/messages.js'
import { overwriteGetLocale } from '../paraglide/runtime.js'
import { functionWords } from './code-words.ts'
import { wordsOf } from './error-words.ts'
import * as services from './service-words.ts'

/** An error as the SDK throws it. */
const coded = (code: string): Error => Object.assign(new Error(`Firebase: Error (${code}).`), { code })

/** A sentence for a person: words with an end, and nothing of the machine in it. */
function expectSentence(words: string, code: string): void {
  expect(words, code).toMatch(/^[A-ZÄÖÜÁÉÍÓÚÑ].{20,}[.]$/u)
  expect(words.toLowerCase(), code).not.toMatch(/firebase|error|exception|auth\/|undefined|_/)
  if (code.includes('-')) expect(words, code).not.toContain(code)
}

describe.each(['en', 'de', 'es'] as const)('in %s every code becomes a sentence that a person can act on', (locale) => {
  afterEach(() => overwriteGetLocale(() => 'en'))

  test('codes of the sign-in', () => {
    overwriteGetLocale(() => locale)
    for (const code of authCodes) expectSentence(wordsOf(authErrorOfFirebase(coded(`auth/${code}`)), services), code)
    const own = authCodes.map((code) => wordsOf(authErrorOfFirebase(coded(`auth/${code}`)), services))
    expect(new Set(own).size).toBe(authCodes.length)
  })

  test('codes of the file store', () => {
    overwriteGetLocale(() => locale)
    for (const code of storageCodes) expectSentence(wordsOf(new StorageError(code, 'storage/code'), services), code)
  })

  test('codes of calls', () => {
    overwriteGetLocale(() => locale)
    for (const code of errorCodes) expectSentence(functionWords[code](), code)
  })

  test('codes of the database', () => {
    overwriteGetLocale(() => locale)
    for (const code of databaseCodeNames) expectSentence(wordsOf(databaseErrorOfFirebase(coded(code))), code)
  })
})

test('before the sentences of the services are there, their faults are said by the code of the call, or as ours', () => {
  expect(wordsOf(authErrorOfFirebase(coded('auth/network-request-failed')))).toBe(functionWords.unavailable())
  expect(wordsOf(new StorageError('unauthorized', 'storage/unauthorized'))).toBe(functionWords.internal())
})

test('what the server wrote is not what a person reads', () => {
  expect(wordsOf(new AppError('aborted', 'Only two seats are left.'))).toBe(m.errors_refused())
  expect(wordsOf(new AppError('not-found', 'No such row.'))).toBe(functionWords['not-found']())
})

test('a code that nobody has heard of is told as a fault of ours', () => {
  expect(databaseErrorOfFirebase(coded('heard-of-nowhere'))).toMatchObject({ code: 'unknown' })
  expect(wordsOf(new Error('boom'))).toBe(wordsOf(new DatabaseError('internal', 'boom')))
})
