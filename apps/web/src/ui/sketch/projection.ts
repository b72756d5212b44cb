/** A place on the earth, in degrees. */
export interface SketchPoint {
  readonly lat: number
  readonly lng: number
}

export interface SketchSize {
  readonly width: number
  readonly height: number
}

export interface Projection {
  readonly at: (point: SketchPoint) => { x: number; y: number }
  readonly unitsPerMeter: number
}

const margin = 48
/** Meters of one degree of latitude. */
const degreeM = 111_320
/** Places closer than this are drawn to this scale, so that a walk in one street does not fill the picture. */
const leastSpanM = 400

/** True positions on a plane, north up, all the points in sight. At least one. */
export function projectionOf(points: readonly SketchPoint[], { width, height }: SketchSize): Projection {
  const lats = points.map((point) => point.lat)
  const lngs = points.map((point) => point.lng)
  const middle = { lat: (Math.min(...lats) + Math.max(...lats)) / 2, lng: (Math.min(...lngs) + Math.max(...lngs)) / 2 }
  const lngM = degreeM * Math.cos((middle.lat * Math.PI) / 180)
  const spanX = Math.max(leastSpanM, (Math.max(...lngs) - Math.min(...lngs)) * lngM)
  const spanY = Math.max(leastSpanM, (Math.max(...lats) - Math.min(...lats)) * degreeM)
  const unitsPerMeter = Math.min((width - 2 * margin) / spanX, (height - 2 * margin) / spanY)
  return {
    unitsPerMeter,
    at: ({ lat, lng }) => ({
      x: width / 2 + (lng - middle.lng) * lngM * unitsPerMeter,
      y: height / 2 - (lat - middle.lat) * degreeM * unitsPerMeter,
    }),
  }
}
