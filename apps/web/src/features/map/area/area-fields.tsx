import { type RefObject, useImperativeHandle, useState } from 'react'
import { Undo2 } from 'lucide-react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Field, NumberInput } from '../../../ui/field.tsx'
import { formatHeight, formatNumber } from '../../../ui/format.ts'
import { Segments } from '../../../ui/tabs.tsx'
import type { Position } from '../basemap/geometry.ts'
import { type AreaDraft, numberOf, radiusOf } from './area-draft.ts'
import { isPlace, isRadius, leastAreaPoints, maxAreaPoints, maxRadiusM } from './area.ts'
import { radiusUnit } from './radius-unit.ts'

/** What is called with a place that was pressed on the map. */
export type PlacePress = (position: Position) => void

interface AreaFieldsProps {
  draft: AreaDraft
  onDraft: (draft: AreaDraft) => void
  /** Takes the presses on the map as long as this is shown. */
  onPress: RefObject<PlacePress | null>
}

/** Draws an area: its middle and radius, typed or pressed on the map, or its corners. */
export function AreaFields({ draft, onDraft, onPress }: AreaFieldsProps) {
  const { kind, points } = draft
  useImperativeHandle(onPress, () => ([lng, lat]: Position) => {
    if (!isPlace(lat, lng)) return
    if (kind === 'circle') onDraft({ ...draft, lat: lat.toFixed(5), lng: lng.toFixed(5) })
    else if (points.length < maxAreaPoints) onDraft({ ...draft, points: [...points, [lng, lat]] })
  })
  return (
    <>
      <Segments
        label={m.map_area_shape()}
        items={[
          { key: 'circle', label: m.map_area_circle() },
          { key: 'outline', label: m.map_area_outline() },
        ]}
        value={kind}
        onChange={(next) => onDraft({ ...draft, kind: next })}
      />
      <p className="my-2 text-xs text-ink-2">
        {kind === 'circle'
          ? m.map_area_circle_hint()
          : m.map_area_outline_hint({ least: formatNumber(leastAreaPoints) })}
      </p>
      {kind === 'circle' ? (
        <CircleFields draft={draft} onDraft={onDraft} />
      ) : (
        <div className="flex items-center gap-2">
          <span className="num">{m.map_area_corners({ count: formatNumber(points.length) })}</span>
          <Button
            size="sm"
            variant="ghost"
            icon={Undo2}
            disabled={points.length === 0}
            onClick={() => onDraft({ ...draft, points: points.slice(0, -1) })}
          >
            {m.map_area_undo()}
          </Button>
        </div>
      )}
    </>
  )
}

function CircleFields({ draft, onDraft }: Omit<AreaFieldsProps, 'onPress'>) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const leave = (name: string) => setLeft(new Set([...left, name]))
  const { lat, lng, radius } = draft
  const wrong = (name: string, isRight: boolean, text: string) => (left.has(name) && !isRight ? text : undefined)
  return (
    <div className="grid grid-cols-3 gap-2">
      <Field label={m.map_area_latitude()} error={wrong('lat', isPlace(numberOf(lat), 0), m.map_area_latitude_wrong())}>
        <NumberInput
          step="any"
          value={lat}
          onChange={({ target }) => onDraft({ ...draft, lat: target.value })}
          onBlur={() => leave('lat')}
        />
      </Field>
      <Field
        label={m.map_area_longitude()}
        error={wrong('lng', isPlace(0, numberOf(lng)), m.map_area_longitude_wrong())}
      >
        <NumberInput
          step="any"
          value={lng}
          onChange={({ target }) => onDraft({ ...draft, lng: target.value })}
          onBlur={() => leave('lng')}
        />
      </Field>
      <Field
        label={m.map_area_radius()}
        error={wrong('radius', isRadius(radiusOf(radius)), m.map_area_radius_wrong({ most: formatHeight(maxRadiusM) }))}
      >
        <NumberInput
          unit={radiusUnit().sign}
          step="any"
          value={radius}
          onChange={({ target }) => onDraft({ ...draft, radius: target.value })}
          onBlur={() => leave('radius')}
        />
      </Field>
    </div>
  )
}
