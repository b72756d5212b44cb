import * as z from 'zod/mini'
import { isEntityId } from './entity-id.ts'

/*
 * Shapes of what follows the path in an address, for `validateSearch` of the routes. Every parameter may be absent, and a wrong value counts
 * as absent: it takes no other parameter with it. Defaults are the screen's, so that plain screens have plain addresses.
 */

const optionally = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)

export const text = optionally(z.string())
/** A day of the calendar, `2026-11-23`. */
export const day = optionally(z.iso.date())
/** The id of a record. */
export const entity = optionally(z.string().check(z.refine(isEntityId)))
export const matching = (pattern: RegExp) => optionally(z.string().check(z.regex(pattern)))
export const oneOf = <const Word extends string>(...words: Word[]) => optionally(z.enum(words))

/** What a screen reads from its address. */
export const search = z.object

/** Values of a table's filters by name; several are joined by commas. */
export type FilterParameters = { readonly [Name in `f.${string}`]?: string | undefined }

const isFilter = (entry: [string, unknown]): entry is [`f.${string}`, string] =>
  entry[0].startsWith('f.') && typeof entry[1] === 'string'
const filtersIn = (raw: Record<string, unknown>): FilterParameters =>
  Object.fromEntries(Object.entries(raw).filter(isFilter))

/** What `table-state.ts` writes in addition to the filters. */
const tableParameters = { q: text, sort: text, cols: text, page: text, size: text, view: text, f: text }

/** The address of a screen with a table: its state, and what the screen adds. */
export function listSearch<Shape extends Record<string, z.ZodMiniType>>(shape: Shape) {
  const schema = z.object({ ...tableParameters, ...shape })
  return { parse: (raw: Record<string, unknown>) => ({ ...filtersIn(raw), ...schema.parse(raw) }) }
}

/** The period of a report, and what it is compared with. */
export const reportSearch = search({ from: day, to: day, compare: oneOf('none', 'previous', 'last_year') })
