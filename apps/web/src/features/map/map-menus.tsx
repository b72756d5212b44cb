import type { MapDeparture } from '@tour-ops/contract/map/map'
import { Layers, MapPinOff, Ruler, Waypoints } from 'lucide-react'
import { type Ref, useRef, useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { IconButton } from '../../ui/icon-button.tsx'
import { loadLater } from '../../ui/load-later.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { Base } from './bases.ts'
import { type MapLayer, mapLayers } from './map-layers.ts'
import type { MeasureCardProps } from './measure/measure-card.tsx'

const MeasureCard = loadLater(async () => (await import('./measure/measure-card.tsx')).MeasureCard)

const layerLabels: Readonly<Record<MapLayer, () => string>> = {
  people: m.map_layer_people,
  departures: m.map_layer_departures,
  driven: m.map_layer_driven,
  incidents: m.map_layer_incidents,
  circles: m.map_layer_circles,
  no_go: m.map_layer_no_go,
}

/** How the map draws it, where that is not said beside it. */
const layerLegends: Readonly<Partial<Record<MapLayer, () => string>>> = {
  circles: m.map_layer_circles_legend,
  no_go: m.map_layer_no_go_legend,
}

interface MapMenusProps extends Omit<MeasureCardProps, 'onClose'> {
  /** Another tool takes what is pressed. */
  isTaken: boolean
  /** Ends that one. */
  onMeasure: () => void
  bases: readonly Base<MapDeparture>[]
  onBase: (base: Base<MapDeparture>) => void
  hidden: ReadonlySet<MapLayer>
  onLayer: (layer: MapLayer) => void
  isNoGoOpen: boolean
  noGoRef: Ref<HTMLButtonElement>
  onNoGo: () => void
}

/** No-go areas, a measure, layers and bases, below the buttons of the map. */
export function MapMenus(props: MapMenusProps) {
  const { bases, onBase, hidden, onLayer, isNoGoOpen, noGoRef, onNoGo, isTaken, onMeasure, ...map } = props
  const [isMeasuring, setMeasuring] = useState(false)
  const measureButton = useRef<HTMLButtonElement>(null)
  const [wasTaken, setWasTaken] = useState(isTaken)
  if (isTaken !== wasTaken) {
    setWasTaken(isTaken)
    // another tool that takes what is pressed ends this one
    if (isTaken) setMeasuring(false)
  }
  const isShown = isMeasuring && !isTaken
  const endMeasure = () => {
    setMeasuring(false)
    measureButton.current?.focus()
  }
  return (
    <>
      <IconButton
        label={m.map_no_go()}
        icon={MapPinOff}
        iconSize={16}
        aria-pressed={isNoGoOpen}
        onClick={onNoGo}
        ref={noGoRef}
      />
      <IconButton
        label={m.map_measure()}
        icon={Ruler}
        iconSize={16}
        aria-pressed={isShown}
        onClick={() => {
          setMeasuring(!isShown)
          onMeasure()
        }}
        ref={measureButton}
      />
      {isShown && <MeasureCard {...map} onClose={endMeasure} />}
      <Menu
        label={m.map_layers()}
        icon={Layers}
        align="end"
        look={{ variant: 'ghost' }}
        items={mapLayers.map((layer) => ({
          key: layer,
          label: layerLabels[layer](),
          hint: layerLegends[layer]?.(),
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
