import { useQuery } from '@tanstack/react-query'
import { type MapIncident, mapIncidents } from '@tour-ops/contract/map/map'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { categoryLabels, gravityLabels } from '../../records/incident-labels.ts'
import { m } from '../../paraglide/messages.js'
import type { MapAddition } from './basemap/layered-map.ts'
import { incidentAddition } from './incident-layers.ts'

const none: readonly MapIncident[] = []
const useIncidents = () => useQuery(callQuery(mapIncidents, {})).data?.incidents ?? none

interface IncidentMarksProps {
  isHidden: boolean
  onDraw: (addition: MapAddition | undefined) => void
}

/** Puts open incidents on the map. */
export function IncidentMarks({ isHidden, onDraw }: IncidentMarksProps) {
  const incidents = useIncidents()
  const addition = useMemo(() => incidentAddition(isHidden ? [] : incidents), [incidents, isHidden])
  const draw = useEffectEvent((next: MapAddition | undefined) => onDraw(next))
  useEffect(() => draw(addition), [addition])
  return null
}

/** The same as a list. */
export function OpenIncidents({ onOpen }: { onOpen: (incident: MapIncident) => void }) {
  const incidents = useIncidents()
  if (incidents.length === 0) return null
  return (
    <section aria-label={m.map_layer_incidents()}>
      <h2 className="sticky top-0 z-1 flex gap-2 border-b border-line bg-surface-2 px-4 py-1.5 text-xs font-medium text-ink-2">
        {m.map_layer_incidents()} <span className="num">{incidents.length}</span>
      </h2>
      <ul>
        {incidents.map((incident) => (
          <li key={incident.id} className="border-b border-line">
            <button
              type="button"
              className="block w-full px-4 py-2 text-start hover:bg-surface-2"
              onClick={() => onOpen(incident)}
            >
              <span className="block font-medium text-ink-strong">
                {incident.title || categoryLabels[incident.category]()}
              </span>
              <span className="num block text-xs text-ink-2">
                {[incident.number, gravityLabels[incident.severity]?.(), incident.placeName]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
