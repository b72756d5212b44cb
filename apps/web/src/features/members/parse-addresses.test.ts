import { expect, test } from 'vitest'
import { parseAddresses } from './parse-addresses.ts'

test('addresses are found however they were pasted, each once, in lowercase', () => {
  expect(
    parseAddresses('Ana Ruiz <Ana@Example.com>; bob@example.com,\n\n ana@example.com\tcy@example.com dee@example.com'),
  ).toEqual(['ana@example.com', 'bob@example.com', 'cy@example.com', 'dee@example.com'])
})

test('entries that are not addresses stay, so that they can be reported; empty input gives nothing', () => {
  expect(parseAddresses('Ana Ruiz, ana@example')).toEqual(['ana ruiz', 'ana@example'])
  expect(parseAddresses(' \n ;, <> ')).toEqual([])
})
