import type { MapDeparture } from '@tour-ops/contract/map/map'
import { Layers, Waypoints } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Menu } from '../../ui/menu.tsx'
import type { Base } from './bases.ts'
import { type MapLayer, mapLayers } from './map-layers.ts'

const layerLabels: Readonly<Record<MapLayer, () => string>> = {
  people: m.map_layer_people,
  departures: m.map_layer_departures,
  driven: m.map_layer_driven,
  incidents: m.map_layer_incidents,
}

interface MapMenusProps {
  bases: readonly Base<MapDeparture>[]
  onBase: (base: Base<MapDeparture>) => void
  hidden: ReadonlySet<MapLayer>
  onLayer: (layer: MapLayer) => void
}

/** Layers and bases, below the buttons of the map. */
export function MapMenus({ bases, onBase, hidden, onLayer }: MapMenusProps) {
  return (
    <>
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
    </>
  )
}
