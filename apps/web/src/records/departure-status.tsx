import { displayedStatus, type StatusFacts } from '@tour-ops/contract/departures/displayed-status'
import { TriangleAlert } from 'lucide-react'
import { m } from '../paraglide/messages.js'
import { Chip, StatusChip, statusLabel } from '../ui/chip.tsx'
import { Ltr } from '../ui/ltr.tsx'
import { useLateLimits } from '../app/late-limits.ts'

/** The status of a departure as every board shows it; below its minimum on decision day with the count: "At risk 3 of 4". */
export function DepartureStatus({ departure, now }: { departure: StatusFacts; now: number }) {
  const shown = displayedStatus(departure, new Date(now), useLateLimits())
  if (shown.risk !== 'below_minimum') return <StatusChip status={shown} />
  return (
    <Chip tone="bad" icon={TriangleAlert}>
      {statusLabel('at_risk')}
      <Ltr>{m.lists_count_of({ count: departure.seatsConfirmed, of: departure.minPax })}</Ltr>
    </Chip>
  )
}
