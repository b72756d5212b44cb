import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from './search-params.ts'
import { drawerTabs } from '../records/drawer-request.ts'
import { day, entity, listSearch, matching, oneOf, reportSearch, search, text } from '../addresses/search-shape.ts'

const id = '0197a5a0-0000-7000-8000-000000000001'

test.each([
  ['a word of the list', oneOf('trips', 'needs'), 'needs', 'needs'],
  ['a word that is not in it', oneOf('trips', 'needs'), 'constructor', undefined],
  ['a day', day, '2026-11-23', '2026-11-23'],
  ['a day that does not exist', day, '2026-02-30', undefined],
  ['the id of a record', entity, id, id],
  ['something else for an id', entity, 'new', undefined],
  ['a text that looks like a number', text, '0123', '0123'],
  ['what is no text', text, 12, undefined],
  ['what matches', matching(/^(today|\d+)$/), 'today', 'today'],
  ['what does not', matching(/^(today|\d+)$/), 'todays', undefined],
])('%s', (_, shape, given, read) => {
  expect(search({ it: shape }).parse({ it: given })).toEqual({ it: read })
  expect(search({ it: shape }).parse({})).toEqual({})
})

test('a list reads its table, its filters and what the screen adds; a wrong value takes no other with it', () => {
  const { parse } = listSearch({ show: oneOf('tours', 'departures'), on: day })
  expect(
    parse({ q: '0123', page: '2', 'f.status': 'delayed,on_time', 'f.broken': 3, show: 'wrong', on: '2026-11-23' }),
  ).toEqual({ q: '0123', page: '2', 'f.status': 'delayed,on_time', show: undefined, on: '2026-11-23' })
})

test('a report with a wrong day keeps the other and what it is compared with', () => {
  expect(reportSearch.parse({ from: 'yesterday', to: '2026-11-23', compare: 'none' })).toEqual({
    from: undefined,
    to: '2026-11-23',
    compare: 'none',
  })
})

/** The shapes of the dashboard's frame and of a screen in it, as the routes have them. */
function at(address: string) {
  const root = createRootRoute()
  const frame = createRoute({
    id: 'frame',
    getParentRoute: () => root,
    validateSearch: search({ departure: entity, tab: text }),
  })
  const screen = createRoute({
    path: '/screen',
    getParentRoute: () => frame,
    validateSearch: search({ tab: oneOf('trips', 'needs', ...drawerTabs), on: day }),
  })
  const router = createRouter({
    routeTree: root.addChildren([frame.addChildren([screen])]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch,
    stringifySearch,
  })
  return router
}

test('the frame reads its drawer and the screen its own part, even if other parts are invalid', () => {
  const router = at(`/screen?departure=${id}&tab=manifest&on=never&other=1`)
  const [frame, screen] = router
    .matchRoutes(router.latestLocation)
    .slice(1)
    .map(({ search }) => search)
  expect(frame).toMatchObject({ departure: id, tab: 'manifest' })
  expect(screen).toMatchObject({ departure: id, tab: 'manifest', on: undefined, other: '1' })
})

test('what is wrong does not travel on with a link, and everything else does', () => {
  const router = at(`/screen?departure=nonsense&tab=needs&other=1`)
  const { searchStr } = router.buildLocation({ to: '.', search: (before) => ({ ...before, on: '2026-11-23' }) })
  expect(searchStr).toBe('?tab=needs&other=1&on=2026-11-23')
})
