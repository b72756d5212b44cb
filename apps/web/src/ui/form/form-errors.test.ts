import { expect, test } from 'vitest'
import { problemsOf, problemsOfServer } from './form-errors.ts'

test('nested errors become paths in the order of the fields', () => {
  const errors = {
    name: { type: 'too_small', message: 'Fill this in.', ref: { name: 'name' } },
    contact: { email: { type: 'invalid_format', message: 'This does not look like an e-mail address.' } },
    units: [undefined, { quantity: { type: 'server', message: 'At least 1.' } }],
  }
  expect(problemsOf(errors)).toEqual([
    { path: 'name', message: 'Fill this in.' },
    { path: 'contact.email', message: 'This does not look like an e-mail address.' },
    { path: 'units.1.quantity', message: 'At least 1.' },
  ])
})

test('an error of a whole list names the list', () => {
  expect(problemsOf({ units: { root: { type: 'custom', message: 'Choose at least one guest.' } } })).toEqual([
    { path: 'units', message: 'Choose at least one guest.' },
  ])
})

test('a field that is called "type" is not taken for an error', () => {
  expect(problemsOf({ unit: { type: { type: 'custom', message: 'Choose one.' } } })).toEqual([
    { path: 'unit.type', message: 'Choose one.' },
  ])
})

test('of the server’s messages the first per field counts', () => {
  expect(problemsOfServer({ code: ['This code is taken.', 'Too long.'], name: [] })).toEqual([
    { path: 'code', message: 'This code is taken.' },
    { path: 'name', message: '' },
  ])
  expect(problemsOfServer(undefined)).toEqual([])
})
