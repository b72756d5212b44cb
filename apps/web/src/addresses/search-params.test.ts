import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from './search-params.ts'

test('values are text and stay text', () => {
  expect(parseSearch('?q=0123&status=delayed,on_time')).toEqual({ q: '0123', status: 'delayed,on_time' })
})

test('lists are joined, empty values are left out', () => {
  expect(stringifySearch({ status: ['delayed', 'on_time'], q: '', page: 2, sort: [], tab: undefined })).toBe(
    '?status=delayed,on_time&page=2',
  )
  expect(stringifySearch({})).toBe('')
  expect(stringifySearch({ page: 0, archived: false, nobody: null, record: { id: 'a' } })).toBe(
    '?page=0&archived=false',
  )
})

test('what is written is read again', () => {
  const search = { q: 'Þór & co', departure: 'a+b', x: '100%' }
  expect(parseSearch(stringifySearch(search))).toEqual(search)
})
