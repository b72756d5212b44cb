/** What a phone of the demo says of one moment. */
export interface Said {
  readonly lat: number
  readonly lng: number
  /** Unix time in seconds. */
  readonly seconds: number
  readonly speedMps: number
  readonly accuracyM: number
  readonly batteryPct: number
}

interface Request {
  /** Behind the address of the phone. */
  readonly query: string
  /** Posted as JSON; without one it is a GET. */
  readonly body?: object
}

/** m/s */
const knot = 1852 / 3600

const json = (body: object): Request => ({ query: '', body })

/** Traccar Client before version 9 and OsmAnd, OwnTracks, and Traccar Client since then. */
export type PhoneApp = 'osmand' | 'owntracks' | 'traccar'

/** How the apps of real phones send a position. Units and names: see `src/features/tracking/parsers`. */
export const phoneApps: Readonly<Record<PhoneApp, (said: Said) => Request>> = {
  osmand: ({ lat, lng, seconds, speedMps, accuracyM, batteryPct }) => ({
    query: `?lat=${lat}&lon=${lng}&timestamp=${seconds}&speed=${speedMps / knot}&accuracy=${accuracyM}&batt=${batteryPct}`,
  }),
  owntracks: ({ lat, lng, seconds, speedMps, accuracyM, batteryPct }) =>
    json({
      _type: 'location',
      lat,
      lon: lng,
      tst: seconds,
      vel: Math.round(speedMps * 3.6),
      acc: accuracyM,
      batt: batteryPct,
    }),
  traccar: ({ lat, lng, seconds, speedMps, accuracyM, batteryPct }) =>
    json({
      device_id: 'demo',
      location: {
        timestamp: new Date(seconds * 1000).toISOString(),
        coords: { latitude: lat, longitude: lng, accuracy: accuracyM, speed: speedMps },
        battery: { level: batteryPct / 100 },
      },
    }),
}
