import { useQuery } from '@tanstack/react-query'
import type { MapDeparture } from '@tour-ops/contract/map/map'
import { listNoGoAreas } from '@tour-ops/contract/map/no-go-areas'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { callQuery } from '../../../backend/queries.ts'
import type { MapAddition } from '../basemap/layered-map.ts'
import type { MapLayer } from '../map-layers.ts'
import { fenceAddition } from './fence-layers.ts'

interface FenceMarksProps {
  departures: readonly MapDeparture[]
  hidden: ReadonlySet<MapLayer>
  /** The no-go area that is being changed: the map shows it as it is drawn. */
  changedId: string | undefined
  onDraw: (addition: MapAddition | undefined) => void
}

/** Puts circles of stops and no-go areas on the map. */
export function FenceMarks({ departures, hidden, changedId, onDraw }: FenceMarksProps) {
  const areas = useQuery(callQuery(listNoGoAreas, {})).data?.areas
  const addition = useMemo(
    () =>
      fenceAddition(
        hidden.has('circles') ? [] : departures,
        hidden.has('no_go') ? [] : (areas ?? []).filter(({ id }) => id !== changedId),
      ),
    [departures, areas, hidden, changedId],
  )
  const draw = useEffectEvent((next: MapAddition | undefined) => onDraw(next))
  useEffect(() => draw(addition), [addition])
  return null
}
