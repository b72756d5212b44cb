import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import type { Overview } from '@tour-ops/contract/overview/overview'
import { createPortal } from 'react-dom'
import { useAuthStore } from '../../identity/auth-store.ts'
import { m } from '../../paraglide/messages.js'
import { statusLabel } from '../../ui/chip.tsx'
import { formatLanguage, formatLocalLongDay, formatTime, formatZone, formatLocalTime } from '../../ui/format.ts'
import { formatTimeBeside } from '../../ui/format-span.ts'
import { usePageNumbers } from '../../ui/page-numbers.ts'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { displayedStatus } from '@tour-ops/contract/departures/displayed-status'
import { useLateLimits } from '../../app/late-limits.ts'
import './day-sheet.css'
import { checkLooks } from './overview-labels.ts'

/** The day in print: every departure with crew, vehicle, guests, what is still open, and room for notes. Seen only in print. */
export function DaySheet({ overview, now }: { overview: Overview; now: number }) {
  usePageNumbers('day-sheet')
  const organization = useAuthStore((state) => state.organization?.name)
  const { localDate, timeZone, departures, figures, equipment } = overview
  return createPortal(
    <section className="day-sheet" aria-hidden>
      <h1>
        {organization} · {m.overview_sheet_title({ day: formatLocalLongDay(localDate) })}
      </h1>
      <p>
        {m.overview_sheet_total({ departures: figures.departures, guests: figures.guests })} ·{' '}
        {m.overview_sheet_printed({ time: formatTime(now, timeZone), zone: formatZone(timeZone) })} ·{' '}
        {m.overview_local_times()}
      </p>
      <table>
        <thead>
          <tr>
            {[
              m.overview_starts_col(),
              m.overview_sheet_ends(),
              m.overview_tour(),
              m.overview_status(),
              m.overview_guide(),
              m.overview_vehicle(),
              m.overview_sheet_equipment(),
              m.overview_sheet_guests(),
              m.overview_sheet_ready(),
              m.overview_sheet_notes(),
            ].map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {departures.map((row) => (
            <SheetRow
              key={row.id}
              row={row}
              equipment={equipment.filter(({ departureId }) => departureId === row.id)}
              day={localDate}
              now={now}
            />
          ))}
        </tbody>
      </table>
    </section>,
    document.body,
  )
}

interface SheetRowProps {
  row: DepartureRow
  equipment: Overview['equipment']
  day: string
  now: number
}

function SheetRow({ row, equipment, day, now }: SheetRowProps) {
  const limits = useLateLimits()
  return (
    <tr>
      <td>
        {row.dayIndex > 1 ? (
          m.overview_day_n({ number: row.dayIndex })
        ) : (
          <>
            {formatLocalTime(row.startTimeLocal)} <ZoneNote moment={row.startsAt} zone={row.timeZone} />
          </>
        )}
      </td>
      <td>
        {formatTimeBeside(day, row.endsAt, row.timeZone)} <ZoneNote moment={row.endsAt} zone={row.timeZone} />
      </td>
      <td>
        <b>{row.tourName}</b>
        <br />
        {row.code}
        {row.language && ` · ${formatLanguage(row.language)}`}
      </td>
      <td>{statusLabel(displayedStatus(row, new Date(now), limits).status)}</td>
      <td>{row.leadGuide?.name ?? m.overview_no_guide()}</td>
      <td>{row.vehicle?.name ?? '–'}</td>
      <td>{equipment.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')}</td>
      <td>
        {row.seatsConfirmed}/{row.capacity}
      </td>
      <td>{row.readiness.failing.map((check) => checkLooks[check].label()).join(', ')}</td>
      <td style={{ width: '38mm' }} />
    </tr>
  )
}
