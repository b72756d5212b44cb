import { type Area, edgeOf } from '@tour-ops/contract/map/areas'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { boundsOf } from '../basemap/geometry.ts'
import type { MapAddition } from '../basemap/layered-map.ts'
import type { MapTarget } from '../map-canvas.tsx'
import { type AreaDraft, draftArea, draftOf } from './area-draft.ts'
import { areaAddition } from './area-layers.ts'

/** After the last key or press the map shows what was drawn, ms. */
const settledMs = 400
/** A circle that is smaller on the screen is looked at from nearer, pixels. Corners were pressed where they can be seen. */
const leastCirclePx = 24

interface MapLink {
  /** What the map draws of it; undefined when this is left. */
  onDraw: (addition: MapAddition | undefined) => void
  /** Moves the map. */
  onTarget: (target: MapTarget) => void
}

/**
 * An area while it is drawn, typed or pressed: it is on the map at once, and the map goes where it can be seen.
 *
 * @param initial What was drawn before; the map opens on it.
 * @returns draft, its setter, and the area that it is; undefined as long as it is none.
 */
export function useAreaDraft(
  initial: () => Area | undefined,
  { onDraw, onTarget }: MapLink,
): readonly [AreaDraft, (next: AreaDraft) => void, Area | undefined] {
  const [draft, setDraft] = useState(() => draftOf(initial()))
  /** How often it was changed. */
  const [changes, setChanges] = useState(0)
  const area = useMemo(() => draftArea(draft), [draft])
  const draw = useEffectEvent((addition: MapAddition | undefined) => onDraw(addition))
  useEffect(() => draw(areaAddition(area, draft.kind === 'outline' ? draft.points : [])), [area, draft])
  useEffect(() => () => draw(undefined), [])
  const look = useEffectEvent((kind: 'fit' | 'see') => {
    const shown = area ? edgeOf(area) : draft.kind === 'outline' ? draft.points : []
    const bounds = boundsOf(shown.map(([lng, lat]) => ({ lng, lat })))
    if (!bounds) return
    if (kind === 'fit') onTarget({ kind, bounds })
    else onTarget({ kind, bounds, leastPx: draft.kind === 'circle' ? leastCirclePx : 0 })
  })
  useEffect(() => {
    if (changes === 0) {
      look('fit')
      return undefined
    }
    const timer = setTimeout(() => look('see'), settledMs)
    return () => clearTimeout(timer)
  }, [changes])
  const change = (next: AreaDraft) => {
    setDraft(next)
    setChanges(changes + 1)
  }
  return [draft, change, area]
}
