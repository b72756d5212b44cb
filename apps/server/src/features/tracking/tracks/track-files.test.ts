import { SaxesParser } from 'saxes'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { TrackPoint } from '@tour-ops/contract/tracking/tracks'
import { type TrackFile, trackFiles } from './track-files.ts'

const start = Date.parse('2031-06-02T08:00:00Z')
const point = (minutes: number, lat: number, altitudeM: number | null = null): TrackPoint => ({
  at: start + minutes * 60_000,
  lat,
  lng: -21.5,
  speedMps: 12.5,
  altitudeM,
  batteryPct: null,
})
const file: TrackFile = {
  name: 'tracks-2031-06-02',
  madeAt: new Date(start),
  tracks: [
    {
      subject: { kind: 'staff', id: '00000000-0000-7000-8000-000000000001', name: '=Ada & "Bo" <\u0007\uD800' },
      points: [point(0, 64), point(1, 64.01, 120), point(30, 64.2)],
      gaps: [{ from: start + 60_000, to: start + 30 * 60_000, reason: 'no_signal' }],
    },
  ],
}

/** Names of the elements of a document with how many there are; fails where it is not well formed. */
function elementsOf(xml: string): { counts: Record<string, number>; texts: string[] } {
  const counts: Record<string, number> = {}
  const texts: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => (counts[name] = (counts[name] ?? 0) + 1))
  parser.on('text', (text) => texts.push(text))
  parser.write(xml).close()
  return { counts, texts }
}

describe('a file of tracks', () => {
  test('GPX has a segment for each piece, times and heights, and any name is well formed', () => {
    const xml = trackFiles.gpx.write(file)
    const { counts, texts } = elementsOf(xml)
    expect(counts).toMatchObject({ trk: 1, trkseg: 2, trkpt: 3, ele: 1 })
    expect(texts).toContain('=Ada & "Bo" <\uFFFD')
    expect(xml).toContain('<trkpt lat="64.01" lon="-21.5"><ele>120</ele><time>2031-06-02T08:01:00.000Z</time></trkpt>')
  })

  test('KML has as many times as places in each piece', () => {
    const { counts } = elementsOf(trackFiles.kml.write(file))
    expect(counts).toMatchObject({ Placemark: 1, 'gx:Track': 2, when: 3, 'gx:coord': 3 })
  })

  test('GeoJSON has a line for each piece with the times of its points, and a point where it is a single one', () => {
    const { features } = JSON.parse(trackFiles.geojson.write(file)) as {
      features: { geometry: { type: string; coordinates: unknown }; properties: Record<string, unknown> }[]
    }
    expect(features.map(({ geometry }) => geometry)).toEqual([
      {
        type: 'LineString',
        coordinates: [
          [-21.5, 64],
          [-21.5, 64.01, 120],
        ],
      },
      { type: 'Point', coordinates: [-21.5, 64.2] },
    ])
    expect(features[1]?.properties).toMatchObject({
      kind: 'staff',
      coordinateProperties: { times: ['2031-06-02T08:30:00.000Z'] },
    })
  })

  test('CSV keeps a name that looks like a formula as text', () => {
    const rows = parse(trackFiles.csv.write(file), { bom: true, columns: true }) as Record<string, string>[]
    expect(rows).toHaveLength(3)
    expect(rows[1]).toMatchObject({ latitude: '64.01', altitude_m: '120', time: '2031-06-02T08:01:00.000Z' })
    expect(rows[0]?.['name']).toMatch(/^'=Ada/)
  })
})
