import { expect, test } from 'vitest'
import { departure, stop } from '../day.fixtures.ts'
import { circlesOf, fenceAddition } from './fence-layers.ts'

test('stops of running departures have a circle for coming and one for going, each place once', () => {
  const stops = [stop(1, 'departed', { lat: 64, lng: -21 }), stop(2, 'planned', { lat: 64, lng: -21 })]
  const running = departure({ id: 'one', stops })
  const later = departure({ id: 'two', status: 'scheduled', stops: [stop(1, 'planned', { lat: 65, lng: -20 })] })
  expect(circlesOf([running, later]).map(({ properties }) => properties)).toEqual([
    { isEnter: true },
    { isEnter: false },
  ])
})

test('a no-go area is a filled shape with its edge, and its name in the middle', () => {
  const area = { kind: 'circle', center: [179.99, -17], radiusM: 3_000 } satisfies Parameters<
    typeof fenceAddition
  >[1][number]['area']
  const { sources } = fenceAddition([], [{ name: 'Reef', area }])
  const features = sources['no-go']?.features ?? []
  expect(features.map(({ geometry }) => geometry.type)).toEqual(['Polygon', 'LineString', 'Point'])
  expect(features[2]).toMatchObject({ properties: { name: 'Reef' } })
  const [lng = 0] = features[2]?.geometry.type === 'Point' ? features[2].geometry.coordinates : []
  expect(lng).toBeCloseTo(179.99, 5)
})
