import { listTravelers } from '@tour-ops/contract/travelers/travelers'
import { expect, test } from 'vitest'
import { fieldIssuesOf } from './field-errors.ts'

const issuesOf = (input: unknown) => {
  const { error } = listTravelers.input.safeParse(input)
  return error && fieldIssuesOf(error)
}

test('rules are under the path of their field, with their limits', () => {
  expect(issuesOf({ size: 501, filters: { nationality: ['Norway'] } })).toEqual({
    size: [{ code: 'too_large', params: { max: 500 } }],
    'filters.nationality.0': [{ code: 'country_form' }],
  })
})

test('a filter that the list does not have is named', () => {
  expect(issuesOf({ filters: { nationality: ['NO'], nationalities: ['NO'], constructor: [] } })).toEqual({
    'filters.nationalities': [{ code: 'filter_unknown' }],
    'filters.constructor': [{ code: 'filter_unknown' }],
  })
})
