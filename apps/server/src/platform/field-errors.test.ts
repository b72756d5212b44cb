import { listTravelers } from '@tour-ops/contract/travelers/travelers'
import { expect, test } from 'vitest'
import { fieldErrorsOf } from './field-errors.ts'

const errorsOf = (input: unknown) => {
  const { error } = listTravelers.input.safeParse(input)
  return error && fieldErrorsOf(error)
}

test('messages stand under the path of their field', () => {
  expect(errorsOf({ size: 501, filters: { nationality: ['Norway'] } })).toEqual({
    size: [expect.any(String)],
    'filters.nationality.0': [expect.any(String)],
  })
})

test('a filter that the list does not have is named', () => {
  expect(errorsOf({ filters: { nationality: ['NO'], nationalities: ['NO'], constructor: [] } })).toEqual({
    'filters.nationalities': ['There is no such filter.'],
    'filters.constructor': ['There is no such filter.'],
  })
})
