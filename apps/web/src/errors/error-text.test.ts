import { DatabaseError, databaseCodeNames } from '@tour-ops/contract/database-codes'
import { AppError, errorCodes } from '@tour-ops/contract/errors'
import { StorageError, storageCodes } from '@tour-ops/contract/files'
import { afterEach, describe, expect, test } from 'vitest'
import { authCodes } from '../backend/auth-codes.ts'
import { authErrorOfFirebase, databaseErrorOfFirebase } from '../backend/firebase/firebase-errors.ts'
import { m } from '../paraglide/messages.js'
import { overwriteGetLocale } from '../paraglide/runtime.js'
import { functionErrors } from './code-errors.ts'
import { errorText } from './error-text.ts'
import * as services from './service-errors.ts'

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
    for (const code of authCodes) expectSentence(errorText(authErrorOfFirebase(coded(`auth/${code}`)), services), code)
    const own = authCodes.map((code) => errorText(authErrorOfFirebase(coded(`auth/${code}`)), services))
    expect(new Set(own).size).toBe(authCodes.length)
  })

  test('codes of the file store', () => {
    overwriteGetLocale(() => locale)
    for (const code of storageCodes) expectSentence(errorText(new StorageError(code, 'storage/code'), services), code)
  })

  test('codes of calls', () => {
    overwriteGetLocale(() => locale)
    for (const code of errorCodes) expectSentence(functionErrors[code](), code)
  })

  test('codes of the database', () => {
    overwriteGetLocale(() => locale)
    for (const code of databaseCodeNames) expectSentence(errorText(databaseErrorOfFirebase(coded(code))), code)
  })
})

test('before the sentences of the services are there, their errors are shown by the code of the call, or as internal errors', () => {
  expect(errorText(authErrorOfFirebase(coded('auth/network-request-failed')))).toBe(functionErrors.unavailable())
  expect(errorText(new StorageError('unauthorized', 'storage/unauthorized'))).toBe(functionErrors.internal())
})

test('what the server wrote is not what a person reads', () => {
  expect(errorText(new AppError('aborted', 'Only two seats are left.'))).toBe(m.errors_refused())
  expect(errorText(new AppError('not-found', 'No such row.'))).toBe(functionErrors['not-found']())
})

test('an unknown code is shown as an internal error', () => {
  expect(databaseErrorOfFirebase(coded('heard-of-nowhere'))).toMatchObject({ code: 'unknown' })
  expect(errorText(new Error('boom'))).toBe(errorText(new DatabaseError('internal', 'boom')))
})
