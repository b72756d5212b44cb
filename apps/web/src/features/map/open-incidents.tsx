import { useQuery } from '@tanstack/react-query'
import { type MapIncident, mapIncidents } from '@tour-ops/contract/map/map'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { categoryLabels, gravityLabels } from '../../records/incident-labels.ts'
import { m } from '../../paraglide/messages.js'
import type { MapAddition } from './basemap/layered-map.ts'
import { incidentAddition } from './incident-layers.ts'
import type { PanelGroup } from './day-panel.tsx'

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

interface OpenIncidentsProps {
  onOpen: (incident: MapIncident) => void
  /** Comes from the page, whose file it would leave if this one imported it. */
  Group: typeof PanelGroup
}

/** The same as a list. */
export function OpenIncidents({ onOpen, Group }: OpenIncidentsProps) {
  const incidents = useIncidents()
  if (incidents.length === 0) return null
  return (
    <Group title={m.map_layer_incidents()} count={incidents.length}>
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
              {[incident.number, gravityLabels[incident.severity]?.(), incident.placeName].filter(Boolean).join(' · ')}
            </span>
          </button>
        </li>
      ))}
    </Group>
  )
}
