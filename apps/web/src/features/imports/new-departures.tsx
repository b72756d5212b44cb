import { useQuery } from '@tanstack/react-query'
import { createDeparture } from '@tour-ops/contract/departures/departure-schedule'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import type { NewDeparture } from '@tour-ops/contract/imports/import-departures'
import { newDeparturesOfImport, previewImport } from '@tour-ops/contract/imports/imports'
import { CalendarPlus } from 'lucide-react'
import { useId } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { DepartureLink } from '../../records/departure-link.tsx'
import { Button } from '../../ui/button.tsx'
import { formatLocalDate, formatNumber } from '../../ui/format.ts'
import { useBatchCall } from './use-batch-call.ts'

/** Departures that are listed at once. */
const listed = 200

/** Departures that lines name and that do not exist, to be created with the import; afterwards those that it created, and those that its undo left. */
export function NewDepartures({ batch }: { batch: ImportBatch }) {
  const titleId = useId()
  const { data } = useQuery({
    ...callQuery(newDeparturesOfImport, { id: batch.id, size: listed }),
    enabled: batch.progress === null && batch.newDepartures > 0,
  })
  const isChecked = batch.status === 'previewed'
  if (batch.newDepartures === 0 && !(isChecked && batch.createDepartures)) return null
  return (
    <section aria-labelledby={titleId} className="border-t border-line">
      <div className="flex min-h-[38px] flex-wrap items-center gap-2 bg-surface-2 px-4 py-1">
        <h2 id={titleId} className="flex items-center gap-2 font-semibold text-ink-strong">
          <CalendarPlus size={16} strokeWidth={2.25} className="text-info" aria-hidden />
          {titleOf(batch)} <span className="num font-normal text-ink-2">{formatNumber(batch.newDepartures)}</span>
        </h2>
        {isChecked && <CreateChoice batch={batch} />}
      </div>
      {isChecked && (
        <p className="border-t border-line px-4 py-2 text-ink-2">
          {batch.createDepartures ? m.imports_departures_will() : m.imports_departures_why()}
        </p>
      )}
      {batch.newDepartures > 0 && (
        <ul>
          {data?.rows.map((departure) => (
            <li
              key={departure.departureId}
              className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-t border-line px-4 py-2"
            >
              <DepartureLine departure={departure} isPlanned={isChecked && batch.createDepartures} />
            </li>
          ))}
          {data && data.total > data.rows.length && (
            <li className="border-t border-line px-4 py-2 text-ink-2">
              {m.imports_and_more({ count: formatNumber(data.total - data.rows.length) })}
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

function titleOf({ status }: ImportBatch): string {
  if (status === 'applied') return m.imports_departures_made()
  return status === 'undone' ? m.imports_departures_left() : m.imports_departures()
}

/** The choice counts once the rows are checked again, which it starts. */
function CreateChoice({ batch }: { batch: ImportBatch }) {
  const preview = useBatchCall(previewImport)
  const mayCreate = useAccess().can(createDeparture.permission)
  if (batch.progress !== null) return null
  if (!mayCreate) return <p className="ms-auto text-ink-2">{m.imports_departures_not_allowed()}</p>
  const choose = (createDepartures: boolean) =>
    preview.mutate({ id: batch.id, version: batch.version, createDepartures })
  return (
    <span className="ms-auto flex flex-wrap items-center gap-2">
      {preview.error && <b className="font-medium text-bad">{refusalText(preview.error)}</b>}
      <Button size="sm" pending={preview.isPending} onClick={() => choose(!batch.createDepartures)}>
        {batch.createDepartures
          ? m.imports_departures_leave()
          : m.imports_departures_create({ count: batch.newDepartures })}
      </Button>
    </span>
  )
}

const leftBecause: Readonly<Record<NonNullable<NewDeparture['keptBecause']>, () => string>> = {
  bookings: m.imports_departures_left_bookings,
  assignments: m.imports_departures_left_assignments,
  changes: m.imports_departures_left_changes,
}

function DepartureLine({ departure, isPlanned }: { departure: NewDeparture; isPlanned: boolean }) {
  const { departureId, code, tourName, localDate, startTimeLocal, capacity, lines, seats, isMade, keptBecause } =
    departure
  return (
    <>
      <span className="min-w-0 flex-1 basis-48 text-ink-strong">
        <bdi>{tourName}</bdi>
      </span>
      <span className="num text-ink">
        {formatLocalDate(localDate)} {startTimeLocal}
      </span>
      <span className="num text-ink-2">
        {keptBecause
          ? leftBecause[keptBecause]()
          : isMade || isPlanned
            ? m.imports_departures_taken({ taken: formatNumber(seats), capacity: formatNumber(capacity) })
            : `${m.imports_departures_seats({ count: capacity })} · ${m.imports_departures_lines({ count: lines })}`}
      </span>
      {isMade ? (
        <DepartureLink id={departureId} className="link num">
          {code}
        </DepartureLink>
      ) : (
        <span className="num text-ink-2">{code}</span>
      )}
    </>
  )
}
