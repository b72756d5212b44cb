import * as z from 'zod/mini'
import { Latitude, Longitude } from '../fields.ts'
import { metersToShape, type Shape } from '../tracking/watch/shapes.ts'
import { type Corner, outlineProblem, unbroken, withoutRepeats } from './outline.ts'

/** Of a circle, meters. */
export const maxRadiusM = 200_000
export const leastRadiusM = 1
/** Of an outline. */
export const leastAreaPoints = 3
export const maxAreaPoints = 100

const Corners = z.array(z.tuple([Longitude, Latitude])).check(
  z.minLength(leastAreaPoints),
  z.maxLength(maxAreaPoints),
  z.overwrite((corners) => [...withoutRepeats(corners)]),
  z.refine((corners) => outlineProblem(corners) !== 'outline_flat', 'outline_flat'),
  z.refine((corners) => outlineProblem(corners) !== 'outline_crosses', 'outline_crosses'),
  z.refine((corners) => outlineProblem(corners) !== 'outline_too_wide', 'outline_too_wide'),
)

/** A part of the map: within a distance of its middle, or inside of a line that was drawn around it. Longitude comes first. */
export const Area = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('circle'),
    center: z.tuple([Longitude, Latitude]),
    radiusM: z.number().check(z.minimum(leastRadiusM), z.maximum(maxRadiusM)),
  }),
  z.object({ kind: z.literal('outline'), points: Corners }),
])
export type Area = z.output<typeof Area>

const closed = (points: readonly Corner[]): Corner[] => [...points, ...points.slice(0, 1)]

/** As GeoJSON, without the radius of a circle. */
export const shapeOf = (area: Area): Shape =>
  area.kind === 'circle'
    ? { type: 'Point', coordinates: area.center }
    : { type: 'Polygon', coordinates: [closed(area.points)] }

/** The area that a stored shape is; undefined for shapes that are none. @param radiusM Around a point. */
export function areaOfShape(shape: Shape, radiusM: number): Area | undefined {
  if (shape.type === 'Point') return { kind: 'circle', center: [...shape.coordinates], radiusM }
  if (shape.type !== 'Polygon') return undefined
  return { kind: 'outline', points: (shape.coordinates[0] ?? []).slice(0, -1).map(([lng, lat]) => [lng, lat]) }
}

/** Whether somebody there is inside. */
export const isInArea = (area: Area, place: { readonly lat: number; readonly lng: number }): boolean =>
  metersToShape(place, shapeOf(area)) <= (area.kind === 'circle' ? area.radiusM : 0)

const metersPerDegree = 111_195
const cornersOfCircle = 64

/** The edge of an area as a closed line, which goes on beyond 180 degrees. A circle is drawn in meters, so that it is round on the ground. */
export function edgeOf(area: Area): Corner[] {
  if (area.kind === 'outline') return unbroken(closed(area.points))
  const [lng, lat] = area.center
  const up = area.radiusM / metersPerDegree
  // At the poles a degree of longitude is nothing.
  const across = up / Math.max(Math.cos((lat * Math.PI) / 180), 0.01)
  return closed(
    Array.from({ length: cornersOfCircle }, (_, corner): Corner => {
      const turn = (corner / cornersOfCircle) * 2 * Math.PI
      return [lng + across * Math.sin(turn), lat + up * Math.cos(turn)]
    }),
  )
}
