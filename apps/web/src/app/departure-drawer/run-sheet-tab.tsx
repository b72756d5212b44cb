import type { Departure } from '@tour-ops/contract/departures'
import { m } from '../../paraglide/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { formatZone } from '../../ui/format.ts'
import { useMedia } from '../../ui/use-media.ts'
import { DaySentenceBar } from './day-sentence.tsx'
import { DepartureNotes } from './departure-notes.tsx'
import { StopList } from './stop-list.tsx'
import type { StopsProps } from './stop-parts.tsx'
import { StopTable } from './stop-table.tsx'

/** Plan and reality, stop by stop. */
export function RunSheetTab({ departure, onAct }: StopsProps) {
  const isTable = useMedia('(min-width: 600px)')
  return (
    <>
      <DaySentenceBar departure={departure} />
      {departure.stops.length === 0 ? (
        <Empty title={m.departures_no_stops()}>{m.departures_no_stops_text()}</Empty>
      ) : isTable ? (
        <StopTable departure={departure} onAct={onAct} />
      ) : (
        <StopList departure={departure} onAct={onAct} />
      )}
      <SheetNote departure={departure} />
      <DepartureNotes departure={departure} />
    </>
  )
}

/** Which plan this is, who has seen it, whose clock it uses. */
function SheetNote({ departure }: { departure: Departure }) {
  const lead = departure.crew.find((one) => one.role === 'lead_guide' && one.seenVersion !== null)
  return (
    <p className="flex flex-wrap justify-between gap-x-4 px-4 py-3 text-xs text-ink-2 lg:px-6">
      <span>
        {departure.revisionNumber !== null && m.departures_revision({ number: departure.revisionNumber })}
        {lead && ` · ${m.departures_seen_by({ name: lead.name })}`}
      </span>
      <span>{m.departures_times_in({ zone: formatZone(departure.timeZone) })}</span>
    </p>
  )
}
