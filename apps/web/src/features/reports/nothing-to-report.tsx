import { useQuery } from '@tanstack/react-query'
import { listDepartures } from '@tour-ops/contract/departures/departures'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { FirstDeparture } from '../../records/first-departure.tsx'
import { Empty } from '../../ui/empty.tsx'

/** A period without departures, or an organization that has none at all: then its first step is another one. */
export function NothingToReport() {
  const { can } = useAccess()
  const { data } = useQuery({ ...callQuery(listDepartures, { size: 1 }), enabled: can('departures:read') })
  if (data?.total !== 0) return <Empty title={m.reports_empty()}>{m.reports_empty_text()}</Empty>
  return (
    <Empty title={m.reports_none_yet()} actions={<FirstDeparture />}>
      {m.reports_none_yet_text()}
    </Empty>
  )
}
