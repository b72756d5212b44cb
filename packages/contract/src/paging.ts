import * as z from 'zod/mini'
import { Count } from './fields.ts'

/** Rows per page at most; screens are virtual and ask for 100 to 200. */
export const maxPageSize = 500
/** Characters of an export at most; a longer one is refused with the advice to filter. */
export const maxCsvCharacters = 5_000_000

const query = z._default(z.string().check(z.trim(), z.maxLength(100)), '')

const sortOf = <const S extends readonly [string, ...string[]]>(sortable: S) =>
  z._default(
    z
      .array(z.object({ by: z.enum(sortable), descending: z._default(z.boolean(), false) }))
      .check(z.maxLength(4, 'too_many_sorts')),
    [],
  )

/** A misspelt filter that is left out would answer with everything. */
const noSuchFilter = ({ code }: { code?: string }): string | undefined =>
  code === 'unrecognized_keys' ? 'filter_unknown' : undefined

/**
 * Input of every list: search words, filters, sort, page. Filters of one list are combined with "and", values
 * inside one filter with "or". An empty sort is the list's default order. Pages count from 1.
 *
 * @param maxSize Rows of a page at most, where a screen shows more at once than others.
 */
export const listInput = <F extends z.core.$ZodShape, const S extends readonly [string, ...string[]]>(
  filters: F,
  sortable: S,
  maxSize: number = maxPageSize,
) =>
  z.object({
    q: query,
    filters: z.optional(z.strictObject(filters, { error: noSuchFilter })),
    sort: sortOf(sortable),
    page: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 1),
    size: z._default(z.int().check(z.minimum(1), z.maximum(maxSize)), 100),
  })

/** Input of the export of a list: the same filters, no page; `columns` picks and orders, all when left out. */
export const exportInput = <F extends z.core.$ZodShape, const S extends readonly [string, ...string[]]>(
  filters: F,
  sortable: S,
) =>
  z.object({
    q: query,
    filters: z.optional(z.strictObject(filters, { error: noSuchFilter })),
    sort: sortOf(sortable),
    columns: z.optional(z.array(z.string().check(z.maxLength(60))).check(z.maxLength(60))),
  })

/** Names of the filters that a list has; none for what is no list. */
export function filterNamesOf({ input }: { readonly input: z.ZodMiniType }): ReadonlySet<string> {
  const filters = input instanceof z.ZodMiniObject ? input.def.shape['filters'] : undefined
  const shape = filters instanceof z.ZodMiniOptional ? filters.def.innerType : undefined
  return new Set(shape instanceof z.ZodMiniObject ? Object.keys(shape.def.shape) : [])
}

/** Names of the columns by which a list sorts; none for what is no list. */
export function sortNamesOf({ input }: { readonly input: z.ZodMiniType }): ReadonlySet<string> {
  const sort = input instanceof z.ZodMiniObject ? input.def.shape['sort'] : undefined
  const items = sort instanceof z.ZodMiniDefault ? sort.def.innerType : undefined
  const item = items instanceof z.ZodMiniArray ? items.def.element : undefined
  const by = item instanceof z.ZodMiniObject ? item.def.shape['by'] : undefined
  return new Set(by instanceof z.ZodMiniEnum ? by.options.map(String) : [])
}

/** A page of rows and how many there are in all. */
export const listOutput = <R extends z.ZodMiniType>(row: R) => z.object({ rows: z.array(row), total: Count })

/** A filter with several allowed values. */
export const anyOf = <T extends z.ZodMiniType>(value: T) => z.optional(z.array(value).check(z.maxLength(200)))
