import { useQuery } from '@tanstack/react-query'
import { listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'

/** The number of alerts that nobody has acknowledged or resolved, next to "Monitoring"; nothing when there are none or they cannot be read. */
export function OpenAlertCount() {
  const { data } = useQuery(callQuery(listAlerts, { filters: { status: ['open'] }, size: 1 }))
  if (!data?.total) return null
  return (
    <span className="count">
      {data.total}
      <span className="sr-only"> {m.app_open_alerts()}</span>
    </span>
  )
}
