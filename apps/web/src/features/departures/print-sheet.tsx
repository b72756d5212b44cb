import type { Departure } from '@tour-ops/contract/departures/departures'
import type { Manifest } from '@tour-ops/contract/bookings/manifest'
import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import { Fragment, useState } from 'react'
import { createPortal } from 'react-dom'
import { m } from '../../paraglide/messages.js'
import { formatDayTime, formatLanguage, formatMoney, formatTime, formatZone } from '../../ui/format.ts'
import { formatSpan, formatTimeBeside } from '../../ui/format-span.ts'
import { usePageNumbers } from '../../ui/page-numbers.ts'
import '../../ui/print-sheet.css'
import { unitLabel } from '../../records/unit-labels.ts'
import { isDue } from '../bookings/index.ts'
import { travelerFlagLabel } from '../../records/traveler-flags.tsx'
import { roleLabel, workingCrew } from '../field-staff/index.ts'
import { joiningAt } from './manifest-model.ts'
import { equipmentLine } from './equipment-section.tsx'
import { ManifestTotalsLine } from './manifest-totals.tsx'
import { stopDayText, stopStartsDay } from './stop-parts.tsx'
import { plannedTime, stopDetail } from './stop-labels.tsx'

export interface PrintSheetProps {
  departure: Departure
  /** Who travels, as far as the reader may see it. */
  manifest: Manifest | undefined
  /** Prints the manifest instead of the run sheet. */
  isManifest: boolean
}

/**
 * What the printer gets while the drawer is open: an A4 sheet for people without a signal. Large type, black on white, no passport numbers.
 * See docs/visual-rules.md, "Print".
 */
export function PrintSheet({ departure, manifest, isManifest }: PrintSheetProps) {
  usePageNumbers('print-sheet')
  const [printedAt] = useState(() => new Date())
  const { timeZone: zone } = departure
  return createPortal(
    <div className="print-sheet" aria-hidden="true">
      <header>
        <h1>{departure.tourName}</h1>
        <p>
          {departure.code} · {formatSpan(departure.startsAt, departure.endsAt, zone)} ·{' '}
          {m.departures_times_in({ zone: formatZone(zone) })}
        </p>
        <p>
          {[
            ...workingCrew(departure).map((one) =>
              [`${roleLabel(one.role)}: ${one.name}`, one.phone].filter(Boolean).join(' '),
            ),
            ...departure.vehicles.map((one) => [one.label, one.plate].filter(Boolean).join(' ')),
            departure.language && formatLanguage(departure.language),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {departure.equipment.length > 0 && (
          <p>
            {m.departures_equipment()}: {equipmentLine(departure.equipment)}
          </p>
        )}
        {departure.weatherNote && <p className="print-note">{departure.weatherNote}</p>}
      </header>
      {manifest && (
        <p className="print-totals">
          <ManifestTotalsLine manifest={manifest} />
        </p>
      )}
      {manifest && isManifest ? (
        <ManifestPages departure={departure} manifest={manifest} />
      ) : (
        <StopPages departure={departure} manifest={manifest} />
      )}
      <footer>{m.departures_printed({ time: formatDayTime(printedAt, zone), version: departure.version })}</footer>
    </div>,
    document.body,
  )
}

/** With who joins at each stop, and how many are aboard from there on if everybody comes. */
function StopPages({ departure, manifest }: Pick<PrintSheetProps, 'departure' | 'manifest'>) {
  const joining = manifest && joiningAt(manifest)
  const more = departure.stops.map((stop) => joining?.get(stop.id) ?? 0)
  const aboardFrom = (index: number) => more.slice(0, index + 1).reduce((sum, count) => sum + count, 0)
  return (
    <table>
      <thead>
        <tr>
          <th>{m.departures_column_planned()}</th>
          <th>{m.departures_column_stop()}</th>
          {joining && <th>{m.departures_guests_column()}</th>}
          <th className="print-blank">{m.departures_print_arrived()}</th>
          <th className="print-blank">{m.departures_print_left()}</th>
          <th className="print-blank">{m.departures_headcount()}</th>
        </tr>
      </thead>
      <tbody>
        {departure.stops.map((stop, index) => (
          <Fragment key={stop.id}>
            {stopStartsDay(departure.stops, index) && (
              <tr className="print-day">
                <th colSpan={joining ? 6 : 5}>{stopDayText(stop, departure.timeZone)}</th>
              </tr>
            )}
            <tr>
              <td>{plannedTime(stop, departure.timeZone)}</td>
              <td>
                <b>{stop.placeName}</b>
                <small>{stopDetail(stop)}</small>
              </td>
              {joining && (
                <td>
                  {aboardFrom(index)}
                  {more[index] !== 0 && <small>{m.departures_guests_join({ count: more[index] ?? 0 })}</small>}
                </td>
              )}
              <td>{timeOf(stop, 'actualArriveAt', departure.timeZone)}</td>
              <td>{timeOf(stop, 'actualDepartAt', departure.timeZone)}</td>
              <td>{stop.headcountActual}</td>
            </tr>
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

const timeOf = (stop: DepartureStop, key: 'actualArriveAt' | 'actualDepartAt', zone: string): string =>
  stop[key] ? formatTime(stop[key], zone) : ''

/** Guests who join on another day than the start have it next to the time. */
function ManifestPages({ departure, manifest }: { departure: Departure; manifest: Manifest }) {
  const crew = workingCrew(departure)
  const guide = crew.find(({ role }) => role === 'lead_guide') ?? crew[0]
  return (
    <>
      <p>{m.departures_aboard_of({ aboard: manifest.counts.aboard, total: manifest.counts.total })}</p>
      {manifest.groups.map((group) => (
        <table key={group.stopId ?? group.placeName}>
          <thead>
            <tr>
              <th colSpan={5}>
                {formatTimeBeside(departure.localDate, group.at, departure.timeZone)} {group.placeName} · {group.total}
                {/* Repeated with the heading on each page, where the sheet's own head is not seen. */}
                {guide?.phone && <span className="print-guide">{`${guide.name} ${guide.phone}`}</span>}
              </th>
            </tr>
          </thead>
          <tbody>
            {group.parties.flatMap((party) => [
              <tr key={party.bookingId} className="print-party">
                <td colSpan={3}>
                  {m.departures_party({ name: party.contactName, count: party.pax })} {party.contactPhone}
                </td>
                <td>{party.bookingRef}</td>
                <td>{isDue(party) && m.departures_due({ amount: formatMoney(party.balanceMinor, party.currency) })}</td>
              </tr>,
              ...party.entries.map((entry) => (
                <tr key={entry.id}>
                  <td className="print-box" />
                  <td>
                    <b>{entry.name}</b>
                    <small>{unitLabel(entry.unitType)}</small>
                  </td>
                  <td colSpan={3}>
                    {[...entry.flags.map((flag) => travelerFlagLabel(flag)), entry.note].filter(Boolean).join(', ')}
                  </td>
                </tr>
              )),
              party.unnamed > 0 && (
                <tr key={`${party.bookingId} unnamed`}>
                  <td className="print-box" />
                  <td colSpan={4}>{m.departures_unnamed({ count: party.unnamed })}</td>
                </tr>
              ),
            ])}
          </tbody>
        </table>
      ))}
    </>
  )
}
