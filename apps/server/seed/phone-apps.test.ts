import { expect, test } from 'vitest'
import { parseOsmandParameters, parseTraccarJson } from '../src/features/tracking/parsers/osmand.ts'
import { parseOwnTracks } from '../src/features/tracking/parsers/owntracks.ts'
import { type PhoneApp, phoneApps } from './phone-apps.ts'

const receivedAt = new Date('2030-07-14T12:00:05Z')
const said = { lat: 64.1375, lng: -21.935, seconds: 1_910_433_600, speedMps: 15, accuracyM: 8, batteryPct: 76 }

const heard: Readonly<Record<PhoneApp, (request: ReturnType<(typeof phoneApps)[PhoneApp]>) => unknown>> = {
  osmand: ({ query }) => parseOsmandParameters(new URLSearchParams(query), receivedAt),
  owntracks: ({ body }) => parseOwnTracks(body),
  traccar: ({ body }) => parseTraccarJson(body, receivedAt),
}

test.each(Object.keys(phoneApps) as PhoneApp[])('what the demo sends as %s is understood with its units', (app) => {
  const { fixes } = heard[app](phoneApps[app](said)) as { fixes: readonly object[] }
  expect(fixes).toEqual([
    expect.objectContaining({
      recordedAt: new Date(said.seconds * 1000),
      lat: said.lat,
      lng: said.lng,
      speedMps: expect.closeTo(said.speedMps, 5),
      accuracyM: said.accuracyM,
      batteryPct: said.batteryPct,
    }),
  ])
})
