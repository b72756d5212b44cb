import type { Area } from '@tour-ops/contract/map/areas'
import type { Position } from '../basemap/geometry.ts'
import { isOutline, isPlace, isRadius } from '../../../addresses/area.ts'
import { radiusUnit } from './radius-unit.ts'

/** What was typed and pressed so far, whether or not it is an area yet. */
export interface AreaDraft {
  readonly kind: Area['kind']
  readonly lat: string
  readonly lng: string
  /** In the unit of the organization for heights, meters or feet. */
  readonly radius: string
  readonly points: readonly Position[]
}

const usualRadius = 1_000
const emptyDraft: AreaDraft = { kind: 'circle', lat: '', lng: '', radius: String(usualRadius), points: [] }

/** The draft that an area was made of. */
export function draftOf(area: Area | undefined): AreaDraft {
  if (!area) return emptyDraft
  if (area.kind === 'outline') return { ...emptyDraft, kind: 'outline', points: area.points }
  const [lng, lat] = area.center
  return {
    ...emptyDraft,
    lat: String(lat),
    lng: String(lng),
    radius: String(Math.round(area.radiusM / radiusUnit().meters)),
  }
}

export const numberOf = (text: string): number => (text.trim() === '' ? NaN : Number(text))
/** Meters of what was typed, to the centimeter, so that an address stays short. */
export const radiusOf = (text: string): number => Math.round(numberOf(text) * radiusUnit().meters * 100) / 100

/** The area that a draft is; undefined while something is missing or wrong. */
export function draftArea({ kind, lat, lng, radius, points }: AreaDraft): Area | undefined {
  if (kind === 'outline') return isOutline(points) ? { kind, points: [...points] } : undefined
  const [north, east, radiusM] = [numberOf(lat), numberOf(lng), radiusOf(radius)]
  return isPlace(north, east) && isRadius(radiusM) ? { kind, center: [east, north], radiusM } : undefined
}
