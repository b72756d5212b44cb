import { linesOf } from '@tour-ops/contract/tracking/track-pieces'
import { expect, test } from 'vitest'
import type { MapPalette } from '../basemap/map-palette.ts'
import { trackData, trackLayers } from './track-layers.ts'

const marks = { info: 'blue', neutral: 'gray' }
const palette = {
  tracks: ['orange', 'teal'],
  route: 'black',
  surface: 'white',
  ink: 'black',
  marks,
} as unknown as MapPalette
const point = (at: number, lat: number) => ({ at, lat, lng: -21 })

/** Layers that draw lines, in order, with the condition for what they draw. */
const lines = trackLayers(palette).flatMap((layer) =>
  layer.type === 'line' && layer.id !== 'track-hit'
    ? [{ filter: layer.filter, dash: layer.paint?.['line-dasharray'] }]
    : [],
)

test('where there was no signal the way is dashed, and elsewhere it is not', () => {
  const ofGaps = lines.filter(({ filter }) => JSON.stringify(filter) === JSON.stringify(['get', 'isGap']))
  const ofPieces = lines.filter(({ filter }) => JSON.stringify(filter) === JSON.stringify(['!', ['get', 'isGap']]))
  expect(ofGaps.map(({ dash }) => dash)).toEqual([[2, 2]])
  expect(ofPieces.map(({ dash }) => dash)).toEqual([undefined, undefined])
  expect(lines).toHaveLength(3)
})

test('a track has its color in its pieces and across its gaps, and nothing across a break', () => {
  const points = [point(0, 64), point(1, 64.1), point(9, 64.2), point(10, 64.3), point(20, 64.4), point(21, 64.5)]
  const gaps = [
    { from: 1, to: 9, reason: 'no_signal' as const },
    { from: 10, to: 20, reason: 'break' as const },
  ]
  const drawn = { name: 'Ada', at: 1, ...linesOf(points, gaps) }
  const { features } = trackData('tracks', { tracks: [drawn], stops: [], markers: [], people: [] }, palette)
  expect(features.map(({ properties, geometry }) => [properties, geometry.coordinates])).toEqual([
    [
      { color: 'teal', isGap: true },
      [
        [-21, 64.1],
        [-21, 64.2],
      ],
    ],
    [
      { color: 'teal', isGap: false },
      [
        [-21, 64],
        [-21, 64.1],
      ],
    ],
    [
      { color: 'teal', isGap: false },
      [
        [-21, 64.2],
        [-21, 64.3],
      ],
    ],
    [
      { color: 'teal', isGap: false },
      [
        [-21, 64.4],
        [-21, 64.5],
      ],
    ],
  ])
})
