import { fieldsOf, momentOfEpoch, numberOf, type Parsed, parsedOf } from '../fix.ts'

// OwnTracks over HTTP. Source: owntracks.org/booklet/tech/http and /tech/json, read 2026-11-23.

/** km/h in m/s. */
const kmh = 1000 / 3600

/** Whether a JSON body is one of OwnTracks. */
export const isOwnTracks = (body: unknown): boolean => typeof fieldsOf(body)['_type'] === 'string'

/** Encrypted content needs a secret that we do not have. */
export const isEncrypted = (body: unknown): boolean => fieldsOf(body)['_type'] === 'encrypted'

/** `location` is a fix; everything else that the app says (`transition`, `waypoint`, `status`, …) holds none. */
export function parseOwnTracks(body: unknown): Parsed {
  const message = fieldsOf(body)
  if (message['_type'] !== 'location') return parsedOf([])
  const speed = numberOf(message['vel'])
  return parsedOf([
    {
      recordedAt: momentOfEpoch(message['tst']),
      lat: message['lat'],
      lng: message['lon'],
      accuracyM: numberOf(message['acc']),
      speedMps: speed === null ? null : speed * kmh,
      headingDeg: numberOf(message['cog']),
      altitudeM: numberOf(message['alt']),
      batteryPct: numberOf(message['batt']),
    },
  ])
}
