import { Maximize, Minus, Plus, SquareDashedMousePointer } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { m } from '../../paraglide/messages.js'
import { IconButton } from '../../ui/icon-button.tsx'
import type { MapTarget } from './map-canvas.tsx'

interface MapButtonsProps {
  onTarget: (target: MapTarget) => void
  onAll: () => void
  isAreaOpen: boolean
  /** Begins to draw an area, or ends it; undefined for who may not see who is in it. */
  onArea: (() => void) | undefined
  areaRef: Ref<HTMLButtonElement>
  /** More buttons below. */
  children: ReactNode
}

/** Zoom, everything and the list of an area, at the end side of the map. */
export function MapButtons({ onTarget, onAll, isAreaOpen, onArea, areaRef, children }: MapButtonsProps) {
  return (
    <div className="absolute end-3 top-3 flex flex-col rounded-xl border border-line bg-surface shadow-float">
      <IconButton label={m.map_zoom_in()} icon={Plus} onClick={() => onTarget({ kind: 'zoom', steps: 1 })} />
      <IconButton label={m.map_zoom_out()} icon={Minus} onClick={() => onTarget({ kind: 'zoom', steps: -1 })} />
      <IconButton label={m.map_show_all()} icon={Maximize} iconSize={16} onClick={onAll} />
      {onArea && (
        <IconButton
          label={m.map_area()}
          icon={SquareDashedMousePointer}
          iconSize={16}
          aria-pressed={isAreaOpen}
          onClick={onArea}
          ref={areaRef}
        />
      )}
      {children}
    </div>
  )
}
