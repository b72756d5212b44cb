import { describe, expect, test } from 'vitest'
import {
  defaultTableState,
  exportInputOf,
  isTableParameter,
  listInputOf,
  pageCount,
  parseTableState,
  sameView,
  stringifyTableState,
  toggledSort,
  withFilter,
  withoutFilters,
  type TableState,
} from './table-state.ts'

const full: TableState = {
  q: 'zoë',
  sort: [
    { by: 'start', descending: true },
    { by: 'name', descending: false },
  ],
  filters: { status: ['delayed', 'on_time'], start: ['2026-11-20', ''], note: ['a,b', '50%'] },
  columns: ['name', 'state'],
  page: 3,
  size: 50,
  view: 'weekend',
}

describe('in the address', () => {
  test('a plain list has a plain address', () => {
    expect(stringifyTableState(defaultTableState)).toEqual({})
  })

  test('a full state is flat and readable', () => {
    expect(stringifyTableState(full)).toMatchObject({
      q: 'zoë',
      sort: '-start,name',
      'f.status': 'delayed,on_time',
      'f.start': '2026-11-20,',
      cols: 'name,state',
      page: '3',
      size: '50',
      view: 'weekend',
    })
  })

  test('what is written is read back, commas and percent signs in values included', () => {
    expect(parseTableState(stringifyTableState(full))).toEqual(full)
  })

  test('it survives the way through a real address', () => {
    const parameters = new URLSearchParams(Object.entries(stringifyTableState(full)) as [string, string][])
    const address = parameters.toString().replaceAll('%2C', ',')
    expect(parseTableState(Object.fromEntries(new URLSearchParams(address)))).toEqual(full)
  })

  test('numbers that a router made of parameters are taken as text', () => {
    expect(parseTableState({ q: 123, page: 2 })).toMatchObject({ q: '123', page: 2 })
  })

  test('wrong parameters fall back', () => {
    expect(parseTableState({ page: '0', size: '5000', sort: ',-,', q: ['x'] })).toEqual({
      ...defaultTableState,
      sort: [],
    })
    expect(parseTableState({ page: 'two', size: '-3' })).toEqual(defaultTableState)
    expect(parseTableState({ 'f.status': '', 'f.': 'x' }).filters).toEqual({})
  })

  test('at most four sort columns', () => {
    expect(parseTableState({ sort: 'a,b,c,d,e' }).sort).toHaveLength(4)
  })

  test('a cleared default stays cleared', () => {
    const defaults: TableState = {
      ...defaultTableState,
      sort: [{ by: 'start', descending: false }],
      filters: { status: ['open'] },
    }
    const search = stringifyTableState({ ...defaults, sort: [], filters: {} }, defaults)
    expect(search).toEqual({ sort: 'none', f: 'none' })
    expect(parseTableState(search, defaults)).toMatchObject({ sort: [], filters: {} })
    expect(parseTableState({}, defaults)).toEqual(defaults)
  })

  test('other parameters of the address are somebody else’s', () => {
    expect(['q', 'sort', 'f.status', 'cols', 'page', 'size', 'view', 'f'].every(isTableParameter)).toBe(true)
    expect(['departure', 'tab', 'import', 'from'].some(isTableParameter)).toBe(false)
  })
})

describe('for the server', () => {
  test('empty filters are left out', () => {
    expect(listInputOf({ ...full, filters: { status: ['delayed'], start: ['', ''] } })).toEqual({
      q: 'zoë',
      sort: full.sort,
      filters: { status: ['delayed'] },
      page: 3,
      size: 50,
    })
    expect(listInputOf(defaultTableState)).toEqual({ q: '', sort: [], page: 1, size: 200 })
  })

  test('an export has the same filters and no page', () => {
    expect(exportInputOf({ ...full, filters: { status: ['delayed'] } })).toEqual({
      q: 'zoë',
      sort: full.sort,
      filters: { status: ['delayed'] },
    })
  })
})

describe('changes', () => {
  test('a filter goes back to the first page; without values it goes away', () => {
    const narrowed = withFilter({ ...defaultTableState, page: 4 }, 'status', ['open'])
    expect(narrowed).toMatchObject({ page: 1, filters: { status: ['open'] } })
    expect(withFilter(narrowed, 'status', []).filters).toEqual({})
    expect(withFilter(narrowed, 'start', ['', '']).filters).toEqual({ status: ['open'] })
  })

  test('clearing keeps sort and columns', () => {
    expect(withoutFilters(full)).toEqual({ ...full, q: '', filters: {}, page: 1 })
  })

  test('a view is the same whatever the page', () => {
    expect(sameView(full, { ...full, page: 9 })).toBe(true)
    expect(sameView(full, { ...full, sort: [] })).toBe(false)
    expect(sameView(full, { ...full, columns: null })).toBe(false)
    expect(sameView(full, { ...full, filters: { ...full.filters, extra: [] } })).toBe(true)
  })

  test('there is always a page', () => {
    expect([pageCount(0, 200), pageCount(200, 200), pageCount(201, 200)]).toEqual([1, 1, 2])
  })
})

describe('a press on the head of a column', () => {
  const words = (sort: TableState['sort']) => sort.map(({ by, descending }) => `${descending ? '-' : ''}${by}`).join()
  const press = (sort: TableState['sort'], by: string, isMulti = false) => toggledSort(sort, by, isMulti)

  test('sorts up, then down, then not at all', () => {
    const up = press([], 'name')
    const down = press(up, 'name')
    expect([up, down, press(down, 'name')].map(words)).toEqual(['name', '-name', ''])
    expect(words(press(down, 'start'))).toBe('start')
  })

  test('with Shift joins what sorts already, keeps its place, and pushes the oldest out', () => {
    const two = press(press([], 'name'), 'start', true)
    expect([two, press(two, 'name', true)].map(words)).toEqual(['name,start', '-name,start'])
    const five = ['a', 'b', 'c', 'd', 'e'].reduce<TableState['sort']>((sort, by) => press(sort, by, true), [])
    expect(words(five)).toBe('b,c,d,e')
    expect(words(press(press(five, 'c', true), 'c', true))).toBe('b,d,e')
  })
})
