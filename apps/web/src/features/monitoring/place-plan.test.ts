import { expect, test } from 'vitest'
import { drawPlace, planHeight, planWidth } from './place-plan.ts'

const bsi = { name: 'BSÍ terminal', lat: 64.1375, lng: -21.935, isDone: true }
const geysir = { name: 'Geysir', lat: 64.3104, lng: -20.3014, isDone: false }
const place = { lat: 64.26, lng: -21.1, at: '2030-07-14T09:00:00Z', routes: [], stops: [bsi, geysir, bsi], noGo: null }

test('the place and all stops fit, north is up and east is right', () => {
  const { seen, stops } = drawPlace(place)
  for (const { x, y } of [seen, ...stops]) {
    expect(x).toBeGreaterThanOrEqual(20)
    expect(x).toBeLessThanOrEqual(planWidth - 20)
    expect(y).toBeGreaterThanOrEqual(20)
    expect(y).toBeLessThanOrEqual(planHeight - 20)
  }
  expect(stops[0]?.x).toBeLessThan(seen.x)
  expect(stops[1]?.x).toBeGreaterThan(seen.x)
  expect(stops[1]?.y).toBeLessThan(seen.y)
})

test('a place that the tour visits twice is named once', () => {
  expect(drawPlace(place).stops.map(({ isNamed }) => isNamed)).toEqual([true, true, false])
})

test('the scale is a round distance, and a place without stops has one too', () => {
  expect(drawPlace(place).scale).toMatchObject({ meters: 10_000 })
  const alone = drawPlace({ ...place, stops: [] })
  expect(alone.scale.meters).toBe(200)
  expect(alone.seen).toEqual({ x: planWidth / 2, y: planHeight / 2 })
})

test('a drawn way is points in the order in which it is drawn', () => {
  const line: [number, number][] = [
    [bsi.lng, bsi.lat],
    [geysir.lng, geysir.lat],
  ]
  const { ways, stops } = drawPlace({ ...place, routes: [{ dayIndex: 1, line, source: 'drawn', lengthM: 90_000 }] })
  expect(ways[0]?.split(' ').map((point) => Number(point.split(',')[0]))).toEqual([
    expect.closeTo(stops[0]?.x ?? 0, 0),
    expect.closeTo(stops[1]?.x ?? 0, 0),
  ])
})

test('with a no-go area the plan shows the area, also on the other side of the 180th meridian', () => {
  const area = { kind: 'circle', center: [-179.99, -17], radiusM: 3_000 } as const
  const at = {
    ...place,
    lat: -17,
    lng: 179.999,
    noGo: { name: 'Reef', area: { ...area, center: [-179.99, -17] as [number, number] } },
  }
  const plan = drawPlace(at)
  const xs = (plan.area ?? '').split(' ').map((point) => Number(point.split(',')[0]))
  expect(Math.min(...xs)).toBeGreaterThan(0)
  expect(Math.max(...xs)).toBeLessThan(planWidth)
  expect(Math.min(...xs)).toBeLessThan(plan.seen.x)
  expect(Math.max(...xs)).toBeGreaterThan(plan.seen.x)
  expect(drawPlace(place).area).toBeNull()
})
