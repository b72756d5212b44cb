import { fieldIssue } from '@tour-ops/contract/field-rules'
import { MoneyMinor } from '@tour-ops/contract/fields'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { m } from '../../paraglide/messages.js'
import { issueText, problemsOf, problemsOfServer } from './form-errors.ts'

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

test('a field that is called "type" is not read as an error', () => {
  expect(problemsOf({ unit: { type: { type: 'custom', message: 'Choose one.' } } })).toEqual([
    { path: 'unit.type', message: 'Choose one.' },
  ])
})

test('of what the server refused the first rule per field counts', () => {
  const issues = {
    code: [fieldIssue('tour_code_taken'), fieldIssue('too_long', { max: 10 })],
    name: [],
    note: [{ code: 'of_a_later_version' }],
  }
  expect(problemsOfServer(issues)).toEqual([
    { path: 'code', message: 'Another tour has this code.' },
    { path: 'note', message: m.ui_form_check() },
  ])
  expect(problemsOfServer(undefined)).toEqual([])
})

test('an invalid shape is shown by its rules, and a screen’s own shape with the text that it gives', () => {
  const shape = z.object({
    price: MoneyMinor,
    role: z.pipe(z.enum(['', 'guide']), z.enum(['guide'], { error: () => m.members_role_empty() })),
  })
  const { error } = shape.safeParse({ price: -1, role: '' })
  expect(error?.issues.map(issueText)).toEqual(['An amount cannot be negative.', 'Choose a role.'])
})
