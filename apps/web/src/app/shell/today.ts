import { useQuery } from '@tanstack/react-query'
import { getSession } from '@tour-ops/contract/identity/session'
import { callQuery } from '../../backend/queries.ts'
import { localDateOf, viewerZone } from '../../ui/format.ts'
import { useNow } from '../../ui/clock.ts'

/** Today on the organization's own clock, `2026-11-20`; the viewer's until the session is known. */
export function useToday(): string {
  const now = useNow(60_000)
  const { data } = useQuery({ ...callQuery(getSession, {}), staleTime: Infinity })
  return localDateOf(now, data?.settings?.timeZone ?? viewerZone())
}
