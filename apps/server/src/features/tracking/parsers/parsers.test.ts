import { describe, expect, test } from 'vitest'
import type { Fix, Parsed } from '../fix.ts'
import { isDutyBatch, parseDutyBatch } from './duty-page.ts'
import { isTraccarJson, parseOsmandParameters, parseTraccarJson } from './osmand.ts'
import { isEncrypted, isOwnTracks, parseOwnTracks } from './owntracks.ts'

// Requests as the apps send them, from their makers' pages.

const receivedAt = new Date('2026-11-24T09:00:05.000Z')
const at = '2026-11-24T09:00:00.000Z'
const seconds = Date.parse(at) / 1000

/** The one fix, with its time as text. */
function only({ fixes, malformed }: Parsed): Partial<Omit<Fix, 'recordedAt'>> & { at: string } {
  expect([fixes.length, malformed]).toEqual([1, 0])
  const { recordedAt, ...fix } = fixes[0] as Fix
  return { at: recordedAt.toISOString(), ...fix }
}

const osmand = (query: string) => parseOsmandParameters(new URLSearchParams(query), receivedAt)

describe('OsmAnd and Traccar Client before 9', () => {
  test('the request of Traccar Client', () => {
    const query = `id=123456&timestamp=${seconds}&lat=64.1375&lon=-21.935&speed=27.0&bearing=182.5&altitude=43.2&accuracy=4.7&batt=81.0&charge=false`
    expect(only(osmand(query))).toEqual({
      at,
      lat: 64.1375,
      lng: -21.935,
      speedMps: expect.closeTo(13.89, 2),
      headingDeg: 182.5,
      altitudeM: 43.2,
      accuracyM: 4.7,
      batteryPct: 81,
      isMoving: null,
      isValid: true,
    })
  })

  test.each([
    ['seconds', `${seconds}`],
    ['milliseconds', `${seconds * 1000}`],
    ['ISO 8601', '2026-11-24T09:00:00Z'],
    ['ISO 8601 with an offset', '2026-11-24T14:45:00+05:45'],
    ['a date and time in UTC', '2026-11-24 09:00:00'],
  ])('time as %s', (_, timestamp) => {
    expect(only(osmand(`lat=1&lon=2&${new URLSearchParams({ timestamp }).toString()}`)).at).toBe(at)
  })

  test('without a time it is now', () => {
    expect(only(osmand('lat=1&lon=2')).at).toBe(receivedAt.toISOString())
  })

  test.each([
    ['a place in one parameter', 'location=64.1,-21.9', { lat: 64.1, lng: -21.9 }],
    ['heading instead of bearing', 'lat=1&lon=2&heading=90', { headingDeg: 90 }],
    ['a full circle is north', 'lat=1&lon=2&bearing=360', { headingDeg: 0 }],
    [
      'what is not known is -1',
      'lat=1&lon=2&speed=-1&bearing=-1&accuracy=-1&batt=-1',
      { speedMps: null, headingDeg: null, accuracyM: null, batteryPct: null },
    ],
    [
      'values beyond belief are left out',
      'lat=1&lon=2&accuracy=1e300&altitude=1e300&speed=Infinity',
      { accuracyM: null, altitudeM: null, speedMps: null },
    ],
    ['a place that the phone does not believe', 'lat=1&lon=2&valid=false', { isValid: false }],
    ['a receiver without a position', 'lat=0&lon=0', { isValid: false }],
    ['parameters of other makers', 'lat=1&lon=2&cell=1,2&wifi=ab-cd&driverUniqueId=7&hdop=0.9&x=%00', { lat: 1 }],
  ])('%s', (_, query, expected) => {
    expect(only(osmand(`timestamp=${seconds}&${query}`))).toMatchObject(expected)
  })

  test.each([
    ['off the globe', 'lat=91&lon=2'],
    ['no number', 'lat=abc&lon=2'],
    ['half a place', 'lat=1'],
    ['a comma for a point', 'lat=64,1&lon=2'],
    ['a time that is none', 'lat=1&lon=2&timestamp=yesterday'],
    ['a time before phones', 'lat=1&lon=2&timestamp=1'],
    ['a time that no calendar has', 'lat=1&lon=2&timestamp=1e300'],
  ])('%s is counted and is no fix', (_, query) => {
    expect(osmand(query)).toMatchObject({ fixes: [], malformed: 1 })
  })

  test('a heartbeat without a place is no fix and no fault', () => {
    expect(osmand(`id=1&timestamp=${seconds}&batt=50`)).toMatchObject({ fixes: [], malformed: 0 })
  })
})

