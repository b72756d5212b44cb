type Filters = Record<string, string[]>

/** The table uses a pair of days; the callable takes the first and the last. */
export function departureFiltersOf({ dates, ...rest }: Filters): Record<string, unknown> {
  const [from, to] = dates ?? []
  return { ...rest, ...(from && { from }), ...(to && { to }) }
}
