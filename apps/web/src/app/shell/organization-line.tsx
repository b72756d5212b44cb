import { useQuery } from '@tanstack/react-query'
import { getSession } from '@tour-ops/contract/identity/session'
import { callQuery } from '../../backend/queries.ts'
import { formatZone } from '../../ui/format.ts'
import { formatWeekdayTime, useNow } from '../../ui/clock.ts'

/** Base and local time of the organization, "Reykjavik · Sat 13:52". */
export function OrganizationLine() {
  const { data } = useQuery({ ...callQuery(getSession, {}), staleTime: 10 * 60_000 })
  const now = useNow(10_000)
  const timeZone = data?.settings?.timeZone
  if (!timeZone) return null
  return (
    <bdi className="num">
      {formatZone(timeZone)} · {formatWeekdayTime(now, timeZone)}
    </bdi>
  )
}