describe('Traccar Client 9', () => {
  const body = {
    location: {
      timestamp: '2026-11-24T09:00:00.000Z',
      coords: { latitude: 64.1375, longitude: -21.935, accuracy: 4.7, speed: 13.9, heading: 182.5, altitude: 43.2 },
      is_moving: true,
      odometer: 1234.5,
      event: 'motionchange',
      battery: { level: 0.81, is_charging: false },
      activity: { type: 'in_vehicle' },
      extras: {},
    },
    device_id: '123456',
  }

  test('speed is m/s and battery a share', () => {
    expect(isTraccarJson(body)).toBe(true)
    expect(only(parseTraccarJson(body, receivedAt))).toEqual({
      at,
      lat: 64.1375,
      lng: -21.935,
      accuracyM: 4.7,
      speedMps: 13.9,
      headingDeg: 182.5,
      altitudeM: 43.2,
      batteryPct: 81,
      isMoving: true,
      isValid: true,
    })
  })

  test('what is not known is -1 or missing', () => {
    const location = {
      ...body.location,
      coords: { latitude: 1, longitude: 2, speed: -1, heading: -1 },
      battery: { level: -1 },
    }
    expect(only(parseTraccarJson({ location }, receivedAt))).toMatchObject({
      speedMps: null,
      headingDeg: null,
      accuracyM: null,
      batteryPct: null,
    })
  })

  test('a made-up place is marked', () => {
    const location = { ...body.location, mock: true }
    expect(only(parseTraccarJson({ location }, receivedAt)).isValid).toBe(false)
  })

  test.each([[{ location: null }], [{ location: [] }], [{ location: 'x' }], [{ location: { coords: [] } }]])(
    'no place in %j',
    (broken) => {
      expect(parseTraccarJson(broken, receivedAt).fixes).toEqual([])
    },
  )
})

describe('OwnTracks', () => {
  const body = {
    _type: 'location',
    _id: '5f3a',
    acc: 12,
    alt: 43,
    batt: 81,
    bs: 1,
    cog: 182,
    conn: 'm',
    created_at: seconds + 1,
    lat: 64.1375,
    lon: -21.935,
    t: 'u',
    tid: 'ab',
    topic: 'owntracks/ada/phone',
    tst: seconds,
    vac: 3,
    vel: 50,
  }

  test('speed is km/h', () => {
    expect(isOwnTracks(body)).toBe(true)
    expect(only(parseOwnTracks(body))).toMatchObject({
      at,
      lat: 64.1375,
      lng: -21.935,
      accuracyM: 12,
      altitudeM: 43,
      speedMps: expect.closeTo(13.89, 2),
      headingDeg: 182,
      batteryPct: 81,
    })
  })

  test.each(['transition', 'waypoint', 'waypoints', 'status', 'steps', 'lwt', 'card', 'cmd', 'beacon', 'later'])(
    'a %s holds no fix',
    (type) => {
      expect(parseOwnTracks({ ...body, _type: type })).toMatchObject({ fixes: [], malformed: 0 })
    },
  )

  test('encrypted content is recognized', () => {
    expect([isEncrypted({ _type: 'encrypted', data: 'x' }), isEncrypted(body)]).toEqual([true, false])
  })

  test('a location without a time is counted', () => {
    expect(parseOwnTracks({ ...body, tst: undefined })).toMatchObject({ fixes: [], malformed: 1 })
  })
})

describe('the duty page', () => {
  test('a batch, with the clock of the phone', () => {
    const fixes = [
      {
        recordedAt: at,
        lat: 64.1,
        lng: -21.9,
        accuracyM: 5,
        speedMps: 1.4,
        headingDeg: 10,
        altitudeM: 3,
        batteryPct: 80.4,
        isMoving: true,
      },
      { recordedAt: at, lat: '64.1', lng: null },
      null,
    ]
    const body = { fixes, sentAt: '2026-11-24T11:00:00Z' }
    expect(isDutyBatch(body)).toBe(true)
    const parsed = parseDutyBatch(body)
    expect(parsed).toMatchObject({ malformed: 2, sentAt: new Date('2026-11-24T11:00:00Z') })
    expect(parsed.fixes).toMatchObject([{ lat: 64.1, speedMps: 1.4, batteryPct: 80, isMoving: true }])
  })
})
