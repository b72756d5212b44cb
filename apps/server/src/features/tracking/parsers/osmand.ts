import { maxFixesOfRequest } from '@tour-ops/contract/tracking/duty-fixes'
import {
  booleanOf,
  fieldsOf,
  momentOfEpoch,
  momentOfText,
  numberOf,
  type Parsed,
  parsedOf,
  type RawFix,
} from '../fix.ts'

// OsmAnd protocol. Source: traccar.org/osmand and Traccar's public decoder, read 2026-11-23. Parameters come from OsmAnd and from Traccar Client
// before 9.0.0, JSON from Traccar Client 9. The device's own id is not read: the address says who sends.

/** One knot, m/s. */
const knot = 1852 / 3600

/**
 * `?lat=…&lon=…&timestamp=…` in the query or in a form. A request without a place (a heartbeat, an alarm) holds no fix and is no error.
 *
 * @param receivedAt Taken where the device says no time.
 */
export function parseOsmandParameters(parameters: URLSearchParams, receivedAt: Date): Parsed {
  const [lat, lng] = placeOf(parameters)
  if (lat === null && lng === null) return parsedOf([])
  const number = (...names: string[]): number | null =>
    numberOf(names.map((name) => parameters.get(name)).find((value) => value !== null))
  const speed = number('speed')
  return parsedOf([
    {
      recordedAt: momentOf(parameters.get('timestamp'), receivedAt),
      lat,
      lng,
      accuracyM: number('accuracy'),
      speedMps: speed === null ? null : speed * knot,
      headingDeg: number('bearing', 'heading'),
      altitudeM: number('altitude'),
      batteryPct: number('batt'),
      isValid: !['false', '0'].includes(parameters.get('valid') ?? ''),
    },
  ])
}

function placeOf(parameters: URLSearchParams): readonly [string | null, string | null] {
  const [lat, lng] = parameters.get('location')?.split(',') ?? []
  return [parameters.get('lat') ?? lat ?? null, parameters.get('lon') ?? lng ?? null]
}

function momentOf(value: unknown, receivedAt: Date): Date | null {
  if (value === null || value === undefined || value === '') return receivedAt
  return momentOfText(value) ?? momentOfEpoch(value)
}

/** Whether a JSON body is one of Traccar Client 9. */
export const isTraccarJson = (body: unknown): boolean => 'location' in fieldsOf(body)

/** `{ "location": { "timestamp", "coords", "battery", … }, "device_id" }`; a list of locations is taken as well. */
export function parseTraccarJson(body: unknown, receivedAt: Date): Parsed {
  const { location } = fieldsOf(body)
  const locations: unknown[] = Array.isArray(location) ? location.slice(0, maxFixesOfRequest) : [location]
  return parsedOf(locations.map((each) => rawFixOf(fieldsOf(each), receivedAt)))
}

function rawFixOf(location: Readonly<Record<string, unknown>>, receivedAt: Date): RawFix {
  const coords = fieldsOf(location['coords'])
  const level = numberOf(fieldsOf(location['battery'])['level'])
  return {
    recordedAt: momentOf(location['timestamp'], receivedAt),
    lat: coords['latitude'],
    lng: coords['longitude'],
    accuracyM: numberOf(coords['accuracy']),
    // m/s here, and not knots as in the parameters; -1 where it is not known
    speedMps: numberOf(coords['speed']),
    headingDeg: numberOf(coords['heading']),
    altitudeM: numberOf(coords['altitude']),
    // a share, and not per cent as in the parameters
    batteryPct: level === null ? null : level * 100,
    isMoving: booleanOf(location['is_moving']),
    isValid: location['mock'] !== true,
  }
}
