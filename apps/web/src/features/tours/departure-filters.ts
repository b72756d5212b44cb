type Filters = Record<string, string[]>

/** The table speaks of a pair of days; the callable of the first and the last. */
export function departureFiltersOf({ dates, ...rest }: Filters): Record<string, unknown> {
  const [from, to] = dates ?? []
  return { ...rest, ...(from && { from }), ...(to && { to }) }
}
