import type { Departure } from '@tour-ops/contract/departures'
import type { Manifest } from '@tour-ops/contract/manifest'
import type { DepartureStop } from '@tour-ops/contract/run-sheet'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { m } from '../../paraglide/messages.js'
import {
  formatDayTime,
  formatLanguage,
  formatLongDay,
  formatMoney,
  formatTime,
  formatTimeRange,
  formatZone,
} from '../../ui/format.ts'
import { isDue, unitWord } from '../booking/booking-words.ts'
import { travelerFlagWord } from '../records/traveler-flags.tsx'
import { roleWord } from './crew-words.ts'
import './print-sheet.css'
import { plannedTime, stopDetail } from './stop-words.tsx'

export interface PrintSheetProps {
  departure: Departure
  /** Prints the manifest; the run sheet without it. */
  manifest?: Manifest | undefined
}

/**
 * What the printer gets while the drawer is open: an A4 sheet for people without a signal. Large type, black on white, no passport numbers.
 * Source: product description, section 7.
 */
export function PrintSheet({ departure, manifest }: PrintSheetProps) {
  const [printedAt] = useState(() => new Date())
  const { timeZone: zone } = departure
  return createPortal(
    <div className="print-sheet" aria-hidden="true">
      <header>
        <h1>{departure.tourName}</h1>
        <p>
          {departure.code} · {formatLongDay(departure.startsAt, zone)} ·{' '}
          {formatTimeRange(departure.startsAt, departure.endsAt, zone)} ·{' '}
          {m.departures_times_in({ zone: formatZone(zone) })}
        </p>
        <p>
          {[
            ...departure.crew
              .filter((one) => ['accepted', 'on_duty', 'completed'].includes(one.status))
              .map((one) => [`${roleWord(one.role)}: ${one.name}`, one.phone].filter(Boolean).join(' ')),
            ...departure.vehicles.map((one) => [one.label, one.plate].filter(Boolean).join(' ')),
            departure.language && formatLanguage(departure.language),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {departure.weatherNote && <p className="print-note">{departure.weatherNote}</p>}
      </header>
      {manifest ? <ManifestPages manifest={manifest} zone={zone} /> : <StopPages departure={departure} />}
      <footer>{m.departures_printed({ time: formatDayTime(printedAt, zone), version: departure.version })}</footer>
    </div>,
    document.body,
  )
}

function StopPages({ departure }: { departure: Departure }) {
  return (
    <table>
      <thead>
        <tr>
          <th>{m.departures_column_planned()}</th>
          <th>{m.departures_column_stop()}</th>
          <th className="print-blank">{m.departures_print_arrived()}</th>
          <th className="print-blank">{m.departures_print_left()}</th>
          <th className="print-blank">{m.departures_headcount()}</th>
        </tr>
      </thead>
      <tbody>
        {departure.stops.map((stop) => (
          <tr key={stop.id}>
            <td>{plannedTime(stop, departure.timeZone)}</td>
            <td>
              <b>{stop.placeName}</b>
              <small>{stopDetail(stop)}</small>
            </td>
            <td>{timeOf(stop, 'actualArriveAt', departure.timeZone)}</td>
            <td>{timeOf(stop, 'actualDepartAt', departure.timeZone)}</td>
            <td>{stop.headcountActual}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const timeOf = (stop: DepartureStop, key: 'actualArriveAt' | 'actualDepartAt', zone: string): string =>
  stop[key] ? formatTime(stop[key], zone) : ''

function ManifestPages({ manifest, zone }: { manifest: Manifest; zone: string }) {
  return (
    <>
      <p>{m.departures_aboard_of({ aboard: manifest.counts.aboard, total: manifest.counts.total })}</p>
      {manifest.groups.map((group) => (
        <table key={group.stopId ?? group.placeName}>
          <thead>
            <tr>
              <th colSpan={5}>
                {formatTime(group.at, zone)} {group.placeName} · {group.total}
              </th>
            </tr>
          </thead>
          <tbody>
            {group.parties.flatMap((party) => [
              ...party.entries.map((entry, index) => (
                <tr key={entry.id}>
                  <td className="print-box" />
                  <td>
                    <b>{entry.name}</b>
                    <small>{unitWord(entry.unitType)}</small>
                  </td>
                  <td>{entry.flags.map((flag) => travelerFlagWord(flag)).join(', ')}</td>
                  <td>{index === 0 && [party.bookingRef, party.contactPhone].filter(Boolean).join(' · ')}</td>
                  <td>
                    {index === 0 &&
                      isDue(party) &&
                      m.departures_due({ amount: formatMoney(party.balanceMinor, party.currency) })}
                  </td>
                </tr>
              )),
              party.unnamed > 0 && (
                <tr key={`${party.bookingId} unnamed`}>
                  <td className="print-box" />
                  <td colSpan={4}>
                    {party.contactName}: {m.departures_unnamed({ count: party.unnamed })}
                  </td>
                </tr>
              ),
            ])}
          </tbody>
        </table>
      ))}
    </>
  )
}
