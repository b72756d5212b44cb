import { type Departure } from '@tour-ops/contract/departures/departures'
import { seeRunSheet } from '@tour-ops/contract/departures/run-sheet'
import { useEffect } from 'react'
import { useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { formatDayTime, formatZone } from '../../ui/format.ts'
import { loadLater } from '../../ui/load-later.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { DaySentenceBar } from './day-sentence.tsx'
import { DepartureNotes } from './departure-notes.tsx'
import { EquipmentSection } from './equipment-section.tsx'
import { StopList } from './stop-list.tsx'
import type { StopsProps } from './stop-parts.tsx'
import { StopTable } from './stop-table.tsx'

const DepartureWeather = loadLater(async () => (await import('./departure-weather.tsx')).DepartureWeather)

/** Plan and reality, stop by stop. */
export function RunSheetTab({ departure, onAction }: StopsProps) {
  const isTable = useMedia('(min-width: 600px)')
  const mayMonitor = useAccess().can('monitoring:read')
  useSeenReceipt(departure)
  return (
    <>
      <DaySentenceBar departure={departure} />
      {departure.stops.length === 0 ? (
        <Empty title={m.departures_no_stops()}>{m.departures_no_stops_text()}</Empty>
      ) : isTable ? (
        <StopTable departure={departure} onAction={onAction} />
      ) : (
        <StopList departure={departure} onAction={onAction} />
      )}
      <SheetNote departure={departure} />
      <EquipmentSection departure={departure} />
      {mayMonitor && <DepartureWeather departure={departure} />}
      <DepartureNotes departure={departure} />
      <FieldNotes notes={departure.notes} />
    </>
  )
}

/** What guides wrote on the way, in the reader's time zone. */
function FieldNotes({ notes }: Pick<Departure, 'notes'>) {
  if (notes.length === 0) return null
  return (
    <section className="border-t border-line px-4 py-3 lg:px-6" aria-labelledby="field-notes">
      <h3 id="field-notes" className="mb-1 font-semibold">
        {m.departures_field_notes()}
      </h3>
      <ul className="space-y-2">
        {notes.map(({ id, at, byName, text }) => (
          <li key={id}>
            <p className="text-xs text-ink-2">{`${formatDayTime(at)} · ${byName}`}</p>
            <p className="whitespace-pre-line">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Reports to the office that a crew member has this plan on screen. A report that fails is sent the next time it is opened. */
function useSeenReceipt({ id, revisionNumber, crew }: Departure): void {
  const isNew = revisionNumber !== null && crew.some((one) => one.isSelf && one.seenVersion !== revisionNumber)
  const { mutate } = useCall(seeRunSheet)
  useEffect(() => {
    if (isNew) mutate({ id, revisionNumber })
  }, [isNew, id, revisionNumber, mutate])
}

/** Which plan this is, who has seen it, whose clock it uses. */
function SheetNote({ departure }: { departure: Departure }) {
  return (
    <p className="flex flex-wrap justify-between gap-x-4 px-4 py-3 text-xs text-ink-2 lg:px-6">
      <span>
        {departure.revisionNumber !== null && m.departures_revision({ number: departure.revisionNumber })}
        {seenText(departure)}
      </span>
      <span>{m.departures_times_in({ zone: formatZone(departure.timeZone) })}</span>
    </p>
  )
}

/** Whether the lead guide knows this plan or an older one; nothing before the first look. */
function seenText({ crew, revisionNumber }: Departure): string {
  const lead = crew.find(({ role, status }) => role === 'lead_guide' && !gone.includes(status))
  if (!lead || lead.seenVersion === null) return ''
  const { name, seenVersion } = lead
  const words =
    seenVersion === revisionNumber
      ? m.departures_seen_by({ name })
      : m.departures_seen_older({ name, number: seenVersion })
  return ` · ${words}`
}

/** Of those who were on the crew and no longer are. */
const gone: readonly Departure['crew'][number]['status'][] = ['released', 'replaced']
