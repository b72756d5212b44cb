import { leastAreaPoints, maxAreaPoints, maxRadiusM } from '@tour-ops/contract/map/areas'
import { type KeyboardEvent, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { Undo2 } from 'lucide-react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Field, NumberInput } from '../../../ui/field.tsx'
import { formatHeight, formatNumber } from '../../../ui/format.ts'
import { Segments } from '../../../ui/tabs.tsx'
import type { Position } from '../basemap/geometry.ts'
import { type AreaDraft, numberOf, radiusOf } from './area-draft.ts'
import { isPlace, isRadius } from '../../../addresses/area.ts'
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
        <>
          <CornerFields
            label={m.map_area_corner()}
            addLabel={m.map_area_corner_add()}
            isFull={points.length >= maxAreaPoints}
            onCorner={(corner) => onDraft({ ...draft, points: [...points, corner] })}
          />
          <div className="mt-1 flex items-center gap-2">
            <span className="num" role="status">
              {m.map_area_corners({ count: formatNumber(points.length) })}
            </span>
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
        </>
      )}
    </>
  )
}

interface CoordinatesProps {
  lat: string
  lng: string
  onChange: (typed: { lat?: string; lng?: string }) => void
  onEnter?: (() => void) | undefined
}

/** Latitude and longitude as they are typed; what is wrong is said when the field is left. Of fields for one point more, nothing typed is nothing wrong. */
function Coordinates({ lat, lng, onChange, onEnter }: CoordinatesProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const leave = (name: string) => setLeft(new Set([...left, name]))
  const isUnused = onEnter !== undefined && lat === '' && lng === ''
  const wrong = (name: string, isRight: boolean, text: string) =>
    left.has(name) && !isRight && !isUnused ? text : undefined
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !onEnter) return
    // the form around it is not sent yet
    event.preventDefault()
    onEnter()
  }
  return (
    <>
      <Field label={m.map_area_latitude()} error={wrong('lat', isPlace(numberOf(lat), 0), m.map_area_latitude_wrong())}>
        <NumberInput
          step="any"
          value={lat}
          onChange={({ target }) => onChange({ lat: target.value })}
          onBlur={() => leave('lat')}
          onKeyDown={onKeyDown}
        />
      </Field>
      <Field
        label={m.map_area_longitude()}
        error={wrong('lng', isPlace(0, numberOf(lng)), m.map_area_longitude_wrong())}
      >
        <NumberInput
          step="any"
          value={lng}
          onChange={({ target }) => onChange({ lng: target.value })}
          onBlur={() => leave('lng')}
          onKeyDown={onKeyDown}
        />
      </Field>
    </>
  )
}

function CircleFields({ draft, onDraft }: Omit<AreaFieldsProps, 'onPress'>) {
  const [isLeft, setLeft] = useState(false)
  const { lat, lng, radius } = draft
  return (
    <div className="grid grid-cols-3 gap-2">
      <Coordinates lat={lat} lng={lng} onChange={(typed) => onDraft({ ...draft, ...typed })} />
      <Field
        label={m.map_area_radius()}
        error={
          isLeft && !isRadius(radiusOf(radius))
            ? m.map_area_radius_wrong({ most: formatHeight(maxRadiusM) })
            : undefined
        }
      >
        <NumberInput
          unit={radiusUnit().sign}
          step="any"
          value={radius}
          onChange={({ target }) => onDraft({ ...draft, radius: target.value })}
          onBlur={() => setLeft(true)}
        />
      </Field>
    </div>
  )
}

interface CornerFieldsProps {
  label: string
  addLabel: string
  isFull: boolean
  onCorner: (corner: Position) => void
}

/** A corner, or another point of what is drawn, by its coordinates, for those who use no pointer. */
export function CornerFields({ label, addLabel, isFull, onCorner }: CornerFieldsProps) {
  const [round, setRound] = useState(0)
  const [typed, setTyped] = useState({ lat: '', lng: '' })
  const fields = useRef<HTMLDivElement>(null)
  const [lat, lng] = [numberOf(typed.lat), numberOf(typed.lng)]
  const isReady = isPlace(lat, lng) && !isFull
  const add = () => {
    if (!isReady) return
    onCorner([lng, lat])
    setTyped({ lat: '', lng: '' })
    setRound(round + 1)
  }
  // The next corner is typed where this one was.
  useEffect(() => {
    if (round > 0) fields.current?.querySelector('input')?.focus()
  }, [round])
  return (
    <div ref={fields} className="grid grid-cols-[1fr_1fr_auto] items-start gap-2" role="group" aria-label={label}>
      <Coordinates
        key={round}
        lat={typed.lat}
        lng={typed.lng}
        onChange={(next) => setTyped({ ...typed, ...next })}
        onEnter={add}
      />
      <Button className="mt-5" disabled={!isReady} onClick={add}>
        {addLabel}
      </Button>
    </div>
  )
}
