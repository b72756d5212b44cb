import type { MapDeparture } from '@tour-ops/contract/map/map'
import { Layers, Maximize, Minus, Plus, SquareDashedMousePointer, Waypoints } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { Base } from './bases.ts'
import type { MapTarget } from './map-canvas.tsx'
import { type MapLayer, mapLayers } from './map-layers.ts'

const layerLabels: Readonly<Record<MapLayer, () => string>> = {
  people: m.map_layer_people,
  departures: m.map_layer_departures,
  driven: m.map_layer_driven,
  incidents: m.map_layer_incidents,
}

interface MapButtonsProps {
  onTarget: (target: MapTarget) => void
  onAll: () => void
  bases: readonly Base<MapDeparture>[]
  onBase: (base: Base<MapDeparture>) => void
  isDrawing: boolean
  /** Begins the roll call of an area, or ends it. */
  onArea: () => void
  hidden: ReadonlySet<MapLayer>
  onLayer: (layer: MapLayer) => void
}

/** Zoom, everything, bases and layers, at the end side of the map. */
export function MapButtons({ onTarget, onAll, bases, onBase, isDrawing, onArea, hidden, onLayer }: MapButtonsProps) {
  return (
    <div className="absolute end-3 top-3 flex flex-col rounded-xl border border-line bg-surface shadow-float">
      <IconButton label={m.map_zoom_in()} icon={Plus} onClick={() => onTarget({ kind: 'zoom', steps: 1 })} />
      <IconButton label={m.map_zoom_out()} icon={Minus} onClick={() => onTarget({ kind: 'zoom', steps: -1 })} />
      <IconButton label={m.map_show_all()} icon={Maximize} iconSize={16} onClick={onAll} />
      <IconButton
        label={m.map_area()}
        icon={SquareDashedMousePointer}
        iconSize={16}
        aria-pressed={isDrawing}
        onClick={onArea}
      />
      <Menu
        label={m.map_layers()}
        icon={Layers}
        align="end"
        look={{ variant: 'ghost' }}
        items={mapLayers.map((layer) => ({
          key: layer,
          label: layerLabels[layer](),
          checked: !hidden.has(layer),
          keepOpen: true,
          onSelect: () => onLayer(layer),
        }))}
      />
      {bases.length > 1 && (
        <Menu
          label={m.map_jump()}
          icon={Waypoints}
          align="end"
          look={{ variant: 'ghost' }}
          items={bases.map((base) => ({
            key: base.zone,
            label: base.name,
            hint: m.map_jump_count({ count: base.departures.length }),
            onSelect: () => onBase(base),
          }))}
        />
      )}
    </div>
  )
}
