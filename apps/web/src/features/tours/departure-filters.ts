import { useQuery } from '@tanstack/react-query'
import { getSession } from '@tour-ops/contract/session'
import { useNow } from '../../app/shell/clock.ts'
import { callQuery } from '../../backend/queries.ts'
import { localDateOf, viewerZone } from '../../ui/format.ts'

type Filters = Record<string, string[]>

/** The table speaks of a pair of days; the callable of the first and the last. */
export function departureFiltersOf({ dates, ...rest }: Filters): Record<string, unknown> {
  const [from, to] = dates ?? []
  return { ...rest, ...(from && { from }), ...(to && { to }) }
}

/** Today on the organization's own clock, `2026-11-20`; the viewer's until the session is known. */
export function useToday(): string {
  const now = useNow(60_000)
  const { data } = useQuery({ ...callQuery(getSession, {}), staleTime: Infinity })
  return localDateOf(now, data?.settings?.timeZone ?? viewerZone())
}
