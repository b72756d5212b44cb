import { expect, test } from 'vitest'
import {
  databaseCodeNames,
  databaseCodeOfHttpStatus,
  databaseCodeOfWireStatus,
  databaseCodes,
  databaseWireStatusOf,
  isTransient,
} from './database-codes.ts'

test('there are the sixteen codes of the specification, numbered as they are known', () => {
  expect(databaseCodeNames).toEqual([
    'cancelled',
    'unknown',
    'invalid-argument',
    'deadline-exceeded',
    'not-found',
    'already-exists',
    'permission-denied',
    'resource-exhausted',
    'failed-precondition',
    'aborted',
    'out-of-range',
    'unimplemented',
    'internal',
    'unavailable',
    'data-loss',
    'unauthenticated',
  ])
  expect(databaseCodeNames.map((code) => databaseCodes[code].number)).toEqual(
    databaseCodeNames.map((_, index) => index + 1),
  )
})

test('every code survives the way over the wire and back', () => {
  for (const code of databaseCodeNames) expect(databaseCodeOfWireStatus(databaseWireStatusOf(code))).toBe(code)
  expect(databaseCodeOfWireStatus('SOMETHING_NEW')).toBe('unknown')
  expect(databaseCodeOfWireStatus('toString')).toBe('unknown')
})

test('a bare HTTP status gives a code with that status', () => {
  for (const code of databaseCodeNames) {
    const { httpStatus } = databaseCodes[code]
    expect(databaseCodes[databaseCodeOfHttpStatus(httpStatus)].httpStatus).toBe(httpStatus)
  }
  expect(databaseCodeOfHttpStatus(502)).toBe('unavailable')
  expect(databaseCodeOfHttpStatus(418)).toBe('unknown')
})

test('what cannot get better by itself is not sent again', () => {
  expect(databaseCodeNames.filter((code) => !isTransient(code))).toEqual([
    'invalid-argument',
    'not-found',
    'already-exists',
    'permission-denied',
    'failed-precondition',
    'out-of-range',
    'unimplemented',
    'data-loss',
  ])
})
