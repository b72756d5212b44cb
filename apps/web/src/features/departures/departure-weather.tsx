import { useQuery } from '@tanstack/react-query'
import type { Departure } from '@tour-ops/contract/departures/departures'
import { listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { unresolvedStatuses } from '@tour-ops/contract/state-machines'
import { CloudAlert } from 'lucide-react'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { formatDayTimeThere } from '../../ui/format.ts'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Weather warnings that hold for a departure, with what they mean for guests and crew. */
export function DepartureWeather({ departure: { id, timeZone } }: { departure: Departure }) {
  const { data } = useQuery(
    callQuery(listAlerts, {
      filters: { departureId: [id], kind: ['weather_warning'], status: [...unresolvedStatuses] },
    }),
  )
  if (!data || data.rows.length === 0) return null
  return (
    <section className="border-t border-line px-4 py-3 lg:px-6" aria-label={m.departures_weather_warnings()}>
      <ul className="grid gap-2">
        {data.rows.map(({ id: alertId, title, severity, evidence }) => (
          <li key={alertId} className="flex gap-2">
            <CloudAlert
              size={16}
              className={`mt-0.5 shrink-0 ${severity === 'critical' ? 'text-bad' : 'text-warn'}`}
              aria-label={m.departures_weather_warnings()}
            />
            <div className="min-w-0">
              <p className="font-medium break-words text-ink-strong">
                <bdi>{title}</bdi>
              </p>
              <p className="break-words whitespace-pre-line">
                <bdi>{textOf(evidence['text'])}</bdi>
              </p>
              <p className="num text-xs text-ink-2">
                {m.departures_weather_until({ time: formatDayTimeThere(textOf(evidence['until']), timeZone) })}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
