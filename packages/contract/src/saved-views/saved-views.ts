import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, recordOf, Saved, text, Version, write } from '../fields.ts'

/** A view belongs to a table, by the table's own name: `travelers`, `departures`. */
const Screen = z.string().check(z.regex(/^[a-z][a-z0-9-]{1,59}$/))
/** Mappings of imports are stored with the views, with their own calls and permission: nobody reaches them as a view. */
export const importMappings = 'travelers-import'
/** Longest JSON text of a view's search, in characters. */
const maxSearchCharacters = 10_000
/** The search part of the address, as the screen writes it; the screen that opens it checks it like any typed address. */
const Search = recordOf(z.unknown(), 60, 60).check(
  z.refine((search) => JSON.stringify(search).length <= maxSearchCharacters, 'view_too_large'),
)

export const SavedView = z.object({
  id: Id,
  version: Version,
  screen: z.string(),
  name: z.string(),
  search: Search,
  columns: z.array(z.string()),
  isShared: z.boolean(),
  isOwn: z.boolean(),
})
export type SavedView = z.output<typeof SavedView>

export const listSavedViews = callable({
  name: 'saved-views-list',
  kind: 'read',
  permission: 'member',
  summary: 'My views of a table and those shared with everybody.',
  input: z.object({ screen: Screen }),
  output: z.object({ views: z.array(SavedView) }),
  topics: ['saved_views'],
})

export const saveView = callable({
  name: 'saved-views-save',
  kind: 'write',
  permission: 'member',
  summary: 'Saves a view under a name, as a new one or over an own one.',
  input: write({
    id: z.optional(Id),
    version: z.optional(Version),
    screen: Screen,
    name: text(60, 'view_unnamed'),
    search: Search,
    columns: z._default(z.array(z.string().check(z.maxLength(60))).check(z.maxLength(60)), []),
    isShared: z._default(z.boolean(), false),
  }),
  output: Saved,
  writes: ['saved_views'],
})

export const deleteView = callable({
  name: 'saved-views-delete',
  kind: 'write',
  permission: 'member',
  summary: 'Deletes an own view.',
  input: write({ id: Id }),
  output: z.object({ id: Id }),
  writes: ['saved_views'],
})
