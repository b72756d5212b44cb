/** What a list shows, small enough for the address bar. Sort and filters have the shape of the contract's `listInput`. */
export interface SortBy {
  by: string
  descending: boolean
}

export interface TableState {
  /** Search words. */
  q: string
  sort: readonly SortBy[]
  /** Values by filter; one filter's values are alternatives, filters narrow each other. */
  filters: Readonly<Record<string, readonly string[]>>
  /** Ids of the columns shown, in order; null = the usual ones. */
  columns: readonly string[] | null
  /** From 1. */
  page: number
  /** Rows per page, at most 500. */
  size: number
  /** Id of the saved view last chosen. */
  view: string | null
}

/** Rows per page at most. Source: contract, paging. */
const maxPageSize = 500
const sizes = { usual: 200, most: maxPageSize }

export const defaultTableState: TableState = {
  q: '',
  sort: [],
  filters: {},
  columns: null,
  page: 1,
  size: sizes.usual,
  view: null,
}

/** Sort columns at most. Source: contract, paging. */
const maxSorts = 4
const filterPrefix = 'f.'
/** Says that a default was cleared; an empty parameter would not survive in an address. */
const cleared = 'none'

type Search = Readonly<Record<string, unknown>>
/** Flat parameters of an address; undefined leaves one out. */
export type TableSearch = Record<string, string | undefined>

const text = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined

const joinValues = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',')

const splitValues = (joined: string): string[] =>
  joined === '' ? [] : joined.split(',').map((value) => value.replaceAll('%2C', ',').replaceAll('%25', '%'))

function parseSort(joined: string): SortBy[] {
  const parts = splitValues(joined).slice(0, maxSorts)
  return parts
    .map((part) => (part.startsWith('-') ? { by: part.slice(1), descending: true } : { by: part, descending: false }))
    .filter(({ by }) => by !== '')
}

/** After a press on the head of a column: ascending, descending, unsorted. Several sort together, the newest last, the oldest of too many goes. */
export function toggledSort(sort: readonly SortBy[], by: string, isMulti: boolean): SortBy[] {
  const before = sort.find((item) => item.by === by)
  const after = before?.descending ? [] : [{ by, descending: before !== undefined }]
  if (!isMulti) return after
  return before ? sort.flatMap((item) => (item.by === by ? after : [item])) : [...sort, ...after].slice(-maxSorts)
}

const stringifySort = (sort: readonly SortBy[]): string =>
  joinValues(sort.map(({ by, descending }) => (descending ? `-${by}` : by)))

function wholeBetween(value: string | undefined, min: number, max: number): number | undefined {
  const number = Number(value)
  return value !== undefined && Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

function parseFilters(search: Search): Record<string, string[]> | undefined {
  const found = Object.entries(search)
    .filter(([key]) => key.startsWith(filterPrefix))
    .map(([key, value]) => [key.slice(filterPrefix.length), splitValues(text(value) ?? '')] as const)
    .filter(([id, values]) => id !== '' && values.some((value) => value !== ''))
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

/**
 * Reads a table's state from the parameters of an address. What is absent or wrong takes the value of `defaults`; a
 * cleared default travels as `none`, so it stays cleared.
 */
export function parseTableState(search: Search, defaults: TableState = defaultTableState): TableState {
  const sort = text(search['sort'])
  const columns = text(search['cols'])
  const hasFilters = Object.keys(search).some((key) => key.startsWith(filterPrefix)) || search['f'] !== undefined
  return {
    q: text(search['q']) ?? defaults.q,
    sort: sort === undefined ? defaults.sort : sort === cleared ? [] : parseSort(sort),
    filters: hasFilters ? (parseFilters(search) ?? {}) : defaults.filters,
    columns: columns === undefined ? defaults.columns : splitValues(columns),
    page: wholeBetween(text(search['page']), 1, 1_000_000) ?? defaults.page,
    size: wholeBetween(text(search['size']), 1, sizes.most) ?? defaults.size,
    view: text(search['view']) ?? defaults.view,
  }
}

/** The parameters that `parseTableState` reads back; what equals `defaults` is left out, so plain lists have plain addresses. */
export function stringifyTableState(state: TableState, defaults: TableState = defaultTableState): TableSearch {
  const search: TableSearch = {}
  if (state.q !== defaults.q) search['q'] = state.q
  if (stringifySort(state.sort) !== stringifySort(defaults.sort)) search['sort'] = stringifySort(state.sort) || cleared
  if (!sameFilters(state.filters, defaults.filters)) {
    const set = Object.entries(state.filters).filter(([, values]) => values.length > 0)
    for (const [id, values] of set) search[filterPrefix + id] = joinValues(values)
    if (set.length === 0) search['f'] = cleared
  }
  if (state.columns && !sameList(state.columns, defaults.columns)) search['cols'] = joinValues(state.columns)
  if (state.page !== defaults.page) search['page'] = String(state.page)
  if (state.size !== defaults.size) search['size'] = String(state.size)
  if (state.view !== null && state.view !== defaults.view) search['view'] = state.view
  return search
}

/** Whether a parameter of an address belongs to a table; the rest (an open departure, a tab) is somebody else's. */
export const isTableParameter = (name: string): boolean =>
  ['q', 'sort', 'cols', 'page', 'size', 'view', 'f'].includes(name) || name.startsWith(filterPrefix)

const sameList = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  a === b || (a !== null && b !== null && a.length === b.length && a.every((value, at) => value === b[at]))

function sameFilters(a: TableState['filters'], b: TableState['filters']): boolean {
  const ids = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...ids].every((id) => sameList(a[id] ?? [], b[id] ?? []))
}

/** Whether two states show the same rows in the same way; the page does not count. */
export const sameView = (a: TableState, b: TableState): boolean =>
  a.q === b.q &&
  stringifySort(a.sort) === stringifySort(b.sort) &&
  sameFilters(a.filters, b.filters) &&
  sameList(a.columns, b.columns)

/** Input of a list callable. Filters without values are left out. */
export function listInputOf(state: TableState) {
  return { ...exportInputOf(state), page: state.page, size: state.size }
}

/** Input of an export callable: the same rows, no page. */
export function exportInputOf(state: TableState) {
  const filters = Object.fromEntries(
    Object.entries(state.filters)
      .filter(([, values]) => values.some((value) => value !== ''))
      .map(([id, values]) => [id, [...values]]),
  )
  return {
    q: state.q,
    sort: state.sort.map(({ by, descending }) => ({ by, descending })),
    ...(Object.keys(filters).length > 0 ? { filters } : {}),
  }
}

/** Sets or removes one filter and goes back to the first page. */
export function withFilter(state: TableState, id: string, values: readonly string[]): TableState {
  const { [id]: _previous, ...others } = state.filters
  const filters = values.some((value) => value !== '') ? { ...others, [id]: values } : others
  return { ...state, filters, page: 1 }
}

/** Removes search words and all filters. */
export const withoutFilters = (state: TableState): TableState => ({ ...state, q: '', filters: {}, page: 1 })

/** How many filters are set. */
/** Whether search or filters leave something out. */
export const isNarrowed = (state: TableState): boolean => state.q !== '' || filterCount(state) > 0

export const filterCount = (state: TableState): number => Object.keys(state.filters).length

/** Pages there are; at least one. */
export const pageCount = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))
