import { type RefObject, useImperativeHandle, useState } from 'react'
import { Undo2 } from 'lucide-react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Field, NumberInput } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { Segments } from '../../../ui/tabs.tsx'
import type { Position } from '../basemap/geometry.ts'
import { type Area, isOutline, isPlace, maxAreaPoints, maxRadiusM } from './area.ts'

/** What is called with a place that was pressed on the map. */
export type PlacePress = (position: Position) => void

/** What was typed and pressed so far, whether or not it is an area yet. */
export interface AreaDraft {
  readonly kind: Area['kind']
  readonly lat: string
  readonly lng: string
  readonly radius: string
  readonly points: readonly Position[]
}

const usualRadiusM = 1_000
const emptyDraft: AreaDraft = { kind: 'circle', lat: '', lng: '', radius: String(usualRadiusM), points: [] }

/** The draft that an area was made of. */
export function draftOf(area: Area | undefined): AreaDraft {
  if (!area) return emptyDraft
  if (area.kind === 'outline') return { ...emptyDraft, kind: 'outline', points: area.points }
  const [lng, lat] = area.center
  return { ...emptyDraft, lat: String(lat), lng: String(lng), radius: String(area.radiusM) }
}

const numberOf = (text: string): number => (text.trim() === '' ? NaN : Number(text))
const isRadius = (meters: number): boolean => meters > 0 && meters <= maxRadiusM

/** The area that a draft is; undefined while something is missing or wrong. */
export function draftArea({ kind, lat, lng, radius, points }: AreaDraft): Area | undefined {
  if (kind === 'outline') return isOutline(points) ? { kind, points } : undefined
  const [north, east, radiusM] = [numberOf(lat), numberOf(lng), numberOf(radius)]
  return isPlace(north, east) && isRadius(radiusM) ? { kind, center: [east, north], radiusM } : undefined
}

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
        {kind === 'circle' ? m.map_area_circle_hint() : m.map_area_outline_hint()}
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
      <Field label={m.map_area_radius()} error={wrong('radius', isRadius(numberOf(radius)), m.map_area_radius_wrong())}>
        <NumberInput
          unit="m"
          step="any"
          value={radius}
          onChange={({ target }) => onDraft({ ...draft, radius: target.value })}
          onBlur={() => leave('radius')}
        />
      </Field>
    </div>
  )
}
